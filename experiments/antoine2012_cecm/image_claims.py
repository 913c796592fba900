"""What Section 5.2.4 of [antoine2012_cecm] says of its brain image, checked on the stand-ins of the study."""

import numpy as np
from scipy.stats import t as student

from credalbench.runner import Claim, Finding
from experiments.printed import printed_values

from .image_figures import MASSES

PRINTED = printed_values("antoine2012_cecm", "image_segmentation")
SIZEABLE = 0.05  # share of the pixels; the width is ours
ISOLATED = 0.9  # share of the bright pixels in one piece, Jaccard index with the lesion; ours
HALF_A_LEVEL = 0.5 / 255  # of an image of 8 bits
OPEN = "share_omega_unconstrained"
NAMES = {"brain_mr": "MR slice", "phantom": "phantoms", "own": "own image"}
STAND_IN = "the paper's image is private; neither picture is it, and the regions are ours"


def by_picture(tables, method):
    """Name -> rows of `fits` of one method, a row for each repetition."""
    fits = tables["fits"][tables["fits"]["method"] == method]
    return {name: fits[fits["picture"] == name] for name in NAMES if (fits["picture"] == name).any()}


def stand_ins(tables, method):
    """As `by_picture`, without an image of the user's own: claims are about the stand-ins."""
    return {name: rows for name, rows in by_picture(tables, method).items() if name != "own"}


def in_words(values, digits=3):
    """A value, or the mean of several with its 95 % interval (Student)."""
    values = np.asarray(values, dtype=float)
    text = f"{values.mean():.{digits}f}"
    if len(values) == 1:
        return text
    reach = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{text} ± {reach:.{digits}f} (mean of {len(values)}, 95 %)"


def each(values):
    """``MR slice 0.5; phantoms 0.1``, out of name -> text."""
    return "; ".join(f"{NAMES[name]} {text}" for name, text in values.items())


def check_size(params, tables):
    facts = tables["regions"].groupby("picture").first()
    sizes = {
        name: (facts.loc[name, "rows"], facts.loc[name, "columns"]) for name in NAMES if name in facts.index
    }
    shown = [size for name, size in sizes.items() if name != "own"]
    right = all(
        PRINTED["rows"].agrees(rows) and PRINTED["columns"].agrees(columns) for rows, columns in shown
    )
    return Finding(right, each({name: f"{rows} x {columns}" for name, (rows, columns) in sizes.items()}))


def check_quantisation(params, tables):
    facts = tables["regions"].groupby("picture")[["n_colours", "n_prototypes", "quantisation_error"]].max()
    text = {
        name: f"{row.n_colours:.0f} levels, {row.n_prototypes:.0f} prototypes, "
        f"error {row.quantisation_error:.4f}"
        for name in NAMES
        if name in facts.index
        for row in [facts.loc[name]]
    }
    worst = facts.drop(index="own", errors="ignore")["quantisation_error"].max()
    return Finding(worst < HALF_A_LEVEL, each(text))


def check_unsure(params, tables):
    shares = {name: rows["share_omega"] for name, rows in stand_ins(tables, "ECM").items()}
    text = each({name: in_words(values) for name, values in shares.items()})
    return Finding(all(values.min() >= SIZEABLE for values in shares.values()), f"share of Ω: {text}")


def check_regions(params, tables):
    facts = tables["regions"]
    whole = (facts["n_groups"] == 2) & (facts["n_cannot_links"] > 0)
    first = facts.groupby("picture").first()
    text = {
        name: f"{row.n_must_links:.0f} must-links and {row.n_cannot_links:.0f} cannot-links between "
        f"{row.prototypes_1:.0f} and {row.prototypes_2:.0f} prototypes, "
        f"{row.prototypes_contested:.0f} contested"
        for name in NAMES
        if name in first.index
        for row in [first.loc[name]]
    }
    return Finding(whole.all(), each(text))


def check_surer(params, tables):
    before, after = stand_ins(tables, "ECM"), stand_ins(tables, "CECM")
    falls = {name: (before[name]["share_omega"], after[name]["share_omega"]) for name in before}
    holds = all((then.to_numpy() < now.to_numpy()).all() for now, then in falls.values())
    text = each(
        {name: f"{in_words(now)} before, {in_words(then)} after" for name, (now, then) in falls.items()}
    )
    rest = each(
        {
            name: f"{in_words(before[name][OPEN])} before, {in_words(after[name][OPEN])} after"
            for name in before
        }
    )
    note = f"among pixels whose prototype stands in no constraint: {rest}"
    return Finding(holds, f"share of Ω: {text}", note)


def check_any_regions(params, tables):
    tried = tables["other_regions"]
    shares = tried["share_omega"]
    without = by_picture(tables, "ECM")["brain_mr"]["share_omega"].iloc[0]
    text = "; ".join(
        f"{name} {group['share_omega'].min():.3f} to {group['share_omega'].max():.3f}"
        for name, group in tried.groupby("regions", sort=False)
    )
    note = (
        f"{without:.3f} without constraints; each pair with the agreements {sorted(set(tried['agreement']))}"
    )
    return Finding((shares < without / 2).all(), f"share of Ω on the MR slice: {text}", note)


def check_isolated(params, tables):
    after = stand_ins(tables, "CECM")
    pieces = {name: rows["in_one_piece"] for name, rows in after.items()}
    truth = after["phantom"]["jaccard"]
    holds = all(values.min() >= ISOLATED for values in pieces.values()) and truth.min() >= ISOLATED
    text = each({name: in_words(values) for name, values in pieces.items()})
    without = in_words(stand_ins(tables, "ECM")["phantom"]["jaccard"])
    shown = f"bright pixels in one piece: {text}; Jaccard with the true lesion {in_words(truth)}"
    return Finding(holds, shown, f"ECM's {{1}} has the Jaccard index {without} already")


def check_metric(params, tables):
    """In one dimension a norm of determinant 1 is 1, so that the step (42) of the paper changes nothing."""
    rows, facts = tables["prototypes"], tables["regions"].set_index("picture")["n_attributes"]
    largest = {}
    for name in [name for name in NAMES if name in facts.index and np.max(facts.loc[[name]]) == 1]:
        masses = [
            rows[(rows["picture"] == name) & (rows["method"] == method)].sort_values("prototype")[
                list(MASSES)
            ]
            for method in ("CECM", "CECM, Euclidean")
        ]
        largest[name] = float(np.abs(masses[0].to_numpy() - masses[1].to_numpy()).max())
    text = each({name: f"{gap:.1e}" for name, gap in largest.items()})
    # both fits stop within the mass step's 1e-6 of where they rest
    return Finding(max(largest.values()) < 1e-5, f"largest difference of a mass: {text}")


def check_better(params, tables):
    before, after = stand_ins(tables, "ECM"), stand_ins(tables, "CECM")
    truth = {
        k: fits["phantom"]["jaccard_pignistic"].to_numpy() for k, fits in (("ECM", before), ("CECM", after))
    }
    pieces = {
        k: fits["brain_mr"]["in_one_piece_pignistic"].iloc[0]
        for k, fits in (("ECM", before), ("CECM", after))
    }
    errors = [in_words(100 * fits["phantom"]["error_pignistic"], 2) for fits in (before, after)]
    holds = (truth["CECM"] > truth["ECM"]).all() and pieces["CECM"] > pieces["ECM"]
    text = (
        f"Jaccard with the true lesion: ECM {in_words(truth['ECM'])}, CECM {in_words(truth['CECM'])}; "
        f"bright pixels of the MR slice in one piece: ECM {pieces['ECM']:.3f}, CECM {pieces['CECM']:.3f}"
    )
    return Finding(holds, text, f"wrong pixels of the phantoms in %: ECM {errors[0]}, CECM {errors[1]}")


def stand_in_claim(artefact, statement, basis, check, published="", explanation=STAND_IN):
    return Claim(artefact, statement, basis, check, published, explanation, substitute=True)


CLAIMS = (
    stand_in_claim("cecm-fig-15", "the image has 156 x 141 pixels", "paper", check_size, "156 x 141"),
    stand_in_claim(
        "cecm-fig-15",
        "quantisation moves a pixel by less than half a grey level of 8 bits (root mean square)",
        "own expectation, not in paper",
        check_quantisation,
        "400 prototypes",
    ),
    stand_in_claim(
        "cecm-fig-16",
        "ECM gives a sizeable set of pixels (at least 5 %) to Ω",
        "paper, tolerance ours",
        check_unsure,
        "drawn only",
    ),
    stand_in_claim(
        "cecm-fig-17",
        "two regions of must-links are joined by cannot-links, without contradiction",
        "paper",
        check_regions,
        "drawn only",
    ),
    stand_in_claim(
        "cecm-fig-18",
        "CECM gives fewer pixels to Ω than ECM in Figure 16",
        "paper",
        check_surer,
        "drawn only",
    ),
    stand_in_claim(
        "cecm-fig-18",
        "whichever regions an expert draws, CECM halves the share of Ω at least",
        "own expectation, not in paper",
        check_any_regions,
        "one pair of regions, drawn only",
        "large regions across several tissues share their grey levels: those are contested, and no "
        "constraint reaches them; " + STAND_IN,
    ),
    stand_in_claim(
        "cecm-fig-18",
        "the bright area is isolated in one cluster: 90 % of its pixels in one piece, Jaccard index with the "
        "lesion, where it is known, at least 0.9",
        "paper, tolerance ours",
        check_isolated,
        "drawn only",
    ),
    Claim(
        "cecm-fig-18",
        "with grey levels as the only attribute, the adaptive metric gives the masses of the Euclidean one",
        "mathematical property",
        check_metric,
    ),
    stand_in_claim(
        "cecm-fig-19",
        "the pignistic partition of CECM isolates the bright area better than that of ECM",
        "own expectation, not in paper",
        check_better,
        "drawn only",
    ),
)
