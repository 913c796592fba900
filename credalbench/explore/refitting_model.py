"""What the models of the explorers share: data, batches of changes, messages, state. It fits nothing itself.

A subclass has traits, names those that a fit depends on in `PARAMETERS`, and fits in `_refit`::

    class Model(RefittingModel):
        PARAMETERS = (*RefittingModel.PARAMETERS, "alpha")
        alpha = t.Float(1.0)

        def _refit(self, changed): ...
"""

import json
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

import traitlets as t

from credalbench.explore.own_data import subject_from_csv
from credalbench.explore.subject import (
    Subject,
    standardized,
    subject_from_arrays,
    subject_from_dataset,
    subject_from_name,
)


class RefittingModel(t.HasTraits):
    """Data and parameters that refit when they change.

    Every change of a parameter refits; several changes inside ``with model.batch():`` refit once. What goes
    wrong becomes `message` (and `is_error`), and what a subclass calls `fitted` stays the last good fit.

    Attributes
    ----------
    data : str
        Name of a data set or path of an own table (see `credalbench.explore.own_data`).
    standardize : bool
        Scale attributes to standard deviation 1; without effect on dissimilarities.
    subject : Subject or None
    message : str
    is_error : bool
    """

    PARAMETERS = ("data", "standardize")
    #: Start of the names of saved files.
    STEM = "explorer"

    data = t.Unicode("")
    standardize = t.Bool(False)

    subject = t.Instance(Subject, allow_none=True)
    message = t.Unicode("")
    is_error = t.Bool(False)

    def __init__(self, data, **parameters):
        """Load `data` (a name, a path, a Dataset, or an array of attributes) and fit once."""
        super().__init__()
        self._changed = set()
        self._depth = 0
        self._linking = False
        self._own = {}  # name -> (Subject, text of its file or None)
        self._loaded = ""
        self.observe(self._note_change, list(self.PARAMETERS))
        with self.batch():
            self._changed.add("data")
            self._set_known(parameters)
            self.set_data(data)
            if self.is_error:  # there is nothing to fit, and the message says why
                self._changed.clear()
                with self._own_changes():
                    self.data = ""

    # -- for the subclass to fill -----------------------------------------------------------------------

    def _named_subject(self, name):
        """Return the `Subject` of a data set by its name."""
        return subject_from_name(name)

    def _adapt(self, changed):
        """Choose parameters that fit the new `subject`; those in `changed` were asked for."""

    def _refit(self, changed):
        """Fit; raise what a person should read."""
        raise NotImplementedError

    # -- changes ----------------------------------------------------------------------------------------

    @contextmanager
    def batch(self):
        """Collect changes of several parameters; leaving the outermost block refits once."""
        self._depth += 1
        try:
            yield self
        finally:
            self._depth -= 1
            if self._depth == 0 and self._changed:
                changed, self._changed = self._changed, set()
                self._apply(changed)

    def _note_change(self, change):
        if self._linking:
            return
        with self.batch():
            self._changed.add(change["name"])

    @contextmanager
    def _own_changes(self):
        """Changes made by the model itself: not a wish of the user."""
        before, self._linking = self._linking, True
        try:
            yield
        finally:
            self._linking = before

    def _apply(self, changed):
        try:
            if changed & {"data", "standardize"}:
                self._load()
                with self._own_changes():
                    self._adapt(changed)
            if self.subject is None:
                raise ValueError("there are no data to fit")
            self._refit(changed)
        except Exception as error:  # whatever goes wrong, the person at the slider must read it
            self.report(as_sentence(error), error=True)
        else:
            self.report(self.subject.note, error=False)

    def report(self, text, *, error=False):
        """Set `message` and `is_error` together."""
        with self.hold_trait_notifications():
            self.is_error = error
            self.message = text

    def _guarded(self, action):
        try:
            action()
        except Exception as error:  # as in _apply
            self.report(as_sentence(error), error=True)

    # -- data -------------------------------------------------------------------------------------------

    def set_data(self, data):
        """Show other data: a name or path, a `Dataset`, or an array (n, p) of attributes."""
        if isinstance(data, str | Path):
            self.data = str(data)
        elif isinstance(data, Subject):
            self._guarded(lambda: self._show_own(data))
        elif hasattr(data, "n_objects"):
            self._guarded(lambda: self._show_own(subject_from_dataset(data)))
        else:
            self._guarded(lambda: self._show_own(subject_from_arrays("own data", X=data)))

    def load_csv(self, source, name=None):
        """Show an own table, given by its path or by the bytes of the file; errors become `message`."""

        def read():
            subject = subject_from_csv(source, name)
            text = source if isinstance(source, bytes | bytearray | memoryview) else Path(source).read_bytes()
            self._show_own(subject, bytes(text).decode("utf-8-sig"))

        self._guarded(read)

    def _show_own(self, subject, text=None):
        self._own = {subject.name: (subject, text)}
        with self.batch():
            self._changed.add("data")  # a file read again may have the name of the last one
            self.data = subject.name

    @property
    def own_names(self):
        """Names of the own data that `data` can go back to."""
        return tuple(self._own)

    def _load(self):
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

    def _prepared(self, subject):
        """Return the subject as it is to be fitted."""
        return standardized(subject) if self.standardize and subject.attributes is not None else subject

    def _subject_of(self, name):
        if name in self._own:
            return self._own[name][0]
        if Path(name).suffix.lower() in (".csv", ".tsv", ".txt"):
            subject = subject_from_csv(Path(name))
            self._own = {name: (subject, Path(name).read_text("utf-8-sig"))}
            return subject
        return self._named_subject(name)

    # -- state ------------------------------------------------------------------------------------------

    def state(self):
        """Return the exploration as a dictionary of plain values (JSON), own tables included."""
        values = {name: getattr(self, name) for name in self.PARAMETERS}
        if (text := self._own.get(self.data, (None, None))[1]) is not None:
            values["csv"] = text
        return values

    def set_state(self, state):
        """Return to an exploration that `state()` described; what cannot be restored becomes `message`."""
        state = dict(state)
        text, name = state.pop("csv", None), state.pop("data", None)

        def restore():
            # fails before anything changes
            own = None if text is None else subject_from_csv(text.encode(), name)
            with self.batch():
                self._set_known(state)
                if own is not None:
                    self._show_own(own, text)
                elif name is not None:
                    self.data = name

        self._guarded(restore)

    def _set_known(self, parameters):
        for name in parameters:
            if name not in self.PARAMETERS:
                close = get_close_matches(name, self.PARAMETERS, n=1)
                hint = f"; did you mean {close[0]!r}?" if close else f"; expected one of {self.PARAMETERS}"
                raise ValueError(f"got an unknown parameter {name!r}{hint}")
        for name, value in parameters.items():
            setattr(self, name, value)
            self._changed.add(name)  # asked for, even where it is the default

    def export(self, folder="."):
        """Save the partition and the state to files in `folder`; return their paths."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(ch if ch.isalnum() else "-" for ch in Path(self.data).stem)
        state_path = folder / f"{self.STEM}-{name}-state.json"
        state_path.write_text(json.dumps(self.state(), indent=2), encoding="utf-8")
        partition_path = folder / f"{self.STEM}-{name}-partition.npz"
        return Path(self.fitted.partition.save(partition_path)), state_path


def as_sentence(error):
    """Return what an exception says, with a capital letter and a full stop."""
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    text = text or type(error).__name__
    if text.split()[0].isalpha():  # and no name of a file, which stays as it is
        text = text[0].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")
