"""A report on an own table: clusterings by several methods side by side, doubt by name, one offline page."""

from credalbench.report.ambiguous import AmbiguousObject
from credalbench.report.choice import Choice, chosen_number
from credalbench.report.comparison import Found
from credalbench.report.methods import Method, methods_for
from credalbench.report.report import Report, report_on

__all__ = [
    "AmbiguousObject",
    "Choice",
    "Found",
    "Method",
    "Report",
    "chosen_number",
    "methods_for",
    "report_on",
]
