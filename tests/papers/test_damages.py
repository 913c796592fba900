"""The store proves itself: what is damaged is named, and nothing but what it belongs to is made anew."""

import errno
import os
import re
import shutil

import pytest

import credalbench.papers.store as store_module
from credalbench.papers import load_study, run_study
from credalbench.papers.execute import documents
from credalbench.papers.store import (
    Damaged,
    StoreError,
    StudyFolder,
    read_manifest,
    remove,
    sweep,
    temporary,
    write_folder,
)

from .toy_study import experiment

DEAD = 2**22 + 1  # no process has such a number: Linux counts to 2^22


def swapped(content):
    """Two letters or digits in the middle change places."""
    found = next(re.finditer(rb"(\w)(?!\1)(\w)", content[len(content) // 2 :]))
    i = len(content) // 2 + found.start()
    return content[:i] + content[i + 1 : i + 2] + content[i : i + 1] + content[i + 2 :]


DAMAGES = {
    "emptied": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "cut at the end of a line": lambda content: b"".join(content.splitlines(keepends=True)[:-1]),
    "zeroed": lambda content: bytes(len(content)),
    "swapped": swapped,
    "no UTF-8": lambda content: b"\xff" + content,
}
FILES = (
    "cases/*/manifest.json",
    "cases/*/curves.csv",
    "cases/*/curves.dtypes.json",
    "tables/curves.csv",
    "tables/failures.dtypes.json",
    "tables/manifest.json",
    "tables/params.json",
    "tables/provenance.json",
)
SHOWN = (
    "manifest.json",
    "notebook.ipynb",
    "figures/toy-fig-01.png",
    "figures/toy-fig-01.pdf",
    "verdicts.csv",
)


def table_bytes(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.glob("tables/*.*")) if "json" not in p.suffix}


def case_files(folder, case):
    """The files of a stored case, by name."""
    return {p.name: p.read_bytes() for p in folder.case_path(case).iterdir() if p.name != "manifest.json"}


@pytest.fixture
def finished():
    """Folder of a finished study of two cases."""
    return run_study(experiment, profile="smoke").path


@pytest.fixture
def repaired(finished, computed):
    """``repaired(path)``: the damaged file is named when it is loaded and when it is run, and all is well."""
    before = table_bytes(finished)

    def check(path, n_computed):
        name = re.escape(path.relative_to(finished).as_posix())
        n_before = computed()
        with pytest.raises(StoreError, match=f"damaged in the store: {name} "):
            load_study(experiment, profile="smoke")
        with pytest.warns(RuntimeWarning, match=f"toy_study: {name} .* anew"):
            run_study(experiment, profile="smoke")
        assert table_bytes(finished) == before != {}
        assert computed() == n_before + n_computed
        assert load_study(experiment, profile="smoke").folder.status["failed"] == 0

    return check


@pytest.mark.parametrize("pattern", FILES)
def test_a_damaged_file_is_named_and_its_case_alone_computed_anew(finished, repaired, pattern):
    for damaged in DAMAGES.values():
        path = sorted(finished.glob(pattern))[0]
        path.write_bytes(damaged(path.read_bytes()))
        repaired(path, n_computed=int(pattern.startswith("cases")))


@pytest.mark.parametrize("pattern", FILES)
def test_a_missing_file_is_named(finished, repaired, pattern):
    path = sorted(finished.glob(pattern))[0]
    path.unlink()
    repaired(path, n_computed=int(pattern.startswith("cases")))


def test_a_missing_case_is_named(finished, repaired):
    path = sorted(finished.glob("cases/*"))[0]
    shutil.rmtree(path)
    repaired(path / "manifest.json", n_computed=1)


def test_a_case_in_the_place_of_another_is_damaged(finished, repaired):
    one, other = sorted(finished.glob("cases/*"))
    shutil.rmtree(other)
    shutil.copytree(one, other)
    repaired(other / "manifest.json", n_computed=1)


def test_without_its_tables_a_study_is_not_finished_and_its_cases_are_still_proved(finished, computed):
    before = table_bytes(finished)
    shutil.rmtree(finished / "tables")
    assert load_study(experiment, profile="smoke") is None
    damaged = sorted(finished.glob("cases/*/summary.csv"))[0]
    damaged.write_text(damaged.read_text().splitlines(keepends=True)[0])  # its header
    with pytest.warns(RuntimeWarning, match=r"summary\.csv .*computed anew \(size 4, repetition [01]\)"):
        run_study(experiment, profile="smoke")
    assert computed() == 3 and table_bytes(finished) == before


def test_a_case_of_another_run_is_not_what_the_tables_were_made_of(finished):
    folder, case = StudyFolder(finished), {"size": 4, "repetition": 1}
    files = case_files(folder, case)
    remove(folder.case_path(case))
    folder.store_case(case, files, 7.0)
    with pytest.raises(StoreError, match="tables belong to another run of"):
        load_study(experiment, profile="smoke")
    with pytest.warns(RuntimeWarning, match="put together anew"):
        assert run_study(experiment, profile="smoke").provenance["seconds"] > 7


@pytest.mark.parametrize("name", SHOWN)
def test_what_shows_the_result_is_proved_too(finished, name):
    folder, cases = StudyFolder(finished), experiment.case_list(experiment.resolve("smoke"))
    folder.store_shown({one: b"some content" for one in SHOWN[1:]}, {"view": "view", "notebook": "abc"})
    assert folder.shown["notebook"] == "abc" and folder.damages(cases) == {}
    path = finished / "shown" / name
    for damaged in (swapped, None):
        path.unlink() if damaged is None else path.write_bytes(damaged(path.read_bytes()))
        with pytest.raises(Damaged, match=name):
            _ = folder.shown
        [damage] = folder.repair(cases)
        assert damage.startswith(f"shown/{name} ") and damage.endswith(": notebook executed anew")
        assert folder.shown is None and folder.status["failed"] == 0
        folder.store_shown({one: b"some content" for one in SHOWN[1:]}, {"view": "view", "notebook": "abc"})


def refusing(code):
    def rename(*_):
        raise OSError(code, os.strerror(code))

    return rename


@pytest.mark.parametrize(
    ("code", "advice"), [(errno.ENOSPC, "free some space"), (errno.EROFS, "make it writable")]
)
def test_what_the_disk_refuses_is_an_error_and_never_counts_as_stored(monkeypatch, store, code, advice):
    with monkeypatch.context() as patch:
        patch.setattr(store_module.os, "rename", refusing(code))
        with pytest.raises(StoreError, match=f"cannot store {store}.*{os.strerror(code)}; {advice}"):
            run_study(experiment, profile="smoke")
    assert load_study(experiment, profile="smoke") is None
    assert not list(store.rglob(".part-*"))
    assert run_study(experiment, profile="smoke").folder.status["failed"] == 0


def test_a_case_that_another_run_stored_meanwhile_is_taken_only_if_it_is_whole(finished):
    folder, case = StudyFolder(finished), {"size": 4, "repetition": 1}
    files = case_files(folder, case)
    before = (folder.case_path(case) / "manifest.json").read_bytes()
    folder.store_case(case, files, 1.0)
    assert (folder.case_path(case) / "manifest.json").read_bytes() == before
    (folder.case_path(case) / "summary.csv").write_text("")
    with pytest.raises(StoreError, match=r"cannot store .*not empty"):
        folder.store_case(case, files, 1.0)


def test_forcing_forgets_in_one_step(finished, computed):
    (finished / "tables" / "manifest.json").write_text("")
    assert run_study(experiment, profile="smoke", force=True).folder.status["failed"] == 0
    assert computed() == 4 and [p.name for p in finished.parent.iterdir()] == [finished.name]


def test_what_killed_runs_left_is_swept_and_nothing_else(finished):
    ours = temporary(finished / "cases" / "abc")
    left = ours.with_name(ours.name.replace(f"-{os.getpid()}-", f"-{DEAD}-"))
    elsewhere = ours.with_name(f".part-{'0' * 8}-{DEAD}-12345678-abc")  # a process of another machine
    for path in (ours, left, elsewhere):
        path.mkdir()
        (path / "curves.csv").touch()
    run_study(experiment, profile="smoke")
    assert ours.is_dir() and elsewhere.is_dir() and not left.exists()
    text = finished / left.name
    text.touch()
    sweep(finished)
    assert not text.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "3", '{"a": 1}', '{"a": 1, "sha256": "b"}'])
def test_what_is_no_manifest_is_damaged(tmp_path, content):
    folder = tmp_path / "folder"
    assert read_manifest(folder) is None
    write_folder(folder, {"a/b": b"c"}, {"a": [1, 0.1, None, "ß"]})
    assert read_manifest(folder)["a"] == [1, 0.1, None, "ß"]
    (folder / "manifest.json").write_text(content)
    with pytest.raises(Damaged, match=r"manifest\.json"):
        read_manifest(folder)


def test_a_second_run_that_ends_together_with_the_first_takes_nothing_away(finished, monkeypatch):
    before = table_bytes(finished)
    monkeypatch.setattr(store_module, "remove", None)
    params = experiment.resolve("smoke")
    StudyFolder(finished).store_tables(experiment.case_list(params), {}, documents(experiment, params))
    assert table_bytes(finished) == before


def test_a_case_that_vanishes_during_a_run_is_named_and_the_next_run_computes_it(
    finished, monkeypatch, computed
):
    """As when another run is started with ``--force``."""
    shutil.rmtree(finished / "tables")
    store_tables = StudyFolder.store_tables

    def after_another_run_was_forced(self, *arguments):
        shutil.rmtree(sorted(finished.glob("cases/*"))[0])
        store_tables(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(StudyFolder, "store_tables", after_another_run_was_forced)
        with pytest.raises(Damaged, match=r"cases/.*/manifest\.json is missing"):
            run_study(experiment, profile="smoke")
    assert len(run_study(experiment, profile="smoke").tables["summary"]) == 2 and computed() == 3
