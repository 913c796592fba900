"""What Section 4.1.3 and Table 4 say of Four-class, checked on data that stand in for the lost ones."""

from functools import partial

import pandas as pd

from credalbench.core.intervals import difference, mean
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, all_of, claim

from ..shared.ebic import EbicTable

PRINTED = printed_values(__file__)
CLASSES = int(PRINTED["n_clusters"].value)
TABLE = EbicTable("egmm-tab-04", "Four-class", PRINTED, CLASSES, "S29 S17")
RECOVERED = 0.8  # of the objects in their class: "accurately", our reading; the classes overlap
on_stand_in = partial(claim, "egmm-fig-5", stand_in=True)


def of(tables) -> pd.DataFrame:
    """Return the partitions, by draw."""
    return tables["partitions"].set_index("repetition").sort_index()


# ---------------------------------------------------------------- summaries


def partitions(params, tables) -> pd.DataFrame:
    """Return measures of the partitions into four clusters: mean, lowest and highest over the draws."""
    found = of(tables).agg(["mean", "min", "max"]).T.round(3)
    return found.set_axis(["mean", "lowest", "highest"], axis=1)


EBIC_CLAIMS = TABLE.claims()


# ---------------------------------------------------------------- Figure 5


@on_stand_in(
    f"EGMM puts more than {RECOVERED:.0%} of the objects into their class (accurately, our reading)",
    sentence="S30",
)
def classes_are_recovered(params, tables):
    found = of(tables)
    off = found["centre_off"].max()
    note = f"lowest {found['accuracy'].min():.2f}; farthest centre off by {off:.1f} at most"
    return above(RECOVERED, {"mean accuracy": mean(found["accuracy"])}, ".3f", note)


@on_stand_in(
    "some objects are put on sets of several clusters, and these lie at the boundaries: their second nearest "
    "centre is hardly farther than the nearest, unlike that of the others",
    sentence="S31",
)
def ambiguous_objects_lie_at_boundaries(params, tables):
    """Compare the distance to the second nearest centre with that to the nearest."""
    found = of(tables)
    share = found["neighbours"].mean()
    note = f"of the ambiguous ones, {share:.0%} are on a set that holds their two nearest centres"
    return all_of(
        above(0, {"mean number of such objects": mean(found["n_ambiguous"])}, ".0f"),
        above(
            0,
            {
                "of the sure less of the ambiguous ones": difference(
                    found["margin_sure"], found["margin_ambiguous"]
                )
            },
            ".2f",
            note,
        ),
    )


@on_stand_in(
    "lower approximations are pessimistic, upper ones optimistic: of the objects in a lower one more are in "
    "their class than by hard labels, and of all objects more are possibly in theirs",
    sentence="S32",
)
def pessimistic_and_optimistic(params, tables):
    found = of(tables)
    return above(
        0,
        {
            "in a lower one, less hard": difference(found["right_sure"], found["accuracy"]),
            "possibly, less hard": difference(found["right_possibly"], found["accuracy"]),
        },
        "+.3f",
    )


@on_stand_in("a hard evidential partition is easier to interpret than probabilities", sentence="S33")
def easier_to_interpret(params, tables):
    raise NotCheckable("only readers can say what is easy to read, and we have asked none")
