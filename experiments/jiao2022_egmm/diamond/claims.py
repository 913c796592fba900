"""What Section 4.1.1 and Table 2 say of Diamond, checked on our starts."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import mean, proportion
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, agrees, all_of, below, claim, within
from credalbench.papers.reasons import UNEXPLAINED

from ..shared.choices import UNIT
from ..shared.starts import usual

PRINTED = printed_values(__file__)
OBJECT = 6
SHOWN = int(PRINTED["n_clusters"].value)
#: The clusters where nearly all starts end alike, and their covariance is far from singular.
TIGHT = (2, 3)
#: A centre is in its wing if it is nearer to the mean of the wing's five objects than to that of the five and
#: object 6, which is 2/3 away; else it is biased towards object 6 (our reading).
NEAR = 1 / 3
MANY_ENDS = "with so few objects each start ends elsewhere: the paper has one run, and its start is lost"
of_ebic = partial(claim, "egmm-tab-02")


def runs_of(tables, method="egmm", c=None, focal_sets="full") -> pd.DataFrame:
    """Return the starts of one method; those of EGMM with one number of clusters and kind of focal sets."""
    runs = tables["runs"]
    runs = runs[runs["method"] == method]
    if method == "egmm":
        runs = runs[runs["focal_sets"] == focal_sets]
    return runs if c is None else runs[runs["c"] == c]


def usual_ebic(tables, focal_sets="full") -> pd.Series:
    """Return the EBIC at which most starts end, to one decimal, by number of clusters."""
    found = runs_of(tables, focal_sets=focal_sets).groupby("c")["ebic"].agg(usual)
    return found.reindex(range(SHOWN, int(found.index.max()) + 1))


def ends_of_starts(params, tables) -> pd.DataFrame:
    """Count where the starts of EGMM end: usual, lowest and highest EBIC, by focal sets and c."""
    rows = {}
    for (focal_sets, c), part in runs_of_both(tables).groupby(["focal_sets", "c"]):
        ebic, middle = part["ebic"], usual(part["ebic"])
        rows[focal_sets, c] = {
            "printed": PRINTED[f"ebic_{c}"].value if f"ebic_{c}" in PRINTED else float("nan"),
            "usual EBIC": round(middle, 2),
            "share of the starts": round(float((ebic.round(1) == round(middle, 1)).mean()), 2),
            "lowest": round(ebic.min(), 1),
            "highest": round(ebic.max(), 1),
            "ends, to one decimal": ebic.round(1).nunique(),
            "without a result": int((part["status"] == "failed").sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["focal sets", "c"])


def runs_of_both(tables) -> pd.DataFrame:
    return tables["runs"][tables["runs"]["method"] == "egmm"]


# ---------------------------------------------------------------- Table 2


@of_ebic(
    "with two and with three clusters the EBIC in which most starts end is the printed one",
    published="; ".join(f"c = {c}: {PRINTED[f'ebic_{c}'].value}" for c in TIGHT),
    fitted=UNIT,
)
def usual_ebic_as_printed(params, tables):
    found, values = usual_ebic(tables), {f"c = {c}": PRINTED[f"ebic_{c}"] for c in TIGHT}
    shares = [
        f"c = {c}: {(runs_of(tables, c=c)['ebic'].round(1) == round(found[c], 1)).mean():.0%}" for c in TIGHT
    ]
    note = f"of the starts {', '.join(shares)}"
    return agrees(values, {f"c = {c}": found[c] for c in TIGHT}, ".2f", note)


@of_ebic(
    "with {c} clusters the EBIC of one start is the printed one, as starts go",
    published="{printed}",
    cause=UNEXPLAINED,
    explanation=MANY_ENDS,
    fitted=UNIT,
    each=[{"c": c, "printed": PRINTED[f"ebic_{c}"]} for c in (4, 5, 6)],
)
def one_start_as_printed(params, tables, c, printed):
    """Allow for the scatter of one run, because one run is printed."""
    ebic = runs_of(tables, c=c)["ebic"].dropna()
    if ebic.empty:
        raise NotCheckable(f"no start with {c} clusters has a result in this run", [printed])
    note = f"most end at {usual(ebic):.1f}, from {ebic.min():.1f} to {ebic.max():.1f}"
    return agrees(printed, mean(ebic), ".1f", note)


@of_ebic("the EBIC in which most starts end is largest with two clusters", sentence="S18 S17")
def two_clusters_are_chosen(params, tables):
    found = usual_ebic(tables).dropna()
    return above(0, {f"c = 2 over c = {c}": found[2] - v for c, v in found.drop(2).items()}, ".1f")


# ---------------------------------------------------------------- Figures 1 to 3


@claim(
    "egmm-fig-2",
    "a Gaussian mixture has all its probability on single clusters",
    sentence="S01",
    by_definition=True,
)
def mixture_is_probabilistic(params, tables):
    both = runs_of(tables, "gmm")["both"].dropna()
    if both.empty:
        raise NotCheckable("no start of the Gaussian mixture has a result")
    return within(0, 0, {"mass on both clusters": both.max()}, "g")


@claim(
    "egmm-fig-2",
    "in most starts a Gaussian mixture gives object 6 to one cluster with more than 0.7 (high, our reading)",
    sentence="S19",
)
def mixture_decides(params, tables):
    every = runs_of(tables, "gmm")
    runs = every.dropna(subset="single")
    if runs.empty:
        raise NotCheckable("no start of the Gaussian mixture has a result")
    note = f"{(every['status'] == 'ok').sum()} of {len(every)} starts have a result; "
    note += f"usual probability {usual(runs['single'], 2):.2f}"
    return above(0.5, {"share of the starts": proportion(runs["single"] > 0.7)}, ".2f", note)


@claim(
    "egmm-fig-3",
    "EGMM gives object 6 its largest mass on the set of both clusters, in most starts",
    sentence="S20",
)
def object_is_ambiguous(params, tables):
    runs = runs_of(tables, c=SHOWN).dropna(subset="both")
    note = f"usual mass on both {usual(runs['both'], 2):.3f}"
    return above(0.5, {"share of the starts": proportion(runs["both"] > runs["single"])}, ".2f", note)


@claim(
    "egmm-fig-3",
    "the shown start of EGMM has both centres nearer to their wings than to the means of wing and object 6 "
    "(about, our reading); one centre of the Gaussian mixture is farther off (biased)",
    sentence="S21",
)
def centres_are_found(params, tables):
    off = {}
    for method in ("egmm", "gmm"):
        runs, places = runs_of(tables, method, SHOWN), tables["centres"].query("method == @method")
        if places.empty:
            raise NotCheckable(f"no start of {method} has a result")
        off[method] = runs.set_index("start").loc[places["start"].iloc[0], "off_wing"]
    return all_of(
        below(NEAR, {"EGMM, worse centre off by": off["egmm"]}, ".2f"),
        above(NEAR, {"Gaussian mixture, worse centre off by": off["gmm"]}, ".2f"),
    )
