"""Pictures of the two-step study: a map of many clusters, ambiguous objects, similarities, stress.

Fifteen clusters are too many for a legend of colours and markers, and the palette has eight: clusters are
numbered on the map, clusters of one colour are far apart, and each picture shows one thing.
"""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from credalbench.belief import CredalPartition, FocalSets
from credalbench.core.axes import convex_hull
from credalbench.plots import credal_scatter, new_figure
from credalbench.plots.credal_map import scatter_legend
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, distinct_colours, style_axes

from .pairs import added_pairs, neighbours_at, numbered_as_printed, pair_network, shown, similarity_matrix

ON_PAIR, ELSEWHERE = "#D55E00", "#0072B2"  # two colours of the palette that differ in lightness too


def draw(params, tables):
    c, K = params.n_clusters, params.n_neighbors[0]
    runs, pairs, objects = (shown(params, tables, name) for name in ("runs", "pairs", "objects"))
    numbers, as_printed = numbered_as_printed(pairs, c)
    counts = runs.set_index("K")["n_ambiguous"]
    whose = "numbered as in the paper" if as_printed else "numbered as they came out"
    chosen, colours = added_pairs(pairs, K), cluster_colours(objects, numbers)
    first_step = f"First step: {counts[0]} of {len(objects)} objects are ambiguous"
    with_pairs = f"With {len(chosen)} pairs added: {counts[K]} ambiguous objects"
    return {
        "evclus-fig-26": draw_clusters(objects, numbers, colours, f"S2: {c} clusters, {whose}"),
        "evclus-fig-27": draw_ambiguous(objects, numbers, colours, 0, [], first_step),
        "evclus-fig-28": draw_ambiguous(objects, numbers, colours, K, chosen, with_pairs),
        "evclus-ex-06": draw_similarities(
            similarity_matrix(pairs, c),
            pair_network({k: neighbours_at(pairs, k) for k in (1, 2)}, c),
            numbers,
        ),
        "evclus-alg-02": draw_stress(tables["runs"], params.n_neighbors),
    }


def decisions(objects, K, numbers):
    """Return the decisions of a step as a partition: all mass on the undominated set, none for outliers.

    To be read by the rule "maximum_mass": interval dominance has been applied already.
    Columns follow `numbers`, the number (from 1) of each cluster in the picture.
    """
    c = len(numbers)
    left = (objects[f"undominated_{K}"].to_numpy()[:, None] >> np.arange(c)) & 1
    left = left[:, np.argsort(numbers)].astype(bool)
    masks = left @ (1 << np.arange(c, dtype=np.int64))
    focal_sets = FocalSets.from_masks(c, [0, *(1 << k for k in range(c)), *masks.tolist()])
    masses = np.zeros((len(objects), len(focal_sets)))
    masses[:, 0] = np.where(objects[f"outlier_{K}"], 0.6, 0.0)  # any share above one half
    masses[np.arange(len(objects)), focal_sets.positions(masks)] = 1 - masses[:, 0]
    return CredalPartition(masses, focal_sets)


def cluster_colours(objects, numbers):
    """Return the colour of each cluster by its number in the pictures (from 1), the same in all pictures."""
    labels = decisions(objects, 0, numbers).labels()
    return distinct_colours([objects.loc[labels == k, ["x", "y"]].median() for k in range(len(numbers))])


def draw_clusters(objects, numbers, colours, title):
    """Draw Figure 26: points, numbers, lower (solid) and upper (dashed) approximations."""
    figure = new_figure(7.6, 6.9)
    X = objects[["x", "y"]].to_numpy() / 1e5
    ax = credal_scatter(
        figure.subplots(),
        X,
        decisions(objects, 0, numbers),
        rule="maximum_mass",
        number_clusters=True,
        numbers=colours,
        legend=False,
        size=2.4,
        title=title,
        xlabel="x (hundred thousands)",
        ylabel="y (hundred thousands)",
    )
    ax.set_aspect("equal", adjustable="box")
    legend_below(figure, scatter_legend([], outliers_in_hulls=False)[-1])
    return figure


def legend_below(figure, handles):
    """Add a legend of one row below the axes."""
    figure.legend(
        handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=TICK_SIZE
    )


def draw_ambiguous(objects, numbers, colours, K, pairs, title):
    """Draw Figures 27 and 28: lower approximations, and on top the objects left to several clusters.

    `pairs` are the pairs of clusters (from 0) added as focal sets; an object left to just the two of such a
    pair is an orange disc, any other ambiguous object a blue diamond.
    """
    figure = new_figure(7.6, 6.9)
    ax = figure.subplots()
    X, c = objects[["x", "y"]].to_numpy() / 1e5, len(numbers)
    masks = objects[f"undominated_{K}"].to_numpy()
    outlier = objects[f"outlier_{K}"].to_numpy()
    several = np.bitwise_count(masks) > 1
    on_pair = np.isin(masks, [(1 << j) | (1 << l) for j, l in pairs])
    ax.plot(*X.T, ".", ms=2.0, color="#B8B8B8", mew=0, zorder=1)
    for k in range(c):
        inner = X[(masks == 1 << k) & ~outlier]
        if len(inner) == 0:
            continue
        corners = convex_hull(inner)
        shade = colour(colours[numbers[k] - 1])
        ax.fill(*corners.T, facecolor=shade, alpha=0.16, edgecolor="none", zorder=2)
        ax.fill(*corners.T, facecolor="none", edgecolor=shade, lw=1.2, zorder=3)
        halo = [withStroke(linewidth=3, foreground="white")]
        place = np.median(inner, axis=0)
        ax.text(
            *place, str(numbers[k]), ha="center", va="center", weight="bold", color=INK, path_effects=halo
        )
    look = {"ls": "none", "mec": "white", "mew": 0.5, "zorder": 4}
    other = f"ambiguous between {'other' if pairs else 'two or more'} clusters"
    ax.plot(*X[several & ~on_pair].T, "D", mfc=ELSEWHERE, ms=4.2, label=other, **look)
    if pairs:
        ax.plot(
            *X[on_pair].T, "o", mfc=ON_PAIR, ms=5.2, label="between the clusters of an added pair", **look
        )
    axis = {"xlabel": "x (hundred thousands)", "ylabel": "y (hundred thousands)"}
    style_axes(ax, title=title, grid=None, **axis).set_aspect("equal", adjustable="box")
    legend_below(figure, [scatter_legend([])[-1][0], *ax.get_legend_handles_labels()[0]])
    return figure


def draw_similarities(S, network, numbers):
    """Draw Example 6: similarities of all clusters, neighbours side by side, mutual neighbours marked."""
    order = along_the_pairs(network, numbers)
    S, network, names = S[np.ix_(order, order)], network[np.ix_(order, order)], numbers[order]
    figure = new_figure(7.2, 6.2)
    ax = figure.subplots()
    shades = LinearSegmentedColormap.from_list("house", ["white", "#CFE3F2", "#56B4E9", "#0072B2"])
    floor = max(S[S > 0].min(initial=1.0), 1e-2)
    image = ax.imshow(np.maximum(S, floor), cmap=shades, norm=LogNorm(floor, S.max()))
    for j, l in np.ndindex(*S.shape):
        dark = S[j, l] > S.max() ** 0.75
        text = {"ha": "center", "va": "center", "fontsize": 7, "color": "white" if dark else INK}
        ax.text(l, j, f"{S[j, l]:.0f}" if S[j, l] >= 9.5 else f"{S[j, l]:.1f}", **text)
        if network[j, l]:
            frame = {"fill": False, "edgecolor": ON_PAIR, "linewidth": 2.2 if network[j, l] == 1 else 1.0}
            frame["linestyle"] = "-" if network[j, l] == 1 else (0, (3, 2))
            ax.add_patch(_cell(l, j, frame))
    ax.set_xticks(range(len(names)), names, fontsize=TICK_SIZE)
    ax.set_yticks(range(len(names)), names, fontsize=TICK_SIZE)
    ax.tick_params(length=0)
    style_axes(
        ax, title="Similarity of the clusters, S(j, l)", xlabel="cluster l", ylabel="cluster j", grid=None
    )
    ax.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=TICK_SIZE)
    note = "framed: mutual nearest neighbours (solid), and those added by K = 2 (dashed)"
    figure.supxlabel(note, fontsize=TICK_SIZE, color=MUTED)
    return figure


def _cell(column, row, look):
    return Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, zorder=3, **look)


def along_the_pairs(network, numbers):
    """Order the clusters along chains of pairs: each chain from its end, longest first."""
    joined, left, chains = network > 0, set(range(len(numbers))), []
    while left:
        ends = sorted(left, key=lambda k: (joined[k, list(left)].sum(), numbers[k]))
        chain = [next((k for k in ends if joined[k].any()), ends[0])]
        left.remove(chain[0])
        while ahead := [k for k in sorted(left) if joined[chain[-1], k]]:
            chain.append(ahead[0])
            left.remove(ahead[0])
        chains.append(chain)
    return np.concatenate(sorted(chains, key=len, reverse=True))


def draw_stress(runs, n_neighbors):
    """Draw the two-step law: stress of the first step and of the second, one line for every start."""
    figure = new_figure(7.2, 3.9)
    axes = figure.subplots(1, 2, sharey=True)
    steps = [0, *n_neighbors]
    names = ["first step", *(f"pairs,\nK = {K}" for K in n_neighbors)]
    for ax, (updates, table) in zip(axes, runs.groupby("updates", sort=True)):
        stress = table.pivot(index="start", columns="K", values="stress")[steps]
        best = stress[0].idxmin()
        for start, values in stress.sort_values(0, ascending=False).iterrows():
            first = start == best
            look = (
                {"color": ON_PAIR, "lw": 2.0, "zorder": 3}
                if first
                else {"color": MUTED, "lw": 0.8, "alpha": 0.7}
            )
            ax.plot(range(len(steps)), values, marker="o", ms=5 if first else 3.5, **look)
        ax.set_xticks(range(len(steps)), names, fontsize=TICK_SIZE)
        ax.set_xlim(-0.3, len(steps) - 0.7)
        style_axes(
            ax, title=f"{updates} updates, {len(stress)} starts", ylabel="stress" if ax is axes[0] else None
        )
    axes[0].set_ylim(0, None)
    note = "one line per random start and its sampled pairs; orange: lowest first-step stress"
    figure.supxlabel(note, fontsize=TICK_SIZE, color=MUTED)
    return figure
