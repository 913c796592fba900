"""Table 3 as pictures: means over the repetitions with 95 % intervals, a panel for each data set."""

import numpy as np

from credalbench.core.intervals import mean
from credalbench.plots import new_figure
from credalbench.plots.style import FAINT, INK, LABEL_SIZE, MUTED, TICK_SIZE, colour, marker, style_axes

from ..shared.ensembles import CLOSURES, TITLES
from ..shared.problems import BASE_CASES
from .cells import FOCAL_SETS, accumulated, single, variants
from .claims import ARTEFACT
from .summaries import problems

COLUMNS = 3
STEP = 0.085  # between markers of one case


def draw(params, tables):
    return {ARTEFACT: draw_panels(tables, problems(params))}


def draw_panels(tables, shown):
    """Draw one panel for each data set, in rows of three."""
    n_columns = min(COLUMNS, len(shown))
    n_rows = -(-len(shown) // n_columns)
    figure = new_figure(10.6, 2.7 * n_rows + 0.5)
    panels = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    for ax, (title, which) in zip(panels, shown.items()):
        draw_problem(ax, tables, which, title)
    for ax in panels[len(shown) :]:
        ax.set_axis_off()
    for ax in panels[::n_columns]:
        ax.set_ylabel("adjusted Rand index", fontsize=LABEL_SIZE, color=INK)
    legend_below(figure, panels[0])
    return figure


def draw_problem(ax, tables, which, title):
    """Draw a line for ECM, in each case a cross for evidence accumulation, and markers for ours."""
    ours, theirs, alone = variants(tables, *which), accumulated(tables, *which), single(tables, *which)
    ax.axhline(alone.mean(), color=MUTED, linewidth=1.1, linestyle="--", zorder=1)
    for place, case in enumerate(BASE_CASES):
        ax.axvspan(place - 0.42, place + 0.42, color=FAINT, alpha=0.25, zorder=0, linewidth=0)
        dots = [(theirs.loc[case], "X", INK, INK)]
        for k, closure in enumerate(CLOSURES):
            for focal_sets in FOCAL_SETS:
                fill = colour(k) if focal_sets == "simple" else "white"
                dots.append((ours.loc[case, closure, focal_sets], marker(k), colour(k), fill))
        for at, (values, sign, edge, fill) in enumerate(dots):
            draw_mean(ax, place + STEP * (at - (len(dots) - 1) / 2), values, sign, edge, fill)
    style_axes(ax, title=title)
    ax.set_xticks(range(len(BASE_CASES)), [f"case {case}" for case in BASE_CASES])
    ax.set_ylim(-0.08, 1.05)


def draw_mean(ax, at, values, sign, edge, fill):
    found = mean(values)
    reach = np.nan_to_num(found.high - found.value, posinf=0.0)
    look = {"color": edge, "markeredgecolor": edge, "markerfacecolor": fill, "elinewidth": 1.0}
    ax.errorbar(at, found.value, reach, fmt=sign, ms=5.0, zorder=3, **look)


def legend_below(figure, ax):
    """Draw one entry for each closure, both kinds of focal sets, evidence accumulation and ECM."""
    plain = {"linestyle": "none", "markersize": 6}
    handles = [
        ax.plot([], [], marker(k), color=colour(k), label=TITLES[closure], **plain)[0]
        for k, closure in enumerate(CLOSURES)
    ]
    handles += ax.plot([], [], "o", color=INK, label="simple", **plain)
    handles += ax.plot([], [], "o", color=INK, markerfacecolor="white", label="pairs", **plain)
    handles += ax.plot([], [], "X", color=INK, label="evidence accumulation", **plain)
    handles += ax.plot([], [], linestyle="--", color=MUTED, label="ECM")
    figure.legend(handles=handles, loc="outside lower center", frameon=False, fontsize=TICK_SIZE, ncols=8)
