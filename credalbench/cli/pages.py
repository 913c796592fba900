"""Commands that write or open pages: site, cluster, explore, handout."""

import sys
from base64 import b64encode
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from credalbench.cli.words import PROFILE, suggest, usage_errors
from credalbench.explore import list_explorers

if TYPE_CHECKING:
    from credalbench.papers.site import LessonPage

EXPLORERS = list_explorers()


@click.command()
@click.option(
    "--profile", type=PROFILE, default="paper", show_default=True, help="Profile of the stored results."
)
@click.option("--open", "open_", is_flag=True, help="Open it in the browser.")
@click.option(
    "--reproduction",
    is_flag=True,
    help="Write the tracked docs/REPRODUCTION.md and docs/reproduction/; needs every study.",
)
def site(profile: str, open_: bool, reproduction: bool) -> None:
    """Build the offline site, and a page for each paper, from the stored results.

    The exit code is 1 if a stored result is damaged (the pages show it) or the site cannot be written.

    \b
    Examples:
      credalbench site
      credalbench site --profile smoke --open
      credalbench site --reproduction
    """
    from credalbench.papers.paper_pages import reproduction_folder, write_reproduction
    from credalbench.papers.reproduction import collect
    from credalbench.papers.site import SiteError, write_site
    from credalbench.papers.store import StoreError
    from credalbench.papers.studies import discover, headings, printed_tables, sentences

    papers = collect(discover(), profile, headings(), sentences(), printed_tables())
    damaged = [study for paper in papers for study in paper.damaged]
    for name, damage in damaged:
        click.secho(f"{name}: {damage}; credalbench run {name} --profile {profile}", fg="red", err=True)
    missing = [name for paper in papers for name in paper.missing]
    if missing:
        click.echo(f"Not run with the present code in the {profile} profile: {', '.join(missing)}")
    try:
        with usage_errors():
            text = write_reproduction(papers, profile, None if reproduction else reproduction_folder())
        click.echo(f"Pages: {text}")
        page = write_site(papers, profile, lesson_pages())
    except (SiteError, StoreError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    size = sum(path.stat().st_size for path in page.parent.rglob("*") if path.is_file())
    click.echo(f"Site: {page}")
    click.echo(f"Any web host can serve this folder ({size / 1e6:.0f} MB): docs/publish.md")
    if open_:
        click.launch(page.as_uri())
    sys.exit(1 if damaged else 0)


def lesson_pages() -> list["LessonPage"]:
    """Return the lessons of the course as the site shows them."""
    from credalbench.learn.handout import write_handout
    from credalbench.learn.server.catalogue import LESSONS, find_tiles
    from credalbench.papers.places import notebooks_folder
    from credalbench.papers.site import LessonPage

    def url(picture: str) -> str:
        return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"

    tiles = {Path(tile.path).stem: tile for tile in find_tiles(notebooks_folder(), LESSONS)}
    return [
        LessonPage(
            name,
            tile.title,
            tile.about,
            tile.minutes,
            url(tile.picture),
            partial(write_handout, name.partition("_")[2]),
        )
        for name, tile in tiles.items()
    ]


@click.command()
@click.argument("table", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "-c",
    "--n-clusters",
    type=click.IntRange(min=1),
    help="Number of clusters.  [default: chosen by silhouettes]",
)
@click.option(
    "--max-clusters",
    type=click.IntRange(min=2),
    help="Largest number of clusters to choose from.  [default: 12, up to 20 for large tables]",
)
@click.option(
    "--kind",
    type=click.Choice(["attributes", "dissimilarities", "similarities", "pairs"]),
    help="Content of the table; pairs: a row for each pair of objects.",
)
@click.option(
    "--columns",
    metavar="NAME=ROLE",
    multiple=True,
    help="Role of a column, or of all that match a pattern such as 'Q*': number, count, category, classes, "
    "names, left out, or answers in their order, such as 'low < middle < high'.",
)
@click.option("--na-values", metavar="VALUE", multiple=True, help="A code for missing values, such as -999.")
@click.option(
    "--missing",
    type=click.Choice(["rows", "columns", "impute", "skip"]),
    help="Missing values: drop objects, drop attributes, impute, or skip them in dissimilarities.",
)
@click.option(
    "--standardize/--no-standardize",
    default=None,
    help="Scale numbers to mean 0 and standard deviation 1, computed without extreme values.",
)
@click.option("--encoding", help="Encoding of the file: utf-8, latin-1, ...")
@click.option("--delimiter", help="Character between cells.")
@click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark.")
@click.option("--header/--no-header", default=None, help="Whether the first row names the columns.")
@click.option("--skip-lines", type=click.IntRange(min=0), help="Number of lines above the table.")
@click.option(
    "--keep-na-words",
    is_flag=True,
    default=None,
    help="Read words such as NA and None as categories or names, not as missing values.",
)
@click.option(
    "--beyond",
    type=click.Choice(["limit", "half", "missing"]),
    help="How to read numbers such as <0.5.  [default: limit]",
)
@click.option(
    "--max-objects",
    type=click.IntRange(min=3),
    help="Fit a larger table on a sample of this size; all objects are assigned.  [default: 2500]",
)
@click.option(
    "--also",
    type=click.Choice(["BPEC", "ECMdd", "NN-EVCLUS"]),
    multiple=True,
    help="Compare a further method; BPEC and NN-EVCLUS accept only numbers.",
)
@click.option("--random-state", type=click.IntRange(min=0), help="Seed of the random numbers.  [default: 0]")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="File of the page.  [default: TABLE-clusters.html]",
)
@click.option("--strict", is_flag=True, help="Stop at every question about the table.")
@click.option("--open", "open_", is_flag=True, help="Open it in the browser.")
def cluster(
    table: str,
    n_clusters: int | None,
    columns: tuple[str, ...],
    output: str | None,
    strict: bool,
    open_: bool,
    **answers: object,
) -> None:
    """Cluster your own table; write an offline page about it, and the partition as CSV.

    The page compares the partitions of several methods, names outliers and ambiguous objects with reasons,
    and has the code that repeats the analysis. If the table leaves a question open, the command uses the
    likely answer and notes the option that changes it. The exit code is 2 if no answer is likely, if
    --strict is given and any question is open (each is shown with the options that answer it), or if the
    table lacks a named column; it is 1 if the table cannot be read or clustered.

    \b
    Examples:
      credalbench cluster mine.csv
      credalbench cluster mine.csv -c 3 --missing rows --standardize --columns sort=classes --open
      credalbench cluster survey.csv --columns 'Q*=category' --strict
    """
    from credalbench.report.command import OpenQuestions, cluster_table, parse_roles
    from credalbench.tables.roles import UnknownColumn

    with usage_errors():
        answers |= {"columns": parse_roles(columns), "na_values": answers["na_values"] or None}
        answers["also"] = answers["also"] or None
    try:
        page = cluster_table(table, output, n_clusters, answers, click.echo, strict)
    except OpenQuestions as questions:
        click.secho(str(questions), fg="yellow", err=True)
        sys.exit(2)
    except UnknownColumn as error:
        raise click.UsageError(str(error)) from error
    except (ValueError, OSError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    if open_:
        click.launch(page.resolve().as_uri())


def _explorer_list() -> str:
    width = max(map(len, EXPLORERS))
    return "\n".join(f"  {name.ljust(width)}  {about}" for name, about in EXPLORERS.items())


@click.command(epilog=f"\b\nExplorers:\n{_explorer_list()}")
@click.argument("name", required=False)
@click.option(
    "--lab", is_flag=True, help="Open JupyterLab: the notebooks with their code, as your own copies."
)
@click.option("--class", "for_class", is_flag=True, help="Serve a class: only explorers and lessons.")
@click.option("--ip", metavar="ADDRESS", help="With --class: address to listen on; 0.0.0.0 for all.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    help="With --class: largest number of open pages.  [default: as memory allows]",
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
    """Open the page of all explorers and lessons, or one of them, served only to this machine.

    The folder explorations ($CREDALBENCH_EXPLORATIONS) has your copies of notebooks and your saved states.

    \b
    Examples:
      credalbench explore
      credalbench explore evclus
      credalbench explore evclus --lab
      credalbench explore --class --ip 0.0.0.0
    """
    from credalbench.learn.server.serving import serve, server_config

    with usage_errors():
        config = server_config(
            name, lab=lab, for_class=for_class, ip=ip, max_pages=most, port=port, browser=not no_browser
        )
    sys.exit(serve(config, echo=click.echo))


@click.command()
@click.argument("name", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False),
    help="File to write.  [default: NAME.html in this folder; for a lesson with its number]",
)
def handout(name: str | None, out: str | None) -> None:
    """Write a lesson or a page that computes in the browser; without a name, list them.

    The page needs no installation and loads nothing from the network: mail it, put it on a course page, or
    open it from a disk. In a lesson, sliders show results that this command computes, you can click objects,
    and questions give feedback on each answer. The pages `evclus`, `ecm`, `cecm`, `clusters` and `board`
    compute in the browser: you can drag objects, prototypes and sliders or paste a table, and the address
    keeps the settings.

    \b
    Examples:
      credalbench handout
      credalbench handout evidential_c_means
      credalbench handout mass_functions --out week1.html
      credalbench handout ecm
    """
    from credalbench.explore.live import PAGES, write_live_page
    from credalbench.learn.handout import list_lessons, write_handout

    titles = dict(list_lessons()) | PAGES
    if name is None:
        width = max(map(len, titles))
        return click.echo("\n".join(f"{key.ljust(width)}  {title}" for key, title in titles.items()))
    if name not in titles:
        raise click.UsageError(f"unknown page {name!r}{suggest(name, titles)}\nList all: credalbench handout")
    try:
        page = write_live_page(name, out) if name in PAGES else write_handout(name, out)
    except (ValueError, OSError) as error:
        click.secho(str(error), fg="red", err=True)
        sys.exit(1)
    click.echo(f"{page} ({page.stat().st_size / 1e6:.1f} MB)")
