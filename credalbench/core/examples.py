"""Examples of an estimator, declared in its class: how tests and `credalbench.cluster.testing` try it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Examples:
    """Parameters with which an estimator is tried; the class attribute ``examples``.

    Parameters
    ----------
    quick : mapping
        Parameters instead of defaults with which a fit takes seconds.
    variants : tuple of mappings
        Parameters of other paths through the estimator that share little code with the defaults.
    start : {"objects", "medoids", "masses", "labels"}, optional
        What `init` accepts: rows of the data, one for each cluster; their indices; masses (n, 4) on the empty
        set, two clusters and both; labels (n,). None: no start can be given.
    rounding : float, default 1e-9
        How far masses may differ that are computed twice; more where some arithmetic is in single precision.
    """

    quick: Mapping[str, object] = field(default_factory=dict)
    variants: tuple[Mapping[str, object], ...] = ()
    start: str | None = None
    rounding: float = 1e-9
