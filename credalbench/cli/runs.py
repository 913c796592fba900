"""Commands on studies: list, run, verify."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from credalbench.cli.words import PROFILE, select, usage_errors

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.papers import Experiment
    from credalbench.papers.batch import StudyRun

SIGNS = {
    "reproduced": "green",
    "not reproduced": "yellow",
    "open": "magenta",
    "not checkable": "bright_black",
    "on stand-in data only": "cyan",
}
#: Error of `run` without arguments, which would otherwise start hours of work.
NOTHING_TO_RUN = (
    "expected PAPER, PAPER/STUDY, or --profile to run everything, got neither\n"
    "Run everything: credalbench run --profile smoke (minutes), credalbench run --profile paper (hours)\n"
    "List all: credalbench list"
)


@click.command("list")
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
def list_(study: str | None) -> None:
    """List the studies, or the artefacts and parameters of one study.

    \b
    Examples:
      credalbench list
      credalbench list denoeux2016_evclus
      credalbench list denoeux2016_evclus/protein_optimisers
    """
    experiments = select(study)
    if study and "/" in study:
        return _describe(experiments[0])
    paper = None
    for experiment in experiments:
        if experiment.paper != paper:
            paper = experiment.paper
            click.secho(f"{'' if experiment is experiments[0] else chr(10)}{paper}", bold=True)
        alone = ", measures time" if experiment.timed else ""
        click.echo(f"  {experiment.study}: {experiment.title}")
        click.echo(f"      {', '.join(experiment.artefacts)} ({len(experiment.claims)} claims{alone})")


def _describe(experiment: Experiment) -> None:
    click.secho(f"{experiment.name}: {experiment.title}", bold=True)
    for artefact in experiment.artefacts:
        click.echo(f"  {artefact}  {experiment.titles.get(artefact, '')}".rstrip())
    click.echo("\nParameters (-p name=value):")
    for knob in experiment.knobs():
        smoke = f", smoke {knob['smoke']}" if knob["smoke"] != knob["paper"] else ""
        click.echo(f"  {knob['name']}: {knob['type']} = {knob['paper']}{smoke}")
        if knob["help"]:
            click.echo(f"      {knob['help']}")


@click.command()
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
@click.option(
    "--profile",
    type=PROFILE,
    default="paper",
    show_default=True,
    help="The protocol of the paper, or a short version that takes seconds.",
)
@click.option(
    "-p", "assignments", metavar="NAME=VALUE", multiple=True, help="Set a parameter; can be repeated."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Number of worker processes.  [default: one per core]",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Compute the cases on the Dask cluster with this scheduler, tcp://HOST:PORT.",
)
@click.option(
    "--resume/--force",
    default=True,
    help="Continue from the stored cases, or delete them first.  [default: resume]",
)
@click.option(
    "--with-r",
    is_flag=True,
    help="Also run the authors' programs in R, instead of judging their stored runs.",
)
@click.option("--no-notebook", is_flag=True, help="Compute and store without executing the notebooks.")
@click.option("--time-limit", type=float, default=7200, show_default=True, help="Limit in seconds per study.")
def run(
    study: str | None,
    profile: str,
    assignments: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    resume: bool,
    with_r: bool,
    no_notebook: bool,
    time_limit: float,
) -> None:
    """Run one study, the studies of a paper, or, if you name a profile, everything.

    Worker processes compute the cases and store them. Then each study's notebook is executed and shows the
    stored result. Stored cases that match the code are not computed again, so a run that was killed continues
    after its last finished case. The exit code is 1 after an error, and 0 if a claim is not reproduced.

    With --scheduler, the machines of a Dask cluster compute the cases, and this machine stores and shows
    them. The command first checks that all have the same code, versions and data files. Cases that measure
    time run on this machine. See docs/cluster.md.

    \b
    Examples:
      credalbench run --profile smoke
      credalbench run denoeux2016_evclus --jobs 2
      credalbench run denoeux2016_evclus/protein_optimisers -p n_runs=5 --no-notebook
      credalbench run jiao2022_egmm --scheduler tcp://192.168.1.5:8786
    """
    from credalbench.core.processes import stoppable
    from credalbench.papers.batch import prepare, run_batch
    from credalbench.papers.engine import ClusterError
    from credalbench.papers.places import results_root

    named = click.get_current_context().get_parameter_source("profile") is not ParameterSource.DEFAULT
    if study is None and not named:
        raise click.UsageError(NOTHING_TO_RUN)
    os.environ["CREDALBENCH_RESULTS"] = str(results_root())  # kernels have other working folders

    if scheduler is not None and jobs is not None:
        raise click.UsageError(f"--jobs {jobs}: the cluster at {scheduler} has its own workers")
    if with_r and scheduler is not None:
        raise click.UsageError("--with-r: programs in R run on this machine, without --scheduler")
    if with_r:
        os.environ["CREDALBENCH_WITH_R"] = "1"
    with stoppable():
        experiments = select(study)
        with usage_errors():
            runs = [
                prepare(e, profile, _overrides(e, assignments, experiments), use_notebook=not no_notebook)
                for e in experiments
            ]
        jobs = jobs or os.cpu_count() or 1
        number = "1 study" if len(runs) == 1 else f"{len(runs)} studies"
        where = f"cluster {scheduler}" if scheduler else f"jobs: {jobs}"
        write_line(f"{number}, {profile} profile, {where}; results in {results_root()}")
        options = {"jobs": jobs, "force": not resume, "time_limit_s": time_limit, "scheduler": scheduler}
        try:
            runs = run_batch(runs, write=write_line, **options)
        except ClusterError as error:
            raise click.ClickException(str(error)) from error
        _summary(runs)
    sys.exit(1 if any(run.error for run in runs) else 0)


def write_line(text: str, **style: object) -> None:
    """Print a line; if the output is closed (``| head``), say so once and continue without it."""
    try:
        click.secho(text, **style)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo("The output was closed; the studies continue without it.", err=True)


def _overrides(experiment: Experiment, assignments: tuple[str, ...], experiments: list[Experiment]) -> dict:
    """Return ``name=value`` texts as typed values; of several studies, only those of this study."""
    from credalbench.papers.parameters import field_types, parse

    known_anywhere = {name for e in experiments for name in field_types(e.parameters)}
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"-p {assignment}: expected name=value")
        if name in known_anywhere and name not in field_types(experiment.parameters):
            continue
        values[name] = parse(name, text, experiment.parameters)
    return values


def _summary(runs: list[StudyRun]) -> None:
    from credalbench.papers.verdicts import VERDICTS

    width = max(len(run.experiment.name) for run in runs)
    write_line("\n" + "  ".join(["study".ljust(width), "seconds", *VERDICTS, ""]), bold=True)
    for run in runs:
        found = run.report.verdicts if run.report else dict.fromkeys(VERDICTS, "-")
        numbers = [str(found[verdict]).rjust(len(verdict)) for verdict in VERDICTS]
        note = "error" if run.error else "stored" if run.how == "stored" else ""
        name = run.experiment.name.ljust(width)
        write_line("  ".join([name, f"{run.seconds:7.1f}", *numbers, note]))
    if left_out := sum(bool(run.left_out) for run in runs):
        write_line(
            f"\nLeft out, in whole or in part: {left_out} (marked – above); for help: credalbench doctor"
        )
    changed = [run for run in runs if run.result and _print_changes(run)]
    problems = [run for run in runs if run.error]
    for run in problems:
        click.secho(f"\n{run.experiment.name}: {run.error}", fg="red", err=True)
    if not problems and len(changed) < len(runs):
        profile = runs[0].profile
        write_line(
            f"\nNext: credalbench verify --profile {profile}, credalbench site --profile {profile} --open"
        )


def _print_changes(run: StudyRun) -> bool:
    """Print the parameters that differ from the profile, and the folder; return whether there are any."""
    result, profile = run.result, run.profile
    changes = result.changes(profile)
    if changes:
        words = (f"{name} = {here} ({profile} profile: {there})" for name, (here, there) in changes.items())
        write_line(f"\n{result.experiment.name} with {', '.join(words)}")
        figures = result.path / "shown" / "figures"
        write_line(f"  figures: {figures if figures.is_dir() else 'none'}\n  tables: {result.path}")
        write_line(f"  verify and site show the run of the {profile} profile, not this one.")
    return bool(changes)


@click.command()
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
@click.option(
    "--profile", type=PROFILE, default="paper", show_default=True, help="Profile of the stored results."
)
def verify(study: str | None, profile: str) -> None:
    """Print every claim with its verdict, from the stored results.

    The exit code is 1 if a study was not run, its stored result is damaged, a case failed or a check
    stopped. A claim that is not reproduced is a finding, not an error.

    \b
    Examples:
      credalbench verify
      credalbench verify denoeux2016_evclus/butterfly --profile smoke
    """
    import pandas as pd

    from credalbench.papers.reproduction import stored_result

    errors, tables = [], [pd.DataFrame(columns=["verdict"])]
    if profile != "paper":
        click.echo(f"Profile {profile}: a shortened protocol; its verdicts say nothing about the papers.")
    for experiment in select(study):
        click.secho(f"\n{experiment.name}", bold=True)
        result, damage = stored_result(experiment, profile)
        if result is None:
            command = f"credalbench run {experiment.name} --profile {profile}"
            why = damage or "not run with the present code"
            errors.append(f"{experiment.name}: {why}; {command}")
            click.echo(f"  {why}: {command}")
            continue
        errors += [f"{experiment.name}: {error}" for error in result.errors]
        if result.left_out:
            click.echo(f"  left out: {result.left_out}")
        tables.append(result.verdicts)
        for row in result.verdicts.to_dict("records"):
            _print_claim(row)
    _print_totals(pd.concat(tables))
    for error in errors:
        click.secho(error, fg="red", err=True)
    sys.exit(1 if errors else 0)


def _print_totals(table: pd.DataFrame) -> None:
    from credalbench.papers.verdicts import counts

    found = ", ".join(f"{n} {verdict}" for verdict, n in counts(table).items() if n)
    click.echo(f"\nClaims: {found or 'none'}")


def _print_claim(row: dict) -> None:
    from credalbench.papers.verdicts import sign

    label = f"{sign(row['verdict'])} {row['verdict']}"
    click.echo(
        f"  {click.style(label.ljust(23), fg=SIGNS[row['verdict']])} {row['artefact']}: {row['claim']}"
    )
    published = f"published {row['published']}; " if row["published"] else ""
    ours = f"ours {row['ours']}; " if row["ours"] else ""
    click.echo(f"{'':26} {published}{ours}basis: {row['basis']}")
    if row["explanation"]:
        click.echo(f"{'':26} {row['explanation']}")
