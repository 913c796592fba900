"""Sentences of Section 5.2.4 of [antoine2012_cecm] on its brain image, checked on the stand-ins."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, exact, mean
from credalbench.papers import NotCheckable, printed_values
from credalbench.papers.claims import above, all_of, claim, within

PRINTED = printed_values(__file__)
NAMES = {"brain_mr": "MR slice", "phantom": "phantoms"}  # claims are about the stand-ins, not an own image
STAND_IN = "the paper's image is private; neither picture is it, and the regions are ours"
on_stand_ins = partial(claim, stand_in=True, explanation=STAND_IN)


def per_picture(tables, method: str, column: str) -> dict[str, np.ndarray]:
    """Return a column of ``fits`` for one method: stand-in -> values, one for each repetition."""
    fits = tables["fits"][tables["fits"]["method"] == method]
    return {label: fits.loc[fits["picture"] == name, column].to_numpy() for name, label in NAMES.items()}


def facts(tables) -> pd.DataFrame:
    """Return what the regions say about each stand-in; of the phantoms, about the first."""
    return tables["regions"].groupby("picture").first().loc[list(NAMES)].rename(index=NAMES)


def average(values: np.ndarray) -> Estimate:
    """Return the one value of the MR slice, or the mean over the phantoms."""
    return exact(values[0]) if len(values) == 1 else mean(values)


@claim(
    "cecm-fig-15",
    "the bright area is the pathology, the dark grey one normal tissue, the grey between them ventricles and "
    "fluid",
    sentence="S47",
)
def three_areas(params, tables):
    raise NotCheckable("the image is private; our stand-ins were chosen and made to have such areas")


@on_stand_ins(
    "cecm-fig-15",
    "our pictures have the printed size",
    published=f"{PRINTED['rows'].value:g} x {PRINTED['columns'].value:g} pixels",
)
def size_as_printed(params, tables):
    return all_of(
        *(
            within(PRINTED[side].value, PRINTED[side].value, {f"{side}, {label}": row[side]})
            for label, row in facts(tables).iterrows()
            for side in ("rows", "columns")
        )
    )


@on_stand_ins("cecm-fig-16", "ECM alone leaves pixels on both clusters", sentence="S48")
def ecm_is_unsure(params, tables):
    shares = per_picture(tables, "ECM", "share_omega")
    return above(0, {f"share of Ω, {label}": average(values) for label, values in shares.items()}, ".3f")


@on_stand_ins(
    "cecm-fig-18",
    "constraints remove the ambiguity: with CECM no pixel is left on both clusters",
    sentence="S49",
)
def cecm_is_sure(params, tables):
    before, after = (per_picture(tables, method, "share_omega") for method in ("ECM", "CECM"))
    rest = [per_picture(tables, method, "share_omega_unconstrained") for method in ("ECM", "CECM")]
    found = [
        f"{label}: {average(before[label]):.3f} with ECM; where a prototype stands in no constraint "
        f"{average(rest[0][label]):.3f} with ECM, {average(rest[1][label]):.3f} with CECM"
        for label in before
    ]
    left = {f"share of Ω, {label}": average(values) for label, values in after.items()}
    return within(0, 0, left, ".3f", "; ".join(found))
