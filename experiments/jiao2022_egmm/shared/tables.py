"""Tables 5 to 11 as they are printed: names of their rows and columns, and every cell by name."""

from credalbench.papers import Printed, printed_values

#: Data set -> its name in the paper.
DATASETS = {"iris": "Iris", "knowledge": "Knowledge", "seeds": "Seeds", "vehicle": "Vehicle", "wine": "Wine"}
#: Data set -> its file, one of those of ``credalbench data``.
FILES = {
    "iris": "iris_uci",
    "knowledge": "user_knowledge",
    "seeds": "seeds",
    "vehicle": "vehicle",
    "wine": "wine_uci",
}
#: Data set -> the table with its results.
TABLES = {name: f"egmm-tab-{number:02d}" for number, name in enumerate(DATASETS, start=6)}
#: Algorithm -> its name in the paper.
METHODS = {
    "hcm": "HCM",
    "fcm": "FCM",
    "ecm": "ECM",
    "gmm": "GMM",
    "gmm_shared": "GMM (constrained)",
    "bootgmm": "bootGMM",
    "egmm": "EGMM",
}
OTHERS = tuple(METHODS)[:-1]
EVIDENTIAL = ("ecm", "bootgmm", "egmm")
#: The rows of Tables 6 to 10: what is measured, with the number of clusters unknown or known.
ROWS = {
    "c_hat": "number of clusters",
    "nmi_unknown": "NMI, c unknown",
    "ari_unknown": "ARI, c unknown",
    "purity_known": "purity, c known",
    "nmi_known": "NMI, c known",
    "ari_known": "ARI, c known",
}
UNKNOWN, KNOWN = tuple(ROWS)[1:3], tuple(ROWS)[3:]

#: The place of EGMM in the prose among the algorithms: with c unknown or known, on which data sets.
PLACES = [
    {
        "sentence": "S37",
        "words": "c unknown",
        "which": ("iris", "knowledge", "seeds"),
        "rows": UNKNOWN,
        "place": 1,
    },
    {"sentence": "S38", "words": "c unknown", "which": ("vehicle", "wine"), "rows": UNKNOWN, "place": 2},
    {
        "sentence": "S39",
        "words": "c known",
        "which": ("knowledge", "seeds", "vehicle"),
        "rows": KNOWN,
        "place": 1,
    },
    {"sentence": "S40", "words": "c known", "which": ("iris", "wine"), "rows": KNOWN, "place": 2},
]
RANKS = {1: "the best", 2: "the second best"}

_VALUES = printed_values(__file__, "real_data")
_SECONDS = printed_values(__file__, "run_time")


def printed_quantity(quantity: str, dataset: str, method: str) -> Printed | None:
    """Return a printed mean, one of `ROWS`, or with ``sd_`` before it its standard deviation; else None."""
    return _VALUES.get(f"{quantity}_{dataset}_{method}")


def printed_cell(row: str, dataset: str, method: str) -> Printed | None:
    """Return the printed mean in one of `ROWS`; None for HCM, which needs the number of clusters."""
    return printed_quantity(row, dataset, method)


def printed_deviation(row: str, dataset: str, method: str) -> Printed | None:
    """Return the printed standard deviation of that cell."""
    return printed_quantity(f"sd_{row}", dataset, method)


def printed_size(dataset: str, size: str) -> int:
    """Return ``n``, ``p`` or ``c`` of a data set (Table 5)."""
    return int(_VALUES[f"{dataset}_{size}"].value)


def printed_seconds(dataset: str, method: str) -> Printed:
    """Return the printed time of Table 11."""
    return _SECONDS[f"time_{dataset}_{method}"]
