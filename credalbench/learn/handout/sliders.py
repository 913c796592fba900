"""Sliders of a handout: an explorer or a board at several values of one parameter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from credalbench.belief import MassFunction
from credalbench.belief.display import mass_function_html
from credalbench.core.arguments import expect
from credalbench.explore.parameter import MAP_VIEWS
from credalbench.explore.view.explorer_view import ExplorerView
from credalbench.explore.view.hints import hint
from credalbench.learn.exercise import Exercise
from credalbench.learn.mass_board import MassBoard, readings_html

#: Whether an answer is right, and the feedback on it.
Verdict = tuple[bool, str]


@dataclass(frozen=True)
class Slider:
    """A block of ``toml frames``.

    Parameters
    ----------
    slider : str
        Parameter of the explorer, by default the first control of the task, or label of a set of the board.
    values : sequence
        Values of the slider.
    words : sequence of str, default=()
        Names of the values; the values themselves by default.
    label : str, default=""
        Label of the slider; the label of the explorer by default.
    completed_by : str, default=""
        Method of the explorer's model that is called at each value, for results that an explorer computes
        when it is idle.
    views : sequence of str, default=()
        Views of the map, from `MAP_VIEWS`, the initial one first; by default only the view of the explorer.
    """

    slider: str
    values: Sequence[object]
    words: Sequence[str] = ()
    label: str = ""
    completed_by: str = ""
    views: Sequence[str] = ()

    def __post_init__(self) -> None:
        expect(len(self.values) > 1, f"several values of {self.slider}", self.values)
        named = len(self.words) in (0, len(self.values))
        expect(named, f"{len(self.values)} words, one for each value of {self.slider}", self.words)

    def value_names(self) -> list[str]:
        """Return the names of the values."""
        return [*self.words] or [f"{v:g}" if isinstance(v, float) else str(v) for v in self.values]


@dataclass(frozen=True)
class SliderFrames:
    """The frames of a slider, and the verdicts of the exercises that it answers.

    Parameters
    ----------
    label : str
        Label of the slider.
    hint : str
        Hint of the slider, with the explained terms.
    words : sequence of str
        Names of the frames.
    start : int
        The frame that is shown first.
    frames : sequence of dict
        Contents of the frames, as plain values.
    verdicts : dict of str to sequence of Verdict
        Verdict of each exercise on each frame.
    views : sequence of str, default=()
        Names of the views of the map; each frame then has one of its ``scenes`` for each view.
    """

    label: str
    hint: str
    words: Sequence[str]
    start: int
    frames: Sequence[dict[str, object]]
    verdicts: dict[str, Sequence[Verdict]] = field(default_factory=dict)
    views: Sequence[str] = ()


def explorer_frames(
    explorer: ExplorerView, slider: Slider, exercises: Mapping[str, Exercise]
) -> SliderFrames:
    """Return an explorer at each value of a slider, with the verdicts of `exercises`; restore its state.

    Raises
    ------
    ValueError
        If the explorer has no scene, or if it rejects a value.
    """
    name, model = slider.slider, explorer.model
    expect(isinstance(explorer, ExplorerView), "an explorer", type(explorer).__name__)
    expect(name in model.parameters(), f"a parameter of {type(model).__name__}", name)
    before, frames, verdicts = getattr(model, name), [], {exercise: [] for exercise in exercises}
    values = [_as_tuples(value) for value in slider.values]
    for value in values:
        _set(model, name, value)
        if slider.completed_by:
            getattr(model, slider.completed_by)()
        for exercise_name, exercise in exercises.items():
            feedback = exercise.check(explorer)
            verdicts[exercise_name].append((feedback.right, str(feedback)))
        frames.append(explorer.snapshot() | _scenes(explorer, slider.views))
    _set(model, name, before)
    declared = model.parameters()[name]
    label, help_ = slider.label or declared.label, hint(declared.label, declared.tooltip)
    views = [MAP_VIEWS[view] for view in slider.views]
    return SliderFrames(label, help_, slider.value_names(), _start(values, before), frames, verdicts, views)


def _scenes(explorer: ExplorerView, views: Sequence[str]) -> dict[str, object]:
    """Return the scenes of the current fit for each view of the map; restore the view."""
    if not views:
        return {}
    before, scenes = explorer.model.map_view, []
    for view in views:
        _set(explorer.model, "map_view", view)
        scenes.append(explorer.snapshot()["scene"])
    _set(explorer.model, "map_view", before)
    return {"scene": scenes[0], "scenes": scenes}


def _set(model: object, name: str, value: object) -> None:
    setattr(model, name, value)
    if model.is_error:
        raise ValueError(f"{name} = {value!r}: {model.message}")


def _start(values: Sequence[object], before: object) -> int:
    """Return the frame whose value is nearest to a number, or equals another value; else the first frame."""
    if isinstance(before, int | float):
        return min(range(len(values)), key=lambda k: abs(values[k] - before))
    return values.index(before) if before in values else 0


def _as_tuples(value: object) -> object:
    """Convert lists to tuples, which traits contain."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def board_frames(board: MassBoard, slider: Slider) -> SliderFrames:
    """Return a board at each mass of one set, with the rest on Ω; restore its masses."""
    expect(slider.slider in board.controls, f"one of the sets {' '.join(board.controls)}", slider.slider)
    control = board.controls[slider.slider]
    before, frames = control.value, []
    for value in slider.values:
        control.value = value
        expect(control.value == value, f"masses of {slider.slider} that leave some for Ω", value)
        frames.append({"html": board_html(board)})
    control.value = before
    label, help_ = slider.label or f"mass on {slider.slider}", hint(slider.slider, control.tooltip)
    return SliderFrames(label, help_, slider.value_names(), _start(slider.values, before), frames)


def board_html(board: MassBoard) -> str:
    """Return the masses and the readings of a board as HTML."""
    one = board.mass_function
    named = MassFunction(one.masses, one.focal_sets, "masses")
    return mass_function_html(named) + readings_html(one, board.names)
