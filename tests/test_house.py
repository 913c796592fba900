"""Rules of the project: import contracts, dependencies, lock, equations, prose and plain text."""

import ast
import importlib.metadata
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from credalbench.papers.studies import discover

ROOT = Path(__file__).resolve().parent.parent
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = CONFIGURATION["project"]
LINE_LENGTH = CONFIGURATION["tool"]["ruff"]["line-length"]
CODE = ("credalbench", "experiments")


def tool(name: str) -> ModuleType:
    """Return a script of the folder tools as a module."""
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


equations = tool("equations")


def declared(*extras: str) -> dict[str, Requirement]:
    """Requirements of pyproject.toml by name, with the extras and those that they include."""
    requirements = {}
    lines = [*PROJECT["dependencies"], *(f"{PROJECT['name']}[{extra}]" for extra in extras)]
    while lines:
        requirement = Requirement(lines.pop())
        if requirement.name == PROJECT["name"]:
            for extra in requirement.extras:
                lines += PROJECT["optional-dependencies"][extra]
        else:
            requirements[canonicalize_name(requirement.name)] = requirement
    return requirements


def source_files() -> Iterator[Path]:
    for folder in CODE:
        yield from sorted((ROOT / folder).rglob("*.py"))


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def docstrings() -> list[equations.Docstring]:
    return [found for folder in CODE for found in equations.docstrings(ROOT / folder, ROOT)]


# -------------------------------------------------------------------- architecture


def run_fresh(code: str) -> str:
    """Run ``code`` in a new interpreter and return what it prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_credalbench_loads_nothing_heavy(record_property):
    code = (
        "import json, sys, time; start = time.perf_counter(); import credalbench; "
        "print(json.dumps([time.perf_counter() - start, sorted(sys.modules)]))"
    )
    seconds, modules = json.loads(run_fresh(code))
    record_property("import_seconds", seconds)  # recorded only: machines differ
    heavy = {"matplotlib", "ipywidgets", "IPython", "numba", "sklearn", "pandas", "scipy", "papermill"}
    assert not heavy & {name.partition(".")[0] for name in modules}


CORE = "baselines belief cluster core datasets metrics select tables"


def test_core_loads_no_drawing_and_no_widgets():
    """The import contracts, checked at run time."""
    packages = ", ".join(f"credalbench.{name}" for name in CORE.split())
    loaded = run_fresh(f"import sys, {packages}; print(*sys.modules)").split()
    assert not {"matplotlib", "ipywidgets", "IPython", "papermill"} & set(loaded)


def test_import_contracts_are_kept():
    lint = Path(sys.executable).with_name("lint-imports")
    if not lint.exists():
        pytest.skip("import-linter is not installed in this environment")
    result = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_module_touches_pyplot():
    """Figures are made without pyplot: it keeps global state and leaks figures."""
    offenders = []
    named = re.compile(r"\b(pyplot|pylab)\b")
    for path in [path for path in source_files() if named.search(path.read_text(encoding="utf-8"))]:
        for node in ast.walk(syntax(path)):
            names = [alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)]
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{name}" for name in names]
            offenders += [f"{path.relative_to(ROOT)}: {n}" for n in names if named.search(n)]
    assert offenders == []


def test_file_names_are_specific():
    vague = re.compile(r"(utils?|helpers?|common|misc)\.py")
    assert [path.name for path in source_files() if vague.fullmatch(path.name)] == []


# ------------------------------------------------------------ lock and environment


def locked() -> dict[str, list[Requirement]]:
    """Return the pins of requirements.lock by name; a package may have one for each platform or Python."""
    pins: dict[str, list[Requirement]] = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        pin = Requirement(line)
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def test_lock_names_no_address():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert [word for word in ("://", "file:", "--", "@") if word in text] == []


def test_lock_pins_exact_versions():
    pins = [pin for group in locked().values() for pin in group]
    assert [str(pin) for pin in pins if [s.operator for s in pin.specifier] != ["=="]] == []


def test_lock_satisfies_every_bound_of_pyproject():
    pins = locked()
    for name, requirement in declared("test", "site").items():
        assert name in pins, f"{name} is missing from requirements.lock"
        for pin in pins[name]:
            (version,) = (s.version for s in pin.specifier)
            assert requirement.specifier.contains(version), f"{pin} breaks {requirement}"


def test_lock_names_whatever_its_packages_need():
    """`make` installs it without looking for more."""
    pins = locked()
    for name in [name for name, group in pins.items() if any(is_for_here(pin) for pin in group)]:
        needed = map(Requirement, importlib.metadata.requires(name) or [])
        missing = [
            str(need) for need in needed if is_for_here(need) and canonicalize_name(need.name) not in pins
        ]
        assert missing == [], name


def is_for_here(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def test_environment_has_the_packages_bounds_and_python_of_pyproject():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    conda_names = {"matplotlib-base": "matplotlib"}
    listed = {}
    for entry in environment["dependencies"]:
        requirement = Requirement(entry)
        name = conda_names.get(requirement.name, requirement.name)
        listed[canonicalize_name(name)] = requirement.specifier
    assert listed.pop("pip") == SpecifierSet()
    assert listed.pop("python") == SpecifierSet(PROJECT["requires-python"])
    assert listed == {name: requirement.specifier for name, requirement in declared("test").items()}


def test_running_environment_satisfies_every_bound_of_pyproject():
    for name, requirement in declared("test").items():
        assert requirement.specifier.contains(importlib.metadata.version(name)), requirement


#: Folder or file of credalbench -> the extra that its imports need; others need the core alone.
EXTRA_OF = {
    "cli": "plots",
    "cli/doctor.py": "papers",
    "core/blocks.py": "distributed",
    "datasets": "papers",
    "explore": "explore",
    "learn": "explore",
    "papers": "papers",
    "papers/engine.py": "papers",
    "papers/site": "site",
    "plots": "plots",
    "report": "plots",
    "tables": "files",
}


def imported_packages(path: Path) -> set[str]:
    """Return the top-level modules that a file imports, without those of Python and of this project."""
    names = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - set(CODE)


def test_every_imported_package_is_declared_in_the_extra_of_its_folder():
    """No import relies on a package that another package happens to install."""
    distributions = importlib.metadata.packages_distributions()
    undeclared = []
    for path in source_files():
        root, room, *below = path.relative_to(ROOT).parts
        extra = EXTRA_OF.get("/".join([room, *below])) or EXTRA_OF.get("/".join([room, *below[:1]]))
        extra = extra or EXTRA_OF.get(room)
        extra = "papers" if root == "experiments" else extra
        known = set(declared(*([extra] if extra else [])))
        if extra == "site" or root == "experiments":
            known |= set(declared("papers", "peers"))
        for name in imported_packages(path):
            if not {canonicalize_name(package) for package in distributions.get(name, [name])} & known:
                undeclared.append(f"{path.relative_to(ROOT)}: {name}")
    assert sorted(undeclared) == []


def test_citation_has_the_version_of_the_package():
    import credalbench

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == PROJECT["version"] == credalbench.__version__
    assert len(citation["references"]) == len(equations.PAPERS)


# ----------------------------------------------------------- equations, references


def test_every_equation_key_points_to_an_equation():
    assert equations.problems(ROOT) == []


def test_equations_page_is_up_to_date():
    stale = "run `python tools/equations.py`"
    assert (ROOT / "docs" / "EQUATIONS.md").read_text(encoding="utf-8") == equations.render(ROOT), stale


def toy_project(folder: Path, docstring: str) -> Path:
    for name in (*equations.COMPUTING, *equations.CHECKING):
        (folder / name).mkdir()
    header = "paper,equation,kind,text,what\n"
    rows = "denoeux2016_evclus,12,formula,printed,stress\n" + "".join(
        f"li2020_ensemble,9{letter},formula,printed,pairwise mass\n" for letter in "abcd"
    )
    (folder / "experiments" / "equations.csv").write_text(header + rows, encoding="utf-8")
    (folder / "credalbench" / "stress.py").write_text(
        f'def stress():\n    """{docstring}"""\n', encoding="utf-8"
    )
    return folder


def test_equation_key_in_a_docstring_is_found(tmp_path):
    root = toy_project(tmp_path, "True stress [denoeux2016_evclus\n    (12)].")
    assert equations.problems(root) == []
    assert "| (12) | stress | `credalbench.stress.stress` | **open** |" in equations.render(root)


@pytest.mark.parametrize(
    "key",
    [
        "[denoeux2016_evclus (99)]",
        "[nobody2020_x (1)]",
        "[denoeux2016_evclus (12), (13)]",
        "[denoeux2016_evclus(12)]",
    ],
)
def test_equation_key_that_points_nowhere_is_reported(tmp_path, key):
    (problem,) = equations.problems(toy_project(tmp_path, f"Stress {key}."))
    assert "credalbench.stress.stress" in problem


@pytest.mark.parametrize("what", ["block F(l", "block F(l, i) of centre l"])
def test_a_description_that_is_cut_off_is_reported(tmp_path, what):
    root = toy_project(tmp_path, "Stress.")
    with (root / "experiments" / "equations.csv").open("a", encoding="utf-8") as file:
        file.write(f"antoine2012_cecm,30,formula,printed,{what}\n")
    with pytest.raises(ValueError, match=r"antoine2012_cecm \(30\): the description is cut off"):
        equations.problems(root)


def test_every_reference_of_a_docstring_is_in_the_bibliography():
    bibliography = (ROOT / "references.bib").read_text(encoding="utf-8")
    known = re.findall(r"^@\w+\{([^,]+),", bibliography, flags=re.MULTILINE)
    assert len(known) == len(set(known)), "a key is defined twice"
    assert set(equations.PAPERS) <= set(known)
    key = r"[a-z]+\d{4}[a-z]?(?:_\w+)?\b"
    missing = []
    for docstring in docstrings():
        _, _, references = docstring.text.partition("\nReferences\n-")
        cited = re.findall(rf"\[({key})", docstring.text) + re.findall(rf"\b{key}", references)
        missing += [f"{docstring.name}: {name}" for name in cited if name not in known]
    assert missing == []


# --------------------------------------------------------------------------- prose

GENERATED = ("EQUATIONS.md", "REPRODUCTION.md")


def faults(docstring: str) -> list[str]:
    """Return what would not render: an underline next to text, an unpaired backquote."""
    found = re.findall(r"^.*\w +-{3,}.*$", docstring, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n", docstring):
        if re.sub(r"``.*?``", "", paragraph, flags=re.DOTALL).count("`") % 2:
            found.append(paragraph)
    return found


def test_docstrings_render():
    """Check what ruff does not."""
    assert [f"{one.name}: {fault}" for one in docstrings() for fault in faults(one.text)] == []


@pytest.mark.parametrize("fault", ["Notes ----- A case that raises", "the rows of `X and `y`"])
def test_docstring_that_would_not_render_is_reported(fault):
    sound = "What it does.\n\nNotes\n-----\n``X`` and `y` are arrays."
    assert faults(sound) == []
    assert faults(f"{sound}\n\n{fault}") == [fault]


AMERICAN = re.compile(
    r"(?<![\w./-])("
    r"(?!\w*(?:siz|priz|seiz))[a-z]+iz(?:e[drs]?|ers?|ing|ations?)|analyz\w+|artifacts?|behaviors?|catalogs?|"
    r"(?:re)?center(?:s|ed|ing)?|color\w*|favor\w*|gray\w*|label(?:ed|ing)|licenses?|model(?:ed|ing)|"
    r"neighbor\w*|Denoeux)(?![\w(=])",
    re.IGNORECASE,
)
CODE_AND_QUOTATIONS = re.compile(
    r"```.*?```|``.*?``|`[^`]*`|\"[^\"]*\"|\]\([^)]*\)|https?://\S+|^\s*(?:>>>|\.\.\.)[^\n]*|^[\w, *]+ : ",
    re.DOTALL | re.MULTILINE,
)


def american(text: str) -> list[str]:
    """Return American forms in prose; code, names of parameters and quotations keep their spelling."""
    return [match[0] for match in AMERICAN.finditer(CODE_AND_QUOTATIONS.sub(" ", text))]


PROSE = (".ipynb", ".md", ".py")


def prose(path: Path) -> Iterator[str]:
    """Yield the prose of a file: Markdown, docstrings, comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield text
    elif path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        yield from ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    elif path.suffix == ".py":
        owners = (ast.Module, ast.ClassDef, ast.FunctionDef)
        nodes = (node for node in ast.walk(syntax(path)) if isinstance(node, owners))
        yield from filter(None, map(ast.get_docstring, nodes))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def test_prose_is_british():
    found = []
    for path in tracked_files():
        if path.suffix in PROSE and AMERICAN.search(path.read_text(encoding="utf-8")):  # code may spell so
            name = path.relative_to(ROOT).as_posix()
            found += [f"{name}: {word}" for text in prose(path) for word in american(text)]
    assert found == []


def test_american_prose_is_reported_and_code_is_not():
    assert american("Normalized by its neighbors (Denoeux).") == ["Normalized", "neighbors", "Denoeux"]
    assert american('center : bool\n`n_neighbors`, "one of the centers", cluster_centers_, resized') == []


#: What is not English, although each of its words is -> what to write.
FOREIGN = {
    r"(?<!here )\b(?:is|are|was|were) no (?!longer|accident|(?:more|less|worse|\w+er than)\b)": "is not a",
    r"\bbe it\b": "even if, whether",
    r"\bNot \w+ (?:is|are)\b": "subject first: X is not ...",
    r"\bhangs? on\b": "depends on",
    r"\bkeeps? (?:its|their) bytes\b": "is unchanged to the last bit",
    r"\bas where\b": "for example if",
    r"\b(?:reasons?|which|that) stands? in (?!for\b)": "is in, see",
    r"\bflees?\b": "moves to",
    r"\bby day\b|\bat night\b": "in make test, in make test-all",
}


def foreign(text: str) -> Iterator[str]:
    """Yield what `FOREIGN` finds in prose; code and quotations may say it."""
    plain = " ".join(CODE_AND_QUOTATIONS.sub(" ", text).split())
    for pattern, better in FOREIGN.items():
        for match in re.finditer(pattern, plain):
            yield f"{plain[max(0, match.start() - 30) : match.end() + 20]!r}: write {better!r}"


def strings(path: Path) -> Iterator[str]:
    """Yield the strings of a module: messages, labels, tooltips."""
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_prose_is_english():
    found = []
    for path in tracked_files():
        name = path.relative_to(ROOT).as_posix()
        texts = list(prose(path)) if path.suffix in PROSE else []
        if name.startswith("credalbench/"):
            texts += strings(path) if path.suffix == ".py" else []
            texts += [path.read_text(encoding="utf-8")] if path.suffix in (".j2", ".toml") else []
        found += dict.fromkeys(f"{name}: {fault}" for text in texts for fault in foreign(text))
    assert found == [], "\n".join(found)


def test_prose_that_is_not_english_is_reported():
    assert list(foreign("an object\nthat is no outlier, be it small")) == [
        "'an object that is no outlier, be it small': write 'is not a'",
        "'an object that is no outlier, be it small': write 'even if, whether'",
    ]
    assert list(foreign("There is no set, it is no longer one; ours is no faster than `is no`.")) == []


def test_markdown_is_no_wider_than_code():
    wide = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        generated = path.name in GENERATED or path.parent.name == "reproduction"
        lines = [] if generated else path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            breakable = not line.startswith("|") and len(line.split()) > 2  # no table, no link by itself
            if breakable and len(line) > LINE_LENGTH:
                wide.append(f"{path.name}, line {number}: {len(line)} columns")
    assert wide == []


def table_rows(path: Path) -> list[list[str]]:
    """Return the cells of all tables of a Markdown file, row by row."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("|")]


completeness = tool("completeness")


def test_no_script_hides_a_package():
    """Python searches the folder of a script first: numba would load a ``tools/coverage.py``."""
    specs = [importlib.util.find_spec(path.stem) for path in (ROOT / "tools").glob("*.py")]
    assert not [spec.name for spec in specs if spec and spec.origin]


#: Paper -> at least so many printed results and sentences are judged.
JUDGED = {
    "antoine2012_cecm": (51, 41),
    "denoeux2016_evclus": (51, 41),
    "djiberou2019_catecm": (15, 41),
    "jiao2022_egmm": (400, 41),
    "li2020_ensemble": (0, 60),
}


needs_lists = pytest.mark.skipif(
    not completeness.LISTS.is_dir(), reason="docs/reproduction: written by a full run, site --reproduction"
)


def test_every_paper_is_judged():
    assert JUDGED.keys() == discover().keys()


@needs_lists
@pytest.mark.parametrize("paper", JUDGED)
def test_exactly_the_printed_results_and_sentences_have_verdicts(paper):
    rows = completeness.judged(completeness.LISTS / f"{paper}.csv")
    least = JUDGED[paper]
    assert len(rows.printed) >= least[0] and len(rows.sentences) >= least[1]
    assert completeness.problems(ROOT / "experiments" / paper, rows) == []


@needs_lists
def test_pages_of_papers_are_small():
    assert sum(path.stat().st_size for path in completeness.LISTS.rglob("*.png")) < 4e6
    for path in completeness.LISTS.glob("*.md"):
        for row in table_rows(path):
            assert max(map(len, row)) < 500, row  # 300 letters, and what Markdown adds to them


# ---------------------------------------------------------------------- plain text

# Assembled here, so that this file does not match its own patterns.
FORBIDDEN_TEXT = {
    "a path of one machine": re.compile(
        r"(?<![\w.\-/])/(?:" + "|".join(["work", "home", "root", "Users"]) + ")/"
    ),
    "a host of a package registry": re.compile(
        "|".join([r"pypi\.(?!toml)\w+", "python" + "hosted", "anaconda" + r"\."])
    ),
}


def tracked_files() -> list[Path]:
    """Return the files that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def test_tracked_text_names_no_machine_path_and_no_package_registry():
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures and compressed data
        for what, pattern in FORBIDDEN_TEXT.items():
            found += [f"{path.relative_to(ROOT)}: {what}: {match[0]}" for match in pattern.finditer(text)]
    assert found == []


def test_make_alone_lists_the_commands():
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    listing = subprocess.run(["make"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    commands = re.findall(r"^  ([\w-]+) +\w", listing, flags=re.MULTILINE)
    assert (
        " ".join(commands)
        == "reproduce test test-all test-portable mutants check notebooks site explore pictures bench clean"
    )
