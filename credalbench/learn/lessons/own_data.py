"""Exercises of lesson 10: a project on a table of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credalbench.learn.kinds import Choice, Choices, Code, right, wrong

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.tables import UserTable

#: Of the practice table; one of them has a length missing.
N_FLOWERS = 50

why_not_the_record = Choice(
    "Why is the column of record numbers left out?",
    (
        wrong("because it is a whole number", "Whole numbers are welcome where they measure something."),
        right(
            "because it would be taken for a measurement",
            "Its differences are about thirty times those of some lengths, and say nothing about a flower.",
        ),
        wrong("because it has gaps", "It has none; a length has one."),
    ),
    hints=("How far apart are record 1001 and record 1050, and what does that say about the flowers?",),
)


def _answered(table: UserTable) -> str:
    if not hasattr(table, "questions"):
        return "That is no table read by read_user_table: what was done to the data would not be known."
    open_ = [question.text for question in table.questions if question.blocking]
    if open_:
        return f"It still asks: {open_[0]}."
    if "record" in table.frame.columns:
        return "The record number is an attribute now: it should be left out, or be the names."
    if table.n_rows != N_FLOWERS:
        return "Rows were dropped before the table was read, so that what it says of itself leaves that out."
    return ""


answer_the_table = Code(
    "Read the table so that it can be used, with the answer of your choice about the missing length.",
    _answered,
    'answer = read_user_table(flowers, missing="rows")',
    (
        "answer = read_user_table(flowers)",
        "answer = flowers.dropna()",
        "answer = read_user_table(flowers.dropna())",
        'answer = read_user_table(flowers, missing="rows", columns={"record": "number"})',
    ),
    explanation="The table says now what was done: that line belongs into the report.",
    hints=('One of missing="rows", "columns", "impute", "skip".',),
)

when_criteria_disagree = Choice(
    "Two criteria prefer different numbers of clusters. What do you do?",
    (
        wrong("take the larger number", "That is a rule, and no reason."),
        wrong("try criteria until one agrees with you", "Then you have measured your patience."),
        right("look at what each measures, choose, and report both", "A reader can then choose otherwise."),
    ),
)


def _doubts_marked(table: pd.DataFrame) -> str:
    if not {"most_mass", "doubtful"} <= set(getattr(table, "columns", ())):
        return "The table decisions is wanted, with a column doubtful beside its column most_mass."
    if len(table) != N_FLOWERS - 1:
        return f"It has {len(table)} rows: all {N_FLOWERS - 1} flowers are wanted, in doubt or not."
    for label, said in zip(table["most_mass"], table["doubtful"]):
        if label == "Ω" and not said:
            return "Those with their highest mass on Ω are in doubt, too: between all clusters."
        if "," in label and not said:
            return "Those with their highest mass on a pair are in doubt, too: a comma is in its label."
        if said and "," not in label and label != "Ω":
            return f"A flower has its highest mass on {label}, which is no set of several clusters."
    return ""


mark_the_doubtful = Code(
    "The table `decisions` with one more column, `doubtful`: True for the flowers in doubt, else False.",
    _doubts_marked,
    'answer = decisions.assign(doubtful=decisions["most_mass"].str.contains(",|Ω"))',
    (
        "answer = decisions",
        'answer = decisions[decisions["most_mass"].str.contains(",|Ω")].assign(doubtful=True)',
        "answer = decisions.assign(doubtful=True)",
        'answer = decisions.assign(doubtful=decisions["most_mass"] == "Ω")',
        'answer = decisions.assign(doubtful=decisions["most_mass"].str.contains(","))',
    ),
    explanation="These are the objects that a hard partition would have sorted in without a word.",
    hints=(
        "decisions.assign(doubtful=...) adds a column. Text columns have str.contains.",
        'str.contains(",|Ω") finds a comma or Ω.',
    ),
)

what_to_report = Choices(
    "What belongs into a report?",
    (
        right("what was left out of the table, and why", "A reader cannot see it otherwise."),
        right("the reason for the number of clusters", "Also where it came from outside the data."),
        right("the names of the objects in doubt", "They are what the method found out beside clusters."),
        wrong("only the objects that are sure", "Then you might have used k-means."),
    ),
    explanation="What was read, what was chosen, and who is in doubt.",
)

when_to_scale = Choice(
    "One column is in metres, another in euros. Should they be scaled before ECM?",
    (
        right("yes, or say why not", "Otherwise the unit decides which column counts."),
        wrong("no: scaling changes the data", "So does choosing centimetres in place of metres."),
        wrong("it makes no difference", "Distances add up squares: the larger numbers win."),
    ),
)

which_method = Choice(
    "You have only a matrix of dissimilarities. Which method takes it?",
    (
        wrong("ECM", "It needs attributes, for its prototypes."),
        right("EVCLUS", "It needs nothing else: lesson 4."),
        wrong("EGMM", "Its bells are in the space of attributes."),
    ),
)

what_doubt_is_for = Choice(
    "More than a fifth of the flowers are in doubt between clusters. What is that good for?",
    (
        wrong("nothing: one has to decide", "One may decide, and know for which of them it was a guess."),
        right("it says where to measure more", "Doubts show which objects another length would help."),
        wrong(
            "it shows that the method failed", "It shows that four lengths do not tell these flowers apart."
        ),
    ),
)
