"""The panel of a user table: what was read, and a list of answers for each question."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from html import escape

import ipywidgets as w

from credalbench.explore.sources.reading import Reading, UserTableSource, answer_label, key_of
from credalbench.explore.sources.table_source import WHAT_WAS_READ
from credalbench.explore.stepping import as_sentence
from credalbench.explore.view.controls import choice
from credalbench.tables import Question
from credalbench.tables.roles import ROLES

OPEN = -1
SMALL = '<div style="font-size:12px;line-height:1.35;white-space:normal;overflow-wrap:anywhere">{}</div>'
#: Largest number of characters of a file name on the button.
MAX_NAME = 24


class ImportPanel:
    """How a user table was read, and questions about it; hidden without a user table.

    Attributes
    ----------
    widget : ipywidgets.VBox
        What a view displays.
    unfold : ipywidgets.ToggleButton
        Shows the rest; pressed while a question is open.
    questions : dict of tuple -> ipywidgets.Dropdown
        Answers to each question, by `key_of`.
    column, role : ipywidgets.Dropdown
        A column and its role.
    seed : ipywidgets.BoundedIntText
        Seed of the sample, if there are more objects than are shown.
    """

    def __init__(self, source: UserTableSource) -> None:
        self.source = source
        self.questions: dict[tuple, w.Dropdown] = {}
        self._texts: dict[tuple, w.HTML] = {}
        self._reading: Reading | None = None
        self._quiet = False  # whether controls change without an answer
        words = "Columns that are used or left out, with reasons, and questions about the table"
        wide = w.Layout(width="auto")
        self.unfold = w.ToggleButton(tooltip=words, icon="table", layout=wide)
        self._caption = w.HTML(SMALL.format("Change the role of a column:"))
        self.summary = w.HTML(layout=w.Layout(max_height="230px", overflow="auto"), tabbable=True)
        self.column = choice("column", "A column of the table", {})
        self.role = choice("role", "Role of the column", {role: role for role in ROLES})
        tooltip = "Seed of the random sample: another seed shows other objects"
        self.seed = w.BoundedIntText(min=0, max=2**31 - 1, description="draw", tooltip=tooltip, layout=wide)
        self.body = w.VBox()
        self.widget = w.VBox([self.unfold, self.body])
        self.unfold.observe(lambda _: self._fold(), "value")
        self.column.observe(lambda _: self._show_role(), "value")
        self.role.observe(partial(self._apply, self._take), "value")
        self.seed.observe(partial(self._apply, lambda seed: source.answer(random_state=seed)), "value")
        source.observe(lambda _: self.show(), "reading")
        self.show()

    # -- what is chosen ---------------------------------------------------------------------------------

    def _apply(self, action: Callable[[object], None], change: Mapping[str, object]) -> None:
        """Apply the value of a control; if it is refused, the controls show the present state again."""
        with self.source.model.turn:
            if not self._quiet and change["new"] is not None:
                action(change["new"])
                self.show()

    def _answer(self, key: tuple, number: int) -> None:
        question = next(question for question, _ in self._reading.answers if key_of(question) == key)
        way = None if number == OPEN else self.source.ways(question)[number]
        self.source.answer_question(question, way)

    def _take(self, role: str) -> None:
        """Set the role of the chosen column; names and classes are removed from other columns."""
        columns = {self.column.value: role}
        if role in ("names", "classes"):
            holders = [column.name for column in self._reading.table.columns if column.role == role]
            columns = dict.fromkeys(holders, "left out") | columns
        self.source.answer(columns=columns)

    # -- showing ----------------------------------------------------------------------------------------

    @contextmanager
    def _silently(self) -> Iterator[None]:
        """Change controls without answering."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def show(self) -> None:
        """Show the reading of the model; a new reading with open questions unfolds the panel."""
        reading, before = self.source.reading, self._reading
        self.widget.layout.display = "none" if reading is None else ""
        if reading is None:
            return
        self._reading = reading
        with self._silently():
            for question, way in reading.answers:
                self._show_question(question, way)
            for key in self.questions.keys() - {key_of(question) for question, _ in reading.answers}:
                self.questions.pop(key).close()
                self._texts.pop(key).close()
            self._show_columns(reading)
        self.summary.value = SMALL.format(reading.table.summary_html())
        self.unfold.description = _title(reading)
        if before is None or reading.read is not before.read or reading.pending:
            self.unfold.value = bool(reading.open)
        self._fold()

    def _show_question(self, question: Question, way: Mapping[str, object] | None) -> None:
        """Show a question and its answers, reusing the list so that it keeps the focus."""
        key, ways = key_of(question), self.source.ways(question)
        if key not in self.questions:
            self._texts[key], self.questions[key] = w.HTML(), choice("", "Answers to the question above", {})
            self.questions[key].observe(partial(self._apply, partial(self._answer, key)), "value")
        labels = [("choose an answer" if question.blocking else "not answered", OPEN)]
        labels += [(answer_label(other), number) for number, other in enumerate(ways)]
        mark = "" if way else "<b>?</b> "
        self._texts[key].value = SMALL.format(mark + escape(as_sentence(question.text)))
        self.questions[key].options = labels
        self.questions[key].value = ways.index(way) if way in ways else OPEN

    def _show_columns(self, reading: Reading) -> None:
        names = tuple(column.name for column in reading.table.columns)
        if self.column.options != names:
            before = self.column.value
            self.column.options = names
            self.column.value = before if before in names else next(iter(names), None)
        self._show_role()
        self.seed.value = reading.table.arguments.get("random_state", 0)

    def _show_role(self) -> None:
        roles = {column.name: column.role for column in self._reading.table.columns}
        with self._silently():
            self.role.value = roles.get(self.column.value)

    def _fold(self) -> None:
        reading, shown = self._reading, []
        if reading is None or not self.unfold.value:
            self.body.children = ()
            return
        for key in (key_of(question) for question, _ in reading.answers):
            if key in self.questions:
                shown += [self._texts[key], self.questions[key]]
        if reading.table.source is not None:
            shown += [self._caption, self.column, self.role] if reading.table.columns else []
            shown += [self.seed] if reading.is_sample else []
        self.body.children = (*shown, self.summary)


def _title(reading: Reading) -> str:
    name, number = reading.table.name, len(reading.open)
    short = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
    waiting = f" ({number} question{'s' * (number > 1)})" if number else ""
    return f"{WHAT_WAS_READ}{waiting}: {short}"
