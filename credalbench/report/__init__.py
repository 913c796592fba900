"""Report on user tables: partitions by several methods, their agreement, and ambiguous objects by name."""

from credalbench.core.extras import require

require("matplotlib", "jinja2", "markupsafe", "tqdm", extra="plots", purpose="credalbench.report")

from credalbench.report.ambiguous import AmbiguousObject
from credalbench.report.assignment import write_partition
from credalbench.report.choice import NumberChoice, choose_n_clusters
from credalbench.report.comparison import MethodResult
from credalbench.report.methods import suitable_methods
from credalbench.report.report import Report, cluster_report
from credalbench.select.methods import Method

__all__ = [
    "AmbiguousObject",
    "Method",
    "MethodResult",
    "NumberChoice",
    "Report",
    "choose_n_clusters",
    "cluster_report",
    "suitable_methods",
    "write_partition",
]
