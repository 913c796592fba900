"""The source text that a study's tables depend on, as a hash: the code part of a result's key.

A top-level statement of the study's own modules or of this package counts if the names in ``cases``,
``compute`` and the parameters lead to it, directly or through other statements. Since importing a module runs
it, whatever acts at import also counts: calls, item assignments, decorators that may register. Comments,
docstrings, type hints, layout and the names of modules do not count, and neither do claims. A reworded claim,
a prettier figure or a file that moves thus keeps hours of results, while a changed algorithm does not.

If in doubt, more counts: a module that is used as an object counts as a whole, with all below it, and so does
a module in which a name is not found. Constructs that hide names must not be used below a study:
``globals()``, ``exec``, ``import_module``, subclasses that register themselves (a test checks this).
"""

import functools
import hashlib
import importlib.metadata
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from .experiment import Experiment
from .statements import ALL, Imported, Statement, statements

PACKAGE = "credalbench"
RUNNER = f"{PACKAGE}.papers"
SEEDS = f"{RUNNER}.seeds"
#: Parts of the package that count for tables only if a name leads to them, not if they are only imported.
VIEWS = tuple(f"{PACKAGE}.{part}" for part in ("plots", "explore", "cli"))
#: Packages whose version is part of the key: the ones that compute.
COMPUTING_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")
READS_PRINTED = "printed_values"
#: Statements of the same text are distinguished by what they lead to, within so many steps.
STEPS = 8


_ABOVE = Path(__file__).resolve().parents[2]
_IS_CHECKOUT = (_ABOVE / "pyproject.toml").exists()


def repository_root() -> Path:
    """Return the checkout this package runs from; the working directory for an installed copy."""
    return _ABOVE if _IS_CHECKOUT else Path.cwd()


def compute_hash(experiment: Experiment) -> str:
    """Return the hash of all code that can change the study's tables.

    ``cases``, ``compute`` or parameters that are defined within a function raise a TypeError.
    """
    sources = _sources_of(experiment)
    roots = [
        sources.definition(function)
        for function in (experiment.cases, experiment.compute, experiment.parameters)
    ]
    return _digest(sources.texts([*roots, sources.everything(SEEDS)]), versions(COMPUTING_PACKAGES))


def view_hash(experiment: Experiment) -> str:
    """Return the hash of all code that can change an executed notebook: tables, figures, claims, plots."""
    sources = _sources_of(experiment, with_views=True)
    checks = [inspect.unwrap(claim.check) for claim in experiment.claims]
    study = (experiment.cases, experiment.compute, experiment.parameters, experiment.draw)
    names = dict.fromkeys(
        sources.module_of(function) for function in (*study, *experiment.summaries, *checks)
    )
    texts = sources.texts([sources.everything(name) for name in names])
    packages = (*COMPUTING_PACKAGES, "matplotlib", "pandas")
    return _digest([*_words(experiment), *texts], versions(packages))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed version of each package, or "absent"."""
    found = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def _words(experiment: Experiment) -> Iterator[str]:
    """Yield the texts of a study and its claims, wherever they come from; functions are in their modules."""
    yield repr((experiment.title, experiment.artefacts, experiment.titles))
    for claim in experiment.claims:
        yield repr([value for value in vars(claim).values() if not callable(value)])


def _digest(texts: Iterable[str], found: dict[str, str]) -> str:
    digest = hashlib.sha256(repr(sorted(found.items())).encode())
    for text in texts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def _hashed(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# ---------------------------------------------------------------- following names

#: A top-level statement: its module and its place there.
Node = tuple[str, int]


class _Module:
    """One source file: its statements, and which of them give each name its meaning."""

    def __init__(self, name: str, path: Path) -> None:
        self.path, self.statements = path, statements(path)
        self.nodes = [(name, i) for i in range(len(self.statements))]
        self.package = name.split(".")[: None if path.name == "__init__.py" else -1]
        self.bound: dict[str, list[Node]] = {}
        for node, statement in zip(self.nodes, self.statements):
            for word in statement.bound:
                self.bound.setdefault(word, []).append(node)

    def place(self, imported: Imported) -> tuple[str, str]:
        """Return the module and the name in it that an imported name refers to."""
        level, module, name, _ = imported
        above = self.package[: len(self.package) + 1 - level] if level else []
        return ".".join([*above, module] if module else above), name


class _Sources:
    """The statements of all files, and for each the statements that its names lead to.

    Everything is found on request and kept, since studies have most of it in common.
    """

    def __init__(self, with_views: bool = False) -> None:
        self.with_views = with_views
        self._modules: dict[str, _Module | None] = {}
        self._imported: dict[str, list[str]] = {}  # by module
        self._edges: dict[Node, list[tuple[str, list[Node]]]] = {}
        self._labels: dict[Node, list[str]] = {}  # after 0, 1, ... steps

    def module_of(self, function: Callable) -> str:
        """Return the name of the module that defines a function of the study."""
        name = function.__module__
        if not _is_in(name, (RUNNER,)) and name not in self._modules:
            self._modules[name] = _Module(name, Path(inspect.getsourcefile(function)).resolve())
        return name

    def definition(self, function: Callable) -> list[Node]:
        """Return the statements that define a function or class of the study."""
        function = inspect.unwrap(function)
        if getattr(function, "__qualname__", "") != getattr(function, "__name__", "no name"):
            raise TypeError(f"expected a function or class at the top of its module, got {function!r}")
        return self.meaning(self.module_of(function), function.__name__)

    def meaning(self, module: str, name: str) -> list[Node]:
        """Return the statements that give a name of a module its meaning; none for modules of others."""
        ours = self._module(module)
        if ours is None:
            return []
        found = ours.bound.get(name) if name != ALL else None
        return found or self.everything(f"{module}.{name}") or self.everything(module)

    def everything(self, module: str) -> list[Node]:
        """Return all statements of a module and of those below it; claims only where views matter."""
        ours = self._module(module)
        if ours is None:
            return []
        is_package = ours.path.name == "__init__.py"
        below = {path.stem for path in ours.path.parent.iterdir()} - {"__init__"} if is_package else ()
        claims = [] if self.with_views else [n for n in ours.nodes if self._statement(n).is_claim]
        found = [node for node in ours.nodes if node not in claims]
        return found + [node for name in sorted(below) for node in self.everything(f"{module}.{name}")]

    def texts(self, roots: Sequence[list[Node]]) -> list[str]:
        """Return one text for each root, each statement that was reached, and each file of their data."""
        reached, run = self.reach([node for nodes in roots for node in nodes])
        self._label(self._solid(reached))
        labels = {node: self._labels[node][STEPS] for node in self._solid(reached)}
        found = [repr(sorted({labels[node] for node in self._solid(nodes)})) for nodes in roots]
        return [*found, *sorted(set(labels.values())), *sorted(set(self._data(reached, run)))]

    def _module(self, name: str) -> _Module | None:
        if name not in self._modules:
            path = _module_file(name) if name == SEEDS or not _is_in(name, (RUNNER,)) else None
            self._modules[name] = _Module(name, path) if path else None
        return self._modules[name]

    def reach(self, waiting: list[Node]) -> tuple[set[Node], set[str]]:
        """Follow names, and what acts at import; return the statements reached and the modules run."""
        reached, run = set(), set()
        while waiting:
            node = waiting.pop()
            if node not in reached:
                reached.add(node)
                waiting += self._run(node[0], run)
                if node not in self._edges:
                    self._edges[node] = self._leads_to(node)
                waiting += [target for _, targets in self._edges[node] for target in targets]
        return reached, run

    def _run(self, name: str, run: set[str]) -> list[Node]:
        """Return what acts when a module is imported, in it and in those that it imports, each once."""
        ours = self._module(name)
        if ours is None or name in run:
            return []
        run.add(name)
        if name not in self._imported:
            places = (ours.place(i) for statement in ours.statements for i in statement.imports_when_run)
            others = [name.rpartition(".")[0], *(n for place in places for n in (place[0], ".".join(place)))]
            self._imported[name] = [n for n in others if self.with_views or not _is_in(n, VIEWS)]
        return [*self._acting(ours), *(n for other in self._imported[name] for n in self._run(other, run))]

    def _acting(self, ours: _Module) -> list[Node]:
        return [node for node in ours.nodes if self._acts(self._statement(node))]

    def _acts(self, statement: Statement) -> bool:
        return statement.acts and (self.with_views or not statement.is_claim)

    def _leads_to(self, node: Node) -> list[tuple[str, list[Node]]]:
        """Return what each name in a statement leads to, and each name that it imports."""
        ours, statement = self._modules[node[0]], self._statement(node)
        places = ((i[-1], ours.place(i)) for i in statement.imports)
        found = [(name, self.meaning(*at)) for name, at in places if self._counts(node, at[0])]
        if not statement.is_import:
            words = sorted(statement.names | {ALL})
            found += [(word, ours.bound[word]) for word in words if word in ours.bound]
        return [*found, ("after", self._before(node))]

    def _counts(self, node: Node, imported: str) -> bool:
        """Return whether an import can matter: what the library draws on request is in no table."""
        library = _is_in(node[0], (PACKAGE,)) and not _is_in(node[0], VIEWS)
        drawing = library and _is_in(imported, VIEWS) and not self._statement(node).is_import
        return self.with_views or not drawing

    def _before(self, node: Node) -> list[Node]:
        """Return the statements whose order with this one matters: both act, or both bind one name."""
        ours, statement = self._modules[node[0]], self._statement(node)
        rivals = [ours.bound[word] for word in statement.bound]
        rivals += [self._acting(ours)] if self._acts(statement) else []
        return [other for nodes in rivals for other in nodes if other < node]

    def _solid(self, nodes: Iterable[Node]) -> list[Node]:
        """Replace names imported from our own modules by the statements that they refer to."""
        found, waiting, passed = [], [*nodes], set()
        while waiting:
            node = waiting.pop()
            stands_for = self._edges[node][0][1] if self._statement(node).is_import else []
            if node not in passed:
                waiting += stands_for
                found += [] if stands_for else [node]
            passed.add(node)
        return found

    def _label(self, nodes: Iterable[Node]) -> None:
        """Give statements a hash of their text and of what their names lead to, without modules."""
        new = [node for node in nodes if node not in self._labels]
        edges = {n: [(word, self._solid(to)) for word, to in self._edges[n] if to] for n in new}
        texts = {node: _hashed([self._text(node)]) for node in new}
        self._labels |= {node: [text] for node, text in texts.items()}
        for step in range(STEPS):
            for n in new:
                led = [p for w, to in edges[n] for p in (w, *sorted({self._labels[t][step] for t in to}))]
                self._labels[n].append(_hashed([texts[n], *led]))

    def _text(self, node: Node) -> str:
        """Return a statement, and the modules of others that it imports from."""
        statement, ours = self._statement(node), self._modules[node[0]]
        others = [ours.place(i) for i in statement.imports if not self._module(ours.place(i)[0])]
        return f"{statement.text} {others}"

    def _data(self, reached: set[Node], run: set[str]) -> Iterator[str]:
        """Yield the JSON files of this package's modules that run, and the printed values that are read."""
        files = [p for f in self._folders(run, PACKAGE) for p in f.glob("*.json")]
        readers = {module for module, i in reached if READS_PRINTED in self._statement((module, i)).names}
        folders = {above for f in self._folders(readers) for above in (f, f.parent)}
        for path in [*files, *(p for f in folders for p in (f / "reference").glob("*.csv"))]:
            yield f"{path.name}\n{hashlib.sha256(path.read_bytes()).hexdigest()}"

    def _folders(self, modules: Iterable[str], package: str = "") -> set[Path]:
        return {self._modules[m].path.parent for m in modules if not package or _is_in(m, (package,))}

    def _statement(self, node: Node) -> Statement:
        return self._modules[node[0]].statements[node[1]]


# ---------------------------------------------------------------- files


def _sources_of(experiment: Experiment, with_views: bool = False) -> _Sources:
    """Return the sources of a study: those of the last call unless a file has changed, is new or is gone."""
    tops = (PACKAGE, experiment.module.partition(".")[0])
    folders = [getattr(sys.modules.get(top), "__path__", ()) for top in tops]
    if not all(folders):
        return _Sources(with_views)
    files = (path for folder in {f for of in folders for f in of} for path in Path(folder).rglob("*.py"))
    return _kept(frozenset((str(path), *_stamp(path)) for path in files), with_views)


def _stamp(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@functools.lru_cache(maxsize=2)
def _kept(files: frozenset, with_views: bool) -> _Sources:
    return _Sources(with_views)


def _is_in(name: str, packages: Iterable[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _module_file(name: str) -> Path | None:
    """Return the source file of a module of this package or of the study's, else None; import nothing."""
    top, *rest = name.split(".")
    folders = tuple(getattr(sys.modules.get(top), "__path__", ()))
    if top != PACKAGE and not _are_in_checkout(folders, repository_root()):
        return None
    for folder in folders:
        path = os.path.join(folder, *rest)
        for candidate in (f"{path}.py", os.path.join(path, "__init__.py")):
            if os.path.isfile(candidate):
                return Path(candidate).resolve()
    return None


@functools.cache
def _are_in_checkout(folders: tuple[str, ...], root: Path) -> bool:
    """Return whether one of a package's folders is in the checkout, and not among the installed packages."""
    paths = [Path(folder).resolve() for folder in folders]
    return any(path.is_relative_to(root) and "site-packages" not in path.parts for path in paths)
