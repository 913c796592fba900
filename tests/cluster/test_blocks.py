"""Fits to data in blocks: those in memory, whatever the blocks come from; what they refuse."""

import subprocess
import sys
import tempfile
import tracemalloc
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import credalbench.baselines
import credalbench.cluster
import credalbench.core.blocks
from credalbench.belief import BlockwisePartition
from credalbench.cluster import ECM, EGMM, CatECM
from credalbench.core.extras import MissingPackage
from credalbench.core.progress import Cancelled, Progress, listen

KINDS = ("function", "frames", "memmap", "dask array", "dask frame", "parquet")
FITS = {
    "ECM": ECM(4),
    "ECM, pairs": ECM(4, focal_sets="pairs", delta=9.0, init="k-means++", n_init=2),
    "ECM, norms": ECM(4, metric="mahalanobis", init="random", beta=1.4, alpha=2.0),
    "EGMM": EGMM(4, max_iter=20),
    "EGMM, full": EGMM(4, covariance_type="full", focal_sets="simple", init="random", n_init=2, max_iter=20),
    "EGMM, ridge": EGMM(4, covariance_type="spherical", reg_covar=0.01, stopping="relative", max_iter=20),
    "CatECM": CatECM(4, n_init=2, missing="ignore"),
    "CatECM, sums": CatECM(
        4, normalize=False, delta=1.5, beta=2.0, init="random", n_init=2, missing="ignore"
    ),
}
IN_BLOCKS = ("ECM", "EGMM", "CatECM")

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning",
    "ignore:.*clusters? ha(s|ve) no object",
    "ignore:.*do not lie between",
    "ignore:two prototypes",
)


def planted(seed, n=900, c=3, p=3):
    """Return objects of c clusters in random order, and the blocks that they are cut into."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.uniform(-9, 9, (c, p))[rng.integers(c, size=n)]
    return X, np.split(X, np.unique(rng.integers(1, n, rng.integers(1, 6))))


def as_frame(part):
    return pd.DataFrame(part, columns=[f"x{l}" for l in range(part.shape[1])])


def in_kind(kind, parts, folder):
    """Return the same blocks as one of the kinds of data."""
    if kind == "function":
        return partial(iter, parts)
    if kind == "frames":
        return partial(iter, [as_frame(part) for part in parts])
    if kind == "memmap":
        X = np.concatenate(parts)
        mapped = np.memmap(folder / "X.dat", X.dtype, "w+", shape=X.shape)
        mapped[:] = X
        return mapped
    pytest.importorskip("dask")
    import dask.array
    import dask.dataframe

    if kind == "dask array":
        arrays = [dask.array.from_array(part, chunks=(len(part), 2)) for part in parts]
        return dask.array.concatenate(arrays)
    if kind == "dask frame":
        return dask.dataframe.concat([dask.dataframe.from_pandas(as_frame(part), 1) for part in parts])
    for k, part in enumerate(parts):
        as_frame(part).to_parquet(folder / f"{k:03}.parquet")
    return dask.dataframe.read_parquet(folder, aggregate_files=False, split_row_groups=False)


def assert_same(fit, expected):
    """Compare a fit in blocks with one in memory, to 1e-10 of what is compared."""
    np.testing.assert_allclose(fit.objective_trace_, expected.objective_trace_, rtol=1e-10)
    masses = fit.partition_.compute().masses
    np.testing.assert_allclose(masses, expected.partition_.masses, rtol=0, atol=1e-10)
    assert fit.partition_.focal_sets == expected.partition_.focal_sets
    np.testing.assert_array_equal(fit.labels_, expected.labels_)
    for name in ("cluster_centers_", "covariances_", "norm_matrices_", "weights_", "start_"):
        for one, another in zip(getattr(fit, name, ()), getattr(expected, name, ()), strict=True):
            np.testing.assert_allclose(one, another, rtol=1e-10, atol=1e-10)


# ---------------------------------------------------------------- the same as in memory


def compare_with_memory(name, n, seed):
    """Fit in memory, and in blocks that are cut in three ways; with weights, too."""
    X, _ = planted(seed, n, c=4)
    rng = np.random.default_rng(seed)
    if name.startswith("CatECM"):
        X = np.where(rng.random(X.shape) < 0.05, np.nan, np.round(X / 3))
        X[np.isnan(X).all(axis=1)] = 0.0
    weights = rng.integers(0, 3, n).astype(float)
    expected, weighted = (type(FITS[name])(**FITS[name].get_params()) for _ in range(2))
    expected.set_params(random_state=seed).fit(X)
    weighted.set_params(random_state=seed).fit(X, sample_weight=weights)
    fit = type(expected)(**expected.get_params())
    for cuts in ([n // 7], range(n // 10, n, n // 10), np.unique(rng.integers(1, n, 5))):
        parts = np.split(X, cuts)
        assert_same(fit.fit(partial(iter, parts)), expected)
    assert_same(fit.fit(partial(iter, parts), sample_weight=weights), weighted)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", FITS)
def test_a_fit_in_blocks_is_that_in_memory(name, seed):
    compare_with_memory(name, 3000, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", FITS)
def test_a_fit_in_many_blocks_is_that_in_memory(name, seed):
    compare_with_memory(name, 100_000, seed)


def table_of_categories(seed, n=700):
    """Return a table, in which the last object alone has a value of the first column, and its blocks."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n)
    columns = {
        "text": np.where(rng.random(n) < 0.8, np.array(["b", "a", "c"])[group], "b").astype(object),
        "number": np.where(rng.random(n) < 0.8, group, 7.0),
        "declared": pd.Categorical.from_codes(group, ["z", "y", "x", "unused"]),
        "mixed": np.array([1, "1", 2.5], dtype=object)[(group + (rng.random(n) < 0.2)) % 3],
    }
    table = pd.DataFrame(columns)
    table.loc[rng.random(n) < 0.1, "number"] = np.nan
    table.loc[n - 1, "text"] = "late"
    cuts = [0, *np.unique(rng.integers(1, n, rng.integers(1, 6))), n]
    return table, [table.iloc[i:j] for i, j in pairwise(cuts)]


@given(st.integers(0, 2**32 - 1), st.sampled_from(["category", "ignore"]))
def test_values_of_all_blocks_are_those_in_memory(seed, missing):
    table, parts = table_of_categories(seed)
    expected = CatECM(3, random_state=0, n_init=2, missing=missing).fit(table)
    fit = CatECM(3, random_state=0, n_init=2, missing=missing).fit(partial(iter, parts))
    assert list(map(list, fit.categories_)) == list(map(list, expected.categories_))
    assert_same(fit, expected)
    assert fit.partition_.compute() == expected.partition_
    assert fit.partition_.summary().typical.isin(table.index).all()


@pytest.mark.parametrize("cls", [ECM, EGMM, CatECM])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_blocks_gives_the_fit_in_memory(kind, cls, tmp_path, monkeypatch):
    X, _ = planted(1, n=2500, c=4)
    X = np.round(X / 3) if cls is CatECM else X
    monkeypatch.setattr(credalbench.core.blocks, "BLOCK", 500 * X[:1].nbytes)  # of a memory map
    expected = cls(4, random_state=0).fit(X)
    data = in_kind(kind, np.split(X, range(500, 2500, 500)), tmp_path)
    fit = cls(4, random_state=0).fit(data)
    assert_same(fit, expected)
    np.testing.assert_array_equal(fit.predict(data), expected.predict(X))
    assert hasattr(fit, "feature_names_in_") == (kind in ("frames", "dask frame", "parquet"))


def test_attributes_are_read_once_and_no_file_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    X, parts = planted(10)
    passes = []

    def blocks():
        passes.append(len(list(tmp_path.iterdir())))
        return iter(parts)

    assert_same(ECM(3, random_state=0).fit(blocks), ECM(3, random_state=0).fit(X))
    assert passes == [0, 0, 0]  # the fit, masses and labels
    assert not list(tmp_path.iterdir())


def test_a_fit_to_blocks_forgets_the_labels_of_a_fit_in_memory():
    X, parts = planted(3)
    fit = ECM(3, random_state=0).fit(X[:50]).fit(partial(iter, parts))
    assert len(fit.labels_) == len(X)
    assert not isinstance(fit.fit(X[:50]).partition_, BlockwisePartition)


@pytest.mark.parametrize("name", credalbench.cluster.__all__)
def test_predictions_for_blocks_are_those_for_all_at_once(name):
    cls = getattr(credalbench.cluster, name)
    if not (hasattr(cls, "predict_partition") and hasattr(cls, "fit")):
        pytest.skip("no predictions")
    X, parts = planted(4, n=60)
    if name == "CatECM":
        X, parts = np.round(X), [np.round(part) for part in parts]
    fit = cls(**(cls.examples.quick if hasattr(cls.examples, "quick") else {})).fit(X)
    expected, found = fit.predict_partition(X), fit.predict_partition(partial(iter, parts))
    assert isinstance(found, BlockwisePartition)
    np.testing.assert_allclose(found.compute().masses, expected.masses, atol=1e-12)  # BLAS, by rows


def test_the_memory_of_a_fit_does_not_grow_with_the_blocks():
    """Numbers that are allocated at a time, at eight times the data: at most a block more."""

    def peak(n_blocks):
        def blocks():
            for k in range(n_blocks):
                rng = np.random.default_rng(k)
                yield rng.normal(size=(25_000, 4)) + 9.0 * rng.integers(2, size=25_000)[:, None]

        tracemalloc.start()
        ECM(2, delta=20.0, init=np.array([[0.0] * 4, [9.0] * 4]), max_iter=2).fit(blocks)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(2)  # imports
    assert peak(32) - peak(4) < 25_000 * 4 * 8


# ---------------------------------------------------------------- refusals


def fit(X, **settings):
    return ECM(3, random_state=0, **settings).fit(X)


def bent(change, block=7, n=100):
    """Return a function of 100 blocks, one of which is changed."""

    def blocks():
        rng = np.random.default_rng(0)
        for k in range(n):
            part = rng.normal(size=(20, 3))
            yield change(part) if k == block else part

    return blocks


def with_nan(part):
    part[12, 1] = np.nan
    return part


BAD = {
    "block 7 .*got NaN in row 12, column 1": with_nan,
    "block 7 .*other columns than block 0: X has 2 features": lambda part: part[:, :2],
    "block 7 .*expected some rows": lambda part: part[:0],
    "block 7 .*expected numbers in all columns": lambda part: [["a"] * 3],
    "block 7 .*X of shape": lambda part: part[0],
    "block 7 .*an array or a DataFrame, got 5": lambda part: 5,
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_block_is_named_and_nothing_is_left(message):
    estimator = ECM(3, random_state=0)
    with pytest.raises(ValueError, match=message):
        estimator.fit(bent(BAD[message]))
    assert not hasattr(estimator, "partition_") and not hasattr(estimator, "cluster_centers_")


def with_gap(part):
    part = np.round(part)
    part[12, 1] = np.nan
    return part


BAD_CATEGORIES = {
    "block 7 .*no missing value in X .*row 12 of column 1": with_gap,
    "block 7 .*other columns than block 0: X has 2 features": lambda part: part[:, :2],
    "block 7 .*expected some rows": lambda part: part[:0],
    "block 7 .*X of shape": lambda part: part[0],
    "block 7 .*hashable values": lambda part: pd.DataFrame({0: [["a"]], 1: 1, 2: 2}),
}


@pytest.mark.parametrize("message", BAD_CATEGORIES)
def test_a_bad_block_of_categories_is_named(message):
    with pytest.raises(ValueError, match=message):
        CatECM(3, random_state=0).fit(bent(BAD_CATEGORIES[message]))


def test_a_value_that_comes_after_the_first_pass_is_an_error():
    _, parts = table_of_categories(1)
    passes = iter([parts, [part.replace("late", "later") for part in parts]])
    with pytest.raises(ValueError, match=r"the values of the first pass, got .*text: .*later"):
        CatECM(3, missing="category").fit(lambda: next(passes))


def test_columns_in_another_order_are_refused():
    frames = [as_frame(np.ones((4, 2))), as_frame(np.ones((4, 2)))[["x1", "x0"]]]
    with pytest.raises(ValueError, match=r"block 1 .*other columns than block 0: The feature names"):
        fit(partial(iter, frames))


def test_unknown_numbers_of_rows_are_counted_and_of_columns_refused():
    array = pytest.importorskip("dask.array")
    X, _ = planted(11)
    known = array.from_array(X, chunks=(300, 3))
    unknown = known[known[:, 0] > -np.inf]
    assert np.isnan(unknown.shape[0])
    assert fit(unknown).cluster_centers_.tobytes() == fit(known).cluster_centers_.tobytes()
    with pytest.raises(ValueError, match=r"a known number of columns \(X.compute_chunk_sizes"):
        fit(known[:, array.from_array(np.array([True, False, True]), chunks=3)])


def test_an_empty_partition_is_named_with_the_way_out():
    frames = pytest.importorskip("dask.dataframe")
    X, _ = planted(12)
    frame = frames.from_pandas(as_frame(X).sort_values("x0", ignore_index=True), npartitions=3)
    with pytest.raises(ValueError, match=r"block 0 .*some rows \(dask's repartition leaves out empty"):
        fit(frame[frame.x0 > np.median(X[:, 0])])


@pytest.mark.parametrize("function", [len, lambda n: iter(()), pd.read_csv])
def test_functions_that_need_arguments_are_refused(function):
    with pytest.raises(ValueError, match="expected X as a function without arguments"):
        ECM(2).fit(function)


def test_no_blocks_and_too_few_objects_are_refused():
    X, _ = planted(6)
    with pytest.raises(ValueError, match="blocks of data, got 'none'"):
        fit(lambda: [])
    with pytest.raises(ValueError, match="n_clusters <= n_samples = 2"):
        fit(lambda: [X[:1], X[1:2]])
    with pytest.raises(ValueError, match="at least 2 objects"):
        fit(lambda: [X[:1]])


@pytest.mark.parametrize("name", credalbench.cluster.__all__ + credalbench.baselines.__all__)
def test_what_needs_its_data_in_memory_refuses_blocks(name):
    package = credalbench.cluster if name in credalbench.cluster.__all__ else credalbench.baselines
    cls = getattr(package, name)
    if name in IN_BLOCKS or not hasattr(cls, "fit"):
        pytest.skip("takes blocks" if name in IN_BLOCKS else "no estimator")
    _, parts = planted(7)
    with pytest.raises(ValueError, match="X in memory, got data in blocks"):
        cls().fit(partial(iter, parts))


# ---------------------------------------------------------------- progress, and without dask


class Recorded(Progress):
    """Notes what is reported, and cancels at a text."""

    def __init__(self, end=None):
        super().__init__()
        self.texts, self.end = set(), end

    def check(self):
        self.texts.add(self.text())
        if self.text() == self.end:
            self.cancel()
        super().check()


def test_blocks_and_iterations_are_one_line_of_progress():
    recorded = Recorded()
    with listen(recorded):
        fit(bent(lambda part: part, n=4))
    assert {"block 3", "iteration 2"} <= recorded.texts


def test_a_fit_is_cancelled_between_blocks():
    read = []

    def blocks():
        for part in bent(lambda part: part, n=6)():
            read.append(0)
            yield part

    with listen(Recorded("block 3")), pytest.raises(Cancelled):
        fit(blocks)
    assert len(read) < 6


def test_nothing_imports_dask():
    code = (
        "import sys, credalbench.cluster, credalbench.baselines, numpy as np\n"
        "X = np.arange(18.0).reshape(9, 2)\n"
        "credalbench.cluster.ECM(2).fit(lambda: [X, X + 50])\n"
        "assert not {'dask', 'distributed'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_dask_its_collections_name_the_extra(monkeypatch):
    collection = type("Array", (), {"__module__": "dask.array.core", "to_delayed": None})()
    monkeypatch.setattr("credalbench.core.extras.find_spec", lambda module: None)
    with pytest.raises(MissingPackage, match=r"needs dask: pip install '\.\[distributed\]'"):
        fit(collection)
