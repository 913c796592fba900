"""Relations between objects: t-norms, transitive closures, and the paths by which they join two objects.

A fuzzy relation says of each pair of objects how much they belong together, in [0, 1]. Relational masses
(`belief.relational`) are two of them: how much it is believed that two objects share their cluster, and how
much that is possible.
"""

from credalbench.relations.closure import close_masses, composition, joining_path, transitive_closure
from credalbench.relations.t_norms import T_NORMS, TNorm, t_norm

__all__ = [
    "T_NORMS",
    "TNorm",
    "close_masses",
    "composition",
    "joining_path",
    "t_norm",
    "transitive_closure",
]
