"""The dialogue about own tables: what was read is shown, what is asked is answered by choosing."""

import json

import ipywidgets as w
import numpy as np
import pandas as pd
import pytest

from credalbench.explore import CatECMModel, ECMModel, EVCLUSModel, explore_evclus
from credalbench.explore.sources import MAX_OBJECTS, table_source
from credalbench.explore.view.import_panel import ImportPanel
from credalbench.tables import read_user_table
from tests.explore.browser import shown
from tests.explore.declared import table_from_csv

GAPS = b"u;v;sort\n0,5;1;a\n1;;a\n1,5;-999;a\n9;8;b\n8;9;b\n9,5;9;b\n8,5;8;b\n"
MIXED = (
    b"size,colour,shape\n1.5,red,round\n2,red,long\n1,red,round\n8,blue,long\n9,blue,long\n7.5,blue,round\n"
)


def about(model):
    return [question.about for question in model.source.reading.open]


def chosen(panel, *key):
    """The list whose question is about such arguments."""
    (found,) = [answers for other, answers in panel.questions.items() if set(key) <= set(other)]
    return found


def choose(answers, words):
    """Choose the answer that has these words."""
    answers.value = next(number for label, number in answers.options if words in label)


# ---------------------------------------------------------------- the model


def test_each_answer_reads_again_until_there_is_a_fit():
    model = EVCLUSModel()
    model.load_file(GAPS, "mine.csv")
    assert model.is_error and model.data == "butterfly"
    assert "-999 in column 'v' (line 4). Answer it below 'What was read'" in model.message
    model.source.answer_question(model.source.reading.open[0], {"na_values": (-999,)})
    assert "column 'v' has 2 missing values (lines 3, 4)" in model.message and model.data == "butterfly"
    model.source.answer_question(model.source.reading.open[0], {"missing": "rows"})
    assert not model.is_error and model.data == "mine.csv" and model.subject.n_objects == 5
    assert not model.source.reading.pending and len(model.source.reading.answers) == 3
    assert about(model) == ["columns"]  # is 'sort' the class? it is taken for it
    model.source.answer_question(model.source.reading.answers[1][0], None)
    assert model.source.reading.pending and model.subject.n_objects == 5


def test_a_script_answers_by_arguments():
    model = ECMModel()
    model.source.answer(missing="rows")
    assert model.message == "There is no user table with open questions."
    model.load_file(GAPS, "mine.csv")
    model.source.answer(na_values=[-999], missing="impute", columns={"sort": "left out"})
    assert not model.is_error and model.subject.y is None and model.source.reading.open == ()
    assert "left out: 'sort' (words)" in model.message


def test_a_refused_answer_leaves_what_was_shown():
    model = ECMModel()
    model.load_file(b"u,v,class\n1,2,a\n2,3,b\n9,8,a\n8,9,b\n", "mine.csv")
    before, fitted = model.source.reading, model.fitted
    model.source.answer(columns={"u": "left out", "v": "left out"})
    assert model.is_error and "at least one numeric or categorical column" in model.message
    model.source.answer(columns={"w": "number"})
    assert "names of columns in the argument columns; got 'w'" in model.message
    assert model.source.reading is before and model.fitted is fitted


def test_saved_states_keep_the_answers():
    model, twin = EVCLUSModel(), EVCLUSModel()
    model.load_file(GAPS, "mine.csv")
    model.source.answer(na_values=[-999], missing="skip")
    state = json.loads(json.dumps(model.state()))
    assert state["answers"] == {"missing": "skip", "na_values": [-999]}
    model.load_file(b"", "empty.csv")  # what is refused changes nothing
    model.load_file(GAPS, "other.csv")  # nor does what waits
    assert json.loads(json.dumps(model.state())) == state
    twin.set_state(state)
    assert not twin.is_error and json.loads(json.dumps(twin.state())) == state
    np.testing.assert_array_equal(twin.fitted.partition.masses, model.fitted.partition.masses)


def test_code_reads_the_table_that_is_shown_while_another_one_waits():
    frame = pd.DataFrame({"u": [1.5, 2, 9, 8], "v": [2.0, 3, 8, 9]})
    model = ECMModel(frame)
    code = model.as_code()
    model.load_file(GAPS, "other.csv")
    assert model.source.reading.pending and model.as_code() == code


def test_categories_are_compared_where_dissimilarities_are_enough():
    text = {"colour": "category", "shape": "category"}
    own = read_user_table(MIXED, columns=text)
    model = EVCLUSModel(own)
    np.testing.assert_array_equal(model.subject.D, own.D)
    assert "3 attributes, no classes; compared by Gower's dissimilarities" in model.message
    model.load_file(MIXED, "mine.csv")
    model.source.answer_question(model.source.reading.open[0], model.source.reading.open[0].options[1])
    assert model.subject.class_names == ("long", "round") and model.subject.attributes is None
    numbers = ECMModel(own)
    assert numbers.subject.attributes.shape == (6, 1)
    assert "no numbers, left out: 'colour', 'shape'" in numbers.message


def test_methods_that_need_attributes_do_not_offer_dissimilarities():
    model, other = ECMModel(), EVCLUSModel()
    for explorer in (model, other):
        explorer.load_file(b"u,v\n1,2\n,3\n9,8\n8,9\n", "mine.csv")
    question = model.source.reading.open[0]
    assert {"missing": "skip"} in other.source.ways(question)
    assert {"missing": "skip"} not in model.source.ways(question)


def test_the_question_about_scales_is_the_parameter():
    model = EVCLUSModel()
    model.load_file(b"u,v\n1,2000.5\n2,300\n9,8000\n8,9500\n", "mine.csv")
    assert about(model) == ["scale"]
    model.source.answer_question(model.source.reading.open[0], {"standardize": True})
    assert model.standardize and about(model) == [] and model.subject.axis_labels[0] == "u, standardised"
    model.standardize = False
    assert model.source.reading.answers[0][1] == {"standardize": False}


def test_of_a_large_table_other_objects_can_be_drawn():
    rows = "".join(f"{i}.5,{i % 7}\n" for i in range(MAX_OBJECTS + 50))
    model = ECMModel(n_clusters=2)
    model._refit = lambda changed: None  # only what is read counts here
    model.load_file(("u,v\n" + rows).encode(), "large.csv")
    first = model.subject.attributes
    model.source.answer(random_state=1)
    assert "drawn with seed 1" in model.message and not np.array_equal(model.subject.attributes, first)
    model.set_data(read_user_table(("u,v\n" + rows).encode()))
    np.testing.assert_array_equal(model.subject.attributes, first)


def test_where_dissimilarities_are_computed_fewer_objects_are_drawn(monkeypatch):
    monkeypatch.setattr(table_source, "MAX_COMPARED", 20)
    rows = "".join(f"{i}.5,{'red' if i % 3 else 'blue'},{'long' if i % 2 else 'round'}\n" for i in range(30))
    model = EVCLUSModel()
    model.load_file(("size,colour,shape\n" + rows).encode(), "mixed.csv")
    assert model.subject.n_objects == 20 and "20 of 30 objects, drawn with seed 0" in model.message
    assert "max_objects=20" in model.as_code()
    again = EVCLUSModel()
    again.set_state(model.state())
    np.testing.assert_array_equal(again.subject.D, model.subject.D)
    model.source.answer(columns={"colour": "left out", "shape": "left out"})
    assert not model.is_error and model.subject.attributes is not None
    plain = ECMModel(n_clusters=2)
    plain.load_file(("size,colour,shape\n" + rows).encode(), "mixed.csv")
    assert plain.subject.n_objects == 30


def test_tables_of_categories_ask_too():
    model = CatECMModel()
    model.load_file(b"o1,5,4\no2,3,2\no3,5,4\no4,3,2\n", "mine.csv")
    assert about(model) == ["header"] and model.subject.object_names == ("o1", "o2", "o3", "o4")
    model.source.answer_question(model.source.reading.open[0], {"header": False})
    model.source.answer(columns={"column 2": "classes"})
    assert model.subject.class_names == ("3", "5") and list(model.subject.values) == ["column 3"]
    model.source.answer(columns={"column 2": "names"})
    assert "a unique name for each object in column 'column 2'; got '5' again" in model.message
    frame = pd.DataFrame({"hair": ["yes", "no", None, "no"], "class": [1, 2, 1, 2]}, index=list("abcd"))
    subject = CatECMModel(frame).subject
    assert subject.object_names == tuple("abcd") and subject.class_names == ("1", "2")


def test_a_number_too_large_for_distances_is_reported():
    with pytest.raises(
        ValueError, match=r"expected numbers whose squares are finite; got some up to 1e\+308"
    ):
        table_from_csv(b"1e308,-1e308\n-1e308,1e308\n1e308,1e308\n0,0\n")


# ---------------------------------------------------------------- the panel


@pytest.fixture
def panel():
    return ImportPanel(ECMModel().source)


def test_the_panel_is_there_with_an_own_table_and_unfolds_where_there_is_a_question(panel):
    assert panel.widget.layout.display == "none"
    panel.source.model.load_file(b"u,v\n1,2\n2,3\n9,8\n8,9\n", "clear.csv")
    assert panel.widget.layout.display == "" and panel.unfold.description == "What was read: clear.csv"
    assert not panel.unfold.value and panel.body.children == ()
    panel.unfold.value = True
    assert panel.summary in panel.body.children and "<td" in panel.summary.value
    panel.source.model.load_file(GAPS, "mine.csv")
    assert panel.unfold.value and panel.unfold.description == "What was read (3 questions): mine.csv"


def test_answers_are_chosen_from_lists_that_stay():
    panel = ImportPanel(EVCLUSModel().source)
    model = panel.source.model
    model.load_file(GAPS, "mine.csv")
    strange = chosen(panel, "na_values")
    choose(strange, "missing values: -999")
    choose(chosen(panel, "missing"), "skip them")
    assert not model.is_error and model.subject.n_objects == 7
    assert strange in panel.body.children and chosen(panel, "missing") in panel.body.children
    choose(strange, "v: numbers")
    assert not model.is_error and "1 missing value skipped" in model.message
    assert chosen(panel, "missing").label == "skip them in the dissimilarities"


def test_a_refused_answer_leaves_the_list_where_it_was(panel):
    panel.source.model.load_file(b"u,class\n1.5,a\n2,a\n,b\n8,b\n9,\n7.5,b\n", "mine.csv")
    answers = chosen(panel, "missing")
    assert [label for label, _ in answers.options][1:] == [
        "leave out these objects",
        "leave out these columns",
    ]
    choose(answers, "these columns")
    assert panel.source.model.is_error and answers.label == "choose an answer"
    choose(answers, "these objects")
    assert not panel.source.model.is_error and panel.source.model.subject.n_objects == 4


def test_columns_are_taken_for_something_else_one_by_one(panel):
    model = panel.source.model
    model.load_file(b"u,v,w,class\n1,2,5.5,a\n2,3,1,a\n9,8,2,b\n8,9,7,b\n", "mine.csv")
    panel.column.value = "w"
    assert panel.role.value == "number"
    panel.role.value = "left out"
    assert model.subject.axis_labels == ("u", "v")
    panel.role.value = "classes"  # instead of 'class', which has them
    assert model.subject.class_names == ("1.0", "2.0", "5.5", "7.0")
    columns = model.source.reading.table.columns
    assert {column.name: column.role for column in columns}["class"] == "left out"
    panel.column.value = "class"
    panel.role.value = "number"
    assert model.is_error and panel.role.value == "left out"


def test_the_latest_answer_about_a_column_wins():
    panel = ImportPanel(EVCLUSModel().source)
    model = panel.source.model
    model.load_file(GAPS.replace(b"-999", b"7").replace(b"1;;", b"1;2;"), "mine.csv")

    def role():
        return {column.name: column.role for column in panel.source.reading.table.columns}["sort"]

    question = chosen(panel, "columns", "sort")
    choose(question, "sort: true classes")
    panel.column.value, panel.role.value = "sort", "left out"
    assert role() == "left out" and question.label == "not answered"  # none of its answers
    choose(question, "sort: categories")
    assert role() == "category" and panel.role.value == "category"
    panel.role.value = "classes"
    assert role() == "classes" and question.label == "sort: true classes"
    choose(question, "sort: categories")
    assert role() == "category"


def test_the_draw_is_a_number(panel):
    panel.source.model._refit = lambda changed: None
    rows = "".join(f"{i}.5,{i % 7}\n" for i in range(MAX_OBJECTS + 50))
    panel.source.model.load_file(("u,v\n" + rows).encode(), "large.csv")
    panel.unfold.value = True
    assert panel.seed in panel.body.children
    panel.seed.value = 5
    assert "drawn with seed 5" in panel.source.model.message


def test_a_data_frame_with_gaps_opens_an_explorer_that_asks():
    frame = pd.DataFrame({"u": [1, 2, None, 8, 9], "v": [2.5, 3, 1, 8, 7]}, index=list("abcde"))
    explorer = explore_evclus(frame)
    assert explorer.model.is_error and "(row &#x27;c&#x27;)" in explorer.message.value
    choose(chosen(explorer.imported, "missing"), "these objects")
    assert explorer.model.subject.object_names == tuple("abde") and shown(explorer)


def test_names_in_the_panel_are_text(panel):
    script = "<script>alert(1)</script>"
    panel.source.model.load_file(f"{script},v\n1,2\n,3\n4,5\n7,1\n2,6\n".encode(), f"{script}.csv")
    texts = "".join(child.value for child in panel.body.children if isinstance(child, w.HTML))
    assert "<script" not in texts and "&lt;script&gt;" in texts
