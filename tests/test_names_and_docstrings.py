"""Everything exported has complete numpydoc docstrings, and identifiers are plain words."""

import ast
import importlib.util
import inspect
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from numpydoc.validate import validate

import credalbench

ROOT = Path(__file__).resolve().parents[1]
#: Codes of numpydoc: sections, summary, parameters, returns, yields.
CODES = {
    *("GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL09", "GL10"),
    *(f"SS0{number}" for number in range(1, 6)),
    *(f"PR{number:02}" for number in range(1, 11)),
    *(f"{kind}0{number}" for kind in ("RT", "YD") for number in range(1, 6)),
}
BANNED = {
    *("told", "tell", "tells", "said", "say", "says", "heard", "hear", "hears", "beside", "besides"),
    *("door", "doors", "doubt", "doubts", "scratch", "family", "families"),
    *("aloud", "opinion", "opinions", "carriers"),
}


def exported():
    """Return the import paths of exported functions and classes, and of the public methods of the classes."""
    paths = {}
    for module in walk_packages(credalbench.__path__, "credalbench."):
        source = Path(importlib.util.find_spec(module.name).origin).read_text("utf-8")
        package = import_module(module.name) if "\n__all__ = " in source else None
        for name in getattr(package, "__all__", ()):
            thing = getattr(package, name)
            if thing in paths.values() or not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            paths[f"{module.name}.{name}"] = thing
            for method, member in vars(thing).items() if inspect.isclass(thing) else ():
                function = getattr(member, "__func__", member)
                if not method.startswith("_") and inspect.isfunction(function):
                    paths[f"{module.name}.{name}.{method}"] = function
    return list(paths)


def words(name, between="_"):
    """Return the words of an identifier: `fitBeside_all` gives fit, beside, all."""
    return set(re.split(between, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()))


def identifiers(tree):
    """Yield the names that a module defines, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield name, node.lineno


@pytest.mark.parametrize("name", exported())
def test_docstring_is_complete_numpydoc(name):
    assert [error for error in validate(name)["errors"] if error[0] in CODES] == []


@pytest.mark.parametrize(
    "folder", ["credalbench", "experiments", "tests", "tools", "benchmarks", "notebooks"]
)
def test_identifiers_are_plain(folder):
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        name, text = file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
        if BANNED.isdisjoint(words(f"{file.stem} {text}", between="[^a-z]+")):
            continue  # most files: quicker than to parse them
        names = [(file.stem, 0), *identifiers(ast.parse(text))]
        found += [f"{name}:{line}: {word}" for word, line in names if words(word) & BANNED]
    assert found == []
