"""What Sections 2 and 3 say of relations, partitions and closures, measured on an ensemble."""

import warnings
from itertools import combinations, pairwise

import numpy as np
from scipy.cluster.hierarchy import cophenet, fcluster, linkage
from scipy.spatial.distance import squareform

from credalbench.baselines import EvidenceAccumulation
from credalbench.belief import CredalPartition, FocalSets, RelationalMasses
from credalbench.belief.relations import close_masses, t_norm
from credalbench.belief.relations.combination import combine_partitions
from credalbench.metrics import adjusted_rand, credal_rand, rand_index

from ..shared.ensembles import consensus, ecm_bases
from ..shared.pictures import rough_partition

# ---------------------------------------------------------------- closures


def closure_row(relation: RelationalMasses, name: str) -> dict:
    """Return a relation of few objects before and after its closure.

    ``violated``: by how much T(R(x, y), R(y, z)) exceeds R(x, z) at most, before and after; ``power_off``:
    distance of the closures to powers n - 1 by literal composition; ``power``: the first power that is the
    closure; ``lattice_violated``: the same as violated for the pairs of degrees, in the order of
    intuitionistic fuzzy values; ``single_link_off``: distance of the closure of "same" to the
    heights at which single linkage joins two objects.
    """
    T, closed = t_norm(name), close_masses(relation, name)
    possible = 1 - relation.different
    powers = [powers_to(R, T, len(R) - 1) for R in (relation.same, possible)]
    tree = linkage(squareform(1 - relation.same, checks=False), "single")
    return {
        "t_norm": name,
        "violated_before": violation(relation.same, T),
        "violated_after": max(violation(closed.same, T), violation(1 - closed.different, T)),
        "power_off": max(
            np.abs(power[-1] - R).max() for power, R in zip(powers, (closed.same, 1 - closed.different))
        ),
        "power": max(first_fixed(power) for power in powers),
        "lattice_violated": lattice_violation(closed),
        "single_link_off": np.abs(1 - squareform(cophenet(tree)) - closed.same).max(),
        "least_unknown": float(closed.ignorance.min()),
    }


def composition(R: np.ndarray, Q: np.ndarray, T) -> np.ndarray:
    """Compute the max-T composition literally [li2020_ensemble (12)]: (n, n), (n, n) -> (n, n)."""
    return T(R[:, :, None], Q[None, :, :]).max(axis=1)


def powers_to(R: np.ndarray, T, last: int) -> list[np.ndarray]:
    """Return R, R², ..., up to the power `last` [li2020_ensemble (13)]."""
    powers = [R]
    for _ in range(last - 1):
        powers.append(composition(powers[-1], R, T))
    return powers


def first_fixed(powers: list[np.ndarray]) -> int:
    """Return the first power that is already the last one."""
    return next(k for k, power in enumerate(powers, start=1) if np.abs(power - powers[-1]).max() <= 1e-12)


def violation(R: np.ndarray, T) -> float:
    """Return by how much the composition of R with itself exceeds R at most."""
    return float((composition(R, R, T) - R).max())


def lattice_violation(closed: RelationalMasses) -> float:
    """Return by how much a meet of (mu, nu)(x, y) and (mu, nu)(y, z) exceeds (mu, nu)(x, z)."""
    mu, nu = closed.same, closed.different
    met_mu = np.minimum(mu[:, :, None], mu[None, :, :]).max(axis=1)
    met_nu = np.maximum(nu[:, :, None], nu[None, :, :]).min(axis=1)
    return float(max((met_mu - mu).max(), (nu - met_nu).max()))


# ---------------------------------------------------------------- partitions


def identity_row(params, X, bases, relation: RelationalMasses, c: int, seed: int) -> dict[str, float]:
    """Describe one ensemble: hard bases, names, special partitions, masses on the empty set, consensus."""
    renamed = combine_partitions([with_other_names(base, seed) for base in bases])
    vague = [base.relational() for base in bases]
    sharp = [base.normalized().relational() for base in bases]
    alike = ecm_bases(X, params.most_clusters, params.n_estimators, params.delta_quantile, seed)
    return (
        hard_bases([base.labels("plausibility") for base in bases], c, seed)
        | {
            "renamed_off": np.abs(renamed.same - relation.same).max(),
            "n_sizes": len({base.n_clusters for base in bases}),
            "agreement": np.mean(
                [
                    adjusted_rand(a.labels("plausibility"), b.labels("plausibility"))
                    for a, b in combinations(alike, 2)
                ]
            ),
            "linked_off": max(map(off_linked, vague)),
            "linked_off_normalised": max(map(off_linked, sharp)),
            "empty_of_normalised": max(float(part.empty.max()) for part in sharp),
            "rest_off": np.abs(1 - relation.same - relation.different - relation.ignorance).max(),
            "nonspecificity": consensus(bases, c, n_init=5, seed=seed).partition_.nonspecificity(),
        }
        | special_partitions(bases[0])
        | indices(bases)
        | trees(relation, c)
    )


def hard_bases(labels, c, seed) -> dict[str, float]:
    """Return the relation of hard bases and the co-association matrix, and both methods on them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning)  # fewer clusters, where heights are equal
        accumulated = EvidenceAccumulation(n_clusters=c).fit_from_partitions(labels)
    same = combine_partitions(labels).same
    none, closed = (
        consensus(labels, c, n_init=5, seed=seed, t_norm=norm).partition_.labels("plausibility")
        for norm in (None, "minimum")
    )
    return {
        "co_association_off": np.abs(same - accumulated.co_association_).max(),
        "eac_agreement": adjusted_rand(accumulated.labels_, none),
        "eac_agreement_minimum": adjusted_rand(accumulated.labels_, closed),
    }


def with_other_names(partition: CredalPartition, seed: int) -> CredalPartition:
    """Return the same partition, its clusters in another order."""
    order = np.random.RandomState(seed).permutation(partition.n_clusters)
    focal_sets = FocalSets.from_membership(partition.focal_sets.membership[:, order])
    return CredalPartition(partition.masses, focal_sets)


def off_linked(pairs: RelationalMasses) -> float:
    """Return the largest distance of the plausibility of "same" to 1 less the belief of "different"."""
    return float(np.abs(pairs.same + pairs.ignorance - (1 - pairs.different)).max())


def special_partitions(base: CredalPartition) -> dict[str, float]:
    """Write hard, fuzzy and rough partitions as credal ones and read them back: largest differences."""
    c, labels, fuzzy = base.n_clusters, base.labels("plausibility"), base.to_fuzzy()
    rough = base.to_rough()
    possible = base.interval_dominance()
    bayesian = CredalPartition(fuzzy, FocalSets.up_to(c, 1, empty=False, omega=False))
    logical = rough_partition(possible @ (1 << np.arange(c)), c)
    read = logical.to_rough("maximum_mass")
    return {
        "hard_off": int((CredalPartition.from_labels(labels, c).to_hard() != labels).sum()),
        "fuzzy_off": np.abs(bayesian.to_fuzzy() - fuzzy).max(),
        "rough_off": int(sum((a != b).sum() for a, b in zip(rough, read))),
        "dominance_off": int((logical.interval_dominance() != possible).any(axis=1).sum()),
        "n_dominated": int((~possible[np.arange(len(labels)), labels]).sum()),
        "n_several": int((possible.sum(axis=1) > 1).sum()),
    }


def indices(bases) -> dict[str, float]:
    """Return the credal Rand index of pairs of bases, and the Rand index of their hard labels."""
    soft = [credal_rand(a, b) for a, b in pairwise(bases)]
    labels = [base.labels("plausibility") for base in bases]
    off = [abs(credal_rand(a, b) - rand_index(a, b)) for a, b in pairwise(labels)]
    return {"rand_least": min(soft), "rand_largest": max(soft), "rand_off_hard": max(off)}


def trees(relation: RelationalMasses, c: int) -> dict[str, int]:
    """Return how far average linkage of beliefs, and of plausibilities, is from being cut into c clusters."""
    found = {}
    for name, degrees in (("belief", relation.same), ("plausibility", 1 - relation.different)):
        tree = linkage(squareform(1 - degrees, checks=False), "average")
        found[f"clusters_by_{name}_off"] = abs(len(np.unique(fcluster(tree, c, "maxclust"))) - c)
    return found
