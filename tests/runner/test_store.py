"""Keys: another parameter or another algorithm is another result; a reworded claim is not."""

import ast
import dataclasses
import importlib
import json
import sys

import pytest

from credalbench.runner import Claim, Experiment, Finding, run_study, sources
from credalbench.runner.sources import compute_hash, view_hash
from credalbench.runner.store import StudyFolder, results_root

from .toy_study import Parameters, experiment

MODULE = '''\
"""A study."""
from dataclasses import dataclass
import pandas as pd
from credalbench.runner import Claim, Experiment, Finding

@dataclass(frozen=True)
class Parameters:
    n: int = 1

def cases(params):
    return [{"i": i} for i in range(params.n)]

def square(x):
    """Help."""
    return x * x

def compute(params, case):
    return {"t": pd.DataFrame({"x": [square(case["i"])]})}

def draw(params, tables):
    return {}

def check(params, tables):
    return Finding(True, "yes")

CLAIMS = (Claim("a-fig-1", "it is so", "paper", check),)
experiment = Experiment("p", "s", "A title", ("a-fig-1",), Parameters, cases, compute, draw, CLAIMS)
'''


def imported(folder, module, monkeypatch):
    """Both hashes of the experiment in a module below ``folder``, imported for the moment."""
    with monkeypatch.context() as patch:
        patch.syspath_prepend(folder)
        experiment = importlib.import_module(module).experiment
        found = compute_hash(experiment), view_hash(experiment)
    for name in [name for name in sys.modules if name.split(".")[0] == module.split(".")[0]]:
        del sys.modules[name]
    return found


@pytest.fixture
def hashes(tmp_path, monkeypatch):
    """Hashes of the study module above after replacements in its text."""

    def after(*replacements):
        text = MODULE
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        (folder / "study_of_a_test.py").write_text(text)
        return imported(folder, "study_of_a_test", monkeypatch)

    return after


@pytest.mark.parametrize(
    ("old", "new", "recompute", "rerun_notebook"),
    [
        ("x * x", "x * x + 1", True, True),
        ('"""Help."""', '"""Better help."""  # and a comment', False, False),
        ("it is so", "it is indeed so", False, True),
        ('"yes"', '"yes!"', False, True),
        ("return {}", "return dict()", False, True),
        ("A title", "Another title", False, True),
        ("x * x", "len(draw(None, None)) + x * x", True, True),
    ],
)
def test_only_changes_that_can_change_tables_change_the_key(hashes, old, new, recompute, rerun_notebook):
    before, after = hashes(), hashes((old, new))
    assert (before[0] != after[0], before[1] != after[1]) == (recompute, rerun_notebook)


def test_a_view_that_the_computation_calls_stays_in_the_key(hashes):
    calls = ("x * x", "len(draw(0, 0))")
    assert hashes(calls)[0] != hashes(calls, ("return {}", "return {1: 2}"))[0]


def test_what_the_computation_uses_of_the_package_belongs_to_the_key(hashes, monkeypatch):
    """And so does what that uses: partition.py is part of belief, which the study imports."""
    using = [
        ("import pandas", "from credalbench.belief import FocalSets\nimport pandas"),
        ("x * x", "FocalSets"),
    ]
    before = hashes(*using)
    stripped = sources._stripped

    def changed(path):
        tree = stripped(path)
        return ast.Module([*tree.body, *ast.parse("x = 1").body], []) if path.name == "partition.py" else tree

    monkeypatch.setattr(sources, "_stripped", changed)
    assert hashes(*using)[0] != before[0]
    assert hashes(using[0])[0] == hashes()[0]  # imported, but not for the tables


SHARED = """\
def area(x):
    return x * x

def picture(x):
    return study.draw(x, {})

from . import study
"""


@pytest.mark.parametrize(
    ("old", "new", "recompute"), [("x * x", "x + x", True), ("(x, {})", "({}, x)", False)]
)
def test_of_a_module_beside_the_study_only_what_the_computation_reaches_counts(
    tmp_path, monkeypatch, old, new, recompute
):
    """The two modules import each other; that must end."""
    monkeypatch.setattr(sources, "repository_root", lambda: tmp_path)
    text = MODULE.replace("import pandas as pd", "import pandas as pd\nfrom .shared import area, picture")
    text = text.replace("[square(", "[area(").replace("return {}", "return picture(params)")
    found = []
    for number, shared in enumerate((SHARED, SHARED.replace(old, new))):
        package = tmp_path / str(number) / "papers_of_a_test"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "shared.py").write_text(shared)
        (package / "study.py").write_text(text)
        found.append(imported(package.parent, "papers_of_a_test.study", monkeypatch))
    assert (found[0][0] != found[1][0]) == recompute and found[0][1] != found[1][1]


def test_parameters_and_experiment_make_the_key():
    folders = {
        StudyFolder.of(experiment, Parameters()).path,
        StudyFolder.of(experiment, Parameters(scale=2.5)).path,
        StudyFolder.of(dataclasses.replace(experiment, study="other"), Parameters()).path,
    }
    assert len(folders) == 3
    assert all(path.is_relative_to(results_root() / "toy_paper") for path in folders)
    assert not results_root().exists()


def test_provenance_says_how_to_repeat_it_and_not_where_it_ran(store):
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
