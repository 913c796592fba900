"""Texts of tables, and what was made of their columns."""

from credalbench.tables import UserTable


def lines(*rows: str, end: str = "\n") -> bytes:
    return (end.join(rows) + end).encode()


def roles(table: UserTable) -> dict[str, str]:
    return {column.name: column.role for column in table.columns}
