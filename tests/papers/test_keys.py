"""Keys: another parameter or another algorithm is another result; a reworded claim is not."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from credalbench.papers import keys as keys_module
from credalbench.papers.keys import study_key, view_key
from credalbench.papers.studies import discover, get_study

STUDY = '''\
from dataclasses import dataclass
from credalbench.papers import Finding, declare
from credalbench.papers.claims import claim
{imports}

@dataclass(frozen=True)
class Parameters:
    n: int = 1

def cases(params):
    return [{{"i": i}} for i in range(params.n)]

def square(x):
    """Help."""
    return x * x

def compute(params, case):
    return {computed}

def draw(params, tables):
    return {{}}

@claim("a-fig-1", "it is so", "paper")
def so(params, tables):
    return Finding(True, "yes")

experiment = declare(__name__, title="A title", artefacts={{"a-fig-1": "A figure"}})
'''
SHARED = """\
import numpy as np
SCALE = 3

def area(x):
    return SCALE * side(x)

def side(x):
    return np.sqrt(x)
"""


@pytest.fixture
def keys(tmp_path, monkeypatch):
    """Both keys of ``study.py`` among modules of one paper: ``keys(imports, computed, shared=text)``."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def of(imports="from .shared import area", computed="area(case)", study=STUDY, **modules):
        package = tmp_path / str(len([*tmp_path.iterdir()])) / "papers_of_a_test"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "study.py").write_text(study.format(imports=imports, computed=computed))
        for name, text in ({"shared": SHARED} | modules).items():
            path = package / (name if "." in name else f"{name}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        with monkeypatch.context() as patch:
            patch.syspath_prepend(package.parent)
            try:
                experiment = importlib.import_module("papers_of_a_test.study").experiment
                return study_key(experiment, experiment.parameters()), view_key(experiment)
            finally:
                for name in [name for name in sys.modules if name.startswith("papers_of_a_test")]:
                    del sys.modules[name]

    return of


@pytest.mark.parametrize(
    ("old", "new", "recompute", "rerun_notebook"),
    [
        ("x * x", "x * x + 1", True, True),
        ('"""Help."""', '"""Better help."""  # and a comment', False, False),
        ('    """Help."""\n', "", False, False),
        ("it is so", "it is indeed so", False, True),
        ('"yes"', '"yes!"', False, True),
        ("return {{}}", "return dict()", False, True),
        ("x * x", "len(draw(None, None)) + x * x", True, True),
    ],
)
def test_only_changes_that_can_change_tables_change_the_key(keys, old, new, recompute, rerun_notebook):
    assert old in STUDY
    before, after = keys(), keys(study=STUDY.replace(old, new))
    assert (before[0] != after[0], before[1] != after[1]) == (recompute, rerun_notebook)


def test_a_view_that_the_computation_calls_stays_in_the_key(keys):
    calls = STUDY.replace("x * x", "len(draw(0, 0))")
    assert keys(study=calls)[0] != keys(study=calls.replace("return {{}}", "return {{1: 2}}"))[0]


@pytest.mark.parametrize(
    ("imports", "computed"),
    [
        ("from . import shared", "shared.area(case)"),
        ("import papers_of_a_test.shared", "papers_of_a_test.shared.area(case)"),
        ("import papers_of_a_test.shared as s", "s.area(case)"),
        ("from .shared import *", "area(case)"),
        ("def f(x):\n    from .shared import area\n    return area(x)", "f(case)"),
        ("try:\n    from .shared import area\nexcept ImportError:\n    area = None", "area(case)"),
        ("from . import effects", "1"),
        ("from .package import area", "area(case)"),
        ("from .package import everything", "everything.area(case)"),
        ("from .package.deep import area", "area(case)"),
        ("from .lazy import anything", "anything(case)"),
        ("if True:\n    from .lazy import area", "area(case)"),
    ],
)
def test_no_way_to_a_module_is_missed(keys, imports, computed):
    """A dependency that is not seen is a stale result reported as valid."""
    others = {
        "effects": "from .shared import area\nprint(area(2))\n",
        "lazy": "from . import shared\ndef __getattr__(name): return getattr(shared, 'area')\n",
        "package/__init__": "from .deep import area\nfrom .. import shared as everything\n",
        "package/deep": "from ..shared import area\n",
    }
    changed = SHARED.replace("np.sqrt", "np.cbrt")
    assert keys(imports, computed, **others)[0] != keys(imports, computed, **others, shared=changed)[0]


def test_of_a_package_what_it_hands_on_counts_and_no_other_module(keys):
    use = ("from .package import f", "f(case)")
    modules = {
        "package/__init__": "from .one import f\nfrom .two import g\n",
        "package/one": "def f(x): pass\n",
    }
    one, other = (keys(*use, **modules, **{"package/two": f"def g(x): return {n}\n"})[0] for n in (1, 2))
    assert one == other
    modules["package/one"] = "def f(x): return 1\n"
    assert keys(*use, **modules, **{"package/two": "def g(x): return 2\n"})[0] != other


def test_modules_for_type_checkers_do_not_count(keys):
    hints = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .shared import area"
    assert keys(hints, "1")[0] == keys(hints, "1", shared=SHARED.replace("3", "4"))[0]


def test_modules_that_change_places_and_modules_that_import_each_other(keys):
    modules = {
        "one": "from . import two\ndef f(x): return 1\n",
        "two": "from . import one\ndef f(x): return 2\n",
    }
    use = ("from .one import f as a\nfrom .two import f as b", "a(case) - b(case)")
    back = {"one": modules["one"].replace("1\n", "2\n"), "two": modules["two"].replace("2\n", "1\n")}
    assert keys(*use, **modules)[0] != keys(*use, **back)[0]


@pytest.mark.parametrize(
    ("computed", "reader", "recompute"),
    [
        ("PRINTED", "PRINTED = printed_values(__file__)", True),
        ("1", "PRINTED = printed_values(__file__)", False),
        ("choice()", "def choice(): return printed_values(__file__)", True),
    ],
)
def test_printed_values_count_where_they_are_read(keys, computed, reader, recompute):
    def of(value):
        printed = f"artefact,quantity,published,precision,source\na,b,{value},0,p. 1\n"
        imports = f"from credalbench.papers import printed_values\n{reader}"
        return keys(imports, computed, **{"reference/study.csv": printed})

    before, after = of(1), of(2)
    assert (before[0] != after[0]) == recompute and before[1] != after[1]


def test_a_file_that_is_edited_in_a_running_process_changes_the_keys(keys, tmp_path):
    before = keys()
    assert keys(shared=SHARED) == before != keys(shared=SHARED.replace("SCALE = 3", "SCALE = 2"))


def reached(study):
    return {name for name, _ in keys_module._code(study.module, with_views=False)}


@pytest.mark.parametrize(
    ("study", "modules"),
    [
        (
            "denoeux2016_evclus/butterfly",
            {"cluster.evclus", "cluster.conflict.solvers", "datasets.typed", "papers.seeds"},
        ),
        ("antoine2012_cecm/rand_tables", {"cluster.cecm", "cluster.simplex.simplex_qp", "metrics.external"}),
    ],
)
def test_the_key_of_a_real_study_has_its_algorithm_in_it(study, modules):
    found = reached(get_study(study))
    assert {f"credalbench.{name}" for name in modules} <= found and "registry.json" in found
    assert not [name for name in found if name.startswith(("credalbench.plots", "credalbench.papers.claims"))]


@pytest.mark.long
def test_keys_do_not_depend_on_what_else_is_loaded():
    script = """if True:
        import importlib, sys
        for name in sys.argv[1:]:
            module = importlib.import_module(name)
        from credalbench.papers.keys import study_key, view_key
        print(study_key(module.experiment, module.Parameters()), view_key(module.experiment))"""
    study = "experiments.denoeux2016_evclus.digits"
    others = [f"experiments.{e.paper}.{e.study}" for s in discover().values() for e in s.values()]
    found = {
        subprocess.run([sys.executable, "-c", script, *names], capture_output=True, check=True).stdout
        for names in ([study], [*reversed(others), study])
    }
    assert len(found) == 1


#: Where `plot` of a partition loads its drawing: a picture changes no table.
DRAWING = {"credalbench.belief.partition", "credalbench.select.curves"}


def test_nothing_below_a_study_is_imported_out_of_sight():
    for study in (study for members in discover().values() for study in members.values()):
        ours = {name for name in reached(study) if name.startswith(("credalbench.", "experiments."))}
        for name in ours - DRAWING:
            text = Path(sys.modules[name].__file__).read_text("utf-8")
            assert "import_module(" not in text and "__import__(" not in text, name


def test_no_computation_draws():
    """The rooms that draw are not in the keys of tables: what comes from them is named in views alone."""
    for study in (study for members in discover().values() for study in members.values()):
        tree = ast.parse(Path(sys.modules[study.module].__file__).read_text("utf-8"))
        imports = [
            n for n in tree.body if isinstance(n, ast.ImportFrom) and "credalbench.plots" in (n.module or "")
        ]
        drawing = {alias.asname or alias.name for node in imports for alias in node.names}
        functions = {
            n.name: {m.id for m in ast.walk(n) if isinstance(m, ast.Name)}
            for n in tree.body
            if isinstance(n, ast.FunctionDef)
        }
        waiting, seen = ["cases", "compute"], set()
        while waiting:
            name = waiting.pop()
            if name not in seen and name in functions:
                seen.add(name)
                assert not functions[name] & drawing, (study.name, name)
                waiting += functions[name]
