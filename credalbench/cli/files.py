"""Commands on data files and on the installation: data, doctor."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from credalbench.cli.words import SuggestingGroup

if TYPE_CHECKING:
    import pandas as pd


@click.group(cls=SuggestingGroup)
def data() -> None:
    """List, fetch and verify data sets.

    \b
    Examples:
      credalbench data list
      credalbench data fetch protein
      credalbench data verify
    """


@data.command("list")
def data_list() -> None:
    """Show every data set: its kind, its numbers of objects, attributes and classes, and its file status.

    \b
    Example:
      credalbench data list
    """
    from credalbench.datasets import list_datasets

    _print_table(
        list_datasets()[["name", "kind", "data_type", "n", "p", "n_clusters", "status", "available"]]
    )
    click.echo("\nTo load one in Python: from credalbench.datasets import load; load('iris')")


@data.command("fetch")
@click.argument("names", nargs=-1)
@click.option(
    "--refresh", is_flag=True, help="Download again; keep a valid copy if the new one is not valid."
)
def data_fetch(names: tuple[str, ...], refresh: bool) -> None:
    """Download data sets (all by default), and check them against their SHA-256 checksums.

    \b
    Examples:
      credalbench data fetch
      credalbench data fetch protein s2
    """
    from credalbench.datasets import CorruptFile, DataUnavailable, fetch

    try:
        files = fetch(names or None, refresh=refresh)
    except (DataUnavailable, CorruptFile) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    click.echo(f"{len(files)} file(s) available and verified.")


@data.command("verify")
@click.argument("names", nargs=-1)
def data_verify(names: tuple[str, ...]) -> None:
    """Check the files on this machine against their SHA-256 checksums, without downloading anything.

    The exit code is 1 if a file is corrupt.

    \b
    Examples:
      credalbench data verify
      credalbench data verify protein
    """
    from credalbench.datasets import verify

    try:
        found = verify(names or None)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    _print_table(found)
    sys.exit(1 if (found["status"] == "corrupt").any() else 0)


def _print_table(table: pd.DataFrame) -> None:
    click.echo(table.to_string(index=False, na_rep="", line_width=None))


@click.command()
def doctor() -> None:
    """Check this installation, and explain how to fix what does not work.

    \b
    Example:
      credalbench doctor
    """
    from credalbench.cli.doctor import checks

    broken = False
    for check in checks():
        sign, colour = {"ok": ("✓", "green"), "note": ("·", "yellow"), "broken": ("✗", "red")}[check.state]
        click.echo(f"{click.style(sign, fg=colour)} {check.subject}: {check.finding}")
        broken |= check.state == "broken"
    sys.exit(1 if broken else 0)
