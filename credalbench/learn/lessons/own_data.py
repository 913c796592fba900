"""Exercises of lesson 10: a project on a user table."""

import pandas as pd

from credalbench.learn.kinds import Choice, Choices, Code, right, wrong
from credalbench.tables import UserTable

#: Number of objects in the practice table; one object has a missing length.
N_FLOWERS = 50

why_not_the_record = Choice(
    "Why is the column of record numbers left out?",
    (
        wrong("it has whole numbers", "Whole numbers can be attributes, such as the number of petals."),
        right(
            "it would be used as a measurement",
            "Its differences are about thirty times those of some lengths, but say nothing about a flower.",
        ),
        wrong("it has missing values", "It has none; only one length is missing."),
    ),
    hints=("How far apart are records 1001 and 1050, and what does that mean for the flowers?",),
)


def _judge_table(table: UserTable) -> str:
    if not hasattr(table, "questions"):
        return "This table was not read by read_user_table, so changes to the data are not recorded."
    open_ = [question.text for question in table.questions if question.blocking]
    if open_:
        return f"A question is still open: {open_[0]}."
    if "record" in table.frame.columns:
        return "The record number is now an attribute. Leave it out, or use it as the name of the objects."
    if table.n_rows != N_FLOWERS:
        return "You dropped rows before reading the table, so its notes do not mention them."
    return ""


answer_the_table = Code(
    "Read the table again, with an answer of your choice to the question about the missing length.",
    _judge_table,
    'answer = read_user_table(flowers, missing="rows")',
    (
        "answer = read_user_table(flowers)",
        "answer = flowers.dropna()",
        "answer = read_user_table(flowers.dropna())",
        'answer = read_user_table(flowers, missing="rows", columns={"record": "number"})',
    ),
    explanation="The table now has a note about what was done. It is part of the report.",
    hints=('Use missing="rows", "columns", "impute" or "skip".',),
)

when_criteria_disagree = Choice(
    "Two criteria prefer different numbers of clusters. What should you do?",
    (
        wrong("use the larger number", "You need a reason for the larger number."),
        wrong("try criteria until one agrees with you", "Then you choose the result, and measure nothing."),
        right("compare what they measure, choose, and report both", "A reader can then choose differently."),
    ),
)


def _judge_marks(table: pd.DataFrame) -> str:
    if not {"most_mass", "ambiguous"} <= set(getattr(table, "columns", ())):
        return "Expected the table decisions with an additional column ambiguous."
    if len(table) != N_FLOWERS - 1:
        return f"Expected all {N_FLOWERS - 1} flowers, ambiguous or not; got {len(table)} rows."
    for label, marked in zip(table["most_mass"], table["ambiguous"]):
        if label == "Ω" and not marked:
            return "Flowers with their largest mass on Ω are ambiguous, too: they are between all clusters."
        if "," in label and not marked:
            return "Flowers with their largest mass on a pair are ambiguous, too: their label has a comma."
        if marked and "," not in label and label != "Ω":
            return f"A flower has its largest mass on {label}, which is not a set of several clusters."
    return ""


mark_ambiguous = Code(
    "Add a column `ambiguous` to the table `decisions`: True for ambiguous flowers, False for the others.",
    _judge_marks,
    'answer = decisions.assign(ambiguous=decisions["most_mass"].str.contains(",|Ω"))',
    (
        "answer = decisions",
        'answer = decisions[decisions["most_mass"].str.contains(",|Ω")].assign(ambiguous=True)',
        "answer = decisions.assign(ambiguous=True)",
        'answer = decisions.assign(ambiguous=decisions["most_mass"] == "Ω")',
        'answer = decisions.assign(ambiguous=decisions["most_mass"].str.contains(","))',
    ),
    explanation="A hard partition would assign these objects to a cluster without a warning.",
    hints=(
        "decisions.assign(ambiguous=...) adds a column. Text columns have str.contains.",
        'str.contains(",|Ω") finds a comma or Ω.',
    ),
)

what_to_report = Choices(
    "What should a report contain?",
    (
        right("what was left out of the table, and why", "A reader cannot know it otherwise."),
        right("the reason for the number of clusters", "Even if it came from outside the data."),
        right("the names of the ambiguous objects", "They are a result in addition to the clusters."),
        wrong("only the certain objects", "Then a reader cannot see which objects are ambiguous."),
    ),
    explanation="A report says what you read, what you chose, and which objects are ambiguous.",
)

when_to_scale = Choice(
    "One column is in metres, another in euros. Should they be scaled before ECM?",
    (
        right("yes, or give a reason why not", "Otherwise the unit decides which column dominates."),
        wrong("no: scaling changes the data", "So does the choice of centimetres instead of metres."),
        wrong("it makes no difference", "Distances are sums of squares: larger numbers dominate."),
    ),
)

which_method = Choice(
    "You have only a matrix of dissimilarities. Which method can you use?",
    (
        wrong("ECM", "It needs attributes, for its prototypes."),
        right("EVCLUS", "It needs nothing else (lesson 4)."),
        wrong("EGMM", "Its components need attributes."),
    ),
)

use_of_ambiguity = Choice(
    "More than a fifth of the flowers are ambiguous. What is the use of this result?",
    (
        wrong("none: you have to decide", "You can decide, and you know which objects are uncertain."),
        right("it shows where to measure more", "Another measurement might help for these objects."),
        wrong("it shows that the method failed", "It shows that four lengths do not separate these flowers."),
    ),
)
