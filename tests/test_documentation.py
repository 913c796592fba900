"""Examples of docstrings, Python blocks of the Markdown pages and commands of the first two pages run."""

import csv
import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from contextlib import chdir
from importlib import import_module
from pathlib import Path

import pytest

import credalbench
from credalbench.datasets import load
from tests.learn.server.served import FIRST_PORT
from tools import pictures

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def with_examples():
    """Return the names of the modules whose docstrings hold examples."""
    files = sorted(Path(credalbench.__file__).parent.rglob("*.py"))
    names = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for file in files
        if ">>> " in file.read_text("utf-8")
    ]
    return [name.removesuffix(".__init__") for name in names]


#: Pages with Python blocks; tests/report/test_guide.py runs that of own_data.md, tests/papers/test_errata.py
#: each of errata.md.
PAGES = [page for page in pictures.pages() if page.stem not in ("own_data", "errata")]


@pytest.mark.parametrize("name", with_examples())
def test_examples_of_docstrings_run(name, tmp_path):
    with chdir(tmp_path):
        result = doctest.testmod(
            import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        )
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_of_pages_run_and_print_what_their_comments_show(page, tmp_path):
    with chdir(tmp_path):
        shown = dict(pictures.run(page))
    assert [path.name for path in shown if not path.is_file()] == [], "run `make pictures`"


#: Numbers in guides. An entry has guide, paper and claim; the words of the guide; the place of the numbers
#: in our result; a range is from the least to the largest of several numbers.
QUOTED = r"""
evclus denoeux2016_evclus the time of the fit grows with n to a power
measured {} s at n = 10 000 and {} s at n = 500 000
([\d.]+) s at n = 10000, ([\d.]+) s at n = 500000

evclus denoeux2016_evclus the time of the fit grows with n to a power
to the power {} (95 % interval {} to {})
exponent: ([\d.]+) \(([\d.]+) to ([\d.]+)\)

evclus denoeux2016_evclus the memory of the fit grows with n to a power
memory as n ({} MB at 500 000)
([\d.]+) MB at n = 500000

evclus denoeux2016_evclus IRQP is much faster than Gradient at every n
was {} to {} times as fast
n = \d+: (\d+)

recm denoeux2016_evclus the time of RECM grows faster with n than that of k-EVCLUS
RECM grew as n to the power {1}, and that of k-EVCLUS as n to the power {0}.
k-EVCLUS ([\d.]+), RECM ([\d.]+),

cecm antoine2012_cecm CECM is faster than CFCM in the same metric
faster than constrained fuzzy c-means in {} of 8 comparisons
faster in so many of 8: (\d)

catecm djiberou2019_catecm cat-ECM clusters Soybean and Zoo at least as well as k-modes
{} ({} to {}) and {} ({} to {})
Soybean: (\S+) \((\S+) to (\S+)\); Zoo: (\S+) \((\S+) to (\S+)\)
"""
#: Words of guides on sentences of papers, and the verdicts on these.
STATED = """
evclus denoeux2016_evclus S39,S40 reproduced: accuracy and nonspecificity equalled those
cecm antoine2012_cecm S37,S58 reproduced: reaches the mean Rand index of random
cecm antoine2012_cecm S53 not reproduced: in the paper it is faster in most
catecm djiberou2019_catecm S01 open: it remains open whether cat-ECM
egmm jiao2022_egmm S45 not reproduced: not the fastest of the three
egmm jiao2022_egmm S35 not reproduced: not the best at finding the number
egmm jiao2022_egmm S41 reproduced with a choice of ours: better overall than the others, with choices of ours
ensemble li2020_ensemble S55 reproduced: more accurate than evidence accumulation
ensemble li2020_ensemble S54 not reproduced: on Seeds it is not
ensemble li2020_ensemble S24 not reproduced: but this is not the case
ensemble li2020_ensemble S62,S65 reproduced: closure reduces the accuracy
"""


def judged(paper):
    with (DOCS / "reproduction" / f"{paper}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def guide(name):
    return " ".join((DOCS / "guide" / f"{name}.md").read_text("utf-8").split())


@pytest.mark.parametrize("entry", QUOTED.strip().split("\n\n"))
def test_numbers_in_a_guide_are_those_of_our_results(entry):
    first, words, where = entry.splitlines()
    page, paper, claim = first.split(maxsplit=2)
    [row] = [
        row for row in judged(paper) if row["kind"].startswith("claim") and row["item"].startswith(claim)
    ]
    found = re.findall(where, f"{row['ours']}; {row['explanation']}")
    found = found[0] if isinstance(found[0], tuple) else (min(found, key=float), max(found, key=float))
    assert words.format(*found).replace("-0", "−0") in guide(page)


@pytest.mark.parametrize("entry", STATED.strip().splitlines())
def test_statements_on_a_paper_are_the_verdicts(entry):
    first, words = entry.split(": ")
    page, paper, sentences, verdict = first.split(maxsplit=3)
    assert words in guide(page)
    verdicts = {row["item"]: row["verdict"] for row in judged(paper) if row["kind"] == "sentence"}
    assert all(verdicts[sentence].startswith(verdict) for sentence in sentences.split(","))


def test_scripts_that_pages_name_exist_and_measured_numbers_have_a_date():
    for page in sorted((DOCS / "guide").glob("*.md")) + sorted((DOCS / "decisions").glob("*.md")):
        for text in re.split(r"\n\n|\n(?=- )", page.read_text("utf-8")):
            scripts = re.findall(r"benchmarks/\w+\.\w+", text)
            assert all((ROOT / script).is_file() for script in scripts), f"{page.name}: {scripts}"
            measured = scripts and re.search(r"\d\.\d|\.\d\d|\d %|took", text)
            assert not measured or re.search(r"\d{4}-\d\d-\d\d", text), f"{page.name}: {text}"


def test_a_page_that_prints_something_else_is_reported(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nprint(1 + 1)  # 3\n```\n")
    with pytest.raises(AssertionError, match="expected '3', got '2'"):
        list(pictures.run(page))


def test_a_picture_needs_a_figure(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\nx\n```\n\n![One](one.png)\n")
    with pytest.raises(AssertionError, match="a figure for one"):
        list(pictures.run(page))


# ------------------------------------------------------------------------ commands

#: A block of commands, and a command in the text.
COMMANDS = re.compile(r"^```\n(.*?)^```$|`((?:make|credalbench|pip) [^`]+)`", re.DOTALL | re.MULTILINE)
#: A comment behind a command.
COMMENT = re.compile(r" +#.*$")
#: Runs in place of `credalbench`: one study instead of all, servers without a browser. `run` with a study and
#: a parameter would compute for minutes; `--help` still reads its options.
SHORTENED = f"""case "$*" in
    *--help) ;;
    run*/*) set -- "$@" --help ;;
    run*|verify) set -- "$@" denoeux2016_evclus/belief_examples ;;
    explore*) set -- "$@" --no-browser --port={FIRST_PORT} ;;
    site*) set -- "$@" --help ;;
esac
exec .venv/bin/credalbench "$@"
"""
ON_THE_PATH = 'test "$(command -v credalbench)" -ef .venv/bin/credalbench'
WITHOUT_AN_INDEX = "--no-deps --no-index --no-build-isolation"


def commands():
    """Return the commands of README.md and docs/start.md in their order, each once.

    The text only names `credalbench ...`: there its help is enough.
    """
    found = []
    for page in (ROOT / "README.md", ROOT / "docs" / "start.md"):
        for block, word in COMMANDS.findall(pictures.BLOCK.sub("", page.read_text("utf-8"))):
            found += [COMMENT.sub("", line) for line in block.splitlines()]
            found.append(f"{word} --help" if word.startswith("credalbench") else word)
    return list(dict.fromkeys(filter(None, found)))


def shortened(command):
    """Return what the test runs for a command of a page: it sets up nothing, and is quick."""
    program, first, *_ = command.split()
    if program == "make":
        return f"{command} " + ("RUN='sh short.sh'" if first in ("explore", "reproduce") else "--dry-run")
    if program == "credalbench":
        return f"{ON_THE_PATH} && exec sh short.sh {command.removeprefix(program)}"
    if program == "pip":
        return f".venv/bin/{command} --dry-run {WITHOUT_AN_INDEX}"
    return command.replace("-m venv .venv", "-m venv --without-pip another")


@pytest.fixture
def clone(tmp_path):
    """A copy of what git tracks or would track, installed in a `.venv` with the packages of this one."""
    if not (shutil.which("git") and shutil.which("make") and (ROOT / ".git").exists()):
        pytest.skip("needs git, make and a git checkout")
    folder = tmp_path / "clone"
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listing, cwd=ROOT, capture_output=True, text=True).stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    environment = folder / ".venv"
    venv.create(environment)
    for shared in ("share", "etc"):  # of JupyterLab
        (environment / shared).symlink_to(Path(sys.prefix, shared))
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "packages.pth").write_text(sysconfig.get_path("purelib"))
    pip = f"{sys.executable} -m pip --python {environment / 'bin' / 'python'}"
    subprocess.run(f"{pip} install --quiet {WITHOUT_AN_INDEX} -e .".split(), cwd=folder, check=True)
    (environment / "bin" / "pip").write_text(f'#!/bin/sh\nexec {pip} "$@"\n')
    (environment / "bin" / "pip").chmod(0o755)
    (environment / ".ready").touch()  # for make
    (folder / "short.sh").write_text(SHORTENED)
    load("iris").to_frame().iloc[::5, :4].to_csv(folder / "mine.csv", index=False)
    return folder


@pytest.mark.slow
def test_commands_of_the_first_pages_work_in_a_fresh_clone(clone, tmp_path):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "CREDALBENCH_DATA")}
    kept |= {"HOME": str(tmp_path), "BROWSER": "true", "NUMBA_DISABLE_JIT": "1"}
    kept |= {name: "http://127.0.0.1:9" for name in ("HTTP_PROXY", "HTTPS_PROXY")}  # nobody listens
    before = "set -e"
    for command in commands():
        process = subprocess.Popen(
            ["bash", "-c", f"{before}; {shortened(command)}"],
            cwd=clone,
            env=kept,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        printed, served = "", False
        for line in process.stdout:
            printed += line
            if "http://127.0.0.1" in line and not served:
                served = True
                os.killpg(process.pid, signal.SIGINT)  # Ctrl-C
        assert process.wait() == 0 or served, f"{command}\n{printed}"
        assert "does not provide the extra" not in printed
        if command.startswith("source"):
            before += f"; {command}"


#: What the R package evclust 2.0.3 exports, without what is for objects of its own class.
R_FUNCTIONS = [
    "bananas",
    "bootclus",
    "bpec",
    "cecm",
    "create_fuzzy_credpart",
    "create_hard_credpart",
    "create_MLCL",
    "createD",
    "createPairs",
    "credal_RI",
    "delta_Bel",
    "ecm",
    "EkNNclus",
    "expandlink",
    "extractMass",
    "harris",
    "kcevclus",
    "kevclus",
    "knn_dist",
    "kpcca",
    "makeF",
    "nnevclus",
    "nnevclus_mb",
    "nonspecificity",
    "normalize.credpart",
    "pairwise_mass",
    "pcca",
    "recm",
]


@pytest.mark.parametrize("name", R_FUNCTIONS)
def test_the_page_on_migration_names_every_function_of_r(name):
    assert f"`{name}`" in (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")
