"""Reading the tables of the two-step study: the run that is shown, its pairs, the paper's cluster numbers.

The paper numbers the clusters of its own run. The pairs of Example 6 form a network of chains; if ours form
the same network, each of our clusters gets the number of its place in the network.
"""

import numpy as np

from credalbench.papers import printed_values

PRINTED = printed_values(__file__)
UPDATES = ("one-sided", "two-sided")
#: K -> the pairs of Example 6 that become mutual neighbours at just this K.
PRINTED_PAIRS = {
    K: tuple(
        tuple(map(int, name.split("_")[1:]))
        for name, printed in PRINTED.items()
        if name.startswith("pair_") and printed.value == K
    )
    for K in (1, 2)
}


def shown(params, tables, name, updates="one-sided"):
    """Return the rows of one table that belong to the start of lowest first-step stress."""
    first = tables["runs"].query("K == 0 and updates == @updates")
    start = first.loc[first["stress"].idxmin(), "start"]
    table = tables[name]
    return table[(table["start"] == start) & (table["updates"] == updates)].reset_index(drop=True)


def similarity_matrix(pairs, c):
    """Return the (c, c) matrix from one run's table of pairs."""
    S = np.zeros((c, c))
    j, l = pairs["cluster"].to_numpy() - 1, pairs["other"].to_numpy() - 1
    S[j, l] = S[l, j] = pairs["similarity"]
    return S


def pair_network(pairs, c):
    """Return 1 for mutual nearest neighbours, 2 for those that K = 2 adds, 0 elsewhere: (c, c) int."""
    network = np.zeros((c, c), dtype=int)
    for K, edges in pairs.items():
        for j, l in edges:
            network[j - 1, l - 1] = network[l - 1, j - 1] = K
    return network


def numbered_as_printed(pairs, c):
    """Return the paper's number (from 1) of each of our clusters, and whether the networks are the same.

    Among the renumberings that turn our pairs into the printed pairs, the function takes the one that is
    nearest to the two printed rows of similarities. If there is none, the clusters keep their numbers.
    """
    ours = pair_network({K: neighbours_at(pairs, K) for K in (1, 2)}, c)
    own = np.arange(1, c + 1)
    if c != 15:
        return own, False
    matches = renumberings(ours, pair_network(PRINTED_PAIRS, c))
    if not matches:
        return own, False
    S, rows = similarity_matrix(pairs, c), printed_rows()
    best = min(matches, key=lambda order: np.abs(S[np.ix_(order, order)][[0, 3]] - rows).max())
    numbers = np.empty(c, dtype=int)
    numbers[best] = own
    return numbers, True


def neighbours_at(pairs, K):
    """Return the pairs (from 1) that become mutual neighbours at exactly this K."""
    rows = pairs[pairs["mutual_from_K"] == K]
    return list(zip(rows["cluster"].tolist(), rows["other"].tolist()))


def added_pairs(pairs, K):
    """Return the pairs of mutual K nearest neighbours, clusters numbered from 0."""
    return [(j - 1, l - 1) for k in range(1, K + 1) for j, l in neighbours_at(pairs, k)]


def printed_rows():
    """Return S(1, .) and S(4, .) as printed, (2, 15)."""
    return np.array([[PRINTED[f"s_{j}_{l}"].value for l in range(1, 16)] for j in (1, 4)])


def renumberings(ours, printed):
    """Return all orders of our nodes with ``ours[order][:, order] == printed``: lists of node numbers from 0.

    Node by node with backtracking; a node that is joined to an earlier one comes as early as possible.
    """
    c = len(printed)
    order, matches = [], []
    while len(order) < c:
        joined = [t for t in range(c) if t not in order and printed[t, order].any()]
        order.append((joined or [t for t in range(c) if t not in order])[0])

    def extend(chosen):
        if len(chosen) == c:
            matches.append([chosen[order.index(t)] for t in range(c)])
            return
        seen, node = order[: len(chosen)], order[len(chosen)]
        for u in range(c):
            if u not in chosen and (ours[u, chosen] == printed[node, seen]).all():
                extend([*chosen, u])

    extend([])
    return matches
