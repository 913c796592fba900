"""Fits to data in blocks: the same as in memory, whatever the blocks come from; what they refuse."""

import pickle
import subprocess
import sys
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
import credalbench.core.kept_arrays
from credalbench.baselines import FuzzyCMeans, KModes
from credalbench.belief import BlockwisePartition
from credalbench.cluster import ECM, EGMM, CatECM
from credalbench.core.extras import MissingPackage
from credalbench.core.kept_arrays import KeptArray
from credalbench.core.progress import Cancelled, Progress, listen

KINDS = ("function", "frames", "memmap", "dask array", "dask frame", "parquet")
SETTINGS = (
    {},
    {"metric": "mahalanobis"},
    {"init": "k-means++", "delta": 9.0, "n_init": 2},
    {"init": "random", "beta": 1.4, "alpha": 2.0},
    {"focal_sets": "pairs", "delta": 5.0},
)
TO_ROUNDING = 1e-10  # of the spread: sums are added in another order, in each of some iterations

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning",
    "ignore:.*clusters? ha(s|ve) no object",
    "ignore:.*do not lie between",
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
    spread = np.abs(expected.cluster_centers_).max()
    assert np.abs(fit.cluster_centers_ - expected.cluster_centers_).max() <= TO_ROUNDING * spread
    assert fit.n_iter_ == expected.n_iter_
    np.testing.assert_allclose(fit.objective_trace_, expected.objective_trace_, rtol=TO_ROUNDING)
    partition = fit.partition_.compute()
    assert partition.focal_sets == expected.partition_.focal_sets
    np.testing.assert_allclose(partition.masses, expected.partition_.masses, atol=TO_ROUNDING)
    np.testing.assert_array_equal(fit.labels_, expected.labels_)


# ---------------------------------------------------------------- the same as in memory


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(SETTINGS),
    st.sampled_from([1.0, 2.0**-150, 2.0**150]),
    st.integers(1, 5),
)
def test_ecm_of_blocks_is_that_in_memory(seed, setting, scale, c):
    X, parts = planted(seed, c=c)
    lengths = {name: scale * setting[name] for name in ("delta",) if name in setting}
    settings = {"random_state": 0, "max_iter": 15} | setting | lengths
    if c < 2:
        settings.pop("focal_sets", None)
    expected = ECM(c, **settings).fit(scale * X)
    fit = ECM(c, **settings).fit(partial(iter, [scale * part for part in parts]))
    assert_same(fit, expected)
    assert fit.delta_ == pytest.approx(expected.delta_, rel=TO_ROUNDING)
    np.testing.assert_array_equal(fit.predict(partial(iter, [X[:9], X[9:]])), expected.predict(X))


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(
        [
            {},
            {"covariance_type": "full", "focal_sets": "simple"},
            {"covariance_type": "diag", "init": "random", "n_init": 2},
            {"covariance_type": "spherical", "reg_covar": 0.01, "stopping": "relative"},
        ]
    ),
    st.sampled_from([1.0, 2.0**-150, 2.0**150]),
    st.integers(2, 4),
)
def test_egmm_of_blocks_is_that_in_memory(seed, setting, scale, c):
    X, parts = planted(seed, c=c)
    ridge = {"reg_covar": scale**2 * setting.get("reg_covar", 0.0)}
    settings = {"random_state": 0, "max_iter": 10} | setting | ridge
    expected = EGMM(c, **settings).fit(scale * X)
    fit = EGMM(c, **settings).fit(partial(iter, [scale * part for part in parts]))
    assert_same(fit, expected)
    np.testing.assert_allclose(fit.covariances_, expected.covariances_, rtol=1e-7)  # of small differences
    assert fit.ebic_ == pytest.approx(expected.ebic_, rel=TO_ROUNDING)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([{}, {"m": 1.3, "init": "random"}, {"n_init": 2, "tol": 1e-3}]),
    st.sampled_from([1.0, 2.0**150]),
    st.integers(1, 4),
)
def test_fuzzy_c_means_of_blocks_is_that_in_memory(seed, setting, scale, c):
    X, parts = planted(seed, c=c)
    settings = {"random_state": 0, "max_iter": 25} | setting
    expected = FuzzyCMeans(c, **settings).fit(scale * X)
    fit = FuzzyCMeans(c, **settings).fit(partial(iter, [scale * part for part in parts]))
    spread = np.abs(expected.cluster_centers_).max()
    assert np.abs(fit.cluster_centers_ - expected.cluster_centers_).max() <= TO_ROUNDING * spread
    assert fit.n_iter_ == expected.n_iter_
    np.testing.assert_allclose(fit.objective_trace_, expected.objective_trace_, rtol=TO_ROUNDING)
    np.testing.assert_array_equal(fit.labels_, expected.labels_)
    assert not hasattr(fit, "membership_") and not hasattr(FuzzyCMeans(), "labels_")


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


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([{}, {"init": "random"}, {"normalize": False, "delta": 1.5, "beta": 2.0}]),
    st.sampled_from(["category", "ignore"]),
)
def test_catecm_of_blocks_is_that_in_memory(seed, setting, missing):
    table, parts = table_of_categories(seed)
    estimator = CatECM(3, random_state=0, n_init=1, missing=missing, **setting)  # two may tie, to rounding
    expected = estimator.fit(table).partition_
    values, weights, labels, trace = (
        estimator.categories_,
        np.concatenate(estimator.weights_, axis=1),
        estimator.labels_,
        estimator.objective_trace_,
    )
    fit = estimator.fit(partial(iter, parts))
    assert list(map(list, fit.categories_)) == list(map(list, values))
    np.testing.assert_array_equal(np.concatenate(fit.weights_, axis=1), weights)
    np.testing.assert_allclose(fit.objective_trace_, trace, rtol=TO_ROUNDING)
    assert fit.partition_.compute() == expected
    np.testing.assert_array_equal(fit.labels_, labels)
    assert fit.partition_.summary().typical.isin(table.index).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from(["category", "ignore"]), st.integers(1, 9))
def test_k_modes_of_blocks_is_that_in_memory(seed, missing, c):
    table, parts = table_of_categories(seed)
    expected = KModes(c, random_state=0, n_init=3, missing=missing).fit(table)
    fit = KModes(c, random_state=0, n_init=3, missing=missing).fit(partial(iter, parts))
    pd.testing.assert_frame_equal(fit.prototypes_, expected.prototypes_)
    np.testing.assert_array_equal(fit.objective_trace_, expected.objective_trace_)  # whole numbers
    np.testing.assert_array_equal(fit.labels_, expected.labels_)
    assert fit.converged_ == expected.converged_


def test_modes_of_clusters_without_objects_are_those_in_memory():
    X = np.array([[0, 0, 0]] * 5 + [[1, 1, 0]] * 4 + [[2, 3, 1], [3, 2, 1], [4, 4, 4]])
    start = [[0, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]]  # the last two win no object
    expected = KModes(4, init=start).fit(X)
    for cut in range(1, len(X)):
        fit = KModes(4, init=start).fit(partial(iter, [X[:cut], X[cut:]]))
        pd.testing.assert_frame_equal(fit.prototypes_, expected.prototypes_)
        np.testing.assert_array_equal(fit.objective_trace_, expected.objective_trace_)


@pytest.mark.parametrize("kind", ["memmap", "dask array", "dask frame", "parquet"])
def test_every_kind_of_blocks_of_categories_gives_the_same_bytes(kind, tmp_path, monkeypatch):
    X, _ = planted(1, n=2500, c=4)
    X = np.round(X / 3)
    monkeypatch.setattr(credalbench.core.blocks, "BLOCK", 500 * X[:1].nbytes)
    parts = [X[begin : begin + 500] for begin in range(0, len(X), 500)]
    expected = CatECM(4, random_state=0, n_init=2).fit(partial(iter, parts))
    fit = CatECM(4, random_state=0, n_init=2).fit(in_kind(kind, parts, tmp_path))
    for name in ("weights_", "objective_trace_", "start_"):
        for one, another in zip(getattr(fit, name), getattr(expected, name), strict=True):
            assert one.tobytes() == another.tobytes()
    assert fit.partition_.compute().masses.tobytes() == expected.partition_.compute().masses.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_blocks_gives_the_same_bytes(kind, tmp_path, monkeypatch):
    X, parts = planted(1, n=2500, c=4)
    size = len(X) // 5
    monkeypatch.setattr(credalbench.core.blocks, "BLOCK", size * X[:1].nbytes)  # of a memory map
    parts = [X[begin : begin + size] for begin in range(0, len(X), size)]
    in_memory = ECM(4, random_state=0).fit(X)
    expected = ECM(4, random_state=0).fit(partial(iter, parts))
    fit = ECM(4, random_state=0).fit(in_kind(kind, parts, tmp_path))
    assert_same(fit, in_memory)
    for name in ("cluster_centers_", "objective_trace_", "start_"):
        assert getattr(fit, name).tobytes() == getattr(expected, name).tobytes()
    assert fit.partition_.compute().masses.tobytes() == expected.partition_.compute().masses.tobytes()
    assert hasattr(fit, "feature_names_in_") == (kind in ("frames", "dask frame", "parquet"))


@pytest.mark.parametrize("cls", [ECM, FuzzyCMeans])
def test_one_block_gives_the_centres_of_the_fit_in_memory(cls):
    X, _ = planted(2)
    expected, fit = cls(3, random_state=0).fit(X), cls(3, random_state=0).fit(lambda: [X])
    assert fit.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()


def test_one_block_gives_the_bytes_of_the_fit_in_memory():
    X, _ = planted(2)
    expected, fit = ECM(3, random_state=0).fit(X), ECM(3, random_state=0).fit(lambda: [X])
    assert fit.cluster_centers_.tobytes() == expected.cluster_centers_.tobytes()
    assert fit.partition_.compute() == expected.partition_


def counted(parts):
    """Return a function of blocks, and the list of its passes."""
    passes = []

    def blocks():
        passes.append(0)
        return iter(parts)

    return blocks, passes


@pytest.mark.parametrize("cls", [ECM, EGMM])
def test_a_fit_reads_its_data_twice_and_gives_the_same_bytes_without_room_for_files(cls, monkeypatch):
    _, parts = planted(10)
    blocks, passes = counted(parts)
    fit = cls(3, random_state=0).fit(blocks)
    assert len(passes) == 2 and fit.n_iter_ > 2
    assert not credalbench.core.kept_arrays.SPOOLS  # no file is left
    monkeypatch.setattr(credalbench.core.kept_arrays, "RESERVE", 2**62)
    again = cls(3, random_state=0).fit(blocks)
    assert len(passes) > 4 + fit.n_iter_
    assert again.cluster_centers_.tobytes() == fit.cluster_centers_.tobytes()
    assert again.partition_.compute() == fit.partition_.compute()


@given(st.integers(1, 70), st.integers(1, 5), st.sampled_from("CF"), st.sampled_from("dBf"))
def test_a_kept_array_is_what_it_was_here_and_where_it_is_sent(n, p, order, kind):
    values = np.arange(n * p).astype(kind).reshape(n, p, order="C").copy(order=order)
    first = KeptArray(values[::-1].copy(order=order), "test")
    kept = KeptArray(values, "test")
    for one in (kept, pickle.loads(pickle.dumps(kept))):
        found = one.read()
        np.testing.assert_array_equal(found, values)
        assert found.dtype == values.dtype and len(one) == n
        assert found.flags.fnc == values.flags.fnc and found.flags.c_contiguous == values.flags.c_contiguous
        assert one.spool is first.spool and not found.flags.writeable


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
    table, parts = table_of_categories(1)
    passes = iter([parts, [part.replace("late", "later") for part in parts]])
    with pytest.raises(ValueError, match=r"the values of the pass before, got .*text: .*later"):
        CatECM(3, missing="category").fit(lambda: next(passes))
    with pytest.raises(ValueError, match="no sample_weight with X in blocks"):
        CatECM(3, missing="category").fit(partial(iter, parts), sample_weight=np.ones(len(table)))


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


@pytest.mark.parametrize("change", [lambda n: 99, lambda n: 101])
def test_another_number_of_blocks_in_the_second_pass_is_an_error(change):
    passes = []

    def blocks():
        passes.append(0)
        return bent(lambda part: part, n=100 if len(passes) == 1 else change(100))()

    with pytest.raises(ValueError, match="100 blocks, as before"):
        fit(blocks)


def test_blocks_of_other_lengths_in_the_second_pass_are_an_error():
    X, _ = planted(5)
    passes = iter([[X[:400], X[400:]], [X[:300], X[300:]]])
    with pytest.raises(ValueError, match="400 rows in block 0, as before, got 300"):
        fit(lambda: next(passes))


@pytest.mark.parametrize("function", [len, lambda n: iter(()), pd.read_csv])
def test_functions_that_need_arguments_are_refused(function):
    with pytest.raises(ValueError, match="expected X as a function without arguments"):
        ECM(2).fit(function)


def test_weights_no_blocks_and_too_few_objects_are_refused():
    X, parts = planted(6)
    with pytest.raises(ValueError, match="no sample_weight with X in blocks"):
        ECM(3).fit(partial(iter, parts), sample_weight=np.ones(len(X)))
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


IN_BLOCKS = ("ECM", "EGMM", "CatECM", "FuzzyCMeans", "KModes")


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
    assert {"block 3", "block 3 of 4", "iteration 2, block 3 of 4"} <= recorded.texts


def test_a_fit_is_cancelled_between_blocks():
    read = []

    def blocks():
        for part in bent(lambda part: part, n=6)():
            read.append(0)
            yield part

    with listen(Recorded("block 2 of 6")), pytest.raises(Cancelled):
        fit(blocks)
    assert len(read) < 12  # in the second pass


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
