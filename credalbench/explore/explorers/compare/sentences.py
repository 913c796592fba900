"""Sentences of the comparing explorer: objects that one side separates, and the ends of starts."""

from functools import lru_cache

import numpy as np

from credalbench.belief import CredalPartition
from credalbench.belief.explanation import reason_of
from credalbench.explore.explorers.compare.differences import KINDS, Disagreement
from credalbench.explore.explorers.compare.methods import OBJECTIVES
from credalbench.explore.explorers.compare.sides import Fitted, Side

#: The results of methods that are not credal, by kind of method.
CANNOT = {"hard": "A label", "fuzzy": "Memberships"}
#: Starts end alike if they differ by at most this share of the best objective.
AS_GOOD = 0.01


def title_of(name: str, fitted: Fitted) -> str:
    """Return the title of one side: its method, or its start."""
    side = getattr(fitted, name)
    if not fitted.traces:
        return f"{name}: {side.method.name}"
    return f"{name}: {side.method.name}, {'worst' if name == 'left' else 'best'} start"


@lru_cache(maxsize=1)  # the view uses it in three places
def comparison_text(fitted: Fitted) -> str:
    """Return the sentences of a comparison."""
    if fitted.traces:
        return _about_starts(fitted)
    if fitted.differences.identical:
        return "Both sides are the same fit: choose another method or setting on one of them."
    sentences = [
        _about_objects(fitted, fitted.left, fitted.right, fitted.differences.separated_by_right),
        _about_objects(fitted, fitted.right, fitted.left, fitted.differences.separated_by_left),
    ]
    neither = "Neither side separates objects that are alike on the other."
    return " ".join(filter(None, sentences)) or neither


def _about_objects(fitted: Fitted, coarse: Side, fine: Side, pair: Disagreement | None) -> str:
    """Describe two objects that are alike on one side only, and why that side cannot separate them."""
    if pair is None:
        return ""
    one, two = (_called(fitted, i) for i in (pair.first, pair.second))
    sets = fine.partition.focal_sets  # those of both sides
    both = [reason_of(fine.partition.masses[i], sets) for i in (pair.first, pair.second)]
    alike = reason_of(coarse.partition.masses[pair.first], sets)
    first, second = (_named(fitted, side) for side in (coarse, fine))
    begin = one if fitted.subject.object_names else one.capitalize()  # names are not capitalised
    words = f"{begin} and {two} are alike for {first} ({alike}); {second} separates "
    words += f"them: {one} ({both[0]}), {two} ({both[1]})."
    if coarse.method.kind in CANNOT and _needs_sets(fine.partition, pair):
        words += f" {CANNOT[coarse.method.kind]} cannot express that; masses on sets of clusters can."
    return words


def _needs_sets(partition: CredalPartition, pair: Disagreement) -> bool:
    """Return whether one of the objects has its largest mass on ∅ or on a set of several clusters."""
    sets = partition.hard_credal()[[pair.first, pair.second]]
    return bool((partition.focal_sets.cardinality[sets] != 1).any())


def _named(fitted: Fitted, side: Side) -> str:
    """Return the method of a side, with the side if both have the same method."""
    if fitted.left.method is not fitted.right.method:
        return side.method.name
    return f"{side.method.name} on the {'left' if side is fitted.left else 'right'}"


def _about_starts(fitted: Fitted) -> str:
    ends = np.array([trace[-1] for trace in fitted.traces])
    worst, best = fitted.left.run.objective, fitted.right.run.objective
    as_good = int((np.abs(ends - best) <= AS_GOOD * abs(best)).sum())
    label = fitted.left.method.name
    objective = OBJECTIVES.get(label, "objective J")
    if as_good == len(ends):
        return (
            f"All {len(ends)} random starts of {label} end alike, at {objective} {best:.4g}: none is trapped."
        )
    return (
        f"{as_good} of {len(ends)} random starts of {label} end at {objective} {best:.4g}, within "
        f"{100 * AS_GOOD:.0f} %; the worst is trapped at {worst:.4g}. "
        "Every step improves the objective, so a run ends in a local optimum, which need not be the best one."
    )


def _called(fitted: Fitted, i: int) -> str:
    names = fitted.subject.object_names
    return names[i] if names else f"object {i}"


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, counts = fitted.subject, dict(zip(KINDS, fitted.differences.counts.tolist()))
    sides = " and ".join(title_of(name, fitted) for name in ("left", "right"))
    return (
        f"Two maps of {subject.n_objects} objects of {subject.name}, {sides}, in "
        f"{fitted.partition.n_clusters} clusters. They agree on {counts['same']} objects; "
        f"{counts['precision']} differ in precision, {counts['outlier']} are outliers on one side only, "
        f"{counts['cluster']} are in different clusters. {comparison_text(fitted)}"
    )
