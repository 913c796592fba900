"""The time bar: buttons, a player and a slider for the iterations of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

import ipywidgets as w

from credalbench.explore.fitting import LIVE_UP_TO_MS
from credalbench.explore.stepping import Stepped
from credalbench.explore.view.controls import button

if TYPE_CHECKING:
    from credalbench.explore.view.explorer_view import ExplorerView

#: Shortest time between two played iterations, in ms.
FRAME_MS = 400


class TimeBar:
    """The controls for the iterations of a view.

    Attributes
    ----------
    controls : dict of str -> ipywidgets.Widget
        The controls by name, except the slider, which belongs to the parameters.
    """

    #: Keyboard shortcuts in the picture, with their actions.
    LETTERS: ClassVar = {"r": "rewind", "s": "step", "e": "finish"}

    def __init__(self, view: ExplorerView) -> None:
        self.view, self.model = view, view.model
        narrow = {"flex": "0 1 auto"}
        tooltip = "Play all iterations, pause, and go back to the start"
        self.slider = view.controls["iteration"]
        self.player = w.Play(
            min=self.slider.min, interval=FRAME_MS, show_repeat=False, description="play", tooltip=tooltip
        )
        self.controls = {
            "rewind": button("Rewind (r)", "fast-backward", "Go back to the start of this run", **narrow),
            "step": button("Step (s)", "step-forward", "Do one iteration", **narrow),
            "play": self.player,
            "finish": button("End (e)", "fast-forward", "Do all remaining iterations", **narrow),
        }

    def row(self, *first: w.Widget) -> w.Box:
        """Return a row of controls, after the `first` ones."""
        self.slider.layout.flex = "1 1 200px"
        layout = w.Layout(flex_flow="row wrap", align_items="center")
        return w.Box([*first, *self.controls.values(), self.slider], layout=layout)

    def actions(self) -> dict[str, Callable[[], None]]:
        """Return the actions of the buttons, by name; each pauses the player."""
        return {name: self._pausing(getattr(self.model, name)) for name in self.LETTERS.values()}

    def _pausing(self, move: Callable[[], None]) -> Callable[[], None]:
        def act() -> None:
            self.player.playing = False
            move()

        return act

    def link(self) -> None:
        """Link the player and the iteration in both directions."""
        self.player.observe(self._play, "value")
        self.model.observe(lambda _: self._follow(), "iteration")
        self._follow()

    def _play(self, change: Mapping[str, object]) -> None:
        """Show the iteration of the player, which waits for the iteration being computed."""
        with self.model.turn:
            if self.view.is_quiet:
                return
            if self.model.busy and change["new"] > self._shown():
                self._follow()
            elif change["new"] != self._shown():
                self.model.iteration = change["new"]

    def _shown(self) -> int:
        return min(self.model.iteration, self.player.max)

    def _follow(self) -> None:
        with self.view.silently():
            self.player.value = self._shown()

    def show(self, fitted: Stepped) -> None:
        """Adapt the range of the slider and of the player to a run."""
        with self.view.silently():
            self.slider.max = self.player.max = fitted.n_iter
            self.view.follow("iteration", "iteration")
            self._follow()

    def show_speed(self) -> None:
        """Adapt slider and player to the time that showing an iteration takes."""
        taken = self.model.step_ms + self.view.picture.draw_ms
        self.slider.continuous_update = taken < LIVE_UP_TO_MS
        # the player stops if it advances before the last frame is done
        self.player.interval = max(FRAME_MS, round(1.5 * taken))
