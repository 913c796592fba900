"""The store proves itself: what is damaged is named, and nothing but what it belongs to is made anew."""

import errno
import os
import re
import shutil

import pytest

import credalbench.papers.store as store_module
from credalbench.papers import load_study, run_study
from credalbench.papers.sealed import Damaged, StoreError, read_sealed, sweep, temporary, write_sealed
from credalbench.papers.store import StudyFolder

from .toy_study import compute, experiment

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
    "cases/*/case.json",
    "cases/*/curves.csv",
    "cases/*/curves.dtypes.json",
    "tables/curves.csv",
    "tables/failures.dtypes.json",
    "status.json",
    "params.json",
    "provenance.json",
)


def table_bytes(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "tables").iterdir())}


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
        assert table_bytes(finished) == before
        assert computed() == n_before + n_computed
        assert load_study(experiment, profile="smoke").folder.status["failed"] == 0

    return check


@pytest.mark.parametrize("pattern", FILES)
def test_a_damaged_file_is_named_and_its_case_alone_computed_anew(finished, repaired, pattern):
    for damaged in DAMAGES.values():
        path = sorted(finished.glob(pattern))[0]
        path.write_bytes(damaged(path.read_bytes()))
        repaired(path, n_computed=int(pattern.startswith("cases")))


@pytest.mark.parametrize("pattern", [name for name in FILES if name != "status.json"])
def test_a_missing_file_is_named(finished, repaired, pattern):
    path = sorted(finished.glob(pattern))[0]
    path.unlink()
    repaired(path, n_computed=int(pattern.startswith("cases")))


def test_a_missing_case_is_named(finished, repaired):
    path = sorted(finished.glob("cases/*"))[0]
    shutil.rmtree(path)
    repaired(path / "case.json", n_computed=1)


def test_without_its_status_a_study_is_not_finished_and_its_cases_are_still_proved(finished, computed):
    before = table_bytes(finished)
    (finished / "status.json").unlink()
    assert load_study(experiment, profile="smoke") is None
    damaged = sorted(finished.glob("cases/*/summary.csv"))[0]
    damaged.write_text(damaged.read_text().splitlines(keepends=True)[0])  # its header
    with pytest.warns(RuntimeWarning, match=r"summary\.csv .*computed anew \(size 4, repetition [01]\)"):
        run_study(experiment, profile="smoke")
    assert computed() == 3 and table_bytes(finished) == before


def test_a_case_of_another_run_is_not_what_the_tables_were_made_of(finished):
    path = sorted(finished.glob("cases/*/case.json"))[0]
    write_sealed(path, read_sealed(path) | {"seconds": 7.0})
    with pytest.raises(StoreError, match=r"status\.json belongs to another run of case"):
        load_study(experiment, profile="smoke")
    with pytest.warns(RuntimeWarning, match="tables put together anew"):
        assert run_study(experiment, profile="smoke").provenance["seconds"] > 7


def test_an_executed_notebook_is_proved_too(finished):
    folder, cases = StudyFolder(finished), experiment.case_list(experiment.resolve("smoke"))
    notebook = finished / "notebook.ipynb"
    notebook.write_text("{}")
    folder.seal_shown("view", "abc", 1.5, {})
    assert folder.shown["notebook"] == "abc" and folder.has_notebook and folder.damages(cases) == []
    notebook.write_text("{")
    with pytest.raises(Damaged, match=r"notebook\.ipynb does not fit its checksum"):
        _ = folder.has_notebook
    assert folder.repair(cases) == [
        "notebook.ipynb does not fit its checksum (1 bytes): notebook executed anew"
    ]
    assert folder.shown is None and folder.status["failed"] == 0


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
    folder = StudyFolder(finished)
    case = experiment.case_list(experiment.resolve("smoke"))[0]
    tables = compute(experiment.resolve("smoke"), case)
    before = (folder.case_path(case) / "case.json").read_bytes()
    folder.store_case(case, tables, 1.0)
    assert (folder.case_path(case) / "case.json").read_bytes() == before
    (folder.case_path(case) / "summary.csv").write_text("")
    with pytest.raises(StoreError, match=r"cannot store .*not empty"):
        folder.store_case(case, tables, 1.0)


def test_forcing_forgets_in_one_step(finished, computed):
    (finished / "status.json").write_text("")
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
def test_what_is_no_sealed_record_is_damaged(tmp_path, content):
    path = tmp_path / "record.json"
    assert read_sealed(path) is None
    write_sealed(path, {"a": [1, 0.1, None, "ß"]})
    assert read_sealed(path) == {"a": [1, 0.1, None, "ß"]}
    path.write_text(content)
    with pytest.raises(Damaged, match=r"record\.json"):
        read_sealed(path)


def test_a_second_run_that_ends_together_with_the_first_takes_nothing_away(finished, monkeypatch):
    before, removed = table_bytes(finished), []
    monkeypatch.setattr(store_module, "remove", removed.append)
    params = experiment.resolve("smoke")
    StudyFolder(finished).finish(experiment, params, experiment.case_list(params), {})
    assert removed == [finished / "shown.json"] and table_bytes(finished) == before


def test_cases_that_vanish_during_a_run_are_computed_again(finished, computed, monkeypatch):
    (finished / "status.json").unlink()
    finish = StudyFolder.finish

    def after_another_run_was_forced(folder, *arguments):
        monkeypatch.setattr(StudyFolder, "finish", finish)
        shutil.rmtree(finished / "cases")
        folder.finish(*arguments)

    monkeypatch.setattr(StudyFolder, "finish", after_another_run_was_forced)
    assert len(run_study(experiment, profile="smoke").tables["summary"]) == 2 and computed() == 4


@pytest.mark.parametrize("name", ["case.json", "curves.csv", "curves.dtypes.json"])
def test_the_files_of_a_case_from_another_store_keep_their_proof(finished, tmp_path, name):
    case = {"size": 4, "repetition": 1}
    files = StudyFolder(finished).case_files(case)
    whole, cut = StudyFolder(tmp_path / "whole"), StudyFolder(tmp_path / "cut")
    whole.store_files(case, files)
    assert whole.damages([case]) == [] and whole.case_files(case) == files
    cut.store_files(case, {**files, name: files[name][:-2]})
    [damage] = cut.damages([case])
    assert damage.startswith(f"{cut.case_path(case).relative_to(cut.path).as_posix()}/{name} ")
    assert StudyFolder(tmp_path / "empty").case_files(case) == {}
