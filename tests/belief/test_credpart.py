"""Tables that R's evclust reads and writes: round trips, files of R, damaged files."""

import inspect
import os
import re
import shutil
import subprocess
import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from credalbench.belief import CredalPartition, FocalSets, read_credpart, write_credpart
from credalbench.metrics import pairwise_nonspecificity

from .strategies import partitions_of_masses

FOCAL_SETS = FocalSets.simple(2)
MASSES = [[0.1, 0.2, 0.3, 0.4], [0.0, 1.0, 0.0, 0.0], [1 / 3, 1 / 3, 0.0, 1 / 3]]
WHOLE = "y.pl,00,10,01,11\n2,0.1,0.2,0.3,0.4\n1,0.0,1.0,0.0,0.0\n"


def written(folder, text):
    path = folder / "partition.csv"
    path.write_bytes(text.encode())
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(partitions_of_masses())
def test_writing_and_reading_is_the_identity(tmp_path, case):
    partition = CredalPartition(*case)
    again = read_credpart(write_credpart(partition, tmp_path / "partition.csv"))
    focal_sets = partition.focal_sets
    if not focal_sets.has_empty:  # the package needs it
        focal_sets = FocalSets(focal_sets.n_clusters, (0, *focal_sets.masks))
    assert again == partition.on(focal_sets)
    assert [item.name for item in tmp_path.iterdir()] == ["partition.csv"]  # nothing half-written left behind


def test_every_digit_is_written(tmp_path):
    masses = np.random.default_rng(0).dirichlet(np.full(8, 0.1), 200)
    masses[0] = 5e-324, 1e-300, 0.1 + 0.2, 0.7 - 1e-16, 0, 0, 0, 0
    partition = CredalPartition(masses, FocalSets.full(3))
    assert read_credpart(write_credpart(partition, tmp_path / "p.csv")).masses.tobytes() == masses.tobytes()


def test_the_file_names_sets_by_their_clusters_after_the_labels(tmp_path):
    partition = CredalPartition(MASSES, FOCAL_SETS)
    lines = write_credpart(partition, tmp_path / "p.csv").read_text().splitlines()
    assert lines[0] == "y.pl,00,10,01,11"
    assert lines[1:3] == ["2,0.1,0.2,0.3,0.4", "1,0.0,1.0,0.0,0.0"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = write_credpart(CredalPartition(MASSES, FOCAL_SETS), tmp_path / "p.csv")
    before = path.read_text()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_credpart(CredalPartition(MASSES[:1], FOCAL_SETS), path)
    assert path.read_text() == before
    assert [item.name for item in tmp_path.iterdir()] == ["p.csv"]


# ---------------------------------------------------------------- files of R

#: As R wrote it: two objects of the butterfly by evclust 2.0.3, ecm(butterfly, c = 3, delta = 5).
BY_R = """\
,000,100,010,110,001,101,011,111
1,0.066803313059363045,0.0052039512985021779,0.84986294116317007,0.0091581838146332951,\
0.022925575925566287,0.0051823990682935478,0.033829118231350479,0.007034517439121122
2,0.085626525288126532,0.0087763667425009469,0.74282110860188932,0.020145028468002084,\
0.042075498451012855,0.0095875387741461062,0.075605526376626001,0.015362407297696154
"""


def test_a_file_of_the_package_is_read_set_by_set(tmp_path):
    """It counts sets in binary, the first cluster as lowest digit."""
    partition = read_credpart(written(tmp_path, BY_R))
    assert partition.focal_sets.labels == ["∅", "{1}", "{2}", "{1,2}", "{3}", "{1,3}", "{2,3}", "Ω"]
    assert partition.masses[:, 2].tolist() == [0.84986294116317007, 0.74282110860188932]
    assert partition.on(FocalSets.full(3)).masses[1, 6] == 0.075605526376626001  # {2,3}, after {1,3}


def lines_of_r(function):
    """The lines of R in a docstring."""
    block = re.search(r"::\n\n((?: {4}.+\n)+)", inspect.cleandoc(function.__doc__) + "\n").group(1)
    return textwrap.dedent(block)


@pytest.mark.slow
def test_the_documented_lines_work_in_r(tmp_path):
    """R reads what we write and writes what we read: the same numbers, up to the reading of R."""
    program = shutil.which("Rscript")
    if not program or subprocess.run([program, "-e", "library(evclust)"], capture_output=True).returncode:
        pytest.skip("R with the package evclust is not installed")
    partition = read_credpart(written(tmp_path, BY_R))
    write_credpart(partition, tmp_path / "partition.csv")
    show = "cat(sprintf('%.15g', nonspecificity(pairwise_mass(clus))), clus$y.pl)\n"
    script = (
        "suppressMessages(library(evclust))\n" + lines_of_r(write_credpart) + show + lines_of_r(read_credpart)
    )
    done = subprocess.run([program, "-e", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = [pairwise_nonspecificity(partition), *(partition.labels("plausibility") + 1)]
    assert [float(word) for word in done.stdout.split()] == pytest.approx(expected, rel=1e-14)  # 15 digits
    again = read_credpart(tmp_path / "partition.csv")
    assert again.focal_sets == partition.focal_sets
    np.testing.assert_allclose(again.masses, partition.masses, rtol=1e-15)  # R's reading rounds once more


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        WHOLE.replace("\n", "\r\n"),
        "\ufeff" + WHOLE,
        WHOLE.replace("00,10,01,11", '"00","10","01","11"'),
        ",00,10,01,11\n1,0.1,0.2,0.3,0.4\n2,0,1,0,0\n",  # with row names, as R has them
        "00,10,01,11,class\n.1,.2,.3,4e-1,a b\n0,1,0,0,\n",
        WHOLE + "\n",
    ],
)
def test_variants_of_the_file_are_read(tmp_path, text):
    assert read_credpart(written(tmp_path, text)) == CredalPartition(MASSES[:2], FOCAL_SETS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "columns named after focal sets.*got none"),
        ("a,b\n1,2\n", "columns named after focal sets.*got a, b$"),
        ("V1,V2,V3,V4,V5,V6\n", r"got V1, V2, V3, V4, V5, \.\.\."),
        ("00,10,001\n1,0,0\n", "columns named after focal sets"),
        ("10,00\n1,0\n", "empty set at index 0"),
        ("00,10,10\n0,0.5,0.5\n", r"distinct focal sets, got \{1\}"),
        ("0" * 63 + "\n1\n", "between 1 and 62 clusters"),
        ("00,10,01,11\n", r"n >= 1, got shape \(0, 4\)"),
        (WHOLE.replace("0.3,0.4", "0.3"), "expected 5 cells, as in the header, got 4 in line 2"),
        (WHOLE + "1,0,1,0,0,0\n", "expected 5 cells, as in the header, got 6 in line 4"),
        (WHOLE.replace("0.3", "NA"), "could not convert string to float: 'NA' in line 2"),
        (WHOLE.replace("0.3", ""), "could not convert string to float: '' in line 2"),
        (WHOLE.replace("0.3", "nan"), "finite masses.* in row 0"),
        (WHOLE.replace("0.3", "Inf"), "finite masses.* in row 0"),
        (WHOLE.replace("0.3", "x"), "could not convert string to float"),
        (WHOLE.replace("0.3", '"0,3"'), "could not convert string to float"),
        (WHOLE.replace("0.3", "0.31"), "masses that sum to 1, got .* in row 0"),
        (WHOLE.replace("0.2,0.3", "-0.2,0.7"), "masses of at least 0, got minimum -0.2"),
        (WHOLE.replace(",", ";"), "columns named after focal sets"),
        (WHOLE.replace("11", "11\0"), "masses that sum to 1"),  # a column without a set
        ('00,10,"01\n1,0,0\n', r"shape \(0, 2\)"),
        ("00,10\n1," + "0" * 200_000 + "\n", "field larger than field limit"),
    ],
)
def test_other_and_damaged_files_are_refused_by_name(tmp_path, text, reason):
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=f"credal partition as a table .*, got {path}: .*{reason}"):
        read_credpart(path)


def test_binary_files_are_refused_and_absent_files_are_missing(tmp_path):
    path = CredalPartition(MASSES, FOCAL_SETS).save(tmp_path / "arrays.npz")
    with pytest.raises(ValueError, match=f"got {path}: "):
        read_credpart(path)
    with pytest.raises(FileNotFoundError):
        read_credpart(tmp_path / "none.csv")


def test_a_cut_file_is_refused_or_has_fewer_objects(tmp_path):
    """A last number may also have fewer digits, within the tolerance of its row."""
    partition = CredalPartition(np.random.default_rng(0).dirichlet(np.ones(4), 6), FOCAL_SETS)
    whole = write_credpart(partition, tmp_path / "whole.csv").read_text()
    for place in range(0, len(whole), 5):
        path = written(tmp_path, whole[:place])
        try:
            again = read_credpart(path)
        except ValueError as error:
            assert str(path) in str(error)
        else:
            kept = partition.take(slice(len(again)))
            np.testing.assert_allclose(again.masses, kept.masses, atol=1e-6)  # what a row may miss
