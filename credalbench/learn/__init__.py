"""The course: lessons with exercises that check themselves, in ``notebooks/learn``.

A lesson is two files in `lessons`: its text, with the cells of its notebook, and its exercises, each with
its hints, its solution and the mistakes that it knows. The student's notebook and the teacher's page are
written from them by ``python tools/lessons.py``. In a notebook::

    from credalbench.learn import lesson

    exercises = lesson("mass_functions")
    exercises.ann
"""

from credalbench.extras import require

require(
    *("anywidget", "ipywidgets", "jinja2", "matplotlib", "mistune", "nbformat"),
    extra="explore",
    purpose="credalbench.learn",
)

from .course import COURSE, Exercises, lesson
from .exercise import Exercise, Feedback
from .kinds import Choice, Choices, Code, Exploration, Masses, Number, right, wrong
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
