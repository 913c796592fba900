"""The source of tables of categories."""

from collections.abc import Mapping

import pandas as pd

from credalbench.explore.program import Program, literal
from credalbench.explore.sources.category_tables import (
    CategoryTable,
    category_table,
    category_table_from_dataset,
    category_table_from_name,
    category_table_from_user_table,
)
from credalbench.explore.sources.limits import TABLE_HELP
from credalbench.explore.sources.tables import listed_datasets
from credalbench.explore.sources.user_categories import read_categories
from credalbench.explore.sources.user_table_source import UserTableSource
from credalbench.tables import UserTable


class CategorySource(UserTableSource):
    """A source of tables of categories."""

    FILES = (
        "your table",
        f"Columns of categories, perhaps names of the objects and a class column; {TABLE_HELP}",
        ".csv,.tsv,.txt",
    )

    def names(self) -> Mapping[str, str]:
        return listed_datasets(("categorical",))

    def named(self, name: str) -> CategoryTable:
        return category_table_from_name(name)

    def read(self, source: object, name: str | None, **arguments: object) -> UserTable:
        return read_categories(source, name, **arguments)

    def from_table(self, table: UserTable) -> CategoryTable:
        return category_table_from_user_table(table)

    def from_array(self, data: object) -> CategoryTable:
        return category_table("your data", pd.DataFrame(data).rename(columns=str))

    def from_dataset(self, data: object) -> CategoryTable:
        return category_table_from_dataset(data)

    def write(self, program: Program) -> str:
        """Write code that loads a table of strings, `values` (n, p)."""
        tables = "credalbench.explore.sources.category_tables"
        if self.user_table.write(program, "credalbench.explore.sources.user_categories", "read_categories"):
            program.use(tables, "category_table_from_user_table")
            program.add("values = category_table_from_user_table(own).values")
        elif self.model.data in self.own:
            program.use("import pandas as pd")
            values = self.own[self.model.data].values
            rows = [f"    {row!r}," for row in values.to_numpy(str).tolist()]
            program.add("rows = [", *rows, "]", "values = pd.DataFrame(rows)")
        else:
            program.use(tables, "category_table_from_name")
            program.add(f"values = category_table_from_name({literal(self.model.data)}).values")
        return "values"
