"""The pictures of the study: rules side by side, every set, and what a user may expect at least."""

import numpy as np

from credalbench.core.intervals import mean, median
from credalbench.plots import new_figure
from credalbench.plots.curves import jitter
from credalbench.plots.style import INK, MUTED, TICK_SIZE, colour, marker, style_axes

from .claims import (
    ASKED_BLOBS,
    ASKED_FALSE,
    ASKED_RATIO,
    COMPARED,
    EACH_SET,
    HALVES,
    MARGIN,
    PROMISES,
    by_set,
    lead,
    plain,
    time_ratios,
)
from .rules import DEFAULT, EARLIER, RULES

WORDS = {"tuning": "sets on which the default was chosen", "unseen": "sets that were not tuned on"}
SHORT_WORDS = {DEFAULT: "default", EARLIER: "earlier default (quantile 0.9, random start)"}
LEGEND = {"frameon": False, "fontsize": TICK_SIZE + 1}


def draw(params, tables):
    return {COMPARED: draw_rules(tables), EACH_SET: draw_sets(tables), PROMISES: draw_promises(tables)}


def look(part: str, j: int = 0) -> dict:
    """The look of a half: filled marks for what judges, open ones for what was tuned on."""
    return {
        "marker": marker(HALVES.index(part)),
        "color": colour(j),
        "markerfacecolor": colour(j) if part == "unseen" else "white",
        "ms": 7,
    }


# ---------------------------------------------------------------- rules


def draw_rules(tables):
    """Left the mean ARI of each rule in each half, right by how much the default is above it."""
    figure = new_figure(11, 1.6 + 0.5 * len(RULES))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1))
    for j, part in enumerate(HALVES):
        wide, shift = by_set(tables["runs"], part), 0.16 * (2 * j - 1)
        for place, rule in enumerate(RULES):
            default = rule == DEFAULT
            estimate = mean(wide[rule])
            draw_estimate(left, estimate, place + shift, part, 1 if default else 0, place == 1)
            if not default:
                draw_estimate(right, lead(tables, part, rule), place + shift, part, 0, False)
    right.axvline(0, color=MUTED, linewidth=1)
    right.axvspan(-MARGIN, MARGIN, color=MUTED, alpha=0.15, linewidth=0)
    style_axes(left, title="(a) right of the others is better", xlabel="mean ARI over sets", grid="x")
    title = "(b) right of 0: the default is better"
    style_axes(right, title=title, xlabel="ARI of the default minus that of the rule", grid="x")
    left.set_yticks(range(len(RULES)), list(RULES.values()), fontsize=TICK_SIZE + 1)
    left.get_yticklabels()[0].set_fontweight("bold")
    left.set_ylim(len(RULES) - 0.5, -0.5)
    handles = left.get_legend_handles_labels()
    title = "mean over sets with its 95 % interval; grey band: counts as the same"
    figure.legend(*handles, loc="outside lower center", ncols=2, title=title, **LEGEND)
    return figure


def draw_estimate(ax, estimate, place, part, j, labelled, limits=(-1, 1)):
    ends = np.clip([estimate.low, estimate.high], *limits)
    ax.plot(ends, [place] * 2, color=colour(j), linewidth=1.8, alpha=0.8, zorder=2)
    label = WORDS[part] if labelled else None
    ax.plot([estimate.value], [place], linestyle="none", zorder=3, label=label, **look(part, j))


# ---------------------------------------------------------------- sets


def draw_sets(tables):
    """A line for each set: from the earlier default to the new one, with the best of all rules."""
    wides = [by_set(tables["runs"], part) for part in HALVES]
    figure = new_figure(11, 1.7 + 0.25 * max(map(len, wides)))
    for ax, part, wide, letter in zip(figure.subplots(1, 2), HALVES, wides, "ab"):
        wide = wide.sort_values(DEFAULT, ascending=False)
        places = np.arange(len(wide))
        best = wide[list(RULES)].max(axis=1)
        ax.plot(
            best,
            places,
            "|",
            color=MUTED,
            ms=13,
            markeredgewidth=2,
            label="best of the rules, by the classes",
        )
        ax.hlines(places, wide[EARLIER], wide[DEFAULT], color=MUTED, linewidth=1.2)
        for j, rule in enumerate((EARLIER, DEFAULT)):
            style = {"color": colour(j), "markerfacecolor": "white" if rule == EARLIER else colour(j)}
            ax.plot(wide[rule], places, marker(j), ms=6.5, label=SHORT_WORDS[rule], **style)
        style_axes(ax, title=f"({letter}) {WORDS[part]}", xlabel="mean ARI over starts and draws", grid="x")
        ax.set_yticks(places, wide.index, fontsize=TICK_SIZE)
        ax.set_ylim(len(wide) - 0.4, -0.6)
        ax.set_xlim(min(-0.03, ax.get_xlim()[0]), 1.03)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3, **LEGEND)
    return figure


# ---------------------------------------------------------------- promises


def draw_promises(tables):
    figure = new_figure(11, 7.6)
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.15))
    axes = above.subplots(1, 2, sharey=True)
    for ax, kind, letter in zip(axes, ("equal", "unequal"), "ab"):
        draw_bars(ax, tables["runs"], kind)
        title = f"({letter}) Gaussians 6 sd apart, {kind} shares"
        style_axes(ax, title=title, xlabel="number of clusters", ylabel="" if kind == "unequal" else "ARI")
    axes[0].legend(loc="lower left", **LEGEND)
    far, time = below.subplots(1, 2, width_ratios=(1.5, 1))
    draw_far(far, tables)
    draw_times(time, tables)
    return figure


def draw_bars(ax, runs, kind):
    """ARI against the number of clusters: each draw, and the median with its interval."""
    some = runs[(runs["part"] == "bars") & runs["dataset"].str.match(rf"{kind} \d")]
    for j, rule in enumerate((EARLIER, DEFAULT)):
        part = some[some["rule"] == rule]
        groups = list(part.groupby("c")["ari"])
        for place, (_, values) in enumerate(groups):
            ax.plot(place + jitter(len(values), 0.25), values, marker(j), ms=3, alpha=0.4, color=colour(j))
        middle = [median(values) for _, values in groups]
        reach = [[m.value - max(m.low, 0) for m in middle], [min(m.high, 1) - m.value for m in middle]]
        style = {"color": colour(j), "marker": marker(j), "ms": 6, "capsize": 2.5, "linewidth": 1.2}
        ax.errorbar(range(len(groups)), [m.value for m in middle], reach, label=SHORT_WORDS[rule], **style)
        ax.set_xticks(range(len(groups)), [f"{c}" for c, _ in groups])
    ax.axhline(ASKED_BLOBS, color=INK, linewidth=1, linestyle=":")
    ax.set_ylim(-0.03, 1.04)


def draw_far(ax, tables):
    """Others that are called outliers, by rule: left is better. Beside them the shares that are found."""
    for j, part in enumerate(HALVES):
        false, found = (100 * by_set(tables["far"], part, value) for value in ("outliers", "found"))
        for place, rule in enumerate(RULES):
            at = place + 0.16 * (2 * j - 1)
            draw_estimate(ax, mean(false[rule]), at, part, int(rule == DEFAULT), False, limits=(0, 100))
            write_column(ax, f"{found[rule].mean():.0f} %", j, place)
        write_column(ax, f"far found,\n{part}", j, -0.9)
    ax.axvline(100 * ASKED_FALSE, color=INK, linewidth=1, linestyle=":")
    title = "(c) outliers among the others"
    style_axes(ax, title=title, xlabel="per cent of the objects", grid="x")
    ax.set_yticks(range(len(RULES)), [plain(rule) for rule in RULES], fontsize=TICK_SIZE)
    ax.set_ylim(len(RULES) - 0.5, -0.5)


def write_column(ax, text, j, place):
    """Write into column j right of the axes."""
    options = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": TICK_SIZE}
    ax.text(1.02 + 0.2 * j, place, text, **options)


def draw_times(ax, tables):
    """Times of the default over those of the earlier one, against the number of objects."""
    sizes = tables["runs"].groupby("dataset")["n"].first()
    for part in HALVES:
        ratios = time_ratios(tables, part)
        ax.plot(sizes[ratios.index], ratios, linestyle="none", label=part, **look(part))
    ax.axhline(ASKED_RATIO, color=INK, linewidth=1, linestyle=":")
    ax.set_ylim(bottom=0)
    style_axes(ax, title="(d) time of a fit", xlabel="objects", ylabel="default / earlier default")
