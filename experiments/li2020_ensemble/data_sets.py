"""Figure 3 and Tables 1 and 2: the data sets of the experiments, and the numbers of clusters in the bases.

The bodies of both tables are lost. The five simulated sets are named and shown in Figure 3, Wine and Seeds
are named in the text. The numbers of clusters in the bases are ours (``shared/problems.py``).

The statements on the sets are checked by k-means, the best of several starts with as many clusters as
classes: it misses classes of complex shape, and finds those that are round and well separated.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

from credalbench.core.intervals import exact
from credalbench.metrics import adjusted_rand
from credalbench.papers import NotCheckable, case_random_state, declare, knob
from credalbench.papers.claims import above, all_of, below, claim
from credalbench.plots import new_figure
from credalbench.plots.object_maps import marker_size
from credalbench.plots.style import colour, marker, style_axes

from .shared.problems import BASE_CASES, DATASETS, REAL, SIMULATED, base_sizes, problem

COMPLEX = [name for name in SIMULATED if name != "r15"]
FOUND = 0.95  # adjusted Rand index from which k-means finds the classes, our reading


@dataclass(frozen=True)
class Parameters:
    """Which data sets."""

    datasets: tuple[str, ...] = knob(tuple(DATASETS), "names of the data sets (Figure 3, Table 3)")
    n_init: int = knob(20, "starts of k-means (ours)", low=1)
    seed: int = knob(0, "seed of the starts", low=0)


def cases(params):
    return [{"dataset": name} for name in params.datasets]


def compute(params, case):
    """Compute the table ``sizes``, one row; ``objects`` of simulated sets; ``bases``, three rows."""
    name = case["dataset"]
    X, y, c = problem(name)
    seed = case_random_state(params.seed, name)
    labels = KMeans(c, n_init=params.n_init, random_state=seed).fit_predict(X)
    n, p = X.shape
    row = {"n": n, "p": p, "c": c, "n_classes": len(np.unique(y)), "ari_kmeans": adjusted_rand(y, labels)}
    ends = [base_sizes(number, n, c) for number in BASE_CASES]
    tables = {
        "sizes": pd.DataFrame([row]),
        "bases": pd.DataFrame(
            {"case": [*BASE_CASES], "least": [e[0] for e in ends], "largest": [e[1] for e in ends]}
        ),
    }
    if name in SIMULATED:
        tables["objects"] = pd.DataFrame({"class": y, "x": X[:, 0], "y": X[:, 1]})
    return tables


def sizes(params, tables) -> pd.DataFrame:
    """Return Table 1 as ours: sizes, and how well k-means finds the classes."""
    table = tables["sizes"].set_index("dataset")
    return table.rename(index={name: about.title for name, about in DATASETS.items()}).round(3)


def clusters_in_bases(params, tables) -> pd.DataFrame:
    """Return Table 2 as ours: clusters in the bases, by case."""
    table = tables["bases"]
    ends = table["least"].astype(str) + " to " + table["largest"].astype(str)
    words = ends.where(table["least"] < table["largest"], table["least"].astype(str))
    wide = table.assign(words=words).pivot(index="dataset", columns="case", values="words")
    order = [name for name in DATASETS if name in wide.index]
    wide = wide.loc[order].rename(index={name: about.title for name, about in DATASETS.items()})
    return wide.rename(columns={number: f"case {number}: {what}" for number, what in BASE_CASES.items()})


def draw(params, tables):
    """Draw the simulated sets, marker and colour by class."""
    shown = [name for name in SIMULATED if name in set(tables["sizes"]["dataset"])]
    if not shown:
        return {}
    figure = new_figure(12.0, 7.6)
    axes = figure.subplots(2, 3).ravel()
    for letter, ax, name in zip("abcde", axes, shown):
        part = tables["objects"][tables["objects"]["dataset"] == name]
        look = {"ls": "none", "ms": marker_size(len(part)), "mec": "white", "mew": 0.4}
        for k, inside in part.groupby("class"):
            ax.plot(inside["x"], inside["y"], marker=marker(k), mfc=colour(k), **look)
        title = f"({letter}) {DATASETS[name].title}: n = {len(part)}, {part['class'].nunique()} classes"
        style_axes(ax, title=title, grid=None)
        ax.set_aspect("equal", adjustable="datalim")
    for ax in axes[len(shown) :]:
        ax.set_visible(False)
    return {"ensemble-fig-3": figure}


# ------------------------------------------------------------------------------------------ claims


def kmeans(tables) -> pd.Series:
    """Return the adjusted Rand index of k-means, by title."""
    found = tables["sizes"].set_index("dataset")["ari_kmeans"]
    return found.rename(index={name: about.title for name, about in DATASETS.items()})


@claim(
    "ensemble-fig-3",
    "Aggregation, Compound, Flame and Spiral contain clusters of complex shape: k-means finds the classes of "
    f"none (adjusted Rand index below {FOUND}, our reading)",
    sentence="S48",
)
def shapes_are_complex(params, tables):
    found = kmeans(tables)
    titles = [DATASETS[name].title for name in COMPLEX if DATASETS[name].title in found.index]
    return below(FOUND, {title: exact(found[title]) for title in titles}, ".2f")


@claim(
    "ensemble-fig-3",
    "R15 has more clusters than the other four, and they are well separated: k-means finds its classes "
    f"(adjusted Rand index above {FOUND}, our reading)",
    sentence="S49",
)
def many_and_separated(params, tables):
    table = tables["sizes"].set_index("dataset")
    if "r15" not in table.index:
        raise NotCheckable("R15 is left out of this run")
    others = [name for name in COMPLEX if name in table.index]
    more = {
        DATASETS[name].title: exact(table.loc["r15", "n_classes"] - table.loc[name, "n_classes"])
        for name in others
    }
    return all_of(
        above(0, more, "+g", "more clusters than each"),
        above(FOUND, {"k-means": exact(table.loc["r15", "ari_kmeans"])}, ".3f"),
    )


@claim("ensemble-tab-1", "the sizes of the data sets are the printed ones", sentence="S50")
def sizes_as_printed(params, tables):
    raise NotCheckable(
        "the body of Table 1 is lost in the text at hand; of the real sets only Wine and Seeds are "
        "named in it"
    )


@claim("ensemble-tab-2", "the numbers of clusters in the bases are the printed ones", sentence="S51")
def bases_as_printed(params, tables):
    raise NotCheckable("the body of Table 2 is lost in the text at hand; ours are a reading of its design")


@claim("ensemble-tab-2", "the true number of clusters can often be guessed from pictures", sentence="S52")
def number_can_be_guessed(params, tables):
    raise NotCheckable("only readers can say what can be seen in pictures, and we have asked none")


experiment = declare(
    __name__,
    title="The data sets of the experiments",
    artefacts={
        "ensemble-fig-3": "Simulated data sets",
        "ensemble-tab-1": f"Data sets (lost; ours: {len(SIMULATED)} simulated, {len(REAL)} real)",
        "ensemble-tab-2": "Number of clusters in the base partitions (lost)",
    },
    summaries=(sizes, clusters_in_bases),
    data=tuple(named.file for named in DATASETS.values()),
)
