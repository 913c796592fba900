"""The mutants that the tests are tried with: what is changed, what is not, and that each is a programme."""

import ast
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.test_house import tool

mutate = tool("mutate")


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """A function from a module's text to the texts of its mutants."""
    monkeypatch.setattr(mutate, "ROOT", tmp_path)

    def texts(source):
        (tmp_path / "module.py").write_text(source, "utf-8")
        found = mutate.mutants(mutate.Path("module.py"))
        return sorted(mutant.source().decode() for mutant in found)

    return texts


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a + b * c", ["x = (a - b * c)", "x = a + (b / c)"]),
        ("x -= y", ["x += y"]),
        ("x = a < b", ["x = (a <= b)", "x = (a >= b)"]),
        ("x = c is a is b", ["x = (c is a is not b)", "x = (c is not a is b)"]),
        ("x = a and not b", ["x = (a or not b)", "x = a and (b)"]),
        ("x = y[1:k]", ["x = y[0:k]", "x = y[1:]", "x = y[2:k]", "x = y[:k]"]),
        ("x = 2.0, True", ["x = 2.0, False", "x = 4.0, True"]),
        ("x = 1e-6, 0.0", ["x = 0.001, 0.0", "x = 1e-6, 1.0"]),
        ("if ä:\n    pass", ["if (not (ä)):\n    pass"]),
        ("while ä in b:\n    pass", ["while (ä not in b):\n    pass"]),
        ("if TYPE_CHECKING:\n    x = 1", []),
        ("@warm_up\ndef f():\n    return 1 + 1", []),
        ('def f(x: a | b) -> c | d:\n    """1 + 1"""\n    raise E(f"{x + 1}", x + 1)', []),
    ],
)
def test_one_thing_is_changed_at_a_time(changed, source, expected):
    assert changed(source) == expected


def test_every_module_that_is_measured_has_tests():
    for path in mutate.modules(["belief", "cluster", "relations", "select", "tables", "runner/judging"]):
        assert mutate.nearest_tests(path)
        for mutant in mutate.mutants(path):
            assert mutant.old != mutant.new
    sample = mutate.mutants(mutate.Path("credalbench/belief/combine.py"))
    assert len(sample) > 50 and all(ast.parse(mutant.source()) for mutant in sample)


def test_survivors_are_the_mutants_that_no_test_notices(tmp_path, monkeypatch, capsys):
    """Each is tried alone: the copy is sound again before the next one."""
    root, copy = tmp_path / "root", tmp_path / "copy"
    for folder in (root / "credalbench", root / "tests", copy / "credalbench"):
        folder.mkdir(parents=True)
    source = "def double(x):\n    return 2 * x\n\n\ndef unused(x):\n    return 3 * x\n"
    (root / "credalbench" / "toy.py").write_text(source, "utf-8")
    (root / "tests" / "test_toy.py").write_text("", "utf-8")
    target = copy / "credalbench" / "toy.py"
    target.write_text(source, "utf-8")

    def passes(folder, tests, limit):
        names = {}
        exec(target.read_text("utf-8"), names)
        return tests == ["tests/test_toy.py"] and names["double"](3) == 6

    monkeypatch.setattr(mutate, "ROOT", root)
    monkeypatch.setattr(mutate, "passes", passes)
    [path] = mutate.modules(["toy"])
    found = mutate.mutants(path)
    assert [mutant.line for mutant in found] == [2, 2, 2, 6, 6, 6]
    assert mutate.survivors(found, copy, 1) == found[3:]
    assert target.read_text("utf-8") == source
    assert capsys.readouterr().out.count("SURVIVED credalbench/toy.py:6: ") == 3


WITHOUT_END = [
    pytest.param(test, False, marks=pytest.mark.nightly) for test in ("time.sleep(99)", "sum(range(10**10))")
]


@pytest.mark.parametrize(("test", "verdict"), [("pass", True), ("assert False", False), *WITHOUT_END])
def test_a_mutant_lives_only_if_its_tests_end_well(test, verdict, tmp_path, monkeypatch):
    """One that waits for nothing, or computes without end, is noticed."""
    (tmp_path / "test_toy.py").write_text(f"import time\ndef test_toy():\n    {test}\n")
    monkeypatch.setattr(mutate, "PATIENCE_S", 5.0)
    assert mutate.passes(tmp_path, ["test_toy.py"], 3) is verdict


def test_processor_time_counts_what_a_process_has_started():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as process:
        seen = 0.0
        for _ in range(1200):
            if (seen := mutate.processor_time(process.pid)) > 0.5:  # a start alone takes a tenth
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
    assert seen > 0.5 and mutate.processor_time(process.pid) == 0
