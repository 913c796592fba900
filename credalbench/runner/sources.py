"""Which source text a study's tables depend on, as a hash: the code part of a result's key.

Of the study's module, and of every module of the study's or of this package that it imports, only the
definitions count that ``cases``, ``compute`` and the parameters reach by name, wherever they stand. Comments,
docstrings, type hints, layout and the names of modules do not count, and neither do claims. So a reworded
claim, a prettier figure or a file that moves does not throw away hours of results, while a changed algorithm
does.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from . import seeds
from .experiment import Experiment

PACKAGE = "credalbench"
#: Parts of the package that cannot change a table.
VIEW_ONLY = tuple(f"{PACKAGE}.{part}" for part in ("plots", "runner", "explore", "cli"))
#: Packages whose version is part of the key: the ones that compute.
COMPUTING_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")
ALL = "*"
#: Modules from which nothing comes but type hints.
FOR_HINTS = ("__future__", "collections.abc", "numpy.typing", "typing")


def repository_root() -> Path:
    """The checkout this package runs from; the working directory for an installed copy."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").exists() else Path.cwd()


def compute_hash(experiment: Experiment) -> str:
    """Hash of all code that can change the study's tables."""
    functions = (experiment.cases, experiment.compute, experiment.parameters)
    sources = _Sources()
    for function in functions:
        sources.follow(function.__module__, _file_of(function), [function.__name__])
    sources.follow("credalbench.runner.seeds", Path(seeds.__file__), [ALL])
    return _digest(sources.texts(skip=VIEW_ONLY[:1] + VIEW_ONLY[2:]), versions(COMPUTING_PACKAGES))


def view_hash(experiment: Experiment) -> str:
    """Hash of all code that can change an executed notebook: tables, figures, claims and plots."""
    sources = _Sources()
    sources.follow(experiment.compute.__module__, _file_of(experiment.compute), [ALL])
    return _digest([compute_hash(experiment), *sources.texts()], versions(("matplotlib", "pandas")))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Installed version of each package, or "absent"."""
    found = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def _digest(texts: Iterable[str], found: dict[str, str]) -> str:
    digest = hashlib.sha256(repr(sorted(found.items())).encode())
    for text in texts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def _file_of(thing: Callable) -> Path:
    return Path(inspect.getsourcefile(inspect.unwrap(thing))).resolve()


@dataclass
class _Module:
    """One source file, and the indices of its top-level statements that count."""

    path: Path
    body: list[ast.stmt]
    kept: set[int] = field(default_factory=set)


class _Sources:
    """Statements reached so far, module by module."""

    def __init__(self) -> None:
        self.modules: dict[str, _Module] = {}
        self._followed: set[tuple[str, frozenset[str]]] = set()

    def follow(self, name: str, path: Path, wanted: Iterable[str]) -> None:
        """Keep the statements of a module that define ``wanted``, and all that those use or import."""
        if (name, frozenset(wanted)) in self._followed:  # modules may import each other
            return
        self._followed.add((name, frozenset(wanted)))
        module = self.modules.setdefault(name, _Module(path, _stripped(path).body))
        used = set(wanted)
        waiting = _needed(module.body, used)
        while waiting - module.kept:
            module.kept |= waiting
            used |= set().union(*(_loaded(module.body[i]) for i in waiting))
            waiting = _needed(module.body, used)
        for i in module.kept:
            for target, names in _imports(module.body[i], name, path.name == "__init__.py", used):
                self._follow_import(target, names)

    def _follow_import(self, target: str, names: list[str]) -> None:
        parts = target.split(".")
        for depth in range(1, len(parts)):  # importing a.b.c runs a and a.b, too
            self._follow_import(".".join(parts[:depth]), [])
        path = _module_file(target)
        if path is None or target.startswith(VIEW_ONLY[1]):  # what the runner itself imports changes no study
            return
        for submodule in (f"{target}.{name}" for name in names):
            if _module_file(submodule):
                self._follow_import(submodule, [ALL])
        self.follow(target, path, names)

    def texts(self, skip: tuple[str, ...] = ()) -> list[str]:
        """Source text of the statements that were kept, sorted, and the data (JSON) beside their modules."""
        texts = set()
        for name, module in self.modules.items():
            if skip and name.startswith(skip) and name != "credalbench.runner.seeds":
                continue
            texts |= {_text(module.body[i], name) for i in module.kept}
            if name.split(".")[0] == PACKAGE:
                data = [p for p in module.path.parent.iterdir() if p.suffix == ".json"]
                texts |= {f"{p.name}\n{hashlib.sha256(p.read_bytes()).hexdigest()}" for p in data}
        return sorted(texts)


def _text(node: ast.stmt, module: str) -> str:
    """A statement as text; an import of our own code names what it imports, not where that stands."""
    imports_our_own = isinstance(node, ast.ImportFrom) and (
        node.level or _module_file(node.module or "") is not None
    )
    if imports_our_own:
        return "\n".join(sorted(f"import {a.name} as {_bound_by(a)}" for a in node.names))
    return ast.unparse(node)


def _stripped(path: Path) -> ast.Module:
    """The syntax tree without docstrings and type hints (comments and layout are not in a tree anyway)."""
    stat = path.stat()
    return _parsed(path, stat.st_mtime_ns, stat.st_size)


@functools.cache
def _parsed(path: Path, modified_ns: int, size: int) -> ast.Module:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        can_have_docstring = isinstance(
            node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        )
        if can_have_docstring and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree


def _needed(body: list[ast.stmt], names: set[str]) -> set[int]:
    """Indices of the statements that bind one of the names, and of those that may act without being named."""
    counting = [(i, node) for i, node in enumerate(body) if not _only_for_people(node)]
    return {i for i, node in counting if ALL in names or _acts(node) or _bound(node) & names}


def _only_for_people(node: ast.stmt) -> bool:
    """Declarations of claims, and imports that only type hints use."""
    if isinstance(node, ast.FunctionDef):
        calls = [d.func for d in node.decorator_list if isinstance(d, ast.Call)]
        return any(isinstance(function, ast.Name) and function.id == "claim" for function in calls)
    if isinstance(node, ast.ImportFrom):
        return node.module in FOR_HINTS
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _acts(node: ast.stmt) -> bool:
    """Whether a statement does more than bind names: a call, decorator, item assignment or star import."""
    return not _bound(node) or bool(getattr(node, "decorator_list", ())) or ALL in _bound(node)


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {_bound_by(alias) for alias in node.names}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _loaded(node: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _imports(node: ast.stmt, module: str, is_package: bool, used: set[str]) -> list[tuple[str, list[str]]]:
    """Imported modules with the names wanted of them, also inside functions; relative ones made absolute."""
    found = []
    for part in ast.walk(node):
        if not isinstance(part, (ast.Import, ast.ImportFrom)):
            continue
        aliases = [a for a in part.names if part is not node or ALL in used or _bound_by(a) in used | {ALL}]
        if isinstance(part, ast.Import):
            found += [(alias.name, [ALL]) for alias in aliases]
        elif aliases:
            base = part.module or ""
            if part.level:
                parents = module.split(".")[: len(module.split(".")) - part.level + is_package]
                base = ".".join([*parents, base]).strip(".")
            found.append((base, [alias.name for alias in aliases]))
    return found


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _module_file(name: str) -> Path | None:
    """Source file of a module of this package or of the study's; None for anything else. Imports nothing."""
    top, *rest = name.split(".")
    package = sys.modules.get(top)
    if top != PACKAGE and not _is_in_checkout(package):
        return None
    for folder in getattr(package, "__path__", ()):
        path = Path(folder, *rest).resolve()
        for candidate in (path.with_suffix(".py") if rest else path, path / "__init__.py"):
            if candidate.is_file():
                return candidate
    return None


def _is_in_checkout(package: ModuleType | None) -> bool:
    """Whether a loaded package lies in the checkout (and not among the installed packages)."""
    folders = [Path(f).resolve() for f in getattr(package, "__path__", ())]
    return any(f.is_relative_to(repository_root()) and "site-packages" not in f.parts for f in folders)
