"""The model of an explorer, without widgets: data, parameters and iterations that refit when they change.

A subclass names an estimator, and declares its parameters (see `parameter`), which may be arguments of it::

    class ECMModel(ExplorerModel):
        ESTIMATOR = ECM
        alpha = parameter(t.Float(1.0), "α", "Exponent of the cardinality", slider=(-2, 5, 0.1))

A program that sets a parameter gets its fit synchronously. A page waits only for a moment: a longer fit runs
in a background thread, the page stays responsive, `fitted` is still the last fit and `busy` is true. The next
change or `stop` cancels it. After that, and after an error, the parameters are reset to those of the fit that
is shown, so that settings and result always agree.
"""

import warnings
from asyncio import AbstractEventLoop
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from inspect import signature
from pathlib import Path
from threading import RLock, get_ident
from time import perf_counter
from typing import Self

import numpy as np
import traitlets as t
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from credalbench.belief import CredalPartition
from credalbench.core.threads import one_thread
from credalbench.datasets import DataUnavailable
from credalbench.explore import saving
from credalbench.explore.background import LIVE_UP_TO_MS, MOMENT_MS, TICK_S, BackgroundFit, calling_in
from credalbench.explore.drawing import Drawing
from credalbench.explore.linking import Linking
from credalbench.explore.parameter import (
    LAST,
    Parameter,
    docstring,
    expect_few_focal_sets,
    expect_known,
    n_clusters_parameter,
    parameter,
    parameters_of,
)
from credalbench.explore.program import Program, literal, program_of
from credalbench.explore.sources import Source, Subject
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.stepping import Fitted, Run, SteadyNumbers, Stepped, as_sentence, has_plane, plane_of


class ExplorerModel(t.HasTraits):
    """Data, parameters and iterations that refit when they change.

    Every change of a parameter refits; several changes inside ``with model.batch():`` refit once. After an
    error, `message` and `is_error` are set, `fitted` is still the last successful fit, and its parameters are
    restored, unless the data have changed.

    Changing `iteration` keeps the run. Changing the data, the number of clusters or the seed starts a new run
    and shows its end; other changes show the same iteration, or the end if the end was shown.

    Attributes
    ----------
    source : Source
    drawing : Drawing or None
        Editing of the data by hand; None if data cannot be drawn.
    linking : Linking or None
        Constraints between chosen objects, if `links` is a parameter.
    subject : Subject or None
    fitted : Stepped or None
    message : str
    is_error : bool
    busy : bool
        Whether a fit runs in the background; `fitted` is then an earlier one.
    progress : str
        Progress of the background fit.
    repeatable : bool
        Whether each fit depends on the parameters alone, and does not start from the last fit.
    selected : int or None
        The selected object: its row in the data, from 0.
    turn : RLock
        Held while several traits are read or changed; a background fit does not hold it.
    page : callable
        Returns the event loop of the page whose message is being answered, or None: fits are then
        synchronous.
    step_ms : float
        Time to compute the iteration that is shown, in ms.
    """

    #: Start of the names of saved files, and the data at first.
    STEM, DATA = "explorer", ""
    #: The estimator, and the largest number of focal sets for which fits are fast enough for an explorer.
    ESTIMATOR: type[BaseEstimator]
    MAX_FOCAL_SETS = 64
    #: Parameters that are not arguments of the estimator, although their names are.
    APART: Container[str] = frozenset()
    #: What is shown of an iteration.
    FITTED: type[Fitted] = Fitted
    #: Whether points of tables with two attributes can be drawn.
    DRAWABLE = True
    #: Parameters that the subject depends on, and parameters that start a new run.
    PREPARING = frozenset({"data", "standardize"})
    STARTING = frozenset({"data", "standardize", "n_clusters", "seed"})
    #: Parameters that change what is shown of a run, and not the run.
    SHOWING = frozenset({"iteration", "map_view"})

    subject = t.Any(None, allow_none=True)
    fitted = t.Any(None, allow_none=True)
    message = t.Unicode("")
    is_error = t.Bool(False)
    busy = t.Bool(False)
    progress = t.Unicode("")
    repeatable = t.Bool(False)
    selected = t.Int(None, allow_none=True)

    data = parameter(t.Unicode(""), "data", "Data set")
    n_clusters = n_clusters_parameter(10)
    iteration = parameter(
        t.Int(LAST), "iteration", "Iterations done; 0 is the start", low=0, high=LAST, slider=(0, 10, 1)
    )

    map_view = "sets"  # what the map shows; some explorers have a parameter in its place
    step_ms = 0.0
    _slipped = False  # whether the message is about the last action only

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = docstring(cls)

    def __init__(self, data: object = None, **parameters: object) -> None:
        """Load `data` (a name, path, Dataset, user table, data frame or array) and fit once."""
        super().__init__()
        self.turn = RLock()  # JupyterLab may pass on messages of browsers in two threads
        self.page: Callable[[], AbstractEventLoop | None] = lambda: None
        self.announced = ""  # the message about an action, shown with its fit
        self._own_thread = None  # the thread in which the model changes its own parameters
        self._background: BackgroundFit[Stepped] | None = None
        self._warned = []
        self._unfitted = set()  # parameters changed since the fit that is shown
        self._shown = {}  # the values of the parameters of the fit that is shown
        self._changed = set()
        self._depth = 0
        self._steady = SteadyNumbers()
        self.source = self._make_source()
        self.drawing = Drawing(self) if self.DRAWABLE else None
        self.linking = Linking(self) if "links" in self.parameters() else None
        if self.linking:
            self.choice = self.linking.choice
        self.observe(self._note_change, list(self.parameters()))
        with self.batch():
            self._changed.add("data")
            self.set_parameters(parameters)
            self.set_data(self.DATA if data is None else data)
            if self.is_error:  # there is nothing to fit; the message gives the reason
                self._changed.clear()
                with self._own_changes():
                    self.data = ""

    @classmethod
    def parameters(cls) -> Mapping[str, Parameter]:
        """Return the declaration of each parameter, by name."""
        return parameters_of(cls)

    # -- for the subclass -------------------------------------------------------------------------------

    def _make_source(self) -> Source:
        """Return the source of the data."""
        return TableSource(self, attributes_for=self.ESTIMATOR.__name__)

    def _adapt(self, changed: set[str]) -> None:
        """Adapt parameters to the new `subject`, except those in `changed`, which the user set."""
        if "data" in changed and "n_clusters" not in changed:
            self.n_clusters = max(2, self.subject.n_classes)
        if "map_view" not in changed and self.map_view == "plane" and not has_plane(self.subject.attributes):
            self.map_view = "sets"
        if self.linking:
            self.linking.adapt(changed)
        for name, declared in self.parameters().items():
            if declared.usual and name not in changed:
                setattr(self, name, declared.usual(self))

    def _settle(self, changed: set[str]) -> None:
        """Update parameters that depend on those in `changed`, which the user set."""
        at_the_end = self.fitted is not None and self.fitted.ended
        if "iteration" not in changed and (changed & self.STARTING or at_the_end):
            self.iteration = LAST
        if self.linking:
            self.linking.settle()

    def _arguments(self) -> Mapping[str, object]:
        """Return arguments of the estimator that are not parameters, or differ from them."""
        return {}

    def _estimator(self, **arguments: object) -> BaseEstimator:
        """Return the estimator of the present parameters."""
        own = {name: value for name, value in self.settings().items() if name not in self.APART}
        if "seed" in own:
            own["random_state"] = own.pop("seed")
        known = signature(self.ESTIMATOR).parameters
        given = {name: value for name, value in own.items() if name in known}
        return self.ESTIMATOR(**(given | dict(self._arguments()) | arguments))

    def _run(self, changed: set[str]) -> Run:
        """Return the run of the present parameters; errors are shown to the user."""
        self._expect_few_sets(self.n_clusters)
        return self._run_of(self._estimator())

    def _expect_few_sets(self, c: int) -> None:
        """Raise a ValueError if c clusters have too many focal sets."""
        expect_few_focal_sets(self.focal_sets, c, self.MAX_FOCAL_SETS)

    def _run_of(self, estimator: BaseEstimator) -> Run:
        """Fit an estimator to the subject, with the constraints if there are any."""
        fit = partial(self._fit, compared=self.subject.compared, links=self._fit_links())
        return Run.of(self.subject, estimator, fit, self._numbers)

    def _fit_links(self) -> Mapping[str, np.ndarray]:
        """Return the links as arguments of `fit`."""
        return self.linking.fit_arguments() if self.linking else {}

    @staticmethod
    def _fit(
        estimator: BaseEstimator, compared: np.ndarray, links: Mapping[str, np.ndarray]
    ) -> BaseEstimator:
        """Fit an estimator, also to show an earlier iteration, when parameters may have changed."""
        return estimator.fit(compared, **links)

    def _numbers(self, estimator: BaseEstimator) -> np.ndarray:
        """Return the numbers of the clusters of a fitted estimator, (c,)."""
        return self._numbers_of(estimator.partition_)

    def _numbers_of(self, partition: CredalPartition) -> np.ndarray:
        """Return the numbers of the clusters of a new partition, (c,)."""
        return self._steady.of(partition, self.subject, self.last_run)

    def _describe(self, run: Run, iteration: int) -> Stepped:
        """Return the displayed values of an iteration of a run."""
        return self.FITTED(run, iteration, run.after(iteration), self.settings())

    def _take(self, fitted: Stepped, changed: set[str]) -> None:
        """Show a fit; subclasses add what depends on choices made during the fit."""
        self.fitted = fitted

    def _follow_points(self, before: list[int], after: list[int]) -> None:
        """Update what refers to points, given their numbers before and after a drawn change."""
        if self.linking:
            self.linking.follow_points(before, after)

    def _write_fit(self, program: Program, data: str) -> None:
        """Write code that fits `data` and assigns the `partitions`."""
        given = [data, *(f"{name}={literal(pairs.tolist())}" for name, pairs in self._fit_links().items())]
        program.add_fit(self._estimator(), given)
        program.add_iteration(self.fitted.run, self.fitted.iteration, given)
        program.add_partition(self.fitted.run.numbers)

    def clicked(self, i: int | None, panel: str, x: float, y: float) -> None:
        """Handle a click on object `i`, or on a place of a panel."""
        if self.linking:
            self.linking.click(i)

    def dragged(self, k: int, x: float, y: float) -> None:
        """Handle a move of handle k."""

    # -- changes ----------------------------------------------------------------------------------------

    @contextmanager
    def batch(self) -> Iterator[Self]:
        """Collect changes of several parameters; leaving the outermost block refits once."""
        with self.turn:
            self._depth += 1
            try:
                yield self
            finally:
                self._depth -= 1
                if self._depth == 0 and self._changed:
                    changed, self._changed = self._changed, set()
                    self._apply(changed)

    def mark_changed(self, name: str) -> None:
        """Treat a parameter as set by the user in this batch, even if its value is the same."""
        self._changed.add(name)

    def set_parameters(self, parameters: Mapping[str, object]) -> None:
        """Set several parameters, all treated as set by the user; refit once."""
        with self.batch():
            expect_known(type(self), parameters)
            before, changed = {name: getattr(self, name) for name in parameters}, set(self._changed)
            try:
                for name, value in parameters.items():
                    setattr(self, name, value)
            except t.TraitError:
                for name, value in before.items():
                    setattr(self, name, value)
                self._changed = changed
                raise
            self._changed.update(parameters)  # set by the user, even if it is the default

    def _note_change(self, change: Mapping[str, object]) -> None:
        if self._own_thread == get_ident():
            return
        with self.batch():
            self._changed.add(change["name"])

    def _apply(self, changed: set[str]) -> None:
        self._halt()
        try:
            if changed & self.PREPARING:
                self._load()
                with self._own_changes():
                    self._adapt(changed)
            if self.subject is None:
                raise ValueError("there are no data to fit")
            self._check(changed)
            with self._own_changes():
                self._settle(changed)
            self._check(self.parameters())
            self._begin(changed)
        except Exception as error:  # every error is shown to the user
            self._refuse(error)

    def _check(self, names: Container[str]) -> None:
        for name, declared in self.parameters().items():
            if name in names:
                declared.check(name, getattr(self, name))

    @contextmanager
    def _own_changes(self) -> Iterator[None]:
        """Mark changes of parameters in this thread as internal, so that they do not refit."""
        before, self._own_thread = self._own_thread, get_ident()
        try:
            yield
        finally:
            self._own_thread = before

    def report(self, text: str, *, error: bool = False) -> None:
        """Set `message` and `is_error` together."""
        with self.hold_trait_notifications():
            self.is_error = error
            self.message = text

    def guarded(self, action: Callable[[], None]) -> None:
        """Call `action`, and report its error in `message` until the next action."""
        with self.turn:
            if self._slipped:
                self.report(self.subject.note if self.subject is not None else "")
            before = self.message
            try:
                action()
            except Exception as error:  # as in _apply
                self.report(as_sentence(error), error=True)
            self._slipped = self.is_error and self.message != before

    # -- data -------------------------------------------------------------------------------------------

    def set_data(self, data: object) -> None:
        """Show other data: a name, path, `Dataset`, `UserTable`, data frame or array."""
        if isinstance(data, str) and (data in self.source.own or not Path(data).suffix):
            self.data = data
        elif isinstance(data, str | Path):
            self.load_file(data, str(data))
        else:
            self.guarded(lambda: self.show_subject(self.source.from_data(data)))

    def load_file(self, source: str | Path | bytes, name: str | None = None) -> None:
        """Show a file, given by its path or its bytes; errors are reported in `message`.

        In a class, paths are refused.
        """

        def action() -> None:
            if isinstance(source, str | Path) and saving.in_class():
                raise ValueError(
                    "in a class, files on the server cannot be read: use the button to choose a file"
                )
            self.show_subject(self.source.from_file(source, name))

        self.guarded(action)

    def show_subject(self, subject: Subject) -> None:
        """Show data that are not a named data set, without the constraints of earlier data of that name."""
        self.source.hold(subject)
        if self.linking:
            self.linking.forget(subject.name)
        with self.batch():
            self.mark_changed("data")  # a file read again may have the name of the last one
            self.data = subject.name
        if self.drawing is not None:
            self.drawing.forget()  # the data may have the name of what was drawn before

    def _load(self) -> None:
        """Load the subject that `data` names; if that fails, restore `data`."""
        name = self.data
        try:
            subject = self.source.subject(name)
        except Exception as error:
            if self.subject is not None:
                with self._own_changes():
                    self.data = self.source.loaded
            if saving.in_class() and isinstance(error, DataUnavailable):  # its message names folders
                raise ValueError(f"the data set {name!r} is not available in this class") from None
            raise
        self.source.loaded = self.data
        self.subject = self.source.prepare(subject)

    # -- fits -------------------------------------------------------------------------------------------

    def _begin(self, changed: set[str]) -> None:
        """Fit, synchronously or in the background; raise errors of a synchronous fit."""
        self._unfitted |= changed
        names, loop, self._warned = set(self._unfitted), self.page(), []
        if loop is None:
            with _conditions(self._warned):
                fitted = self._refit(names)
            self._show(fitted)
            return
        ended = calling_in(loop, self._arrive)
        self._background = BackgroundFit(lambda: self._refit(names), lambda: _conditions(self._warned), ended)
        if self._background.wait(1e-3 * self._patience_ms()):
            self._finish()
        else:
            self.report("")
            self._tick(self._background, loop)
            self.busy = True

    def _patience_ms(self) -> float:
        """Return how long the page waits: for the whole fit while fits are fast, otherwise for a moment."""
        quick = self.fitted is None or self.fitted.fit_ms < LIVE_UP_TO_MS
        return LIVE_UP_TO_MS if quick else MOMENT_MS

    def _arrive(self, background: BackgroundFit[Stepped]) -> None:
        """Show the result of a background fit, unless another one has replaced it."""
        with self.turn:
            if self._background is background:
                self._finish()

    def _finish(self) -> None:
        """Show the result or the error of the background fit."""
        background, self._background = self._background, None
        try:
            self._show(background.result())
        except Exception as error:  # every error is shown to the user
            self._refuse(error)

    def _show(self, fitted: Stepped) -> None:
        self._shown = self.settings()
        changed, self._unfitted = self._unfitted, set()
        self._take(fitted, changed)
        self.busy = False
        warned = dict.fromkeys(as_sentence(warning.message) for warning in self._warned)
        parts = [self.announced, self.subject.note, *warned]
        self.announced = ""
        self.report(" ".join(filter(None, parts)))

    def _refuse(self, error: Exception) -> None:
        """Report an error, and restore the parameters of the fit that is shown."""
        self._go_back()
        self.busy = False
        self.report(as_sentence(error), error=True)

    def _go_back(self) -> None:
        """Restore the parameters of the fit that is shown, unless it belongs to other data."""
        self.announced = ""
        if self.fitted is not None and self.fitted.subject is self.subject:
            with self._own_changes():
                for name, value in self.unshown().items():
                    setattr(self, name, value)
            self._unfitted = set()

    def _halt(self) -> None:
        """Cancel the background fit; its changes stay pending."""
        background, self._background = self._background, None
        if background is not None:
            background.stop()

    def _tick(self, background: BackgroundFit[Stepped], loop: AbstractEventLoop) -> None:
        if self._background is background:
            self.progress = background.words()
            loop.call_later(TICK_S, self._tick, background, loop)

    def _has_run(self, changed: set[str]) -> bool:
        """Return whether only the iteration or the view has changed, so that the run can be reused."""
        return changed <= self.SHOWING and self.fitted is not None

    def _refit(self, changed: set[str]) -> Stepped:
        """Return the fit; errors are shown to the user.

        May run in the background and be cancelled: it sets parameters inside `_own_changes` only, and caches
        nothing that has not been computed.
        """
        run = self.fitted.run if self._has_run(changed) else self._run(changed)
        began = perf_counter()
        iteration, view = min(self.iteration, run.n_iter), self.map_view
        described = self._describe(run, iteration)
        if view != "sets":
            plane = plane_of(run, iteration) if view == "plane" else None
            described = replace(described, view=view, plane=plane)
        self.step_ms = 1e3 * (perf_counter() - began)
        return described

    # -- during a fit -----------------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait for the background fit, if any, and show it."""
        background = self._background
        if background is not None:
            background.wait()
            self._arrive(background)

    def stop(self) -> None:
        """Cancel the background fit, and restore the parameters of the fit that is shown."""
        with self.turn:
            if self._background is None:
                return
            self._halt()
            self._go_back()
            self.busy = False
            self.report("Stopped." if self.is_out_of_date else "Stopped: settings of the last fit restored.")

    def unshown(self) -> Mapping[str, object]:
        """Return the parameters that differ from those of the fit that is shown, with its values."""
        if self.fitted is None:
            return {}
        return {name: value for name, value in self._shown.items() if getattr(self, name) != value}

    @property
    def is_out_of_date(self) -> bool:
        """Whether the fit that is shown does not belong to the present data and parameters."""
        return self.fitted is not None and bool(self.fitted.subject is not self.subject or self.unshown())

    # -- the selected object ----------------------------------------------------------------------------

    def _n_selectable(self) -> int:
        """Return the number of objects that can be selected."""
        return self.subject.n_objects if self.subject else 0

    @t.validate("selected")
    def _is_an_object(self, proposal: Mapping[str, object]) -> int | None:
        i, n = proposal["value"], self._n_selectable()
        if i is not None and not 0 <= i < n:
            raise t.TraitError(f"expected None or an object from 0 to {n - 1} as selected; got {i}")
        return i

    @t.observe("subject")
    def _drop_selection(self, change: Mapping[str, object]) -> None:
        """Clear the selection if the data have another name or size."""
        old, new = change["old"], change["new"]
        if not (old and new and (old.name, old.n_objects) == (new.name, new.n_objects)):
            self.selected = None

    # -- iterations -------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Fit again from new random starts."""
        self.seed += 1

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
        """Do all remaining iterations."""
        self.iteration = LAST

    def _with_fit(self, action: Callable[[Stepped], None]) -> None:
        """Call `action` with the fit that is shown; report errors, or a missing fit, in `message`."""

        def act() -> None:
            if self.fitted is None or self.fitted.subject is not self.subject:
                raise ValueError("there is no fit to continue from yet")
            action(self.fitted)

        self.guarded(act)

    @property
    def last_run(self) -> Run | None:
        """The run that is shown, to which new runs match their cluster numbers."""
        return None if self.fitted is None else self.fitted.run

    # -- saving -----------------------------------------------------------------------------------------

    def partitions(self) -> Mapping[str, CredalPartition]:
        """Return the partitions that are shown, by the ends of their file names."""
        return {"partition": self.fitted.partition}

    def as_code(self) -> str:
        """Return a Python program that computes what is shown, cluster numbers included, and draws it.

        It assigns `partition`, or `left` and `right` if two partitions are shown.

        Raises
        ------
        ValueError
            If the present settings have no result.
        """
        with self.turn:
            return program_of(self)

    def settings(self) -> dict[str, object]:
        """Return the values of all parameters."""
        return {name: getattr(self, name) for name in self.parameters()}

    def state(self) -> dict[str, object]:
        """Return the exploration as a dictionary of plain values (JSON), the user's data included."""
        return self.settings() | self.source.state()

    def set_state(self, state: Mapping[str, object]) -> None:
        """Restore an exploration from the result of `state()`; errors are reported in `message`."""
        self.guarded(lambda: saving.restore(self, state))

    def load_state(self, contents: bytes) -> None:
        """Restore an exploration from a file written by Save; errors are reported in `message`."""
        self.guarded(lambda: saving.restore(self, saving.read_state(self, contents)))

    def load_address(self, texts: object, own: object = "") -> None:
        """Restore the settings in the address of a page; errors are reported in `message`."""
        self.guarded(lambda: saving.restore(self, saving.read_address(self, texts, own)))

    def state_file(self) -> tuple[str, str]:
        """Return the name and the contents of a file for `load_state`."""
        return saving.state_file(self)

    def export(self, folder: str | Path | None = None) -> tuple[Path, ...]:
        """Save the partition and the state to files in a folder, or in `saved_folder`; return their paths."""
        return saving.export(self, folder)


@contextmanager
def _conditions(warned: list[warnings.WarningMessage]) -> Iterator[None]:
    """Collect warnings, and use one thread, which is fastest for some hundred objects."""
    with warnings.catch_warnings(record=True) as caught, one_thread():
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # the page shows whether a run converged
        try:
            yield
        finally:
            warned.extend(caught)
