"""The command line: what it teaches, what it refuses, which exit codes it gives."""

import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import credalbench.papers.batch as batch
import credalbench.papers.site
from credalbench.cli import data, main
from credalbench.cli.doctor import look_for_data
from credalbench.datasets import download
from credalbench.papers import run_study, studies
from tests.papers.conftest import store  # noqa: F401  (a results folder of its own for every test)
from tests.papers.only import only
from tests.papers.toy_study import experiment

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def cli(monkeypatch):
    """``cli("run", ...)`` on the toy study alone."""
    only({"toy_paper": {"toy_study": experiment}}, monkeypatch.setattr)
    monkeypatch.setattr(studies, "headings", lambda: {"toy_paper": "Toy (2000)"})
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # one process for cases
    monkeypatch.setattr(batch, "notebook_path", lambda experiment: None)
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rn"], "no such command 'rn'; did you mean 'run'?"),
        (["run", "toy_papr/toy_study"], "did you mean 'toy_paper/toy_study'?"),
        (["run", "toy_paper/"], "expected paper or paper/study, got 'toy_paper/'"),
        (["list", ""], "expected paper or paper/study, got ''"),
        (["verify", "toy_study"], "did you mean 'toy_paper/toy_study'?"),
        (["run", "toy_paper", "-p", "n_run=3"], "unknown parameter 'n_run'; did you mean 'n_runs'?"),
        (["run", "toy_paper", "-p", "n_runs=many"], "expected int, got 'many'"),
        (["run", "toy_paper", "-p", "n_runs"], "expected name=value"),
        (["run", "toy_paper", "-p", "n_runs=0"], "expected a value in 1 to inf, got 0"),
        (["run", "toy_paper", "--profile", "fast"], "'fast' is not one of 'paper', 'smoke'"),
        (["run", "toy_paper", "--jobs", "0"], "0 is not in the range"),
        (["run"], "to run everything, got neither Run everything: credalbench run --profile smoke (minutes)"),
        (["explore", "evklus"], "no explorer or lesson 'evklus'"),
        (["data", "fetsch"], "did you mean 'fetch'?"),
    ],
)
def test_words_that_are_not_understood_are_refused_with_code_2(cli, words, message):
    result = cli(*words)
    assert result.exit_code == 2 and message in " ".join(result.output.split()), result.output


def test_run_and_verify_a_study(cli):
    ran = cli("run", "--profile", "smoke")
    assert ran.exit_code == 0, ran.output  # a claim that is not reproduced is a finding, not an error
    assert "without a notebook" in ran.output and "toy_paper/toy_study" in ran.output
    assert "figures: " not in ran.output and "Next: credalbench verify" in ran.output
    assert "already stored" in cli("run", "toy_paper", "--profile", "smoke").output
    verified = cli("verify", "--profile", "smoke")
    assert verified.exit_code == 0
    assert all(claim.statement in verified.output for claim in experiment.claims)
    counted = "2 reproduced, 1 not reproduced, 1 open, 1 not checkable, 1 on stand-in data only"
    assert f"Claims: {counted}\n" in verified.output


def test_a_run_with_other_parameters_prints_them_and_the_folder_of_its_figures(cli, store):  # noqa: F811
    ran = cli("run", "toy_paper/toy_study", "--profile", "smoke", "-p", "n_runs=3", "-p", "scale=2")
    assert "toy_paper/toy_study with n_runs = 3 (smoke profile: 2)\n" in ran.output
    [folder] = [line.split(": ")[1] for line in ran.output.splitlines() if line.startswith("  figures: ")]
    assert sorted(path.name for path in Path(folder).iterdir()) == ["toy-fig-01.pdf", "toy-fig-01.png"]
    assert "not this one" in ran.output and "Next: " not in ran.output


def test_site_shows_the_stored_results_and_names_what_is_missing(cli, store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(
        credalbench.papers.site, "write_site", lambda papers, profile, lessons: store / "site" / "index.html"
    )
    built = cli("site", "--profile", "smoke")
    assert built.exit_code == 0 and str(store / "site" / "index.html") in built.output
    assert "Not run with the present code in the smoke profile: toy_paper/toy_study" in built.output
    assert (store / "REPRODUCTION.md").is_file()
    tracked = cli("site", "--profile", "smoke", "--reproduction")
    assert tracked.exit_code == 2 and "expected every study at the paper profile" in tracked.output


def test_a_site_that_cannot_be_built_gives_code_1_and_the_text_all_the_same(cli, store, monkeypatch):  # noqa: F811
    def refuse(papers, profile, lessons):
        raise credalbench.papers.site.SiteError("no sphinx")

    monkeypatch.setattr(credalbench.papers.site, "write_site", refuse)
    refused = cli("site", "--profile", "smoke")
    assert refused.exit_code == 1 and "no sphinx" in refused.output
    assert (store / "REPRODUCTION.md").is_file()


def test_failed_cases_and_studies_that_were_not_run_give_code_1(cli):
    missing = cli("verify", "--profile", "smoke")
    assert missing.exit_code == 1 and "not run with the present code" in missing.output
    failed = cli("run", "toy_paper/toy_study", "--profile", "smoke", "-p", "fail=1")
    assert failed.exit_code == 1 and "repetition 1 diverged" in failed.output


@pytest.mark.long
def test_a_study_that_is_left_out_is_named_once_with_its_reason_and_gives_code_0(cli, monkeypatch):
    monkeypatch.setenv("TOY_ABSENT", "1")
    ran = cli("run", "--profile", "smoke", "-p", "fail=0")
    assert ran.exit_code == 0, ran.output
    [line] = [line for line in ran.output.splitlines() if "left out" in line]
    assert line == "– toy_paper/toy_study  partly left out: data set 0 needs a file"
    assert "Left out, in whole or in part: 1 (marked – above); for help: credalbench doctor" in ran.output


def test_what_is_damaged_is_named_and_never_shown_as_complete(cli, store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(
        credalbench.papers.site, "write_site", lambda papers, profile, lessons: store / "site" / "index.html"
    )
    path = run_study(experiment, profile="smoke").path / "tables" / "summary.csv"
    path.write_text("")
    for command in ("verify", "site"):
        shown = cli(command, "--profile", "smoke")
        assert shown.exit_code == 1 and "damaged in the store: tables/summary.csv" in shown.output
        assert "credalbench run toy_paper/toy_study --profile smoke" in shown.output
    text = (store / "reproduction" / "toy_paper.md").read_text()
    assert "No result, damaged in the store: tables/summary.csv" in text and "✓" not in text


def test_a_study_that_cannot_be_stored_does_not_stop_the_others(cli, store, monkeypatch):  # noqa: F811
    other = dataclasses.replace(experiment, study="other_study", artefacts=experiment.titles)
    studies_found = {"toy_paper": {"other_study": other, "toy_study": experiment}}
    only(studies_found, monkeypatch.setattr)
    in_the_way = store / "toy_paper" / "other_study"
    in_the_way.parent.mkdir(parents=True)
    in_the_way.touch()
    ran = cli("run", "--profile", "smoke")
    assert ran.exit_code == 1 and "✓ toy_paper/toy_study" in ran.output
    [line] = [line for line in ran.output.splitlines() if line.startswith("✗")]
    assert f"cannot store {in_the_way}" in line and "CREDALBENCH_RESULTS" in line
    verified = cli("verify", "toy_paper/other_study", "--profile", "smoke")
    assert "not run with the present code" in verified.output


@pytest.mark.parametrize(
    ("code", "calls"), [(0, ["run", "site"]), (1, ["run", "site"]), (2, ["run"]), (130, ["run"])]
)
def test_make_reproduce_shows_what_was_run_and_stops_at_a_word_that_is_not_understood(code, calls, tmp_path):
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (tmp_path / "ready").touch()
    program = tmp_path / "program"
    program.write_text(f'echo "$1" >> {tmp_path}/calls\n[ "$1" = site ] || exit {code}\n')
    command = ["make", "reproduce", f"READY={tmp_path}/ready", f"RUN=sh {program}"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True)
    assert (tmp_path / "calls").read_text().split() == calls
    assert (made.returncode == 0) == (code == 0)


def test_list_shows_studies_and_the_parameters_of_one(cli):
    assert "toy_study: A toy study" in cli("list").output
    shown = cli("list", "toy_paper/toy_study").output
    assert "n_runs: int = 6, smoke 2" in shown and "repetitions" in shown


def test_every_command_teaches_with_an_example():
    for name, command in {**main.commands, **{f"data {n}": c for n, c in data.commands.items()}}.items():
        shown = CliRunner().invoke(main, [*name.split(), "--help"]).output
        assert command.help and (f"credalbench {name}" in shown or "data " in name), name


def test_handouts_are_listed_written_and_refused(tmp_path):
    handout = lambda *words: CliRunner().invoke(main, ["handout", *words])  # noqa: E731
    assert "mass_functions      1 · Mass functions" in handout().output
    page = tmp_path / "page.html"
    written = handout("mass_functions", "--out", str(page))
    assert written.exit_code == 0 and str(page) in written.output and page.stat().st_size > 50_000
    unknown, nowhere = handout("mas_functions"), handout("mass_functions", "--out", str(page / "page.html"))
    assert unknown.exit_code == 2 and "did you mean 'mass_functions'?" in unknown.output
    assert nowhere.exit_code == 1 and "in an existing folder" in nowhere.output


def test_doctor_prints_what_it_finds():
    result = CliRunner().invoke(main, ["doctor"])
    for subject in ("Python", "packages", "Jupyter kernel", "widgets", "compiled kernels", "results", "data"):
        assert f"{subject}" in result.output


def test_doctor_names_the_studies_that_lack_data(monkeypatch, tmp_path):
    wanting = dataclasses.replace(experiment, data=("iris", "glass", "s2"))  # iris comes with the program
    only({"toy_paper": {"a": experiment, "b": wanting}}, monkeypatch.setattr)
    monkeypatch.setattr(download, "data_folder", lambda: None)
    monkeypatch.setattr(download, "cache_folder", lambda: tmp_path)
    state, finding = look_for_data()
    assert state == "note" and finding.startswith("1 studies need files that are not here")
    assert finding.splitlines()[1:] == ["    toy_paper/toy_study needs glass, s2"]
    (tmp_path / "glass.data").write_text("another file")
    assert look_for_data()[0] == "broken"
    only({"toy_paper": {"a": experiment}}, monkeypatch.setattr)
    assert look_for_data() == ("ok", "the files of 0 studies are here")


def test_help_loads_nothing_heavy():
    script = "import sys; from credalbench.cli import main; main(['--help'], standalone_mode=False); "
    script += "print(sorted({'numpy', 'pandas', 'matplotlib', 'papermill', 'numba'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.strip().endswith("[]")


def test_python_dash_m_is_the_same_command():
    command = [sys.executable, "-m", "credalbench", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith(
        "credalbench"
    )
