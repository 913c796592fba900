"""One action in an explorer, until the new picture is there, without a browser: n = 400, one process.

A slider's value is set as the browser sets it, a click or drag is reported as the browser reports it; either
refits and makes what is sent to the browser before the call returns: a scene that the browser draws. Only the
transport of about 100 kB and that drawing are left out. Times of the processor stand beside those of the
clock: only the latter depend on what else the machine does.

EVCLUS: t4 data, c = 4, all pairs; moves of d0 and alpha start from the last masses, a change of c afresh and
with another legend. CECM: two-class data, c = 2, adaptive metric, three starts. ECM: t4 data, c = 4, all 16
sets; a drag waits at the start, and its run to the end is there, too. EGMM: a generated mixture, all subsets
of c = 3 clusters; a move of the overlap brings other data, one of the ridge another curve of EBIC, c moves
along a curve that is known; "one more c" is what the page does while nothing moves. cat-ECM: twelve
attributes of four values, ten starts, all subsets of c = 3 clusters. Comparing: t4 data, c = 4, fuzzy c-means
beside ECM; of a move on the right the left is not repeated. Ensemble: half-rings, n = 300, N = 20 partitions;
moves of their size make all of them anew, other moves take those that are there. Segmentation: the phantom of
156 x 141 pixels, c = 2, with a region painted on the lesion.

Prints medians and extremes of 20 actions after 3 that warm up, and which goals are met. Run it with
``make bench`` or ``python benchmarks/explorer_latency.py [EXPLORER ...]``.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from credalbench.constraints import random_pairs
from credalbench.explore import (
    explore_catecm,
    explore_cecm,
    explore_compare,
    explore_ecm,
    explore_egmm,
    explore_ensemble,
    explore_evclus,
    explore_segmentation,
)
from credalbench.explore.shared.linked_view import LinkedView

WARM_UP, MOVES = 3, 20
COUNT = WARM_UP + MOVES

#: What is measured: its name, the explorer, the actions, and the goal for the median in ms, if there is one.
Measured = Iterator[tuple[str, LinkedView, Iterable[Callable[[], None]], float | None]]


def slides(explorer: LinkedView, control: str, values: Sequence | np.ndarray) -> list[Callable[[], None]]:
    """Moves of a slider through `values`."""
    places = np.asarray(values).tolist()
    return [lambda value=value: explorer.controls[control].set_state({"value": value}) for value in places]


def evclus() -> Measured:
    """Three sliders."""
    explorer = explore_evclus("t4:400", d0_quantile=0.9)
    there_and_back = 0.8 - 0.01 * np.abs(np.arange(COUNT) - COUNT // 2)
    yield "d0", explorer, slides(explorer, "d0_quantile", there_and_back.round(2)), 150
    yield "alpha", explorer, slides(explorer, "alpha", (0.06 + 0.01 * np.arange(COUNT)).round(2)), None
    yield "c", explorer, slides(explorer, "n_clusters", [5 if i % 2 else 3 for i in range(COUNT)]), None


def cecm() -> Measured:
    """Pairs that are clicked and answered, then a slider."""
    explorer = explore_cecm("two_class:400:2", metric="mahalanobis")
    model = explorer.model

    def constrain(pair: list[int]) -> None:
        model.choose(*pair)
        model.link("truth")

    pairs = random_pairs(400, COUNT, np.random.default_rng(0)).tolist()
    yield "constraint", explorer, [lambda pair=pair: constrain(pair) for pair in pairs], 100
    yield "xi", explorer, slides(explorer, "xi", np.linspace(0.3, 0.8, COUNT).round(2)), 100


def ecm() -> Measured:
    """Sliders, iterations, and a prototype that is dragged along a line."""
    explorer = explore_ecm("t4:400")
    model = explorer.model
    yield "alpha", explorer, slides(explorer, "alpha", (0.5 + 0.1 * np.arange(COUNT)).round(1)), 100
    yield "beta", explorer, slides(explorer, "beta", (1.4 + 0.1 * np.arange(COUNT)).round(1)), 100
    yield "delta", explorer, slides(explorer, "delta_slider", 10 ** (0.5 + 0.02 * np.arange(COUNT))), 100
    places = [(x, 2.0) for x in np.linspace(-2, 6, COUNT).tolist()]
    report = explorer.image._handle_custom_msg  # what a browser sends
    drags = [lambda x=x, y=y: report({"event": "drag", "handle": 0, "x": x, "y": y}, []) for x, y in places]
    yield "drag", explorer, drags, 100
    yield "step", explorer, [model.step] * COUNT, 100


def egmm() -> Measured:
    """Three sliders, then further points of the curve of EBIC for one setting after the other."""
    explorer = explore_egmm("mixture", n_objects=400)
    model = explorer.model
    yield "overlap", explorer, slides(explorer, "overlap", np.linspace(0.05, 0.3, COUNT).round(2)), 100
    yield "ridge", explorer, slides(explorer, "reg_covar_slider", 10 ** np.linspace(-3, -1, COUNT)), 100
    yield "c", explorer, slides(explorer, "n_clusters", [4 if i % 2 else 2 for i in range(COUNT)]), 100

    def extend() -> None:
        if model.fitted.is_complete:
            model.draw += 1
        model.extend_curve()

    yield "one more c", explorer, [extend] * COUNT, None


def catecm() -> Measured:
    """Three sliders on random values."""
    values = np.random.default_rng(0).integers(0, 4, (400, 12))
    explorer = explore_catecm(values, n_clusters=3)
    yield "alpha", explorer, slides(explorer, "alpha", np.linspace(-0.5, 0.6, COUNT).round(2)), 100
    yield "beta", explorer, slides(explorer, "beta", (1.15 + 0.05 * np.arange(COUNT)).round(2)), 100
    yield "c", explorer, slides(explorer, "n_clusters", [4 if i % 2 else 2 for i in range(COUNT)]), 100


def compare() -> Measured:
    """A slider of one side, and one of both."""
    explorer = explore_compare("t4:400")
    yield (
        "right beta",
        explorer,
        slides(explorer, "right_exponent", (1.4 + 0.1 * np.arange(COUNT)).round(1)),
        100,
    )
    yield "c", explorer, slides(explorer, "n_clusters", [5 if i % 2 else 3 for i in range(COUNT)]), 100


def ensemble() -> Measured:
    """Base partitions anew, or as they are made while nothing moves; moves that leave them; a pair.

    Of every move all else is computed, whatever there was of it from an earlier one.
    """
    most = 3 + COUNT  # sliders grow with their values
    explorer = explore_ensemble("half_rings:300", n_estimators=20, base_from=most, base_to=most)
    model = explorer.model

    def rested(actions: list[Callable[[], None]]) -> Iterator[Callable[[], None]]:
        for action in actions:
            while model.prepare():
                pass
            yield action

    def afresh(actions: list[Callable[[], None]]) -> Iterator[Callable[[], None]]:
        for action in actions:
            model.forget()
            yield action

    for seed, action, wait, goal in ((0, "base size", iter, None), (1, "size, rested", rested, 150)):
        with model.batch():
            model.seed, model.base_from, model.base_to = seed, 2, 2
        yield action, explorer, wait(slides(explorer, "base_from", 3 + np.arange(COUNT))), goal
    with model.batch():
        model.base_from, model.base_to = 15, 15
    yield "N", explorer, slides(explorer, "n_estimators", 2 + np.arange(COUNT)), 150
    model.n_estimators = 20
    for name in ("rule", "t_norm"):
        widget = explorer.controls[name]
        values = [value for _, value in widget.options if value != widget.value] + [widget.value]
        turns = [values[i % len(values)] for i in range(COUNT)]
        yield name, explorer, afresh([lambda v=v, w=widget: setattr(w, "value", v) for v in turns]), 150
    model.t_norm = "hamacher"
    places = 10 ** np.linspace(-0.8, 1.2, COUNT)
    yield "parameter", explorer, afresh(slides(explorer, "t_norm_parameter_slider", places)), 150
    yield "c", explorer, afresh(slides(explorer, "n_clusters", 3 + np.arange(COUNT) % 8)), 150
    pairs = random_pairs(300, COUNT, np.random.default_rng(0)).tolist()
    yield "pair", explorer, [lambda pair=pair: model.choose(*pair) for pair in pairs], 150


def segmentation() -> Measured:
    """Strokes that are painted and taken back, then two sliders; the decision changes the picture alone."""
    explorer = explore_segmentation("phantom")
    model, shown = explorer.model, explorer.controls["decision"]
    model.rectangle(1, 45, 30, 70, 55)

    def paint() -> None:
        model.brush(2, 4, [[65, 75], [110, 68], [110, 105]])

    yield "stroke", explorer, [model.undo if i % 2 else paint for i in range(COUNT)], 150
    yield "alpha", explorer, slides(explorer, "alpha", (0.5 + 0.1 * np.arange(COUNT)).round(1)), 150
    yield "c", explorer, slides(explorer, "n_clusters", [2 if i % 2 else 3 for i in range(COUNT)]), None
    turns = [("credal", "pignistic")[i % 2 == 0] for i in range(COUNT)]
    yield "shown", explorer, [lambda v=v: setattr(shown, "value", v) for v in turns], 50


EXPLORERS = {
    "evclus": evclus,
    "cecm": cecm,
    "ecm": ecm,
    "egmm": egmm,
    "catecm": catecm,
    "compare": compare,
    "ensemble": ensemble,
    "segmentation": segmentation,
}


def sent(explorer: LinkedView) -> object:
    """What the browser shows."""
    return explorer.image.scene


def milliseconds(explorer: LinkedView, action: Callable[[], None]) -> tuple[float, float]:
    """Clock and processor time of an action; fails if no new picture came."""
    before = sent(explorer)
    began = time.perf_counter(), time.process_time()
    action()
    elapsed = 1e3 * (time.perf_counter() - began[0]), 1e3 * (time.process_time() - began[1])
    if sent(explorer) == before:
        raise RuntimeError(f"there is no new picture: {explorer.model.message}")
    return elapsed


def main(names: Sequence[str]) -> None:
    """Print one line per action of the explorers of these names."""
    print(f"action to picture, n = 300 or 400, {MOVES} each, ms: clock, and processor")
    print(f"{'':<18} {'median':>7} {'min':>7} {'max':>7} {'median':>9} {'min':>7} {'max':>7}  goal")
    for name in names:
        for action, explorer, steps, goal in EXPLORERS[name]():
            times = np.array([milliseconds(explorer, step) for step in steps])[WARM_UP:]
            low, median, high = np.quantile(times, [0, 0.5, 1], axis=0)
            row = [number for column in (0, 1) for number in (median[column], low[column], high[column])]
            verdict = "" if goal is None else f"{goal} ms: {'met' if median[0] <= goal else 'missed'}"
            numbers = "{:7.1f} {:7.1f} {:7.1f} {:9.1f} {:7.1f} {:7.1f}".format(*row)
            print(f"{name + ', ' + action:<18} {numbers}  {verdict}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(EXPLORERS))
