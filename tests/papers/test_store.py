"""Keys: another parameter or another algorithm is another result; a reworded claim is not."""

import ast
import dataclasses
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.registry import CPUDispatcher

from credalbench.belief import partition
from credalbench.papers import Claim, Experiment, Finding, run_study, sources
from credalbench.papers.sources import compute_hash, view_hash
from credalbench.papers.statements import Statement
from credalbench.papers.store import StudyFolder, results_root
from credalbench.papers.studies import discover, get_study

from .toy_study import Parameters, experiment


def imported(folder, module, monkeypatch):
    """Both hashes of the experiment in a module below ``folder``, imported for the moment."""
    with monkeypatch.context() as patch:
        patch.syspath_prepend(folder)
        try:
            experiment = importlib.import_module(module).experiment
            return compute_hash(experiment), view_hash(experiment)
        finally:
            for name in [name for name in sys.modules if name.split(".")[0] == module.split(".")[0]]:
                del sys.modules[name]


STUDY = '''\
from dataclasses import dataclass
import numpy as np
from credalbench.papers import Experiment, Finding
from credalbench.papers.claims import claim, claims_of
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
    return picture(params)

def picture(params):
    return {{}}

@claim("a-fig-1", "it is so", "paper")
def so(params, tables):
    return Finding(True, "yes")

experiment = Experiment(
    "p", "study", "A title", ("a-fig-1",), Parameters, cases, compute, draw, claims_of(__name__)
)
'''
SHARED = """\
import numpy as np
SCALE = 3
TABLE = {}

def area(x):
    return SCALE * side(x)

def side(x):
    return np.sqrt(x)

def other(x):
    return x
"""


@pytest.fixture
def keys(tmp_path, monkeypatch):
    """Both hashes of ``study.py`` among modules of one paper: ``keys(imports, computed, shared=text)``."""
    monkeypatch.setattr(sources, "repository_root", lambda: tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def of(imports="from .shared import area", computed="area(case)", study=STUDY, **modules):
        package = tmp_path / str(len([*tmp_path.iterdir()])) / "papers_of_a_test"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "study.py").write_text(study.format(imports=imports, computed=computed))
        for name, text in (modules or {"shared": SHARED}).items():
            path = package / (name if "." in name else f"{name}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return imported(package.parent, "papers_of_a_test.study", monkeypatch)

    return of


USE_SQUARE = ("", "square(case)")


@pytest.mark.parametrize(
    ("old", "new", "recompute", "rerun_notebook"),
    [
        ("x * x", "x * x + 1", True, True),
        ('"""Help."""', '"""Better help."""  # and a comment', False, False),
        ("it is so", "it is indeed so", False, True),
        ('"yes"', '"yes!"', False, True),
        ("return {{}}", "return dict()", False, True),
        ("A title", "Another title", False, True),
        ("x * x", "len(draw(None, None)) + x * x", True, True),
    ],
)
def test_only_changes_that_can_change_tables_change_the_key(keys, old, new, recompute, rerun_notebook):
    assert old in STUDY
    before, after = keys(*USE_SQUARE), keys(*USE_SQUARE, STUDY.replace(old, new))
    assert (before[0] != after[0], before[1] != after[1]) == (recompute, rerun_notebook)


def test_a_view_that_the_computation_calls_stays_in_the_key(keys):
    calls = STUDY.replace("x * x", "len(draw(0, 0))")
    changed = calls.replace("return {{}}", "return {{1: 2}}")
    assert keys(*USE_SQUARE, calls)[0] != keys(*USE_SQUARE, changed)[0]


def test_what_the_computation_uses_of_the_package_belongs_to_the_key(keys, monkeypatch):
    """And so does what that uses: FocalSets is re-exported from focal.py, which uses others."""
    imports = "from credalbench.belief import FocalSets"
    before = keys(imports, "FocalSets")
    read = sources.statements

    def with_another_statement(within):
        def changed(path):
            found = read(path)
            text = f"def {within}(self): return {len(found)}"
            return (*found, Statement(ast.parse(text).body[0])) if path.name == "focal.py" else found

        return changed

    monkeypatch.setattr(sources, "statements", with_another_statement("nobody_calls_this"))
    assert keys(imports, "FocalSets")[0] == before[0]
    monkeypatch.setattr(sources, "statements", with_another_statement("FocalSets"))
    assert keys(imports, "FocalSets")[0] != before[0]
    assert keys(imports, "1")[0] == keys("", "1")[0]  # imported, but not for the tables


@pytest.mark.parametrize(
    ("old", "new", "recompute"),
    [
        ("np.sqrt(x)", "np.cbrt(x)", True),  # what a function calls
        ("SCALE = 3", "SCALE = 4", True),  # the constants that it reads
        ("import numpy as np", "import scipy as np", True),  # others' modules keep their names
        ("TABLE = {}", "TABLE = {}\nTABLE[1] = 2", True),  # an item that is set at import
        ("TABLE = {}", "TABLE = {}\nfor n in (1, 2):\n    TABLE[n] = n", True),
        ("TABLE = {}", "TABLE = {}\nprint(TABLE)", True),  # a call
        ("def other", "@print\ndef other", True),  # a decorator that may register
        ("def other", "@np.errstate(over='raise')\ndef other", True),
        ("def other", "from functools import cache\n@cache\ndef other", False),
        ("SCALE = 3", "if True:\n    one = 1\n    def side(x): return x", True),  # a definition in a branch
        ("    return x\n", "    return -x\n", False),  # what nothing calls
        ("def side(x)", "def side(x: float) -> float", False),  # hints
        ("SCALE = 3", "SCALE: int = 3", False),
        ("SCALE = 3", "from collections.abc import Callable\nSCALE = 3", False),
        ("def side(x):", 'def side(x):\n    """Side of a square."""', False),
    ],
)
def test_of_a_module_in_the_folder_of_the_study_what_the_computation_reaches_counts(
    keys, old, new, recompute
):
    assert old in SHARED
    assert (keys(shared=SHARED) != keys(shared=SHARED.replace(old, new))) or not recompute
    assert (keys(shared=SHARED)[0] != keys(shared=SHARED.replace(old, new))[0]) == recompute


def test_files_and_functions_may_move(keys):
    here = keys()
    assert keys("from .renamed import area", renamed=SHARED) == here
    assert (
        keys("from .below.shared import area", **{"below/__init__": "", "below/shared": SHARED})[0] == here[0]
    )
    area, rest = SHARED.split("def side")
    moved = area.replace("import numpy as np", "from .parts import side")
    parts = "import numpy as np\n\ndef side" + rest
    assert keys(shared=moved, parts=parts)[0] == here[0]
    assert (
        keys("from .all_names import area", shared=SHARED, all_names="from .shared import area")[0] == here[0]
    )
    inside = STUDY.replace(
        "def cases", SHARED.replace("{}", "{{}}").replace("import numpy as np\n", "") + "\ndef cases"
    )
    assert keys("", study=inside)[0] == here[0]


def test_the_order_of_definitions_does_not_count_but_that_of_effects_does(keys):
    area, other = SHARED.split("def other")
    assert keys(shared=f"def other{other}\n{area}") == keys()
    both = [SHARED + f"TABLE.update(a={a})\nTABLE.update(a={3 - a})\n" for a in (1, 2)]
    assert keys(shared=both[0])[0] != keys(shared=both[1])[0]
    twice = [SHARED + f"SCALE = {a}\nSCALE = {3 - a}\n" for a in (1, 2)]
    assert keys(shared=twice[0])[0] != keys(shared=twice[1])[0]


def test_an_import_from_elsewhere_is_another_function(keys):
    """Both modules are reached either way, and only the choice between them differs."""
    modules = {"one": "def f(x): return 1\n", "two": "def f(x): return 2\n"}
    found = {
        keys(f"from .{a} import f as a\nfrom .{b} import f as b", "a(case) - b(case)", **modules)[0]
        for a, b in (("one", "two"), ("two", "one"))
    }
    assert len(found) == 2


def test_constants_that_change_places_are_seen(keys):
    text = "TOLERANCE = {}\ndef f(x): return TOLERANCE * x\n"
    use = ("from .one import f as a\nfrom .two import f as b", "a(case) - b(case)")
    texts = [text.format(1), text.format(2)]
    there, back = (keys(*use, one=one, two=two)[0] for one, two in (texts, texts[::-1]))
    assert there != back


@pytest.mark.parametrize(
    ("imports", "computed"),
    [
        ("from . import shared", "shared.area(case)"),
        ("from . import shared as s", "getattr(s, 'are' + 'a')(case)"),
        ("import papers_of_a_test.shared", "papers_of_a_test.shared.area(case)"),
        ("import papers_of_a_test.shared as s", "s.area(case)"),
        ("from .shared import *", "area(case)"),
        ("from functools import partial\nfrom .shared import area\nsquare = partial(area)", "square(case)"),
        ("from .shared import area\nMETHODS = {'a': area}", "METHODS[case](case)"),
        ("from .shared import area\nMETHODS = {}\nMETHODS['a'] = area", "METHODS[case](case)"),
        (
            "from .shared import area\nclass A:\n    def f(self): return area(self)\nclass B(A): pass",
            "B().f()",
        ),
        ("from .shared import area\n@dataclass\nclass A:\n    f: object = area", "A().f(case)"),
        ("from .shared import area\nf = lambda x, g=area: g(x)", "list(map(f, case))"),
        ("def f(x):\n    from .shared import area\n    return area(x)", "f(case)"),
        ("try:\n    from .shared import area\nexcept ImportError:\n    area = None", "area(case)"),
        ("import numba\nfrom .shared import area\nk = numba.njit(area)", "k(case)"),
        ("from numba import njit\nfrom .shared import area\n@njit\ndef k(x):\n    return area(x)", "k(case)"),
        ("from . import effects", "1"),  # nothing but what happens at import
        ("from .effects import picture_of", "1"),
        ("from . import shared\nfrom .lazy import anything", "anything(case)"),
    ],
)
def test_no_way_to_a_function_is_missed(keys, imports, computed):
    """A dependency that is not seen is a stale result reported as valid."""
    others = {
        "effects": "from .shared import area\nnp = area(2)\nprint(np)\ndef picture_of(x): return 1\n",
        "lazy": "from . import shared\ndef __getattr__(name): return getattr(shared, 'area')\n",
    }
    found = {
        keys(imports, computed, shared=text, **others)[0]
        for text in (SHARED, SHARED.replace("np.sqrt", "np.cbrt"))
    }
    assert len(found) == 2


def test_a_module_used_as_an_object_counts_whole_with_all_below_it(keys):
    use = ("from . import below", "below.deep.f(case)")
    modules = {"below/__init__": "", "below/deep": "def f(x): return 1\n"}
    assert keys(*use, **modules)[0] != keys(*use, **{**modules, "below/deep": "def f(x): return 2\n"})[0]


def test_a_claim_that_is_reworded_reruns_the_notebook_only(keys):
    claims = 'from credalbench.papers.claims import claim, claims_of\n@claim("a-fig-1", "{}", "paper")\n'
    claims += "def check(params, tables):\n    return {}\nCLAIMS = claims_of(__name__)\n"
    study = STUDY.replace("draw, claims_of(__name__)", "draw, CLAIMS")
    use = ("from .claims import CLAIMS\nfrom .shared import area", "area(case)")
    stored = keys(*use, study, shared=SHARED, claims=claims.format("it is so", 1))
    for words, found in (("it is indeed so", 1), ("it is so", 2)):
        changed = keys(*use, study, shared=SHARED, claims=claims.format(words, found))
        assert changed[0] == stored[0] and changed[1] != stored[1]
    reworded = keys(study=STUDY.replace("it is so", "so it is"))
    assert reworded[0] == keys()[0] and reworded[1] != keys()[1]


def test_claims_of_a_module_used_as_an_object_do_not_count_for_tables(keys):
    other = SHARED + 'from credalbench.papers.claims import claim\n@claim("a-fig-1", "so it is", "paper")\n'
    other += "def so(params, tables):\n    return 1\n"
    use = ("from . import shared", "shared.area(case)")
    before, after = keys(*use, shared=other), keys(*use, shared=other.replace("so it is", "it is so"))
    assert before[0] == after[0] and before[1] != after[1]


def test_another_picture_reruns_the_notebook_only(keys):
    before, after = keys(), keys(study=STUDY.replace("    return {{}}", "    return dict(a=1)"))
    assert before[0] == after[0] and before[1] != after[1]


def test_modules_may_import_each_other(keys):
    """What the computation does not reach of such a circle does not count."""
    circle = SHARED + "\ndef shown(x):\n    return study.draw(x, {})\n\nfrom . import study\n"
    before, after = keys(shared=circle), keys(shared=circle.replace("(x, {})", "({}, x)"))
    assert before[0] == after[0] and keys(shared=circle.replace("SCALE = 3", "SCALE = 2"))[0] != before[0]


def test_printed_values_count_where_they_are_read(keys):
    def of(value, computed):
        printed = f"artefact,quantity,published,precision,source\na,b,{value},0,p. 1\n"
        imports = "from credalbench.papers import printed_values\nPRINTED = printed_values(__file__)"
        return keys(imports, computed, **{"reference/study.csv": printed})

    assert of(1, "PRINTED")[0] != of(2, "PRINTED")[0]
    assert of(1, "1")[0] == of(2, "1")[0] and of(1, "1")[1] != of(2, "1")[1]


def test_functions_made_within_others_are_refused():
    def made(params, case):
        return {}

    with pytest.raises(TypeError, match="at the top of its module"):
        compute_hash(dataclasses.replace(experiment, compute=made))


def reached(*studies):
    """Module -> names of the statements that make the keys of studies."""
    found = sources._Sources()
    functions = [f for study in studies for f in (study.cases, study.compute, study.parameters)]
    statements, _ = found.reach([node for function in functions for node in found.definition(function)])
    names = {}
    for module, i in statements:
        names.setdefault(module, set()).update(found._modules[module].statements[i].bound)
    return names


@pytest.mark.parametrize(
    ("study", "module", "names"),
    [
        (
            "denoeux2016_evclus/butterfly",
            "cluster.simplex.simplex_qp",
            {"_factorise", "_solve_two", "PROXIMITY"},
        ),
        ("denoeux2016_evclus/butterfly", "cluster.evclus", {"EVCLUS"}),
        ("denoeux2016_evclus/butterfly", "datasets.typed", {"butterfly"}),
        ("antoine2012_cecm/rand_tables", "cluster.cecm", {"CECM"}),
        ("antoine2012_cecm/rand_tables", "metrics.external", {"rand_index"}),
        ("antoine2012_cecm/rand_tables", "core.constraints", {"PairwiseConstraints"}),
    ],
)
def test_the_key_of_a_real_study_has_its_algorithm_in_it(study, module, names):
    found = reached(get_study(study))
    assert names <= found[f"credalbench.{module}"]
    assert not [name for name in found if name.startswith(("credalbench.plots", "credalbench.explore"))]


@pytest.mark.parametrize(
    ("study", "folder"),
    [("denoeux2016_evclus/butterfly", "conflict"), ("antoine2012_cecm/rand_tables", "constrained")],
)
def test_every_kernel_of_the_method_is_in_the_key(study, folder):
    found = reached(get_study(study))
    package = importlib.import_module(f"credalbench.cluster.{folder}")
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        kernels = {name for name, value in vars(module).items() if isinstance(value, CPUDispatcher)}
        assert kernels <= found.get(module.__name__, set()), module.__name__


def test_data_of_the_package_belong_to_the_key():
    found = sources._Sources()
    study = get_study("antoine2012_cecm/rand_tables")
    assert any("registry.json" in text for text in found.texts([found.definition(study.compute)]))


def test_a_file_that_is_edited_in_a_running_process_changes_the_keys(keys, tmp_path, monkeypatch):
    """The sources of the call before are not taken again then."""
    before = keys()
    [shared] = tmp_path.glob("*/papers_of_a_test/shared.py")
    place = (shared.parents[1], "papers_of_a_test.study", monkeypatch)
    assert imported(*place) == before
    shared.write_text(SHARED.replace("SCALE = 3", "SCALE = 2"))  # of the same length
    after = imported(*place)
    assert after[0] != before[0] and after[1] != before[1]


def test_what_was_found_for_other_studies_changes_no_key():
    found = sources._Sources()
    for name in (
        "antoine2012_cecm/rand_tables",
        "denoeux2016_evclus/butterfly",
        "li2020_ensemble/comparison",
    ):
        study = get_study(name)
        first, again = (one.texts([one.definition(study.compute)]) for one in (sources._Sources(), found))
        assert first == again, name


@pytest.mark.long
def test_keys_do_not_depend_on_what_else_is_loaded():
    """A process that loads this study alone, and one that has loaded all before it, in the other order.

    Some of its claims have functions that say whether data stand in: their addresses differ.
    """
    script = """if True:
        import importlib, sys
        for name in sys.argv[1:]:
            module = importlib.import_module(name)
        from credalbench.papers.sources import compute_hash, view_hash
        print(compute_hash(module.experiment), view_hash(module.experiment))"""
    study = "experiments.denoeux2016_evclus.digits"
    others = [f"experiments.{e.paper}.{e.study}" for s in discover().values() for e in s.values()]
    found = {
        subprocess.run(
            [sys.executable, "-c", script, *names], capture_output=True, text=True, check=True
        ).stdout
        for names in ([study], [*reversed(others), study])
    }
    assert len(found) == 1


#: Where `plot` of a partition loads its drawing: a picture changes no table. A partition in blocks raises an
#: error for what it does not have.
DRAWING = {"credalbench.belief.partition": {"import_module"}, "credalbench.belief.blockwise": {"__getattr__"}}
#: What no reader of names can follow.
OUT_OF_SIGHT = {"globals", "exec", "eval", "import_module", "__import__", "__getattr__", "__init_subclass__"}


def test_nothing_below_a_study_is_out_of_sight():
    for name in reached(*(study for studies in discover().values() for study in studies.values())):
        tree = ast.parse(Path(sys.modules[name].__file__).read_text("utf-8"))
        words = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        words |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        words |= {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
        assert words & OUT_OF_SIGHT == DRAWING.get(name, set()), name


def test_the_partition_loads_nothing_but_plots_out_of_sight():
    source = inspect.getsource(partition)
    assert source.count("import_module(") == source.count("import_module(PLOTTING)") == 1
    assert partition.PLOTTING.startswith("credalbench.plots")


def test_parameters_and_experiment_make_the_key():
    folders = {
        StudyFolder.of(experiment, Parameters()).path,
        StudyFolder.of(experiment, Parameters(scale=2.5)).path,
        StudyFolder.of(dataclasses.replace(experiment, study="other"), Parameters()).path,
    }
    assert len(folders) == 3
    assert all(path.is_relative_to(results_root() / "toy_paper") for path in folders)
    assert not results_root().exists()


def test_provenance_has_how_to_repeat_it_and_not_where_it_ran(store):
    result = run_study(experiment, profile="smoke")
    text = (result.path / "provenance.json").read_text()
    found = json.loads(text)
    assert {"commit", "dirty", "versions", "python", "platform", "seconds", "date", "profile"} <= set(found)
    assert found["profile"] == "smoke" and "numpy" in found["versions"]
    assert str(store) not in text and "/" not in found["platform"]
    assert json.loads((result.path / "params.json").read_text())["sizes"] == [4]


def test_declarations_are_checked():
    def replaced(**changes):
        return dataclasses.replace(experiment, **changes)

    with pytest.raises(ValueError, match="expected a basis among"):
        Claim("a", "b", "papr", lambda p, t: Finding(True, ""))
    with pytest.raises(ValueError, match="unknown artefact 'toy-fig-01'; did you mean 'toy-fig-10'"):
        replaced(artefacts=("toy-fig-10", "toy-fig-02"))
    with pytest.raises(ValueError, match="unknown parameter 'n_run'; did you mean 'n_runs'"):
        replaced(smoke={"n_run": 1})
    with pytest.raises(TypeError, match="frozen dataclass"):
        replaced(parameters=dict)
    with pytest.raises(ValueError, match="lower-case letters"):
        replaced(study="Toy-Study")
    assert isinstance(replaced(title="x"), Experiment)
