"""Sliders of a handout: an explorer or a board, shown at a few values of one parameter."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from credalbench.arguments import expect
from credalbench.belief import MassFunction
from credalbench.belief.display import mass_function_html
from credalbench.explore.shared.hints import hint
from credalbench.explore.shared.scene_view import SceneView
from credalbench.learn.exercise import Exercise
from credalbench.learn.mass_board import MassBoard, readings_html

#: What is said of an answer: whether it is right, and why.
Said = tuple[bool, str]


@dataclass(frozen=True)
class Slider:
    """A block of ``toml frames``.

    Attributes
    ----------
    slider : str
        The parameter of the explorer, or the label of the set on the board, that moves.
    values : sequence
        Where it stops.
    words : sequence of str
        What each value is called; none: the values themselves.
    label : str
        Beside the slider; none: as in the explorer.
    completed_by : str
        A method of the explorer's model that is called at each value, where a page would have it done when
        idle.
    """

    slider: str
    values: Sequence[object]
    words: Sequence[str] = ()
    label: str = ""
    completed_by: str = ""

    def __post_init__(self) -> None:
        expect(len(self.values) > 1, f"several values of {self.slider}", self.values)
        named = len(self.words) in (0, len(self.values))
        expect(named, f"{len(self.values)} words, one for each value of {self.slider}", self.words)

    def called(self) -> list[str]:
        """What each value is called."""
        return [*self.words] or [f"{v:g}" if isinstance(v, float) else str(v) for v in self.values]


@dataclass(frozen=True)
class Moving:
    """What a page holds of a slider: frames as plain values, and the exercises that look at them.

    Attributes
    ----------
    label : str
    hint : str
        What is said over the slider: its own words, and the terms in them, explained.
    words : sequence of str
        One for each frame.
    start : int
        The frame that is shown at first.
    frames : sequence of dict
    verdicts : dict of str -> sequence of `Said`
        What each exercise says of each frame.
    """

    label: str
    hint: str
    words: Sequence[str]
    start: int
    frames: Sequence[dict[str, object]]
    verdicts: dict[str, Sequence[Said]] = field(default_factory=dict)


def read_slider(source: str) -> Slider:
    """Return what a block of ``toml frames`` says."""
    return Slider(**tomllib.loads(source))


def moving_explorer(explorer: SceneView, slider: Slider, tasks: Mapping[str, Exercise]) -> Moving:
    """Return an explorer at each value of a slider, and let `tasks` judge it there; it ends as it began.

    Raises
    ------
    ValueError
        The explorer does not draw in the browser, or refuses a value.
    """
    name, model = slider.slider, explorer.model
    expect(isinstance(explorer, SceneView), "an explorer whose picture is a scene", type(explorer).__name__)
    expect(name in model.parameters(), f"a parameter of {type(model).__name__}", name)
    before, frames, verdicts = getattr(model, name), [], {task: [] for task in tasks}
    values = [_hashed(value) for value in slider.values]
    for value in values:
        _set(model, name, value)
        if slider.completed_by:
            getattr(model, slider.completed_by)()
        for task, exercise in tasks.items():
            said = exercise.check(explorer)
            verdicts[task].append((said.right, str(said)))
        frames.append(explorer.held())
    _set(model, name, before)
    declared = model.parameters()[name]
    told = hint(declared.label, declared.tooltip)
    return Moving(
        slider.label or declared.label, told, slider.called(), _start(values, before), frames, verdicts
    )


def _set(model: object, name: str, value: object) -> None:
    setattr(model, name, value)
    if model.is_error:
        raise ValueError(f"{name} = {value!r}: {model.message}")


def _start(values: Sequence[object], before: object) -> int:
    """The frame nearest to where an explorer began; of what is no number its own, or else the first."""
    if isinstance(before, int | float):
        return min(range(len(values)), key=lambda k: abs(values[k] - before))
    return values.index(before) if before in values else 0


def _hashed(value: object) -> object:
    """A value as traits keep it: TOML's lists as tuples."""
    return tuple(map(_hashed, value)) if isinstance(value, list) else value


def moving_board(board: MassBoard, slider: Slider) -> Moving:
    """Return a board at each mass of one set, the rest on Ω; it ends as it began."""
    expect(slider.slider in board.controls, f"one of the sets {' '.join(board.controls)}", slider.slider)
    control = board.controls[slider.slider]
    before, frames = control.value, []
    for value in slider.values:
        control.value = value
        expect(control.value == value, f"masses of {slider.slider} that leave some for Ω", value)
        frames.append({"html": board_html(board)})
    control.value = before
    label = slider.label or f"mass on {slider.slider}"
    told = hint(slider.slider, control.tooltip)
    return Moving(label, told, slider.called(), _start(slider.values, before), frames)


def board_html(board: MassBoard) -> str:
    """Return a board as it stands: its masses, and what follows from them."""
    one = board.mass_function
    named = MassFunction(one.masses, one.focal_sets, "masses")
    return mass_function_html(named) + readings_html(one, board.names)
