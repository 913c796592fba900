"""Models of explorers that look at a table of categories."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import traitlets as t

from credalbench.explore.shared.own_table_model import OwnTableModel
from credalbench.explore.shared.program import Program, literal
from credalbench.explore.shared.subjects.category_tables import (
    CategoryTable,
    category_table,
    category_table_from_dataset,
    category_table_from_name,
    category_table_from_own,
)
from credalbench.explore.shared.subjects.limits import TABLE_HELP
from credalbench.explore.shared.subjects.own_categories import read_categories
from credalbench.explore.shared.subjects.tables import listed_datasets
from credalbench.tables import UserTable


class CategoryModel(OwnTableModel):
    """An `OwnTableModel` that clusters a table of categories.

    Attributes
    ----------
    subject : CategoryTable or None
    """

    OWN_FILES = (
        "own table",
        f"Columns of categories, perhaps names of the objects and a class column; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )

    subject = t.Instance(CategoryTable, allow_none=True)

    def named(self) -> Mapping[str, str]:
        """Return the labels of the tables to choose from, by name."""
        return listed_datasets(("categorical",))

    def _named(self, name: str) -> CategoryTable:
        return category_table_from_name(name)

    def _of_data(self, data: object) -> CategoryTable:
        if isinstance(data, UserTable):
            return self._of_own_table(data)
        if isinstance(data, pd.DataFrame):
            return self._begun(partial(self._read, data, None))
        if hasattr(data, "n_objects"):
            return category_table_from_dataset(data)
        return category_table("own data", pd.DataFrame(data).rename(columns=str))

    def _read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        return read_categories(source, name, **arguments)

    def _write_data(self, program: Program) -> str:
        """Write a table of words, `values` (n, p)."""
        tables = "credalbench.explore.shared.subjects.category_tables"
        if self._write_own(program, "credalbench.explore.shared.subjects.own_categories", "read_categories"):
            program.use(tables, "category_table_from_own")
            program.add("values = category_table_from_own(own).values")
        elif self.data in self._own:
            program.use("import pandas as pd")
            values = self._own[self.data].values
            rows = [f"    {row!r}," for row in values.to_numpy(str).tolist()]
            program.add("rows = [", *rows, "]", "values = pd.DataFrame(rows)")
        else:
            program.use(tables, "category_table_from_name")
            program.add(f"values = category_table_from_name({literal(self.data)}).values")
        return "values"

    def _of_own(self, own: UserTable) -> CategoryTable:
        return category_table_from_own(own)
