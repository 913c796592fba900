"""What Section 5.2.4 of [antoine2012_cecm] says of its brain image, checked on the stand-ins of the study."""

from functools import partial

import numpy as np
import pandas as pd

from credalbench.core.intervals import Estimate, difference, exact, mean
from credalbench.papers import EXPECTATION, PROPERTY, CannotBeChecked, Finding, printed_values
from credalbench.papers.claims import above, all_of, below, claim, within

from .figures import masses_of

PRINTED = printed_values(__file__)
ISOLATED = 0.9  # share of the bright pixels in one piece, Jaccard index with the lesion
HALF_A_LEVEL = 0.5 / 255  # of an image of 8 bits
SETTLED = 1e-5  # difference of masses: two fits stop within the mass step's 1e-6 of where they rest
NAMES = {"brain_mr": "MR slice", "phantom": "phantoms"}  # claims are about the stand-ins, not an own image
STAND_IN = "the paper's image is private; neither picture is it, and the regions are ours"
on_stand_ins = partial(claim, substitute=True, explanation=STAND_IN)
expected_on_stand_ins = partial(on_stand_ins, basis=EXPECTATION)


def per_picture(tables, method: str, column: str) -> dict[str, np.ndarray]:
    """Return a column of ``fits`` for one method: stand-in -> values, one for each repetition."""
    fits = tables["fits"][tables["fits"]["method"] == method]
    return {label: fits.loc[fits["picture"] == name, column].to_numpy() for name, label in NAMES.items()}


def facts(tables) -> pd.DataFrame:
    """Return what the regions say of each stand-in; of the phantoms, the first."""
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
    raise CannotBeChecked("the image is private; our stand-ins were chosen and made to have such areas")


@expected_on_stand_ins(
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


@expected_on_stand_ins(
    "cecm-fig-15",
    "quantisation moves a pixel by less than half a grey level of 8 bits (root mean square)",
    published=f"{PRINTED['n_prototypes'].value:g} prototypes",
)
def quantisation_is_fine(params, tables):
    errors = tables["regions"].groupby("picture")["quantisation_error"].max()
    counts = [
        f"{label}: {row.n_colours:g} levels, {row.n_prototypes:g} prototypes"
        for label, row in facts(tables).iterrows()
    ]
    named = {label: errors[name] for name, label in NAMES.items()}
    return below(HALF_A_LEVEL, named, ".4f", ", ".join(counts))


@on_stand_ins("cecm-fig-16", "ECM alone leaves pixels on both clusters", sentence="S48")
def ecm_is_unsure(params, tables):
    shares = per_picture(tables, "ECM", "share_omega")
    return above(0, {f"share of Ω, {label}": average(values) for label, values in shares.items()}, ".3f")


@expected_on_stand_ins(
    "cecm-fig-17",
    "two regions of must-links are joined by cannot-links, without contradiction",
    published="drawn only",
)
def two_regions(params, tables):
    regions = tables["regions"]
    whole = (regions["n_groups"] == 2) & (regions["n_cannot_links"] > 0)
    texts = [
        f"{label}: {row.n_must_links:g} must-links and {row.n_cannot_links:g} cannot-links between "
        f"{row.prototypes_1:g} and {row.prototypes_2:g} prototypes, {row.prototypes_contested:g} contested"
        for label, row in facts(tables).iterrows()
    ]
    return Finding(whole.all(), "; ".join(texts))


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


@expected_on_stand_ins(
    "cecm-fig-18",
    "whichever regions an expert draws, CECM halves the share of Ω at least",
    published="one pair of regions, drawn only",
    explanation="large regions across several tissues share their grey levels: those are contested, and no "
    f"constraint reaches them; {STAND_IN}",
)
def any_regions_will_do(params, tables):
    tried = tables["other_regions"].groupby("regions", sort=False)["share_omega"].max()
    [without] = per_picture(tables, "ECM", "share_omega")["MR slice"]
    note = f"{without:.3f} without constraints; the largest share over the agreements"
    return below(without / 2, tried.to_dict(), ".3f", note)


@expected_on_stand_ins(
    "cecm-fig-18",
    f"the bright area is isolated in one cluster: {ISOLATED:.0%} of its pixels in one piece, and its Jaccard "
    "index with the lesion, where that is known, as high",
    published="drawn only",
)
def bright_area_isolated(params, tables):
    pieces = per_picture(tables, "CECM", "in_one_piece")
    ecm, cecm = (average(per_picture(tables, m, "jaccard")["phantoms"]) for m in ("ECM", "CECM"))
    found = {f"in one piece, {label}": average(values) for label, values in pieces.items()}
    note = f"ECM's {{1}} has the Jaccard index {ecm:.3f} already"
    return above(ISOLATED, found | {"Jaccard index, phantoms": cecm}, ".3f", note)


@claim(
    "cecm-fig-18",
    "with grey levels as the only attribute, the adaptive metric gives the masses of the Euclidean one",
    PROPERTY,
)
def one_dimension_has_one_metric(params, tables):
    """Compare in one dimension, where a norm of determinant 1 is 1 and the paper's step (42) does nothing."""
    gaps = {
        f"largest difference of a mass, {label}": np.abs(
            masses_of(tables, name, "CECM") - masses_of(tables, name, "CECM, Euclidean")
        ).max()
        for name, label in NAMES.items()
    }
    return below(SETTLED, gaps, ".1e")


@expected_on_stand_ins(
    "cecm-fig-19",
    "the pignistic partition of CECM isolates the bright area better than that of ECM",
    published="drawn only",
)
def pignistic_isolates_better(params, tables):
    methods = ("CECM", "ECM")
    truth = [per_picture(tables, method, "jaccard_pignistic")["phantoms"] for method in methods]
    pieces = [per_picture(tables, method, "in_one_piece_pignistic")["MR slice"][0] for method in methods]
    wrong = (average(100 * per_picture(tables, method, "error_pignistic")["phantoms"]) for method in methods)
    note = "wrong pixels of the phantoms in %: CECM {:.2f}, ECM {:.2f}".format(*wrong)
    gains = {
        "Jaccard index with the true lesion, CECM - ECM": difference(*truth),
        "bright pixels of the MR slice in one piece, CECM - ECM": pieces[0] - pieces[1],
    }
    return above(0, gains, ".3f", note)
