"""What the models of the explorers share: data, batches of changes, messages, state. It fits nothing itself.

A subclass declares its parameters (see `parameter`) and fits in `_refit`::

    class Model(RefittingModel):
        alpha = parameter(t.Float(1.0), "α", "Exponent of the cardinality", slider=(-2, 5, 0.1))

        def _refit(self, changed): ...

Which kind of data it looks at, a subclass between the two says: `TableModel`, `ImageModel`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from inspect import cleandoc
from pathlib import Path
from threading import get_ident
from typing import Self

import traitlets as t

from credalbench.belief import CredalPartition
from credalbench.explore.shared.fitting_model import FittingModel, as_sentence
from credalbench.explore.shared.parameter import entries, parameter
from credalbench.explore.shared.program import Program
from credalbench.explore.shared.saving import saved_folder
from credalbench.explore.shared.subjects import Subject
from credalbench.explore.shared.subjects.limits import expect_few_bytes

#: In a saved state, whose it is.
EXPLORER = "explorer"


class RefittingModel(FittingModel):
    """Data and parameters that refit when they change.

    Every change of a parameter refits; several changes inside ``with model.batch():`` refit once. What goes
    wrong becomes `message` (and `is_error`), `fitted` stays the last good fit, and the parameters go back to
    its own, unless the data are other ones.

    Attributes
    ----------
    subject : Subject or None
    fitted : Fit or None
    message : str
    is_error : bool
    """

    #: Start of the names of saved files.
    STEM = "explorer"
    #: Words on and over the button for own files, and the types of file it takes.
    OWN_FILES = ("own file", "", "")
    #: Parameters that the subject depends on.
    PREPARING = frozenset({"data"})

    data = parameter(t.Unicode(""), "data", "Data set")

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = f"{cleandoc(cls.__doc__ or '')}\n{entries(cls)}\n"

    def __init__(self, data: object, **parameters: object) -> None:
        """Load `data` (a name, a path, a Dataset, an own table, a frame, an array) and fit once."""
        super().__init__()
        self._changed = set()
        self._depth = 0
        self._own = {}  # subjects by name
        self._loaded = ""
        self.observe(self._note_change, list(self.parameters()))
        with self.batch():
            self._changed.add("data")
            self._set_known(parameters)
            self.set_data(data)
            if self.is_error:  # there is nothing to fit, and the message says why
                self._changed.clear()
                with self._own_changes():
                    self.data = ""

    # -- for the kind of data ---------------------------------------------------------------------------

    def named(self) -> Mapping[str, str]:
        """Return the labels of the data to choose from, by name."""
        raise NotImplementedError

    def _named(self, name: str) -> Subject:
        """Return data by their name."""
        raise NotImplementedError

    def _of_data(self, data: object) -> Subject:
        """Return a `Dataset` or an array as a subject."""
        raise NotImplementedError

    def _of_file(self, source: str | Path | bytes, name: str | None) -> Subject:
        """Read an own file, given by its path or its bytes."""
        raise NotImplementedError

    def _of_text(self, text: str, name: str) -> Subject:
        """Return the subject whose `text` this is."""
        raise NotImplementedError

    def _prepared(self, subject: Subject) -> Subject:
        """Return the subject as it is to be fitted."""
        return subject

    # -- for the explorer -------------------------------------------------------------------------------

    def _accepted(self, subject: Subject) -> Subject:
        """Return the subject, or raise where this explorer cannot take it."""
        return subject

    def _adapt(self, changed: set[str]) -> None:
        """Choose parameters that fit the new `subject`; those in `changed` were asked for."""

    def _settle(self, changed: set[str]) -> None:
        """Let parameters follow each other; those in `changed` were asked for."""

    def _write_data(self, program: Program) -> str:
        """Write into a program how the data are had; return what they are called there."""
        raise NotImplementedError

    def _write_fit(self, program: Program, data: str) -> None:
        """Write how what is shown is computed from `data`, each by its name in `_partitions`."""
        raise NotImplementedError

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
        except Exception as error:  # whatever goes wrong, the person at the slider must read it
            self._refuse(error)

    def _check(self, names: Container[str]) -> None:
        for name, declared in self.parameters().items():
            if name in names:
                declared.check(name, getattr(self, name))

    def _guarded(self, action: Callable[[], None]) -> None:
        with self.turn:
            try:
                action()
            except Exception as error:  # as in _apply
                self.report(as_sentence(error), error=True)

    # -- data -------------------------------------------------------------------------------------------

    def set_data(self, data: object) -> None:
        """Show other data: a name or path, a `Dataset`, an `UserTable`, a data frame or an array."""
        if isinstance(data, str | Path):
            self.data = str(data)
        else:
            self._guarded(lambda: self._show_own(self._of_data(data)))

    def load_file(self, source: str | Path | bytes, name: str | None = None) -> None:
        """Show an own file, given by its path or its bytes; errors become `message`."""
        self._guarded(lambda: self._show_own(self._of_file(source, name)))

    def _show_own(self, subject: Subject) -> None:
        self._own = {subject.name: self._accepted(subject)}
        with self.batch():
            self._changed.add("data")  # a file read again may have the name of the last one
            self.data = subject.name

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the own data that `data` can go back to."""
        return tuple(self._own)

    def _load(self) -> None:
        """Make `subject` what `data` names; on failure `data` names the last good subject again."""
        try:
            subject = self._subject_of(self.data)
        except Exception:
            if self.subject is not None:
                with self._own_changes():
                    self.data = self._loaded
            raise
        self._loaded = self.data
        self.subject = self._prepared(subject)

    def _subject_of(self, name: str) -> Subject:
        if name not in self._own:
            if not Path(name).suffix:
                return self._accepted(self._named(name))
            self._own = {name: self._accepted(self._of_file(Path(name), name))}
        return self._own[name]

    # -- kept -------------------------------------------------------------------------------------------

    def as_code(self) -> str:
        """Return a Python program that computes what is shown, cluster numbers included.

        That is the `partition`, or where several are shown, each by its name: `left`, `right`.

        Raises
        ------
        ValueError
            Where the present settings have no result.
        """
        with self.turn:
            if self.fitted is None or self.busy or self.is_out_of_date:
                raise ValueError("there is no code yet: these settings have no result")
            names = [ending.removesuffix("-partition") for ending in self._partitions()]
            what = "credal partition" if len(names) == 1 else "credal partitions"
            program = Program(f"The {what} that the {self.STEM} explorer of credalbench shows.")
            self._write_fit(program, self._write_data(program))
            program.add(*(f"print({name}.summary())" for name in names))
            return str(program)

    def state(self) -> dict[str, object]:
        """Return the exploration as a dictionary of plain values (JSON), own data included."""
        values = {name: getattr(self, name) for name in self.parameters()}
        if self.data in self._own and (text := self._own[self.data].text) is not None:
            values["own"] = text
        return values

    def set_state(self, state: Mapping[str, object]) -> None:
        """Return to an exploration that `state()` described; what cannot be restored becomes `message`."""
        state = dict(state)
        text, name = state.pop("own", None), state.pop("data", None)

        def restore() -> None:
            # fails before anything changes
            own = None if text is None else self._of_text(text, name)
            self._expect_known(state)
            for parameter_name, value in state.items():
                self.parameters()[parameter_name].check(parameter_name, value)
            with self.batch():
                self._set_known(state)
                if own is not None:
                    self._show_own(own)
                elif name is not None:
                    self.data = name

        self._guarded(restore)

    def _expect_known(self, names: Mapping[str, object]) -> None:
        known = tuple(self.parameters())
        for name in names:
            if name not in known:
                close = get_close_matches(name, known, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; expected one of {known}"
                raise ValueError(f"got an unknown parameter {name!r}{hint}")

    def _set_known(self, parameters: Mapping[str, object]) -> None:
        self._expect_known(parameters)
        before = {name: getattr(self, name) for name in parameters}
        try:
            for name, value in parameters.items():
                setattr(self, name, value)
        except t.TraitError:
            for name, value in before.items():
                setattr(self, name, value)
            raise
        self._changed.update(parameters)  # asked for, even where it is the default

    def load_state(self, contents: bytes) -> None:
        """Return to an exploration from a file that Save wrote; what is wrong becomes `message`."""

        def load() -> None:
            expect_few_bytes(contents, "the saved state")
            try:
                state = json.loads(contents)
            except (ValueError, RecursionError):
                raise ValueError("expected a saved state, as Save writes it; this file is no JSON") from None
            self.set_state(self._expected_state(state))

        self._guarded(load)

    def _expected_state(self, state: object) -> dict[str, object]:
        """Return what a file holds if it is a state of this explorer."""
        if not isinstance(state, dict):
            raise ValueError(f"expected a saved state, a JSON object; got {type(state).__name__}")
        explorer = state.pop(EXPLORER, self.STEM)
        if explorer != self.STEM:
            raise ValueError(f"expected a saved state of the explorer {self.STEM!r}; got one of {explorer!r}")
        for name, kind in (("data", str), ("own", str), ("answers", dict)):
            if not isinstance(state.get(name, kind()), kind):
                got = type(state[name]).__name__
                raise ValueError(f"expected {name!r} of a saved state as {kind.__name__}; got {got}")
        return state

    def export(self, folder: str | Path | None = None) -> tuple[Path, ...]:
        """Save the partition and the state to files in a folder, or in `saved_folder`; return their paths."""
        folder = saved_folder() if folder is None else Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        name, contents = self.state_file()
        state_path = folder / name
        state_path.write_text(contents, encoding="utf-8")
        partitions = [
            Path(partition.save(folder / f"{self._file_stem()}-{ending}.npz"))
            for ending, partition in self._partitions().items()
        ]
        return *partitions, state_path

    def state_file(self) -> tuple[str, str]:
        """Return the name and the contents of a file that `load_state` goes back to."""
        state = {EXPLORER: self.STEM} | self.state()
        return f"{self._file_stem()}-state.json", json.dumps(state, indent=2)

    def _file_stem(self) -> str:
        """Begin of the names of what is saved."""
        return f"{self.STEM}-" + "".join(ch if ch.isalnum() else "-" for ch in Path(self.data).stem)

    def _partitions(self) -> Mapping[str, CredalPartition]:
        """What is saved, by the end of the name of its file."""
        return {"partition": self.fitted.partition}
