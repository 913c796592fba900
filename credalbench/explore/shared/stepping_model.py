"""Models that show a run iteration by iteration: forwards, back to the start, to the end."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import traitlets as t

from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.refitting_model import RefittingModel
from credalbench.explore.shared.runs import Run, Stepped

#: Where a run ends at the latest, and the iteration that means its end.
LAST = 1000


class SteppingModel(RefittingModel):
    """A `RefittingModel` that shows an iteration of a run: its end, until one steps through it.

    Moving through the iterations leaves the run as it is. Other data, another number of clusters or another
    seed draw another start, and its end is shown; with other parameters whoever waits at an iteration goes on
    waiting there, and who looks at the end goes on looking at the end.

    Attributes
    ----------
    fitted : Stepped or None
    step_ms : float
        How long it took to go to the last iteration.
    """

    #: Parameters that draw another start.
    STARTING = frozenset({"data", "standardize", "n_clusters", "seed"})

    iteration = parameter(
        t.Int(LAST), "iteration", "Iterations done; 0: the start", low=0, high=LAST, slider=(0, 10, 1)
    )

    step_ms = 0.0

    # -- for the explorer -------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> Run:
        """Return the run of the present parameters, or raise what a person should read."""
        raise NotImplementedError

    def _describe(self, run: Run, iteration: int) -> Stepped:
        """Return what is shown of an iteration of a run."""
        raise NotImplementedError

    @property
    def last_run(self) -> Run | None:
        """The run that is shown, from which clusters take their numbers."""
        return None if self.fitted is None else self.fitted.run

    def _goes_on(self, changed: set[str]) -> bool:
        """Whether only the iteration is another one: the run that is shown has it."""
        return changed == {"iteration"} and self.fitted is not None

    # -- actions ----------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one more iteration."""

        def go_on(fitted: Stepped) -> None:
            if fitted.ended:
                self.report(f"No further step: the run has ended after {fitted.n_iter} iterations.")
            else:
                self.iteration = fitted.iteration + 1

        self._with_fit(go_on)

    def rewind(self) -> None:
        """Go back to the start of the run."""
        self._with_fit(lambda _: setattr(self, "iteration", 0))

    def finish(self) -> None:
        """Do all iterations that are left."""
        self.iteration = LAST

    def _with_fit(self, action: Callable[[Stepped], None]) -> None:
        """Act on the fit that is shown; what goes wrong, and that there is none, becomes `message`."""

        def act() -> None:
            if self.fitted is None or self.fitted.subject is not self.subject:
                raise ValueError("there is no fit to go on from yet")
            action(self.fitted)

        self._guarded(act)

    # -- fit --------------------------------------------------------------------------------------------

    def _settle(self, changed: set[str]) -> None:
        super()._settle(changed)
        at_the_end = self.fitted is not None and self.fitted.ended
        if "iteration" not in changed and (changed & self.STARTING or at_the_end):
            self.iteration = LAST

    def _refit(self, changed: set[str]) -> Stepped:
        run = self.fitted.run if self._goes_on(changed) else self._run(changed)
        began = perf_counter()
        described = self._describe(run, min(self.iteration, run.n_iter))
        self.step_ms = 1e3 * (perf_counter() - began)
        return described
