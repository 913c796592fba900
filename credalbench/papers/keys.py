"""The key of a study's results: a hash of its parameters, of versions, and of the modules that it imports.

A module counts by its syntax tree without docstrings and comments. Import statements are followed; a name
that a package only hands on leads to its origin. Views do not count: functions under ``@claim``, ``draw``,
the rooms in `VIEWS`. A reworded claim or a prettier figure thus keeps hours of results. Printed values count
where not only claims read them. The notebook's key covers views, too.
"""

import ast
import hashlib
import os
import sys
from collections import namedtuple
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .experiment import Experiment
from .parameters import as_dict
from .places import PACKAGE

ROOM = PACKAGE.name
SEEDS = f"{ROOM}.papers.seeds"
VIEWS = tuple(f"{ROOM}.{part}." for part in ("papers", "plots", "explore", "cli"))  # they compute nothing
COMPUTING_PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")  # their versions are part of the key
WITHOUT_EFFECT = ("('Expr', ('Constant'", "('If', ('Name', 'TYPE_CHECKING'")  # docstrings, hints
#: Syntax tree as text, names in it, imports (dots, module, name in it, name here), names bound, is it a view?
Statement = namedtuple("Statement", "text names imports bound is_view")


def study_key(experiment: Experiment, params: Any) -> str:
    """Return the key of the tables of a study with these parameters."""
    return digest([experiment.name, as_dict(params), _code(experiment.module, with_views=False)])


def view_key(experiment: Experiment) -> str:
    """Return the key of all that a study's notebook shows: tables, figures, claims and their judgement."""
    return digest([experiment.name, _code(experiment.module, with_views=True), version("matplotlib")])


def digest(value: Any) -> str:
    """Return 16 digits of the SHA-256 checksum of a plain value."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _code(study: str, with_views: bool) -> list[tuple[str, str]]:
    """Return name and hash of each module and file of data that a study reaches, and versions of packages."""
    found, used, printed, folders = {}, {""}, set(), set()
    waiting = [study, SEEDS, *([f"{study}.claims", f"{study}.figures"] if with_views else [])]
    while waiting:
        name = waiting.pop()
        is_view = not with_views and name != SEEDS and f"{name}.".startswith(VIEWS)
        if is_view or name in found or not (path := _file(name, study)):
            continue
        every = _statements(path, path.stat().st_mtime_ns)
        needed = {n for one in every if with_views or not one.is_view for n in one.names}
        every = [one for one in every if with_views or not one.is_view or one.bound & needed]
        found[name] = digest([one.text for one in every])
        waiting += [to for one in every for i in one.imports for to in _origins(name, path, i, study)]
        for one in every:
            printed |= one.bound if "printed_values" in one.names else set()
            used |= set() if "printed_values" in one.names else one.names
        folders |= {path.parent, path.parents[1]}
    data = "reference/**/*.csv" if with_views or printed & used else "*.json"
    files = {file for folder in folders for end in ("*.json", data) for file in folder.glob(end)}
    found |= {package: version(package) for package in COMPUTING_PACKAGES}
    return sorted([*found.items(), *((file.name, digest(file.read_bytes())) for file in files)])


@cache
def _statements(path: Path, changed: int) -> list[Statement]:
    found = []
    for node in ast.parse(path.read_bytes()).body:
        names, imports = set(), []
        text = _text(node, names, imports)
        targets = (part for target in getattr(node, "targets", ()) for part in ast.walk(target))
        bound = {part.id for part in targets if isinstance(part, ast.Name)} or {getattr(node, "name", "")}
        is_claim = any("id='claim'" in ast.dump(one) for one in getattr(node, "decorator_list", ()))
        if not text.startswith(WITHOUT_EFFECT):
            found.append(Statement(text, names, imports, bound, is_claim or bound == {"draw"}))
    return found


def _text(node: Any, names: set[str], imports: list[tuple]) -> str:
    """Return a syntax tree as text, without places and docstrings; collect names and imports in it."""
    if isinstance(node, list):
        kept = (e for e in node if not isinstance(e, ast.Expr) or not isinstance(e.value, ast.Constant))
        parts = [_text(one, names, imports) for one in kept]
    elif not isinstance(node, ast.AST):
        return repr(node)
    else:
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            imports += [
                (node.level, node.module or "", one.name, one.asname or one.name) for one in node.names
            ]
        elif isinstance(node, ast.Import):
            imports += [(0, *one.name.rpartition(".")[::2], one.name) for one in node.names]
        fields = (getattr(node, field) for field in node._fields if field != "ctx")
        parts = [repr(type(node).__name__), *(_text(value, names, imports) for value in fields)]
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"  # as tuples are written


def _file(name: str, study: str) -> Path | None:
    """Return the file of a module of this package or of the study's; None for modules of others."""
    top, *rest = name.split(".")
    folders = sys.modules[top].__path__ if top in (ROOM, study.partition(".")[0]) else ()
    paths = [os.path.join(folder, *rest) for folder in folders]
    files = (f"{path}{ending}" for path in paths for ending in (".py", "/__init__.py"))
    return next((Path(file) for file in files if os.path.isfile(file)), None)


def _origins(name: str, path: Path, imported: tuple, study: str) -> list[str]:
    """Return where an import in a module leads; if a package only hands a name on, that is its origin."""
    level, module, word, _ = imported
    above = name.split(".")[: None if path.name == "__init__.py" else -1][: -level + 1 or None]
    origin = ".".join(filter(None, [*(above if level else ()), module]))
    file = _file(origin, study)
    if file is None or _file(f"{origin}.{word}", study):
        return [f"{origin}.{word}"]
    every = _statements(file, file.stat().st_mtime_ns) if file.name == "__init__.py" else []
    handed_on = [one for statement in every for one in statement.imports if one[3] == word]
    return [to for one in handed_on for to in _origins(origin, file, one, study)] or [origin]
