"""Figures 15 to 19: segmenting a brain image, without constraints and with two regions that an expert drew.

The grey levels of all pixels, in [0, 1], are quantised to 400 prototypes, which ECM and CECM cluster; pixels
take the set of clusters of their prototype. The pictures are stand-ins (see ``pictures.py``).

Printed: 156 x 141 pixels, 400 prototypes by "a basic learning vector quantization algorithm", c = 2, alpha =
2, rho^2 = 10, xi = 0.5, ECM with the Euclidean and CECM with the adaptive metric. Not printed: the settings
of the quantisation, the regions and how they become pairs of prototypes (ours: ``image_regions.py`` of the
data sets), the start (k-means, the brighter prototype is cluster 1) and the threshold (the library's).

Four remarks on the protocol:

- *In one dimension the adaptive metric is the Euclidean one*: det S = 1 leaves S = 1. With grey levels as
  the only attribute, CECM with the adaptive metric is CECM with the Euclidean one.
- *An image of 8 bits has at most 256 grey levels*, the MR slice 232: they cannot be quantised into 400.
  Prototypes beyond the number of levels would repeat levels. The levels themselves are therefore the objects.
- *rho^2 = 10 is larger than any distance*: squared distances of grey levels are at most 1, so the empty set
  gets hardly any mass. The data part of the objective, 0.0004 to 0.002 at ECM's solution, is hundreds of
  times smaller than the largest value of the constraint part, 1: at xi = 0.5 the constraints decide for every
  constrained prototype.
- *The regions need few pixels but many grey levels.* Here, prototypes without a constraint did not become
  more certain; on the MR slice they became less so, because the prototypes of the clusters move away from
  them. Ω vanishes if the two regions together show nearly every level of the image, and few levels in common.
  So the result depends on the drawing, and on our `agreement`: we tried three pairs of regions on the MR
  slice, and one of them leaves 12 % (agreement 0.9) or 43 % (1.0) of the pixels on Ω, compared with 50 %
  without constraints. All are in the table `other_regions`.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.ndimage import label as components
from sklearn.cluster import KMeans

from credalbench.cluster import CECM, ECM
from credalbench.datasets.image_prototypes import METHODS, image_prototypes
from credalbench.datasets.image_regions import rectangle, region_constraints
from credalbench.papers import declare, knob

from .pictures import TRIED_REGIONS, problem

C = 2
OMEGA, FIRST = 3, 1  # of all sets of two clusters: the empty set, {1}, {2}, both
MASSES = ("m_empty", "m_1", "m_2", "m_12")
AGREEMENTS = (0.9, 1.0)  # with which all tried regions are run
CONSTRAINED = ("CECM", "CECM, Euclidean")


@dataclass(frozen=True)
class Parameters:
    """The setting of Section 5.2.4; regions and quantisation are ours."""

    n_prototypes: int = knob(400, "prototypes of the grey levels (Section 5.2.4)", low=2)
    quantiser: str = knob("lvq", "how prototypes are found (the paper: basic LVQ)", choices=METHODS)
    alpha: float = knob(2.0, "penalty of large sets: exponent of their size (Section 5.2.4)")
    delta2: float = knob(10.0, "rho^2: squared outlier distance, to the empty set (Section 5.2.4)", low=1e-9)
    xi: float = knob(0.5, "weight of the constraints, 0 to 1 (Section 5.2.4)", low=0.0, high=0.999)
    agreement: float = knob(0.9, "share of a prototype's marks in one region (ours)", low=0.51, high=1.0)
    n_phantoms: int = knob(10, "draws of the phantom; the first is drawn (ours)", low=1)
    image: str = knob("", "path of an image of your own; empty: none")
    colour: bool = knob(False, "use red, green and blue of your own image, not its grey level")
    region_1: tuple[float, ...] = knob((0.1, 0.4, 0.1, 0.4), "own image: top, bottom, left, right in shares")
    region_2: tuple[float, ...] = knob((0.6, 0.9, 0.6, 0.9), "own image: top, bottom, left, right in shares")
    seed: int = knob(0, "seed of the phantoms, the quantisation and the start", low=0)


def cases(params):
    pictures = [{"picture": "brain_mr", "repetition": 0}]
    pictures += [{"picture": "phantom", "repetition": number} for number in range(params.n_phantoms)]
    return pictures + ([{"picture": "own", "repetition": 0}] if params.image else [])


def compute(params, case):
    image, regions, lesion = problem(params, case["picture"], case["repetition"])
    found = image_prototypes(image, params.n_prototypes, method=params.quantiser, random_state=params.seed)
    first, second = (rectangle(found.shape, *sides) for sides in regions)
    marked = region_constraints(found.nearest, first, second & ~first, agreement=params.agreement)
    fits = fitted(params, found.prototypes, marked.constraints)
    rows = [description(method, fit, found, lesion, marked) for method, fit in fits.items()]
    tables = {"fits": pd.DataFrame(rows), "regions": region_facts(found, marked, first, second)}
    if case["repetition"] == 0:  # the one that is drawn
        tables["prototypes"] = prototype_table(found, fits, marked)
        tables["pixels"] = pixel_table(found, first, second, lesion)
    if case["picture"] == "brain_mr":
        tables["other_regions"] = other_regions(params, found)
    return tables


def other_regions(params, found):
    """Return how much CECM leaves on Ω with each pair of regions that we tried on the MR slice."""
    rows = []
    for name, sides in TRIED_REGIONS.items():
        first, second = (rectangle(found.shape, *edges) for edges in sides)
        for agreement in AGREEMENTS:
            marked = region_constraints(found.nearest, first, second & ~first, agreement=agreement)
            chosen = cecm(
                params, found.prototypes, marked.constraints, "mahalanobis"
            ).partition_.hard_credal()
            row = {"regions": name, "agreement": agreement, "prototypes_contested": len(marked.contested)}
            row["constrained_pixels"] = float(marked.constraints.constrained[found.nearest].mean())
            rows.append(row | {"share_omega": float(np.mean(found.to_pixels(chosen) == OMEGA))})
    return pd.DataFrame(rows)


def start(params, prototypes):
    """Return the centres of k-means, (2, p), the brighter first: it becomes cluster 1."""
    centres = KMeans(C, n_init=10, random_state=params.seed).fit(prototypes).cluster_centers_
    return centres[np.argsort(-centres.mean(axis=1))]


def options(params, prototypes):
    """Return what ECM and CECM have in common."""
    return {"alpha": params.alpha, "delta": np.sqrt(params.delta2), "init": start(params, prototypes)}


def cecm(params, prototypes, constraints, metric):
    """Fit CECM to the prototypes (k, p) under the constraints."""
    links = {"must_link": constraints.must_link, "cannot_link": constraints.cannot_link}
    return CECM(C, xi=params.xi, metric=metric, **options(params, prototypes)).fit(prototypes, **links)


def fitted(params, prototypes, constraints):
    """Fit ECM, CECM as in the paper, and CECM with the Euclidean metric: dict of fits by name."""
    fits = {"ECM": ECM(C, beta=2.0, **options(params, prototypes)).fit(prototypes)}
    for method, metric in zip(CONSTRAINED, ("mahalanobis", "euclidean")):
        fits[method] = cecm(params, prototypes, constraints, metric)
    return fits


def description(method, fit, found, lesion, marked):
    """Return one row about a fit: how much is uncertain, and how well the bright cluster stands out."""
    chosen = found.to_pixels(fit.partition_.hard_credal())
    bright = found.to_pixels(fit.partition_.labels("pignistic")) == 0
    open_pixels = ~marked.constraints.constrained[found.nearest]
    row = {
        "method": method,
        "share_empty": float(np.mean(chosen == 0)),
        "share_omega": float(np.mean(chosen == OMEGA)),
        "share_omega_unconstrained": float(np.mean(chosen[open_pixels] == OMEGA))
        if open_pixels.any()
        else 0.0,
        "in_one_piece": in_one_piece(chosen == FIRST),
        "level_1": float(fit.cluster_centers_[0].mean()),
        "level_2": float(fit.cluster_centers_[1].mean()),
        "objective": fit.objective_,
        "n_iter": fit.n_iter_,
        "converged": fit.converged_,
        "n_violated": len(fit.violated_) if method in CONSTRAINED else np.nan,
        "norm": float(np.abs(fit.norm_matrices_).max()),
    }
    return row | against_truth(chosen == FIRST, bright, lesion)


def against_truth(certain, bright, lesion):
    """Return the overlap of the first cluster with the lesion, and the share of wrong pixels."""
    if lesion is None:
        return dict.fromkeys(("jaccard", "jaccard_pignistic", "error_pignistic"), np.nan)
    return {
        "jaccard": jaccard(certain, lesion),
        "jaccard_pignistic": jaccard(bright, lesion),
        "error_pignistic": float(np.mean(bright != lesion)),
    }


def jaccard(first, second):
    """Divide the pixels in both masks by those in either: two (rows, columns) bool -> float."""
    return float((first & second).sum() / max((first | second).sum(), 1))


def in_one_piece(mask):
    """Return the share of the pixels of a mask (rows, columns) that its largest connected piece holds."""
    pieces, n_pieces = components(mask)
    return float(np.bincount(pieces.ravel())[1:].max() / mask.sum()) if n_pieces else 0.0


def region_facts(found, marked, first, second):
    """Return what the regions say, and how much of the picture they cover."""
    facts = {
        "rows": found.shape[0],
        "columns": found.shape[1],
        "n_colours": found.n_colours,
        "n_prototypes": len(found.prototypes),
        "n_attributes": found.prototypes.shape[1],
        "pixels_1": int(first.sum()),
        "pixels_2": int(second.sum()),
        "prototypes_1": len(marked.first),
        "prototypes_2": len(marked.second),
        "prototypes_contested": len(marked.contested),
        "n_must_links": len(marked.constraints.must_link),
        "constrained_pixels": float(marked.constraints.constrained[found.nearest].mean()),
    }
    return pd.DataFrame([facts])


def prototype_table(found, fits, marked):
    """Return the level and masses of each prototype, one row per method."""
    region = np.zeros(len(found.prototypes), dtype=int)
    region[marked.first], region[marked.second], region[marked.contested] = 1, 2, 3
    frames = []
    for method, fit in fits.items():
        frame = pd.DataFrame(fit.partition_.masses, columns=list(MASSES))
        frame.insert(0, "prototype", np.arange(1, len(frame) + 1))
        frame.insert(0, "method", method)
        frame["region"] = region
        frames.append(frame.assign(**channels(found.prototypes)))
    return pd.concat(frames, ignore_index=True)


def pixel_table(found, first, second, lesion):
    """Return each pixel, row by row: its prototype, its region (0: none), whether it is in the lesion."""
    region = first + 2 * (second & ~first)
    inside = np.full(found.shape, -1) if lesion is None else lesion.astype(int)
    frame = pd.DataFrame(
        {"prototype": found.nearest.ravel() + 1, "region": region.ravel(), "lesion": inside.ravel()}
    )
    return frame.assign(**channels(found.image.reshape(-1, found.image.shape[2])))


def channels(values):
    """Name the channels of (m, 1) grey levels or (m, 3) colours."""
    names = ("red", "green", "blue") if values.shape[1] == 3 else ("level",)
    return dict(zip(names, values.T))


experiment = declare(
    __name__,
    title="Segmentation of a brain image (stand-ins): ECM, drawn constraints, CECM",
    artefacts={
        "cecm-fig-15": "Brain image (stand-ins)",
        "cecm-fig-16": "Hard credal partition by ECM (stand-ins)",
        "cecm-fig-17": "Constraints that an expert would draw (stand-ins)",
        "cecm-fig-18": "Hard credal partition by CECM (stand-ins)",
        "cecm-fig-19": "Pignistic partitions by ECM and CECM (stand-ins)",
    },
    smoke={"n_prototypes": 120, "n_phantoms": 2},
    data=("brain_mr",),
)
