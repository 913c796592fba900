"""The command arena: every clusterer on every data set with classes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from credalbench.cli.runs import connected_cluster, write_line
from credalbench.cli.words import PROFILE, suggest, usage_errors

if TYPE_CHECKING:
    from credalbench.arena.methods import Entrant
    from credalbench.papers.batch import Task


@click.command()
@click.option(
    "--profile",
    type=PROFILE,
    default="smoke",
    show_default=True,
    help="smoke: eight data sets, three runs, four minutes of processor time. paper: all data sets, twenty "
    "runs, some 40 minutes.",
)
@click.option("--methods", metavar="NAME,...", help="Only these methods, such as ECM,EVCLUS,k-means.")
@click.option("--data", metavar="NAME,...", help="Only these data sets, such as 'iris,heavy tails'.")
@click.option(
    "--with",
    "more",
    metavar="MODULE:CLASS",
    multiple=True,
    help="A clusterer of yours takes part, too: mypackage.module:MyClusterer, or mymodule:MyClusterer here.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes.  [default: one per core]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Let a Dask cluster compute: tcp://HOST:PORT, or 'local' for one of --jobs workers here.",
)
@click.option(
    "--resume/--force",
    default=True,
    help="Continue from what is stored, or forget it first.  [default: resume]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the page arena.md.  [default: results/arena/PROFILE]",
)
def arena(
    profile: str,
    methods: str | None,
    data: str | None,
    more: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    resume: bool,
    output: Path | None,
) -> None:
    """Compare all clusterers on all data sets with known classes, and write a page about it.

    A clusterer sorts objects into groups without seeing their classes. Here each one does so for each data
    set, many times, with default settings and with a few others, with and without the number of groups, and
    with planted outliers. The page shows how often groups are classes, with intervals, which differences are
    more than chance, and what the numbers do not say.

    Data files are looked for in the folder CREDALBENCH_DATA, in the cache, and on the network. Data sets that
    cannot be had are left out, with the reason; without files and network, those that need none are run. A
    fit that fails or takes too long is a result, too. What is computed is stored: the same command continues
    a run that was stopped, and a changed method alone is computed again. The exit code is 1 where a study
    could not be run, not where a fit failed.

    An installed package takes part by an entry point of the group credalbench.clusterers; see the page.

    \b
    Examples:
      credalbench arena
      credalbench arena --methods ECM,EVCLUS,k-means --data iris,wine
      credalbench arena --with mymodule:MyClusterer
      credalbench arena --profile paper --jobs 2
    """
    from credalbench.arena.fits import experiment
    from credalbench.arena.page import write_page
    from credalbench.arena.results import Arena
    from credalbench.papers.batch import again, prepare, run_batch
    from credalbench.papers.dask_cluster import LOCAL
    from credalbench.papers.processes import stoppable
    from credalbench.papers.store import results_root

    if scheduler not in (None, LOCAL) and jobs is not None:
        raise click.UsageError(f"--jobs {jobs}: the cluster at {scheduler} has workers of its own")
    os.environ["CREDALBENCH_RESULTS"] = str(results_root())
    if more:
        _make_importable(os.getcwd())
    chosen = _chosen(methods, more)
    names = _named(data)
    check_those_of_others(chosen)
    with stoppable():
        tasks: list[Task] = []
        first = experiment, profile
        with usage_errors():
            for entrant in chosen:
                about = {"method": entrant.path, "version": entrant.version, "data": names}
                params = experiment.resolve(profile, about)
                name = f"arena/{entrant.name}"
                if experiment.cases(params):
                    tasks.append(again(tasks[0], about, name) if tasks else prepare(*first, about, name=name))
                else:
                    write_line(f"– arena/{entrant.name}  takes none of these data sets")
        if not tasks:
            raise click.UsageError("no method takes any of these data sets")
        jobs = jobs or os.cpu_count() or 1
        with connected_cluster(scheduler, jobs, tasks) as cluster:
            write_line(f"{len(tasks)} methods, {profile} profile; results in {results_root()}")
            outcomes = run_batch(tasks, jobs=jobs, force=not resume, write=write_line, cluster=cluster)
    results = {o.task.name.partition("/")[2]: o.result for o in outcomes if o.result is not None}
    errors = [f"{outcome.task.name}: {outcome.error}" for outcome in outcomes if outcome.error]
    if results:
        found = Arena.of(results)
        page = write_page(found, profile, output or results_root() / "arena" / profile)
        _show(found)
        write_line(
            f"\nPage: {page}\nOn the site, with all methods: credalbench site --profile {profile} --open"
        )
    for error in errors:
        click.secho(error, fg="red", err=True)
    sys.exit(1 if errors else 0)


def _chosen(methods: str | None, more: tuple[str, ...]) -> list[Entrant]:
    """Return the methods that take part; those given by ``--with`` do in any case."""
    from credalbench.arena import entrants

    with usage_errors():
        known = {one.name: one for one in entrants(more)}
        for one in known.values():
            if one.path in more:
                one.estimator  # noqa: B018  (a mistake in its name ends the command here)
    usable = {}
    for name, one in known.items():
        try:
            one.estimator  # noqa: B018  (made once, here)
            usable[name] = one
        except ValueError as error:
            click.secho(f"– {name}  left out: {error}", fg="yellow", err=True)
    if methods is None:
        return [*usable.values()]
    wanted = [name.strip() for name in methods.split(",")]
    for name in wanted:
        if name not in usable:
            raise click.UsageError(f"no method {name!r}{suggest(name, usable)}\nKnown: {', '.join(usable)}")
    return [one for one in usable.values() if one.name in wanted or one.path in more]


def _named(data: str | None) -> tuple[str, ...] | None:
    from credalbench.arena.data_sets import DATA_SETS

    names = tuple(name.strip() for name in data.split(",")) if data else None
    for name in names or ():
        if name not in DATA_SETS:
            known = ", ".join(DATA_SETS)
            raise click.UsageError(f"no data set {name!r}{suggest(name, DATA_SETS)}\nKnown: {known}")
    return names


def _make_importable(folder: str) -> None:
    """Let this process and its workers import modules of a folder."""
    sys.path.insert(0, folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))


def check_those_of_others(chosen: list[Entrant]) -> None:
    """Look at estimators of other packages, and show what they do not keep; they take part all the same."""
    from credalbench.cluster.testing import check_clusterer

    for entrant in chosen:
        if not entrant.is_of_others:
            continue
        try:
            report = check_clusterer(entrant.quick())
        except AssertionError as findings:
            click.secho(f"! {entrant.name}, looked at by check_clusterer: {findings}", fg="yellow")
        else:
            kept = int((report["outcome"] == "passed").sum())
            write_line(
                f"✓ {entrant.name} keeps what check_clusterer looks at ({kept} of {len(report)} apply)"
            )


def _show(found: object) -> None:
    """Print the mean index of each method on each kind of data."""
    for kind in found.kinds():
        table = found.overview(kind)
        write_line(f"\nMean adjusted Rand index, {kind}, number of clusters known", bold=True)
        width = max(map(len, table.index))
        for name, row in table.iterrows():
            failed = f"  {row['failed']} of {row['n_fits']} fits failed" if row["failed"] else ""
            write_line(f"  {name.ljust(width)}  {row['known']:.2f}{failed}")
