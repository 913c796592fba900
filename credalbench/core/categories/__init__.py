"""Tables of categories: values of any type as small integers, sums over values, and maps of objects."""

from credalbench.core.categories.correspondence import correspondence_map, place_values
from credalbench.core.categories.sums import frequencies, mismatches
from credalbench.core.categories.table import MISSING, Domain, as_table, read_table, read_table_blocks

__all__ = [
    "MISSING",
    "Domain",
    "as_table",
    "correspondence_map",
    "frequencies",
    "mismatches",
    "place_values",
    "read_table",
    "read_table_blocks",
]
