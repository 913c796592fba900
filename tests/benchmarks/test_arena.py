"""The arena: what it measures of a fit, its limits, and a small run with benchopt where that is installed."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from credalbench.belief import CredalPartition, FocalSets
from credalbench.metrics import misclassified

ARENA = Path(__file__).parents[2] / "benchmarks" / "arena"
ROOT = ARENA.parents[1]


def loaded(path):
    """Return a module of the arena, which is outside of packages."""
    spec = importlib.util.spec_from_file_location(f"arena_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


measures, page = loaded(ARENA / "benchmark_utils" / "__init__.py"), loaded(ARENA / "page.py")


def test_error_without_rejection_is_that_of_the_best_matching():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, labels = rng.integers(4, size=(2, 50))
        error = measures.error_after_rejection(y, labels, rng.random(50), 0.0)
        assert_allclose(error, misclassified(y, labels) / 50)


def test_rejection_pays_where_the_wrong_objects_are_unsure_and_not_where_all_are_equally_sure():
    y, labels = np.repeat([0, 1], 10), np.r_[np.zeros(9), np.ones(11)].astype(int)
    sure = np.where(y == labels, 0.9, 0.5)
    assert measures.error_after_rejection(y, labels, sure) == 0
    assert_allclose(measures.error_after_rejection(y, labels, np.ones(20)), 1 / 20)
    assert_allclose(measures.error_after_rejection(y, labels, 1 - sure), 1 / 18)


def test_certainty_counts_imprecision_and_conflict():
    frame = FocalSets.from_sets(2, [[], [0], [1], [0, 1]])
    masses = [[0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert_allclose(measures.certainty(CredalPartition(masses, frame)), [1, 0.5, 0.5, 0])


def test_outliers_are_called_by_the_empty_set_or_by_minus_one():
    labels, frame = np.array([0, 0, -1, -1]), FocalSets.from_sets(1, [[], [0]])
    assert measures.outlier_shares(None, labels, 3) == {"found": 1.0, "false": 1 / 3}
    assert measures.outlier_shares(None, np.zeros(4, int), 3) == {}
    partition = CredalPartition([[0, 1], [0.4, 0.6], [0.2, 0.8], [0.9, 0.1]], frame)
    assert measures.outlier_shares(partition, labels, 3) == {"found": 1.0, "false": 0.0}


def test_silhouette_of_one_cluster_is_the_least():
    D = np.abs(np.subtract.outer(*[np.array([0.0, 1.0, 10.0, 11.0])] * 2))
    assert measures.silhouette(D, np.zeros(4, int)) == -1
    assert measures.silhouette(D, np.array([0, 0, 1, 1])) > 0.8


def test_planted_outliers_are_isolated():
    X = np.random.default_rng(0).normal(size=(60, 2))
    found = measures.with_outliers(X, np.random.default_rng(1))
    assert (found[:60] == X).all() and len(found) == 65
    D = np.linalg.norm(found[:, None] - found, axis=2) + np.diag([np.inf] * 65)
    assert D[60:].min() > 2 * D[:60, :60].min(axis=1).max()


def test_a_fit_that_takes_too_much_is_stopped_and_the_limits_end_with_it():
    with pytest.raises(TimeoutError, match="more than"), measures.limited(seconds=0.2):
        while True:
            pass
    if Path("/proc/self/statm").exists():
        with pytest.raises(MemoryError), measures.limited(mebibytes=100):
            np.ones(2**25)
    assert len(np.ones(2**25)) == 2**25


def test_comparisons_are_corrected_for_their_number():
    noise = np.random.default_rng(0).normal(size=(30, 6))
    noise = (noise - noise.mean(axis=0)) / noise.std(axis=0, ddof=1)  # t = shift * sqrt(30)
    wide = pd.DataFrame(noise + [0.45, -0.9, 0, 0, 0, 0], columns=list("abcdef")).assign(**{"k-means": 0.0})
    assert page.signs(wide) == {"a": "open", "b": "no"} | dict.fromkeys("cdef", "open")
    assert page.signs(wide[["a", "k-means"]]) == {"a": "yes"}  # p = .02
    failed = wide.assign(a=wide["a"].where(wide.index > 1))
    assert page.comparisons(wide, failed)["a"][1].endswith("28 sets")
    assert page.comparisons(wide, failed)["b"][1] == "the same"


def test_the_page_concludes_what_its_list_allows():
    means = pd.read_csv(ROOT / "docs" / "arena_results" / "means.csv").query("part == 'defaults'")
    others = means.groupby("dataset")["method"].transform(lambda names: page.REFERENCE not in set(names))
    known, runs, failed = (
        means[~others].pivot(index="dataset", columns="method", values=v) for v in ("ari", "runs", "failed")
    )
    succeeded = known.where(failed == 0, (known * runs / (runs - failed)).where(runs > failed))
    text = (ROOT / "docs" / "arena.md").read_text("utf-8")
    lines = page.short(known, succeeded)
    assert len(lines) == 2
    assert [line for line in lines if line not in " ".join(text.split())] == []
    for name, found in page.comparisons(known, succeeded).items():
        row = next(
            line for line in text.splitlines() if line.startswith(("| " + name + " |", "| " + name + " †"))
        )
        assert " | ".join(found) in row, name


def test_a_small_run_has_a_row_for_each_fit_and_a_page(tmp_path):
    pytest.importorskip("benchopt", reason="needs the extra benchmarks")
    arena = shutil.copytree(ARENA, tmp_path / "arena", ignore=shutil.ignore_patterns("__cache__", "outputs"))
    result, docs = tmp_path / "result.csv", tmp_path / "docs"
    words = ["-s", "clusterer[method=[ECM,k-means,'sklearn.cluster:Birch']]", "-r", "2", "--no-plot"]
    words += ["-d", "generated[data=[overlap,noisy]]", "--output", str(result)]
    subprocess.run([sys.executable, "-m", "benchopt", "run", str(arena), *words], check=True, cwd=tmp_path)
    rows = pd.read_csv(result)
    assert set(rows["p_dataset_data"]) == {"overlap"}  # these methods take no dissimilarities
    assert (rows.groupby(["p_solver_method", "p_obj_task"]).size() == 2).all() and len(rows) == 3 * 4 * 2
    assert rows["objective_failure"].isna().all()
    known = rows[rows["p_obj_task"] == "known"]
    assert known["objective_ari"].between(0.5, 1).all()
    n_different = known.groupby("p_solver_method")["objective_ari"].nunique()
    assert n_different.gt(1).any()  # other objects in each run
    subprocess.run([sys.executable, str(ARENA / "page.py"), str(result), "--docs", str(docs)], check=True)
    page = (docs / "arena.md").read_text()
    assert "| ECM | credal |" in page and "| Birch | hard |" in page and "No fit failed." in page
    assert (docs / "arena_results" / "map.png").stat().st_size > 100
    assert len(pd.read_csv(docs / "arena_results" / "means.csv")) == 3 * 4
