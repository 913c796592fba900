"""What an explorer declares: its purpose, its public names, settings for tests and benchmarks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Noise:
    """Random data without clusters: `rows` objects or pixels, `columns` attributes or pixels.

    `kind` is "numbers", "words" or "image".
    """

    rows: int
    columns: int
    kind: str = "numbers"


@dataclass(frozen=True)
class Latency:
    """A case of ``benchmarks/explorer_latency.py``.

    Attributes
    ----------
    opened : str
        Python source that opens the explorer as `explorer`, with ``{n}`` for the number of objects.
    controls : sequence of str
        The labels of the controls that are moved.
    sizes : sequence of int
    aims : tuple of (float, float)
        Largest median and 95 % quantile in ms at `aimed_at` objects.
    aimed_at : int
    """

    opened: str
    controls: Sequence[str]
    sizes: Sequence[int] = (200, 1000, 5000)
    aims: tuple[float, float] = (50, 100)
    aimed_at: int = 1000


@dataclass(frozen=True)
class Declaration:
    """The declaration of an explorer, `EXPLORER` of its package.

    Attributes
    ----------
    about : str
        One line on what the explorer is for.
    public : mapping of str -> str
        The module of each public name: model, view and function.
    small : str or Noise
        Data for fits that take milliseconds: a name, or noise.
    values : mapping of str -> sequence
        Values to try for parameters without a range, or with a range that takes long.
    examples : mapping of str -> object
        Values other than the default, for parameters without a range or choices, or on which others depend.
    long : mapping of str -> object
        Settings whose fit takes tens of seconds; the key "own" holds the data as `Noise`.
    latency : sequence of Latency
    """

    about: str
    public: Mapping[str, str]
    small: str | Noise
    values: Mapping[str, Sequence] = field(default_factory=dict)
    examples: Mapping[str, object] = field(default_factory=dict)
    long: Mapping[str, object] = field(default_factory=dict)
    latency: Sequence[Latency] = ()
