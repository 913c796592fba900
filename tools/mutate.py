"""How many small mistakes the nearest tests would notice: mutants of the code, tried one at a time.

A mutant changes one operator, comparison, condition, constant or slice. It is tried in a copy of the package
and its tests, in a folder of its own; if its tests need more processor time than the limit, it counts as
noticed. Not changed are type hints, the messages of errors, the values in other texts, and what only makes
kernels ready.

Usage::

    python tools/mutate.py belief --sample 60 --seed 1
    python tools/mutate.py cluster/compiled cluster/conflict/row_sweeps --limit 120

prints each mutant with its place and what became of it, and last the share that was noticed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "credalbench"

#: Test files of a module besides that of its own name, and of all modules of a folder.
NEAREST = {
    "cluster/bootstrap": ("cluster/test_bootgmm",),
    "cluster/compiled": ("cluster/test_evclus",),
    "cluster/conflict": ("cluster/test_evclus",),
    "cluster/constrained": ("cluster/test_cecm",),
    "cluster/ensembles": ("cluster/test_ensemble",),
    "cluster/neighbours": ("cluster/test_eknnclus",),
    "cluster/network": ("cluster/test_nnevclus",),
    "cluster/pairwise": ("cluster/test_evclus", "cluster/ensembles/test_consensus"),
    "cluster/prototypes": ("cluster/test_ecm",),
    "baselines/modes": ("baselines/test_k_modes", "baselines/test_fuzzy_k_modes"),
    "belief/combine": ("belief/test_relational",),  # degrees of conflict, and what they need
    "belief/archive": ("belief/test_partition", "belief/test_named_partition"),
    "belief/distance": ("belief/test_relational",),
    "belief/explanation": ("belief/test_named_partition",),
    "belief/frames": ("belief/test_named_partition",),
    "belief/mass_function": ("belief/test_named_partition",),
    "belief/decision": ("belief/test_decision", "belief/test_empty_clusters"),
    "belief/transforms": ("belief/test_transforms", "belief/test_partition"),
    "categories/table": ("categories/test_table", "categories/test_sums"),
    "threads": ("cluster/test_evclus", "explore/test_background"),
    "cluster/conflict/pair_sampling": ("test_interrupts",),  # lists in several pieces
    "cluster/conflict/stress": ("cluster/test_evclus", "cluster/conflict/test_solvers"),
    "cluster/constrained/mass_sweeps": ("cluster/constrained/test_masses",),
    "cluster/constrained/pair_proposals": ("cluster/constrained/test_active_learning",),
    "cluster/ensembles/starts": ("cluster/ensembles/test_consensus",),
    "cluster/inputs/new_objects": ("test_predictions", "cluster/test_new_objects"),
    "cluster/mixture/em": ("cluster/test_egmm",),
    "cluster/mixture/covariance_types": (
        "cluster/mixture/test_em",
        "cluster/test_egmm",
        "cluster/test_egmm_input",
    ),
    "cluster/mixture/frame": ("cluster/test_egmm", "cluster/test_egmm_input"),
    "cluster/mixture/starts": ("cluster/test_egmm", "cluster/test_blocks"),
    "cluster/mixture/parameters": ("cluster/mixture/test_em",),
    "cluster/neighbours/belief_peaks": ("cluster/test_bpec",),
    "cluster/neighbours/evidence": ("cluster/test_eknnclus", "cluster/test_new_objects"),
    "cluster/neighbours/label_sweeps": ("cluster/test_eknnclus",),
    "cluster/prototypes/medoid_search": ("cluster/test_ecmdd", "cluster/test_mecm", "test_predictions"),
    "cluster/prototypes/view_input": ("cluster/test_multiview",),
    "cluster/prototypes/views": ("cluster/test_multiview",),
    "cluster/prototypes/weighted_medoids": ("cluster/test_ecmdd",),
    "cluster/pairwise/starts": ("cluster/test_bootgmm", "cluster/ensembles/test_consensus"),
    "cluster/prototypes/category_pass": ("cluster/test_catecm",),
    "cluster/prototypes/gram": ("cluster/test_recm", "cluster/test_new_objects"),
    "cluster/prototypes/mixed_pass": ("cluster/test_mixedecm",),
    "cluster/prototypes/mixed_space": ("cluster/test_mixedecm",),
    "cluster/prototypes/relevance": ("cluster/test_mixedecm",),
    "cluster/prototypes/medoids": ("cluster/test_mecm", "cluster/test_new_objects"),
    "cluster/prototypes/mass_update": (
        "cluster/prototypes/test_mass_update",
        "cluster/prototypes/test_mass_pass",
    ),
    "cluster/prototypes/prototype_step": (
        "cluster/prototypes/test_prototype_step",
        "cluster/prototypes/test_starts",
    ),
    "cluster/prototypes/relational": ("test_predictions", "cluster/test_new_objects"),
    "cluster/prototypes/value_weights": ("cluster/test_catecm", "cluster/test_catecm_input"),
    "relations/closure_kernels": ("relations/test_closure",),
    "relations/pairwise_evidence": ("relations/test_combination",),
    "select/criteria": ("select/test_curves",),
    "select": ("select/test_curves", "select/test_recommendation", "select/test_resamples"),
    "tables": ("tables/test_reading", "tables/test_awkward_files", "tables/test_malformed"),
}

SWAPPED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
FLIPPED = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
SMALL = 1e-3  # a constant below is a tolerance: twice as much of it is no mistake
EXAMPLES = 30  # of each law; the tests of every day draw twice as many
PATIENCE_S = 120.0  # a mutant that has waited so long without any processor time waits for nothing


@dataclass(frozen=True)
class Mutant:
    """One change: `old` to `new`, from byte `start` to byte `end` of the module at `path`."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())}  ->  {self.new}"

    def source(self) -> bytes:
        """The module with the change."""
        whole = (ROOT / self.path).read_bytes()
        return whole[: self.start] + self.new.encode() + whole[self.end :]


# ------------------------------------------------------------------------- changes


def mutants(path: Path) -> list[Mutant]:
    """All mutants of a module, given by its path from the root, in the order of the text."""
    source = (ROOT / path).read_bytes()
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    found = {}  # two changes may come to the same text
    for node in _computing(ast.parse(source)):
        for place, new in _changes(node):
            start = begins[place.lineno - 1] + place.col_offset
            end = begins[place.end_lineno - 1] + place.end_col_offset
            old = source[start:end].decode()
            found.setdefault((start, end, new), Mutant(path, place.lineno, start, end, old, new))
    return list(found.values())


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes from one down, without hints, decorators, errors, formatted texts, and warm-ups."""
    if isinstance(node, ast.Raise | ast.JoinedStr) or _for_hints(node) or _warms_up(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _computing(child)


def _for_hints(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _warms_up(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and "warm_up" in map(ast.unparse, node.decorator_list)


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What may be changed at a node: which part, into which text."""
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPPED:
        yield node, _text(node, op=SWAPPED[type(node.op)]())
    elif isinstance(node, ast.Compare):
        for k, operator in enumerate(node.ops):
            for other in FLIPPED[type(operator)]:
                yield node, _text(node, ops=[*node.ops[:k], other(), *node.ops[k + 1 :]])
    elif isinstance(node, ast.UnaryOp):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant):
        yield from ((node, repr(value)) for value in _other_values(node.value))
    elif isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(
        node.test,
        ast.Compare | ast.UnaryOp,  # which are changed by themselves
    ):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Slice):
        yield from ((node, _text(node, **{end: None})) for end in ("lower", "upper") if getattr(node, end))


def _text(node: ast.AST, **changed: object) -> str:
    """A node with some fields changed, as text that stands where the node stood."""
    text = ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **changed}))
    return text if isinstance(node, ast.AugAssign | ast.Slice) else f"({text})"


def _other_values(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    if isinstance(value, float):
        return (1.0,) if value == 0 else (1000 * value if abs(value) < SMALL else 2 * value,)
    return ()


# --------------------------------------------------------------------------- tests


def nearest_tests(path: Path) -> list[str]:
    """The test files of a module, from the root."""
    name = path.relative_to(PACKAGE).with_suffix("")
    own = Path("tests") / name.parent / f"test_{name.name}.py"
    by_name, by_folder = (NEAREST.get(place.as_posix(), ()) for place in (name, name.parent))
    others = [Path("tests") / f"{other}.py" for other in by_name + by_folder]
    files = [str(file) for file in dict.fromkeys((own, *others)) if (ROOT / file).is_file()]
    if not files:
        raise SystemExit(f"expected tests of {path} in {own}, or named in {Path(__file__).name}; got none")
    return files


def passes(folder: Path, tests: list[str], limit: int) -> bool:
    """Whether the tests pass in a copy of the package, within so many seconds of processor time."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    environment = os.environ | {
        "PYTHONPATH": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "CREDALBENCH_EXAMPLES": str(EXAMPLES),
    }
    options = {"cwd": folder, "env": environment, "start_new_session": True, "stdout": subprocess.DEVNULL}
    run = subprocess.Popen([*command, *tests], stderr=subprocess.DEVNULL, **options)
    resource.prlimit(run.pid, resource.RLIMIT_CPU, (limit, limit))
    used, before = 0.0, -1.0
    try:
        while used > before:
            with suppress(subprocess.TimeoutExpired):
                return run.wait(PATIENCE_S) == 0
            used, before = processor_time(run.pid), used
        return False
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)  # and what the tests had started
            run.wait()


def processor_time(pid: int) -> float:
    """Seconds that a process and those that it has started have used; on a busy machine they grow slowly."""
    seconds = 0.0
    with suppress(psutil.Error):  # one has ended meanwhile
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            seconds += sum(one.cpu_times()[:4])
    return seconds


def survivors(chosen: list[Mutant], folder: Path, limit: int) -> list[Mutant]:
    """The mutants that the nearest tests do not notice; prints what becomes of each."""
    sound = set()
    lived = []
    for number, mutant in enumerate(chosen, start=1):
        tests, target = nearest_tests(mutant.path), folder / mutant.path
        if mutant.path not in sound and not passes(folder, tests, 10 * limit):
            raise SystemExit(f"expected the tests {tests} to pass without a change; they do not")
        sound.add(mutant.path)
        target.write_bytes(mutant.source())
        forget_compiled(target, folder)
        if passes(folder, tests, limit):
            lived.append(mutant)
        shutil.copyfile(ROOT / mutant.path, target)
        forget_compiled(target, folder)
        verdict = "SURVIVED" if mutant in lived else "noticed"
        print(f"{number:4} {verdict:8} {mutant}", flush=True)
    return lived


def forget_compiled(module: Path, folder: Path) -> None:
    """Remove bytecode, which tells mutants by second and length, and loops that may contain the module."""
    for compiled in module.parent.glob(f"__pycache__/{module.stem}.*"):
        compiled.unlink()
    if "kernel" in module.read_text("utf-8"):
        shutil.rmtree(folder / "kernels", ignore_errors=True)


def modules(names: list[str]) -> list[Path]:
    """The modules under the named folders and files of the package, from the root."""
    found = []
    for name in names:
        place = ROOT / PACKAGE / name
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        found += [file.relative_to(ROOT) for file in files if file.name != "__init__.py"]
    return found


def main() -> int:
    """Try the mutants; 1 where fewer than the wanted share are noticed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", nargs="+", help="folders or modules below credalbench/: belief/combine")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn at random; all by default")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument(
        "--limit", type=int, default=60, help="seconds of processor time for the tests of a mutant"
    )
    parser.add_argument("--least", type=float, default=0.85, help="share that must be noticed")
    options = parser.parse_args()
    found = [mutant for path in modules(options.module) for mutant in mutants(path)]
    size = min(options.sample or len(found), len(found))
    chosen = random.Random(options.seed).sample(found, size)  # the first few are a sample, too
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        for part in (PACKAGE, "tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
        lived = survivors(chosen, folder, options.limit)
    score = 1 - len(lived) / max(size, 1)
    print(f"{size - len(lived)} of {size} mutants noticed ({score:.0%}), out of {len(found)}")
    return int(score < options.least)


if __name__ == "__main__":
    sys.exit(main())
