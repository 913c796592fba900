"""CredalPartition: validation, immutability, files, conversions."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from credalbench.belief import CredalPartition, FocalSets, RoughPartition
from credalbench.belief.archive import FORMAT

from .strategies import partitions_of_masses

FOCAL_SETS = FocalSets.simple(2)
ROW = [0.1, 0.2, 0.3, 0.4]


@pytest.mark.parametrize(
    ("masses", "error", "message"),
    [
        ([ROW, [0.1, 0.2, 0.3, 0.5]], ValueError, r"sum to 1, got .*sum 1\.1 in row 1"),
        ([[0.5, 0.6, -0.1, 0]], ValueError, r"at least 0, got minimum -0\.1.* in row 0"),
        ([ROW, ROW, [np.nan, 1, 0, 0], [np.inf, 0, 0, 0]], ValueError, r"finite.* in row 2 \(2 such rows\)"),
        (ROW, ValueError, r"shape \(n, 4\), got shape \(4,\)"),
        ([ROW[:3]], ValueError, r"got shape \(1, 3\) for 4 focal sets"),
        (np.empty((0, 3)), ValueError, r"got shape \(0, 3\) for 4 focal sets"),
        ([["a", "b", "c", "d"]], TypeError, "numeric array"),
        ([ROW, [1.0]], TypeError, "numeric array"),
    ],
)
def test_rows_off_the_simplex_are_refused(masses, error, message):
    """[denoeux2016_evclus (1)] [li2020_ensemble (1)] [antoine2012_cecm (3)]"""
    with pytest.raises(error, match=message):
        CredalPartition(masses, FOCAL_SETS)


def test_focal_sets_must_be_focal_sets():
    with pytest.raises(TypeError, match="expected focal_sets to be a FocalSets, got str"):
        CredalPartition([ROW], "simple")


def test_rounding_is_accepted_and_negative_rounding_removed():
    partition = CredalPartition([[-1e-12, 0.5, 0.5, 0], [0.1, 0.2, 0.3, 0.4 + 1e-8]], FOCAL_SETS)
    assert partition.masses[0].tolist() == [0, 0.5, 0.5, 0]
    assert partition.masses[1, 3] == 0.4 + 1e-8  # not rescaled


@pytest.mark.parametrize(("gap", "legal"), [(5e-7, True), (-5e-7, True), (2e-6, False), (-2e-6, False)])
def test_a_row_may_miss_one_by_a_millionth(gap, legal):
    masses = [ROW, [0.1, 0.2, 0.3, 0.4 + gap]]
    if legal:
        assert CredalPartition(masses, FOCAL_SETS).masses.tolist() == masses
    else:
        with pytest.raises(ValueError, match=r"sum to 1, got .* in row 1"):
            CredalPartition(masses, FOCAL_SETS)


def test_a_partition_cannot_be_changed():
    source = np.array([ROW, ROW])
    partition = CredalPartition(source, FOCAL_SETS)
    source[:] = 9
    assert partition.masses[0].tolist() == ROW
    copies = copy.copy(partition), copy.deepcopy(partition), pickle.loads(pickle.dumps(partition))
    for again in (partition, *copies):
        assert again == partition
        assert hash(again) == hash(partition)
        for array in (again.masses, again.contour, again.pignistic):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1
        with pytest.raises(AttributeError):
            again.masses = source
    partition.to_possibilistic()[:] = 0  # a copy
    assert partition.contour.any()


def test_equality_needs_the_same_sets_and_masses():
    partition = CredalPartition([ROW], FOCAL_SETS)
    other_order = FocalSets.from_sets(2, [set(), {1}, {0}, {0, 1}])
    assert partition != CredalPartition([ROW], other_order)
    assert partition != CredalPartition([ROW[:2] + [0.4, 0.3]], FOCAL_SETS)
    assert partition != "partition"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(partitions_of_masses())
def test_saving_and_loading_is_the_identity(tmp_path, case):
    partition = CredalPartition(*case)
    path = partition.save(tmp_path / "credal.npz")
    again = CredalPartition.load(path)
    assert again == partition
    assert again.masses.tobytes() == partition.masses.tobytes()
    assert [item.name for item in tmp_path.iterdir()] == ["credal.npz"]  # nothing half-written left behind


def test_save_adds_the_ending_and_load_finds_it(tmp_path):
    partition = CredalPartition([ROW], FOCAL_SETS)
    assert partition.save(tmp_path / "run.7").name == "run.7.npz"
    assert CredalPartition.load(str(tmp_path / "run.7")) == partition


def test_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", masses=np.ones(3))
    np.savez(tmp_path / "pickled.npz", format=np.array([{"a": 1}], dtype=object))
    (tmp_path / "text.npz").write_text("hello")
    for name in ("other.npz", "text.npz", "pickled.npz"):
        with pytest.raises(ValueError, match=f"written by CredalPartition.save, got .*{name}"):
            CredalPartition.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        CredalPartition.load(tmp_path / "missing.npz")


class Trap:
    """An object that fails the test when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a file was executed",)


def test_nothing_in_a_file_is_executed(tmp_path):
    CredalPartition([ROW], FOCAL_SETS).save(tmp_path / "fine.npz")
    with np.load(tmp_path / "fine.npz") as arrays:
        crafted = dict(arrays) | {"masses": np.array([[Trap()]], dtype=object)}
    np.savez(tmp_path / "crafted.npz", **crafted)
    with pytest.raises(ValueError, match=r"got .*crafted\.npz"):
        CredalPartition.load(tmp_path / "crafted.npz")


def test_damaged_files_are_refused_by_name(tmp_path):
    """The file is cut anywhere, or has a changed byte; a byte that is never read does not matter."""
    partition = CredalPartition(np.random.default_rng(0).dirichlet(np.ones(4), size=5), FOCAL_SETS)
    path = partition.save(tmp_path / "whole.npz")
    whole, refused = path.read_bytes(), f"^expected a credal .* by CredalPartition.save, got {path}: "
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place])
        with pytest.raises(ValueError, match=refused):
            CredalPartition.load(path)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert CredalPartition.load(path) == partition
        except ValueError as error:
            assert re.match(refused, str(error))


@pytest.mark.parametrize("absent", ["masses", "membership"])
def test_a_file_without_one_of_its_arrays_is_refused(absent, tmp_path):
    arrays = {"format": np.array(FORMAT), "masses": [ROW], "membership": FOCAL_SETS.membership}
    del arrays[absent]
    np.savez(tmp_path / "part.npz", **arrays)
    with pytest.raises(ValueError, match=f"CredalPartition.save, got .*part.npz: .*{absent}"):
        CredalPartition.load(tmp_path / "part.npz")


def test_hard_partitions_are_a_special_case():
    y = np.array([2, 0, 1, 1, 0])
    partition = CredalPartition.from_labels(y)
    for rule in ("plausibility", "pignistic", "belief"):
        assert (partition.labels(rule) == y).all()
    crisp = np.eye(3)[y]
    assert (partition.to_hard() == y).all()
    assert (partition.to_fuzzy() == crisp).all()
    assert (partition.to_possibilistic() == crisp).all()
    for rule in ("interval_dominance", "maximum_mass"):
        rough = partition.to_rough(rule)
        assert isinstance(rough, RoughPartition)
        assert (rough.lower == crisp).all()
        assert (rough.upper == crisp).all()
    assert partition.nonspecificity() == 0
    assert not partition.outliers().any()
    assert (partition.conflict() == (y[:, None] != y)).all()
    assert partition.normalized() == partition


def test_the_set_of_largest_mass_may_be_empty_unless_excluded():
    partition = CredalPartition([[0.6, 0.1, 0.2, 0.1], ROW, [1, 0, 0, 0]], FOCAL_SETS)
    assert partition.hard_credal().tolist() == [0, 3, 0]
    assert partition.hard_credal(allow_empty=False).tolist() == [2, 3, 3]


def test_a_rough_partition_keeps_its_outliers():
    partition = CredalPartition(np.array([[0.6, 0.4, 0.0, 0.0]]), FocalSets.full(2))
    assert partition.outliers().all()
    assert partition.to_rough().lower.tolist() == [[True, False]]


@given(partitions_of_masses())
def test_every_method_gives_finite_numbers(case):
    partition = CredalPartition(*case)
    n, c = partition.n_objects, partition.n_clusters
    for table in (partition.contour, partition.pignistic, partition.to_fuzzy(), *partition.to_rough()):
        assert table.shape == (n, c)
        assert np.isfinite(table).all()
    for rule in ("dempster", "yager"):
        after = partition.normalized(rule)
        assert not after.outliers().any()
        assert after.take(slice(None)) == after
    assert partition.on(FocalSets.full(c)).on(partition.focal_sets) == partition
    assert "nan" not in partition._repr_html_().lower()


def test_dempster_normalisation_keeps_the_pignistic_probabilities():
    focal_sets = FocalSets.full(3)
    partition = CredalPartition(np.random.default_rng(1).dirichlet(np.ones(8), size=10), focal_sets)
    np.testing.assert_allclose(partition.normalized().pignistic, partition.pignistic, atol=1e-15)  # rounding
    np.testing.assert_allclose(
        partition.normalized().to_fuzzy(), partition.to_fuzzy(), atol=1e-15
    )  # rounding


def test_parts_of_a_partition():
    partition = CredalPartition(np.eye(4), FOCAL_SETS)
    assert len(partition.take([0, 2])) == 2
    assert partition.take(np.array([True, False, False, False])).outliers().tolist() == [True]
    assert repr(partition) == "CredalPartition(n=4, c=2, f=4, nonspecificity=0.500, outliers=1)"
