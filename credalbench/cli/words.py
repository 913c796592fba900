"""Shared parts of the commands: options, suggestions for misspelt names, usage errors."""

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Self

import click

PROFILE = click.Choice(["paper", "smoke"])
#: Text that is added to the message of a stopped command.
STOPPED = {"run": " Finished cases are stored; the same command continues after them."}


class SuggestingGroup(click.Group):
    """Group of commands that suggests the most similar command for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(f"no such command {args[0]!r}{suggest(args[0], self.commands)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            note = STOPPED.get(ctx.invoked_subcommand, "")
            click.echo(f"\nStopped.{note}", err=True)
            sys.exit(getattr(stop, "exit_code", 130))


def suggest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'run'?"``, or an empty string if no known word is similar."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1, cutoff=0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


def select(name: str | None) -> list:
    """Return the experiments of ``paper`` or ``paper/study``, or all; raise an error for an unknown name."""
    from credalbench.papers import studies

    papers = studies.names()
    every = [f"{paper}/{study}" for paper, found in papers.items() for study in found]
    if not every:
        raise click.UsageError("there are no experiments; is this a complete checkout?")
    if name is not None and not all(name.split("/")):
        raise click.UsageError(f"expected paper or paper/study, got {name!r}\nList all: credalbench list")
    chosen = [study for study in every if name in (None, study, study.partition("/")[0])]
    if not chosen:
        by_study = [study for study in every if study.partition("/")[2] == name]
        hint = f"; did you mean {by_study[0]!r}?" if by_study else suggest(name, [*every, *papers])
        raise click.UsageError(f"unknown study {name!r}{hint}\nList all: credalbench list")
    return [studies.get_study(study) for study in chosen]


class usage_errors:
    """Turn ValueError and TypeError into usage errors (exit code 2) within this context."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, (ValueError, TypeError)):
            raise click.UsageError(str(error)) from error
