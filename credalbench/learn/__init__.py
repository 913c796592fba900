"""The course: lessons with self-checking exercises, as notebooks in ``notebooks/learn``.

A lesson consists of two files in `lessons`: its text with the cells of the notebook, and its exercises with
hints, solutions and typical mistakes. ``python tools/lessons.py`` writes the notebooks for students and the
page for teachers from these files. A notebook shows an exercise as follows::

    from credalbench.learn import lesson

    exercises = lesson("mass_functions")
    exercises.ann
"""

from credalbench.core.extras import require

require(
    *("anywidget", "ipywidgets", "jinja2", "matplotlib", "mistune"),
    extra="explore",
    purpose="credalbench.learn",
)

from .exercise import Exercise, Feedback
from .kinds import Choice, Choices, Code, Exploration, Masses, Number, right, wrong
from .lessons import COURSE, Exercises, lesson
from .mass_board import MassBoard

__all__ = [
    "COURSE",
    "Choice",
    "Choices",
    "Code",
    "Exercise",
    "Exercises",
    "Exploration",
    "Feedback",
    "MassBoard",
    "Masses",
    "Number",
    "lesson",
    "right",
    "wrong",
]
