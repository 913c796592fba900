"""Tables 3 and 4: EBIC against the number of clusters, on draws of data that stand in for the lost ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from credalbench.core.intervals import mean, proportion
from credalbench.papers import Claim, NotCheckable, Printed
from credalbench.papers.claims import above, agrees, claim

from .choices import CALIBRATED
from .pictures import ebic_picture
from .plane import KINDS

WORDS = {2: "two", 4: "four"}


def ebic(tables, focal_sets: str = "pairs") -> pd.DataFrame:
    """Return the EBIC by draw, numbers of clusters in the columns."""
    rows = tables["index"]
    return rows[rows["focal_sets"] == focal_sets].pivot(index="repetition", columns="c", values="ebic")


@dataclass(frozen=True)
class EbicTable:
    """One of the two tables: its id, its data, printed values, number of classes.

    Sentences are the names of those on the largest EBIC.
    """

    artefact: str
    data: str
    values: Mapping[str, Printed]
    n_classes: int
    sentence: str

    @property
    def printed(self) -> dict[int, Printed]:
        """Number of clusters -> printed EBIC."""
        return {c: self.values[f"ebic_{c}"] for c in range(2, 7)}

    def ebic_and_printed(self, params, tables) -> pd.DataFrame:
        """Return the printed EBIC, and ours as median over the draws with the standard deviation."""
        found = {"printed": {c: f"{self.printed[c].value:.1f}" for c in params.n_clusters}}
        for kind, name in KINDS.items():
            values = ebic(tables, kind)
            found[name] = {c: f"{values[c].median():.1f} ± {values[c].std(ddof=1):.1f}" for c in values}
        return pd.DataFrame(found).T.rename_axis(columns="c")

    def draw(self, params, tables) -> Figure:
        """Draw the EBIC of the draws, and the printed values."""
        printed = {c: value.value for c, value in self.printed.items()}
        title = f"{self.data} (stand-in): EBIC of {params.n_draws} draws, lines through the medians"
        return ebic_picture(tables["index"], KINDS, printed, title, "median")

    def claims(self) -> tuple[Claim, ...]:
        """Return the claims on the table."""
        stated = partial(claim, self.artefact, stand_in=True)

        @stated(
            "with {c} clusters the EBIC of one draw is the printed one, as draws go",
            published="{printed}",
            fitted=CALIBRATED,
            each=[{"c": c, "printed": printed} for c, printed in self.printed.items()],
        )
        def ebic_as_printed(params, tables, c, printed):
            """Allow for the scatter of one draw, because one sample is printed."""
            values = ebic(tables)
            if c not in values:
                raise NotCheckable(f"c = {c} was not run", [printed])
            note = f"from {values[c].min():.0f} to {values[c].max():.0f}"
            return agrees(
                printed, mean(values[c]), ".1f", f"{note}; sets of at most two clusters, and the frame"
            )

        @stated(
            f"EBIC is largest with {WORDS[self.n_classes]} clusters on most draws", sentence=self.sentence
        )
        def number_of_classes_is_chosen(params, tables):
            chosen = ebic(tables).idxmax(axis=1)
            counts = ", ".join(f"c = {c} on {n}" for c, n in chosen.value_counts().items())
            return above(0.5, {"share of the draws": proportion(chosen == self.n_classes)}, ".2f", counts)

        return (*ebic_as_printed, number_of_classes_is_chosen)
