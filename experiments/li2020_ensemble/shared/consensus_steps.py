"""The last steps of Algorithm 1 one by one: closures and numbers of clusters share a combined relation.

`EvidentialEnsemble` takes the same steps in one call, and a test compares the two.
"""

import numpy as np

from credalbench.belief.relational import RelationalMasses
from credalbench.belief.relations.closure import close_masses
from credalbench.cluster.ensembles.consensus import Recovery, recovered

from .ensembles import CLOSURES, TITLES

NONE = "none"
#: Closure -> how claims say it.
PHRASES = {name: f"after the {title} closure" for name, title in TITLES.items()} | {NONE: "without closure"}
#: Where a study looks at one closure only.
TRIED = (NONE, "minimum")


def closed(relation: RelationalMasses, closure: str) -> RelationalMasses:
    """Return the relation closed by one of `CLOSURES`, or as it is."""
    t_norm = CLOSURES[closure]
    return relation if t_norm is None else close_masses(relation, t_norm)


def recover(relation: RelationalMasses, c: int, n_init: int, seed: int) -> Recovery:
    """Return the consensus of c clusters on single clusters and the frame, the best of some starts."""
    return recovered(relation, c, "simple", n_init=n_init, rng=np.random.RandomState(seed))


def stress_of_one_cluster(relation: RelationalMasses) -> float:
    """Return the stress [li2020_ensemble (19)] of the partition into one cluster: all pairs the same."""
    square = np.square(1 - relation.same) + np.square(relation.different)
    return float(square.sum() / 2)  # nothing on the diagonal
