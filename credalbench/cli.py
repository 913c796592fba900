"""The command ``credalbench``: list, run, verify, site, cluster, explore, handout, data, doctor.

Every command imports what it needs when it is called, so that ``credalbench --help`` answers at once. Exit
codes: 0 fine (claims that differ are findings, not errors), 1 something went wrong, 2 a word was not
understood.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click
from click.core import ParameterSource

from credalbench.explore import explorers

if TYPE_CHECKING:
    import pandas as pd

    from credalbench.runner import Experiment
    from credalbench.runner.batch import Outcome

EXAMPLES = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
PROFILE = click.Choice(["paper", "smoke"])
EXPLORERS = explorers()
SIGNS = {
    "holds": "green",
    "differs": "yellow",
    "undecided": "magenta",
    "cannot be checked": "bright_black",
    "substitute": "cyan",
}
#: What `run` answers to no word at all, instead of starting hours of work.
NOTHING_ASKED = (
    "expected PAPER, PAPER/STUDY, or a profile to run everything with, got neither\n"
    "Everything: credalbench run --profile smoke (minutes), credalbench run --profile paper (hours)\n"
    "What there is: credalbench list"
)
STAYS = {"run": " Finished cases are stored; the same command continues after them."}


class Spelled(click.Group):
    """A group that answers an unknown command with the nearest known one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(f"no such command {args[0]!r}{_suggest(args[0], self.commands)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            stays = STAYS.get(ctx.invoked_subcommand, "")
            click.echo(f"\nStopped.{stays}", err=True)
            sys.exit(getattr(stop, "exit_code", 130))


def _suggest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1, cutoff=0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


@click.group(cls=Spelled, context_settings=EXAMPLES)
@click.version_option(package_name="credalbench", prog_name="credalbench")
def main() -> None:
    """Reproduce and explore evidential clustering.

    \b
    A first tour:
      credalbench list                          what can be reproduced
      credalbench run --profile smoke           everything, shortened, in minutes
      credalbench site --profile smoke --open   the results to look at
      credalbench explore                       sliders and lessons, in the browser
      credalbench cluster mine.csv --open       your own table, clustered and explained
    """


@main.command("list")
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
def list_(study: str | None) -> None:
    """Show the studies; of one study, its artefacts and parameters.

    \b
    Examples:
      credalbench list
      credalbench list denoeux2016_evclus
      credalbench list denoeux2016_evclus/protein_optimisers
    """
    experiments = _select(study)
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


@main.command()
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
@click.option(
    "--profile", type=PROFILE, default="paper", show_default=True, help="The paper's protocol, or seconds."
)
@click.option(
    "-p", "assignments", metavar="NAME=VALUE", multiple=True, help="Set a parameter; may be repeated."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=None, help="Processes in all.  [default: one per core]"
)
@click.option(
    "--resume/--force", default=True, help="Continue from the store, or forget it first.  [default: resume]"
)
@click.option("--no-notebook", is_flag=True, help="Compute and store without executing the notebooks.")
@click.option(
    "--time-limit", type=float, default=7200, show_default=True, help="Seconds that one study may take."
)
def run(
    study: str | None,
    profile: str,
    assignments: tuple[str, ...],
    jobs: int | None,
    resume: bool,
    no_notebook: bool,
    time_limit: float,
) -> None:
    """Run one study, the studies of a paper, or, where a profile is named, everything.

    What is stored and still fits the code is not computed again; a run that was killed continues after its
    last finished case. The exit code is 1 when something went wrong, not when a claim differs.

    \b
    Examples:
      credalbench run --profile smoke
      credalbench run denoeux2016_evclus --jobs 2
      credalbench run denoeux2016_evclus/protein_optimisers -p n_runs=5 --no-notebook
    """
    from credalbench.runner.batch import prepare, run_batch
    from credalbench.runner.processes import stoppable
    from credalbench.runner.store import results_root

    named = click.get_current_context().get_parameter_source("profile") is not ParameterSource.DEFAULT
    if study is None and not named:
        raise click.UsageError(NOTHING_ASKED)
    os.environ["CREDALBENCH_RESULTS"] = str(results_root())  # kernels work in folders of their own

    with stoppable():
        experiments = _select(study)
        with _usage_errors():
            tasks = [
                prepare(e, profile, _overrides(e, assignments, experiments), use_notebook=not no_notebook)
                for e in experiments
            ]
        jobs = jobs or os.cpu_count() or 1
        number = "1 study" if len(tasks) == 1 else f"{len(tasks)} studies"
        _say(f"{number}, {profile} profile, jobs: {jobs}; results in {results_root()}")
        outcomes = run_batch(tasks, jobs=jobs, force=not resume, time_limit_s=time_limit, say=_say)
        _summary(outcomes)
    sys.exit(1 if any(outcome.error for outcome in outcomes) else 0)


def _say(text: str, **style: object) -> None:
    """Print. Where nobody reads any more (``| head``), say so once; that costs no study."""
    try:
        click.secho(text, **style)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo("Nobody reads this output any more; the studies go on.", err=True)


def _overrides(experiment: Experiment, assignments: tuple[str, ...], experiments: list[Experiment]) -> dict:
    """``name=value`` texts as typed values; with several studies, those that the study has."""
    from credalbench.runner.parameters import field_types, parse

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


def _summary(outcomes: list[Outcome]) -> None:
    from credalbench.runner.verdicts import VERDICTS, counts

    width = max(len(outcome.task.experiment.name) for outcome in outcomes)
    _say("\n" + "  ".join(["study".ljust(width), "seconds", *VERDICTS, ""]), bold=True)
    for outcome in outcomes:
        found = counts(outcome.result.verdicts) if outcome.result else dict.fromkeys(VERDICTS, "-")
        numbers = [str(found[verdict]).rjust(len(verdict)) for verdict in VERDICTS]
        note = "error" if outcome.error else "stored" if outcome.how == "stored" else ""
        name = outcome.task.experiment.name.ljust(width)
        _say("  ".join([name, f"{outcome.seconds:7.1f}", *numbers, note]))
    if left_out := sum(bool(outcome.left_out) for outcome in outcomes):
        _say(f"\nLeft out, in whole or in part: {left_out} (–, above); ways out: credalbench doctor")
    changed = [outcome for outcome in outcomes if outcome.result and _say_changes(outcome)]
    problems = [outcome for outcome in outcomes if outcome.error]
    for outcome in problems:
        click.secho(f"\n{outcome.task.experiment.name}: {outcome.error}", fg="red", err=True)
    if not problems and len(changed) < len(outcomes):
        profile = outcomes[0].task.profile
        _say(f"\nNext: credalbench verify --profile {profile}, credalbench site --profile {profile} --open")


def _say_changes(outcome: Outcome) -> bool:
    """Of a run with other parameters than its profile: which, and where it lies. Whether it is one."""
    result, profile = outcome.result, outcome.task.profile
    changes = result.changes(profile)
    if changes:
        words = (f"{name} = {here} ({profile} profile: {there})" for name, (here, there) in changes.items())
        _say(f"\n{result.experiment.name} with {', '.join(words)}")
        figures = result.path / "figures"
        _say(f"  figures: {figures if figures.is_dir() else 'none'}\n  tables, verdicts: {result.path}")
        _say(f"  verify and site show the run of the {profile} profile, not this one.")
    return bool(changes)


@main.command()
@click.argument("study", required=False, metavar="[PAPER[/STUDY]]")
@click.option(
    "--profile", type=PROFILE, default="paper", show_default=True, help="Which stored results to judge."
)
def verify(study: str | None, profile: str) -> None:
    """Print every claim with its verdict, from the stored results.

    The exit code is 1 when a study was not run, its stored result is damaged, a case failed or a check
    stopped; a claim that differs is a finding.

    \b
    Examples:
      credalbench verify
      credalbench verify denoeux2016_evclus/butterfly --profile smoke
    """
    import pandas as pd

    from credalbench.runner import PAPER_BASES
    from credalbench.runner.summary import stored_result

    errors, tables = [], [pd.DataFrame(columns=["basis", "verdict"])]
    if profile != "paper":
        click.echo(
            f"Profile {profile}: a shortened protocol; these verdicts are no findings about the papers."
        )
    for experiment in _select(study):
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
        rows = sorted(result.verdicts.to_dict("records"), key=lambda row: row["basis"] not in PAPER_BASES)
        for number, row in enumerate(rows):
            if row["basis"] not in PAPER_BASES and (number == 0 or rows[number - 1]["basis"] in PAPER_BASES):
                click.echo("  beyond the paper:")
            _print_claim(row)
    _print_totals(pd.concat(tables))
    for error in errors:
        click.secho(error, fg="red", err=True)
    sys.exit(1 if errors else 0)


def _print_totals(table: pd.DataFrame) -> None:
    from credalbench.runner.verdicts import counts

    click.echo()
    for title, of_paper in (("Claims of the papers", True), ("Beyond the papers", False)):
        found = counts(table, of_paper=of_paper)
        click.echo(f"{title}: " + (", ".join(f"{n} {v}" for v, n in found.items() if n) or "none"))


def _print_claim(row: dict) -> None:
    from credalbench.runner.verdicts import CHIPS

    label = f"{CHIPS[row['verdict']][0]} {row['verdict']}"
    click.echo(
        f"  {click.style(label.ljust(19), fg=SIGNS[row['verdict']])} {row['artefact']}: {row['claim']}"
    )
    published = f"published {row['published']}; " if row["published"] else ""
    ours = f"ours {row['ours']}; " if row["ours"] else ""
    click.echo(f"{'':22} {published}{ours}basis: {row['basis']}")
    if row["explanation"]:
        click.echo(f"{'':22} {row['explanation']}")


@main.command()
@click.option(
    "--profile", type=PROFILE, default="paper", show_default=True, help="Which stored results to show."
)
@click.option("--open", "open_", is_flag=True, help="Show it in the browser.")
@click.option(
    "--reproduction", is_flag=True, help="Write REPRODUCTION.md where it is tracked; wants every study."
)
def site(profile: str, open_: bool, reproduction: bool) -> None:
    """Build the offline site from the stored results, and its text, REPRODUCTION.md, beside it.

    The exit code is 1 where a stored result is damaged, which both say, or the site cannot be written.

    \b
    Examples:
      credalbench site
      credalbench site --profile smoke --open
      credalbench site --reproduction
    """
    from credalbench.runner.reproduction import write_reproduction
    from credalbench.runner.sealed import StoreError
    from credalbench.runner.summary import collect
    from credalbench.site import SiteError, write_site
    from credalbench.studies import discover, headings, printed_tables, sentences

    papers = collect(discover(), profile, headings(), sentences(), printed_tables())
    damaged = [study for paper in papers for study in paper.damaged]
    for name, damage in damaged:
        click.secho(f"{name}: {damage}; credalbench run {name} --profile {profile}", fg="red", err=True)
    missing = [name for paper in papers for name in paper.missing]
    if missing:
        click.echo(f"Not run with the present code in the {profile} profile: {', '.join(missing)}")
    try:
        with _usage_errors():
            text = write_reproduction(papers, profile, tracked=reproduction)
        click.echo(f"Text: {text}")
        page = write_site(papers, profile)
    except (SiteError, StoreError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    click.echo(f"Site: {page}")
    if open_:
        click.launch(page.as_uri())
    sys.exit(1 if damaged else 0)


@main.command()
@click.argument("table", type=click.Path(exists=True, dir_okay=False))
@click.option("-c", "--n-clusters", type=click.IntRange(min=1), help="How many.  [default: as criteria say]")
@click.option("--kind", type=click.Choice(["attributes", "dissimilarities"]), help="What the table holds.")
@click.option(
    "--columns",
    metavar="NAME=ROLE",
    multiple=True,
    help="Role of a column: number, category, classes, names, left out.",
)
@click.option(
    "--missing",
    type=click.Choice(["rows", "columns", "impute", "skip"]),
    help="Missing values: leave out objects or attributes, put in, or skip in dissimilarities.",
)
@click.option(
    "--standardize/--no-standardize", default=None, help="Scale numbers to mean 0, standard deviation 1."
)
@click.option("--encoding", help="Of the file, by Python's name.")
@click.option("--delimiter", help="Between cells.")
@click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark.")
@click.option("--header/--no-header", default=None, help="Whether the first row names the columns.")
@click.option(
    "--max-objects", type=click.IntRange(min=3), help="Of more, so many are drawn.  [default: 2500]"
)
@click.option("--random-state", type=click.IntRange(min=0), help="Seed of all that draws.  [default: 0]")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="The page.  [default: TABLE-clusters.html]"
)
@click.option("--open", "open_", is_flag=True, help="Show it in the browser.")
def cluster(
    table: str,
    n_clusters: int | None,
    columns: tuple[str, ...],
    output: str | None,
    open_: bool,
    **answers: object,
) -> None:
    """Cluster an own table, and write one offline page about it, and the partition as CSV.

    The page has the partitions of several methods side by side, how well they agree, outliers and doubtful
    objects by name with reasons, and the code that repeats it. The exit code is 2 where the table leaves a
    question open (each is shown with the options that answer it), 1 where it cannot be read or clustered.

    \b
    Examples:
      credalbench cluster mine.csv
      credalbench cluster mine.csv -c 3 --missing rows --standardize --columns sort=classes --open
    """
    from credalbench.report.command import OpenQuestions, cluster_table, roles_of

    with _usage_errors():
        answers["columns"] = roles_of(columns)
    try:
        page = cluster_table(table, output, n_clusters, answers, click.echo)
    except OpenQuestions as questions:
        click.secho(str(questions), fg="yellow", err=True)
        sys.exit(2)
    except (ValueError, OSError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    if open_:
        click.launch(page.resolve().as_uri())


def _explorer_list() -> str:
    width = max(map(len, EXPLORERS))
    return "\n".join(f"  {name.ljust(width)}  {about}" for name, about in EXPLORERS.items())


@main.command(epilog=f"\b\nExplorers:\n{_explorer_list()}")
@click.argument("name", required=False)
@click.option("--lab", is_flag=True, help="JupyterLab: notebooks with their code, as copies of your own.")
@click.option(
    "--class", "for_class", is_flag=True, help="Serve a class: explorers and lessons, nothing else."
)
@click.option("--ip", metavar="ADDRESS", help="With --class: listen there, 0.0.0.0 everywhere.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    help="With --class: pages open at a time.  [default: what memory has room for]",
)
@click.option("--port", type=int, default=8888, show_default=True, help="First port to try.")
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
def explore(
    name: str | None,
    lab: bool,
    for_class: bool,
    ip: str | None,
    most: int | None,
    port: int,
    no_browser: bool,
) -> None:
    """Open the page of all explorers and lessons, or one of them; it is served to this machine only.

    Your copies of notebooks, and what you save, lie in the folder explorations ($CREDALBENCH_EXPLORATIONS).

    \b
    Examples:
      credalbench explore
      credalbench explore evclus
      credalbench explore evclus --lab
      credalbench explore --class --ip 0.0.0.0
    """
    from credalbench.door.serving import Missing, serve, visit

    with _usage_errors():
        asked = visit(name, lab=lab, for_class=for_class, ip=ip, most=most, port=port, browser=not no_browser)
    try:
        sys.exit(serve(asked, say=click.echo))
    except Missing as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)


@main.command()
@click.argument("lesson", required=False)
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False), help="The file.  [default: NUMBER_LESSON.html, here]"
)
def handout(lesson: str | None, out: str | None) -> None:
    """Write a lesson as one offline page; without a lesson, list them.

    The page needs no installation and asks for nothing from anywhere: mail it, put it on a course page, or
    open it from a disk. Its sliders move over results that are computed now, its objects can be clicked, and
    its questions know what to say to each answer. To drag or to write code, students need the notebooks.

    \b
    Examples:
      credalbench handout
      credalbench handout evidential_c_means
      credalbench handout mass_functions --out week1.html
    """
    from credalbench.learn.handout import listed, write_handout

    lessons = dict(listed())
    if lesson is None:
        width = max(map(len, lessons))
        return click.echo("\n".join(f"{name.ljust(width)}  {title}" for name, title in lessons.items()))
    if lesson not in lessons:
        hint = _suggest(lesson, lessons)
        raise click.UsageError(f"unknown lesson {lesson!r}{hint}\nAll of them: credalbench handout")
    try:
        page = write_handout(lesson, out)
    except (ValueError, OSError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    click.echo(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")


@main.group(cls=Spelled)
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
    """Show every data set: kind, objects, attributes, classes, whether it is here.

    \b
    Example:
      credalbench data list
    """
    from credalbench.datasets import list_datasets

    _print_table(
        list_datasets()[["name", "kind", "data_type", "n", "p", "n_clusters", "status", "available"]]
    )
    click.echo("\nOne in full: from credalbench.datasets import load; load('iris')")


@data.command("fetch")
@click.argument("names", nargs=-1)
@click.option("--refresh", is_flag=True, help="Download again; a good copy stays if the new one is not good.")
def data_fetch(names: tuple[str, ...], refresh: bool) -> None:
    """Download data sets (all without a name) and check them by their sha256.

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
    click.echo(f"{len(files)} file(s) are here and verified.")


@data.command("verify")
@click.argument("names", nargs=-1)
def data_verify(names: tuple[str, ...]) -> None:
    """Compare the files that are here with their sha256; download nothing.

    The exit code is 1 for a corrupt file.

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


@main.command()
def doctor() -> None:
    """Check that this installation can do everything, and say what to do where it cannot.

    \b
    Example:
      credalbench doctor
    """
    from credalbench.runner.diagnosis import checks
    from credalbench.studies import look_for_data

    broken = False
    for check in checks({"data of the studies": look_for_data}):
        sign, colour = {"ok": ("✓", "green"), "note": ("·", "yellow"), "broken": ("✗", "red")}[check.state]
        click.echo(f"{click.style(sign, fg=colour)} {check.subject}: {check.finding}")
        broken |= check.state == "broken"
    sys.exit(1 if broken else 0)


def _select(name: str | None) -> list:
    """The experiments of ``paper``, ``paper/study`` or all; an unknown name is refused, with a suggestion."""
    from credalbench.studies import discover

    found = discover()
    every = {experiment.name: experiment for studies in found.values() for experiment in studies.values()}
    if not every:
        raise click.UsageError("there are no experiments; is this a complete checkout?")
    if name is None:
        return list(every.values())
    if not all(name.split("/")):
        raise click.UsageError(f"expected paper or paper/study, got {name!r}\nAll of them: credalbench list")
    if name in found:
        return list(found[name].values())
    if name in every:
        return [every[name]]
    by_study = [e for e in every.values() if e.study == name]
    hint = f"; did you mean {by_study[0].name!r}?" if by_study else _suggest(name, [*every, *found])
    raise click.UsageError(f"unknown study {name!r}{hint}\nAll of them: credalbench list")


class _usage_errors:
    """Turn a refused parameter into a usage error (exit code 2)."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, (ValueError, TypeError)):
            raise click.UsageError(str(error)) from error
