"""Examples 1 and 2: belief functions before any clustering.

Example 1 asks whether two persons have the same nationality, given one piece of evidence about each. The
evidence conflicts if it points to disjoint sets of countries; the plausibility of a common nationality is one
minus that degree of conflict, Eq. (3). EVCLUS uses this with objects in place of persons and clusters in
place of countries. Example 2 takes one mass function on three clusters, Eq. (8), and compares two decisions:
the most plausible cluster, Eq. (6), and all clusters that no other cluster dominates, Eq. (7). Everything is
printed in the paper and exact, so we made no choices. The two pictures are ours.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.combine import degree_of_conflict
from credalbench.papers import Finding, declare, knob, printed_values
from credalbench.papers.claims import agrees, claim
from credalbench.plots import PALETTE, new_figure
from credalbench.plots.style import FAINT, INK, LABEL_SIZE, MUTED, TICK_SIZE, style_axes, tint

PRINTED = printed_values(__file__)
COUNTRIES = ("Singapore", "Thailand", "France", "Canada")


@dataclass(frozen=True)
class Parameters:
    """Masses of the two examples."""

    ann_asian: float = knob(0.8, "mass on {Singapore, Thailand} for Ann (Eq. 4a)", low=0.0, high=1.0)
    henri_french: float = knob(0.5, "mass on {France, Canada} for Henri (Eq. 4b)", low=0.0, high=1.0)
    masses: tuple[float, float, float] = knob(
        (0.3, 0.4, 0.3), "masses on {1}, {2} and {1,3} in Example 2, sum 1 (Eq. 8)", low=0.0, high=1.0
    )


def cases(params):
    return [{"example": 1}, {"example": 2}]


def compute(params, case):
    if case["example"] == 1:
        return nationalities(params.ann_asian, params.henri_french)
    return decisions(params.masses)


def nationalities(ann_asian, henri_french):
    """Tabulate Example 1: the products of masses, and the degree of conflict that they add up to."""
    focal_sets = FocalSets.from_sets(4, [{0, 1}, {2, 3}, range(4)])
    ann = np.array([ann_asian, 0.0, 1 - ann_asian])
    henri = np.array([0.0, henri_french, 1 - henri_french])
    names = [
        " or ".join(COUNTRIES[k] for k in sorted(A)) if len(A) < 4 else "anywhere" for A in focal_sets.sets
    ]
    products = [
        {
            "ann": names[i],
            "henri": names[j],
            "mass_ann": ann[i],
            "mass_henri": henri[j],
            "product": ann[i] * henri[j],
            "no_common_country": bool(focal_sets.conflict[i, j] == 1),
        }
        for i in (0, 2)
        for j in (1, 2)
    ]
    conflict = float(degree_of_conflict(ann, focal_sets, henri, focal_sets))
    answer = {"conflict": [conflict], "same_nationality": [1 - conflict]}
    return {"products": pd.DataFrame(products), "nationality": pd.DataFrame(answer)}


def decisions(masses):
    """Tabulate Example 2: belief and plausibility of each cluster, and which dominate which."""
    partition = CredalPartition([masses], FocalSets.from_sets(3, [{0}, {1}, {0, 2}]))
    bel = np.array([partition.belief({k})[0] for k in range(3)])
    pl = partition.contour[0]
    dominators = [", ".join(str(k + 1) for k in np.flatnonzero(bel > pl[j])) for j in range(3)]
    table = {
        "cluster": [1, 2, 3],
        "belief": bel,
        "plausibility": pl,
        "most_plausible": np.arange(3) == partition.labels("plausibility")[0],
        "undominated": partition.interval_dominance()[0],
        "dominated_by": dominators,
    }
    return {"clusters": pd.DataFrame(table)}


def draw(params, tables):
    return {
        "evclus-ex-01": draw_conflict(tables["products"], tables["nationality"]),
        "evclus-ex-02": draw_intervals(tables["clusters"]),
    }


def draw_conflict(products, nationality):
    """Draw the unit square cut by both mass functions: the shaded area is the degree of conflict."""
    figure = new_figure(5.6, 3.9)
    ax = figure.subplots()
    asian, french = products.loc[0, "mass_ann"], products.loc[0, "mass_henri"]
    for row in products.itertuples():
        left, width = (0.0, asian) if "Singapore" in row.ann else (asian, 1 - asian)
        bottom, height = (0.0, french) if "France" in row.henri else (french, 1 - french)
        face = tint(PALETTE[1], 0.45) if row.no_common_country else tint(PALETTE[0], 0.12)
        ax.add_patch(Rectangle((left, bottom), width, height, facecolor=face, edgecolor="white", linewidth=2))
        if min(width, height) > 0.04:
            text = f"{row.product:.3g}" + ("\nno common country" if row.no_common_country else "")
            weight = "bold" if row.no_common_country else "normal"
            place = (left + width / 2, bottom + height / 2)
            ax.text(*place, text, ha="center", va="center", fontsize=LABEL_SIZE, color=INK, fontweight=weight)
    kappa, same = nationality.loc[0, ["conflict", "same_nationality"]]
    style_axes(
        ax,
        title=f"Conflict {kappa:.3g}, plausibility of one nationality {same:.3g}",
        xlabel="Ann: mass",
        ylabel="Henri: mass",
        grid=None,
    )
    ax.set(xlim=(0, 1), ylim=(0, 1))
    label_pieces(ax.set_xticks, [(0.0, asian, "Singapore\nor Thailand"), (asian, 1.0, "anywhere")])
    label_pieces(ax.set_yticks, [(0.0, french, "France\nor Canada"), (french, 1.0, "anywhere")])
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    return figure


def label_pieces(set_ticks, pieces):
    """Name the pieces (begin, end, text) of an axis at their middles; pieces of no length get no name."""
    shown = [(begin, end, text) for begin, end, text in pieces if end - begin > 0.04]
    middles = [(begin + end) / 2 for begin, end, _ in shown]
    set_ticks(middles, [f"{text}\n{end - begin:.3g}" for begin, end, text in shown])


def draw_intervals(clusters):
    """Draw belief and plausibility of each cluster as an interval; dominated ones end left of the line."""
    figure = new_figure(6.2, 2.7)
    ax = figure.subplots()
    bound = clusters["belief"].max()
    ax.axvline(bound, color=PALETTE[1], linestyle="--", linewidth=1.1, zorder=1)
    for row in clusters.itertuples():
        colour = PALETTE[0] if row.undominated else MUTED
        ax.plot([row.belief, row.plausibility], [row.cluster] * 2, color=colour, linewidth=5, alpha=0.45)
        ax.plot(row.belief, row.cluster, "|", color=colour, markersize=15, markeredgewidth=2)
        ax.plot(row.plausibility, row.cluster, "o", color=colour, markersize=7, markeredgecolor="white")
        verdict = f"dominated by {row.dominated_by}" if row.dominated_by else "undominated"
        verdict += ", most plausible" if row.most_plausible else ""
        look = {"va": "center", "fontsize": TICK_SIZE, "color": colour}
        ax.annotate(
            verdict, (row.plausibility, row.cluster), (9, 0), textcoords="offset points", zorder=3, **look,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip
    style_axes(
        ax,
        title="From belief (bar) to plausibility (dot)",
        xlabel=f"mass; dashed: the largest belief, {bound:.3g}",
        ylabel="cluster",
        grid=None,
    )
    ax.set(xlim=(-0.02, 1.02), ylim=(3.6, 0.4), yticks=clusters["cluster"])
    ax.grid(True, axis="x", color=FAINT, linewidth=0.6)
    return figure


# ------------------------------------------------------------------------------------------ claims

CHANGED = "the paper's masses were changed"
ON_CLUSTERS = {f"{name}({k})": PRINTED[f"{name}_{k}"] for name in ("pl", "bel") for k in (1, 2, 3)}


@claim(
    "evclus-ex-01",
    "the two pieces of evidence conflict, and Ann and Henri have the same nationality, to the printed "
    "degrees",
    sentence="S06",
    published=", ".join(f"{PRINTED[name].value:g}" for name in ("conflict", "same_nationality")),
    explanation=CHANGED,
)
def evidence_combined(params, tables):
    answer = tables["nationality"].iloc[0]
    printed = {name.replace("_", " "): PRINTED[name] for name in answer.index if name in PRINTED}
    return agrees(printed, {name: answer[printed[name].quantity] for name in printed}, ".12g")


@claim(
    "evclus-ex-02",
    "plausibilities and beliefs of the three clusters are as printed",
    published=", ".join(f"{label} = {value.value:g}" for label, value in ON_CLUSTERS.items()),
    explanation=CHANGED,
)
def belief_and_plausibility(params, tables):
    clusters = tables["clusters"].set_index("cluster")
    columns = {"pl": "plausibility", "bel": "belief"}
    ours = {f"{name}({k})": clusters.loc[k, column] for name, column in columns.items() for k in (1, 2, 3)}
    return agrees(ON_CLUSTERS, ours)


@claim("evclus-ex-02", "cluster 1 has the largest plausibility", sentence="S07", explanation=CHANGED)
def first_is_most_plausible(params, tables):
    clusters = tables["clusters"]
    best = clusters.loc[clusters["most_plausible"], "cluster"].tolist()
    return Finding(best == [1], f"cluster {best[0]}")


@claim(
    "evclus-ex-02",
    "cluster 2 alone dominates cluster 3, and the undominated clusters are 1 and 2",
    sentence="S08",
    explanation=CHANGED,
)
def two_are_undominated(params, tables):
    clusters = tables["clusters"].set_index("cluster")
    kept, dominators = clusters.index[clusters["undominated"]].tolist(), clusters["dominated_by"][3]
    text = f"3 dominated by {dominators or 'none'}; {{{', '.join(map(str, kept))}}}"
    return Finding(kept == [1, 2] and dominators == "2", text)


experiment = declare(
    __name__,
    title="Conflict between two persons' evidence, and two ways to decide",
    artefacts={
        "evclus-ex-01": "Plausibility that two persons share a nationality",
        "evclus-ex-02": "Maximum plausibility against interval dominance",
    },
)
