"""Views of runs: a bar of buttons, a slider and letters that go through their iterations, and play them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import ipywidgets as w

from credalbench.explore.shared.controls import button
from credalbench.explore.shared.fitting_model import LIVE_UP_TO_MS
from credalbench.explore.shared.read_outs import Tile, iterations
from credalbench.explore.shared.runs import Stepped
from credalbench.explore.shared.scene.scene import Scene
from credalbench.explore.shared.scene_view import SceneView
from credalbench.explore.shared.stepping_model import SteppingModel

#: Letters pressed in the picture, and the control that each stands for.
LETTERS = {"r": "rewind", "s": "step", "e": "finish"}
FRAME_MS = 400  # between two iterations that are played, unless one takes longer


class SteppingView(SceneView):
    """A `SceneView` of a `SteppingModel`; the subclass says where its `_time_bar` stands."""

    def __init__(
        self,
        model: SteppingModel,
        make_scene: Callable[[Stepped], Scene],
        controls: Mapping[str, w.Widget],
        letters: Mapping[str, str] | None = None,
        **traits: object,
    ) -> None:
        """As in `SceneView`, with the controls of time; `letters` are further ones for actions, by name."""
        self._letters = LETTERS | (letters or {})
        traits |= {"shortcuts": "".join(self._letters)}
        super().__init__(model, make_scene, time_controls() | controls, **traits)

    def _time_bar(self, *first: w.Widget) -> w.Box:
        """Return the controls of time in a row, after others that belong there."""
        names = ("rewind", "step", "play", "finish", "iteration")
        self.controls["iteration"].layout.flex = "1 1 200px"
        layout = w.Layout(flex_flow="row wrap", align_items="center")
        return w.Box([*first, *(self.controls[name] for name in names)], layout=layout)

    # -- linking ----------------------------------------------------------------------------------------

    def _actions(self) -> dict[str, Callable[[], None]]:
        moves = {name: getattr(self.model, name) for name in LETTERS.values()}
        return super()._actions() | {name: self._pausing(move) for name, move in moves.items()}

    def _pausing(self, move: Callable[[], None]) -> Callable[[], None]:
        """Return a move after which nothing is played."""

        def act() -> None:
            self.controls["play"].playing = False
            move()

        return act

    def _link(self) -> None:
        super()._link()
        self._bind("iteration", "play")
        self.image.on_letter(lambda letter: self.actions[self._letters[letter]]())

    def _wish(self, trait: str, name: str, value: object) -> None:
        """As in `LinkedView`; but a player goes no further than to the iteration that is being made."""
        with self.model.turn:
            if name == "play" and self.model.busy and value > self._shown(trait, name):
                self._follow(trait, name)
            else:
                super()._wish(trait, name, value)

    def _shown(self, trait: str, name: str) -> object:
        shown = super()._shown(trait, name)
        return min(shown, self.controls["play"].max) if name == "play" else shown

    # -- showing ----------------------------------------------------------------------------------------

    def _draw(self, fitted: Stepped) -> None:
        super()._draw(fitted)
        with self._silently():
            for name in ("iteration", "play"):
                self.controls[name].max = fitted.n_iter
                self._follow("iteration", name)

    def _show_fit(self) -> None:
        """As in `LinkedView`; an iteration takes less time than the run."""
        super()._show_fit()
        if self.model.fitted is None:
            return
        taken = self.model.step_ms + self.picture.draw_ms
        self.controls["iteration"].continuous_update = taken < LIVE_UP_TO_MS
        # a frame that comes before the last one is there would stop it
        self.controls["play"].interval = max(FRAME_MS, round(1.5 * taken))


def time_controls() -> dict[str, w.Widget]:
    """Return the controls that go through iterations, by name."""
    narrow = {"flex": "0 1 auto"}
    played = "Play all iterations, pause, and go back to the start"
    return {
        "rewind": button("Rewind (r)", "fast-backward", "Go back to the start of this run", **narrow),
        "step": button("Step (s)", "step-forward", "Do one iteration", **narrow),
        "play": w.Play(interval=FRAME_MS, show_repeat=False, description="play", tooltip=played),
        "finish": button("End (e)", "fast-forward", "Do all iterations that are left", **narrow),
    }


def iteration_tile(fitted: Stepped, hint: str = "Done, and until the end of the run") -> Tile:
    """Return the read-out of how far a run is."""
    return "iteration", f"{fitted.iteration} of {iterations(fitted.n_iter, fitted.converged)}", hint
