"""Examples of an estimator, declared in its class, for tests and `credalbench.cluster.testing`."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Examples:
    """Parameters for trying an estimator; the class attribute ``examples``.

    Parameters
    ----------
    quick : mapping
        Parameters other than the defaults with which a fit takes seconds.
    variants : tuple of mappings
        Parameters of other paths through the estimator, which share little code with the defaults.
    start : {"objects", "medoids", "masses", "labels"}, optional
        Argument that `init` accepts: rows of the data, one for each cluster; their indices; masses (n, 4) on
        the empty set, two clusters and both; labels (n,). None: `init` accepts no start.
    rounding : float, default 1e-9
        Largest difference of masses computed twice; larger if some arithmetic is in single precision.
    """

    quick: Mapping[str, object] = field(default_factory=dict)
    variants: tuple[Mapping[str, object], ...] = ()
    start: str | None = None
    rounding: float = 1e-9
