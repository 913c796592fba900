"""Tables of categories: values of any type as small integers, and the sums clusterings take of them."""

from credalbench.categories.sums import frequencies, mismatches
from credalbench.categories.table import MISSING, Domain, as_table, named, read_table

__all__ = ["MISSING", "Domain", "as_table", "frequencies", "mismatches", "named", "read_table"]
