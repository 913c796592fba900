"""The study that runs the authors' R functions: with R, without it, and with something that plays R."""

import dataclasses
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from credalbench.datasets import make_t4
from credalbench.papers import NotCheckable, run_study
from experiments.denoeux2016_evclus import authors_programs as study
from experiments.denoeux2016_evclus.authors_programs import claims
from experiments.rscript import MISSING, WITH_R, ProgramUnavailable, RScript

from .bent_tables import bent_tables, columns_read, outcome

ROOT = Path(__file__).resolve().parents[2]
PAPER, SMOKE = study.experiment.resolve("paper"), study.experiment.resolve("smoke")
TASKS = pd.DataFrame({"method": ["kevclus", "recm"]})
X = np.zeros((3, 2))


def play_r(folder, monkeypatch, script: str = "") -> None:
    """Ask for R; leave nothing on the PATH but a Rscript that is the given shell script, or nothing."""
    monkeypatch.setenv(WITH_R, "1")
    monkeypatch.setenv("PATH", str(folder))
    if script:
        player = folder / "Rscript"
        player.write_text(f"#!/bin/sh\n{script}\n")
        player.chmod(0o755)


# ---------------------------------------------------------------- found and not found


def test_without_rscript_the_case_is_left_out(tmp_path, monkeypatch):
    play_r(tmp_path, monkeypatch)
    with pytest.raises(ProgramUnavailable, match="no Rscript on the PATH") as caught:
        study.PROGRAMS.run(X=X, tasks=TASKS)
    assert caught.value.leaves_out


def test_without_the_package_the_message_is_that_of_r(tmp_path, monkeypatch):
    play_r(tmp_path, monkeypatch, f"echo there is no package called evclust >&2; exit {MISSING}")
    with pytest.raises(ProgramUnavailable, match="a package is not: there is no package called evclust"):
        study.PROGRAMS.run(X=X, tasks=TASKS)


def test_a_script_that_stops_is_a_failure(tmp_path, monkeypatch):
    play_r(tmp_path, monkeypatch, "echo object not found >&2; exit 1")
    with pytest.raises(RuntimeError, match="exit code 1: object not found") as caught:
        study.PROGRAMS.run(X=X, tasks=TASKS)
    assert not getattr(caught.value, "leaves_out", False)


def test_tasks_are_handed_over_and_runs_and_labels_read(tmp_path, monkeypatch):
    runs = r"method,time_s\nkevclus,1.5\nrecm,2\n"
    labels = r"V1,V2\n1,0\n2,0\n1,0\n"
    answer = f'printf "{runs}" > "$3/runs.csv"; printf "{labels}" > "$3/labels.csv"'
    asked = f'while read -r line; do echo "$line"; done < "$3/tasks.csv" > {tmp_path}/asked'
    play_r(tmp_path, monkeypatch, f"{asked}; {answer}")
    found, clusters = study.PROGRAMS.run(X=X, tasks=TASKS)
    assert found["time_s"].tolist() == [1.5, 2.0] and clusters.T.tolist() == [[1, 2, 1], [0, 0, 0]]
    assert (tmp_path / "asked").read_text().split() == ["method", "kevclus", "recm"]


def test_another_script_than_that_of_the_digest_is_not_run():
    other = RScript(study.PROGRAMS.path, "0" * 12)
    with pytest.raises(RuntimeError, match=r"expected programs\.R with the digest 000000000000"):
        other.run(X=X, tasks=TASKS)


@pytest.fixture(scope="module")
def without_r(tmp_path_factory):
    """The smoke run on a machine without R."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
        return run_study(study.experiment, profile="smoke")


def test_without_r_the_study_computes_nothing_and_judges_the_stored_run(without_r):
    assert without_r.errors == [] and "the stored runs in R are judged" in without_r.left_out
    assert "runs" not in without_r.tables
    verdicts = without_r.verdicts
    in_r = verdicts[verdicts["claim"].str.contains("in R")]
    assert len(in_r) > 10 and (in_r["verdict"] != "not checkable").all()
    assert in_r["explanation"].str.contains(r"stored runs of 20\d\d-\d\d-\d\d: R \d").all()
    assert (without_r.summary("ratios_of_times")["run"] == "stored").all()
    assert set(without_r.figures) == {"evclus-fig-11", "evclus-fig-19"}


def test_with_r_again_the_cases_that_were_left_out_are_run(without_r, monkeypatch):
    ran = []

    def found(program, X, tasks):
        ran.append(len(X))
        times = {"time_s": 1.0, "peak_bytes": 1.0, "version": "a version"}
        return tasks[["method"]].assign(**times), np.ones((len(X), len(tasks)), int)

    monkeypatch.setenv("CREDALBENCH_RESULTS", str(without_r.path.parents[2]))
    monkeypatch.setattr(RScript, "run", found)
    result = run_study(study.experiment, profile="smoke")
    assert result.left_out == "" and len(ran) == len(without_r.failures)
    assert (result.summary("ratios_of_times")["run"] == "here").all()


# ---------------------------------------------------------------- what is asked of R


def test_tasks_have_the_settings_of_the_paper():
    data = make_t4(2000, 0)
    tasks = study.tasks_of(PAPER, data, "sampled", 5).set_index("method")
    assert tasks.index.tolist() == ["kevclus", "recm", "eknnclus"]
    shared = tasks.iloc[0]
    assert (shared["k"], shared["n_neighbors"], shared["initial_labels"]) == (100, 100, 1000)
    distances = np.sort(np.linalg.norm(data.X[:, None] - data.X, axis=-1)[np.triu_indices(2000, 1)])
    assert shared["d0"] == pytest.approx(np.quantile(distances, 0.9))
    assert shared["delta"] ** 2 == pytest.approx(np.quantile(distances**2, 0.95))
    small = study.tasks_of(PAPER, make_t4(100, 0), "all pairs", 5).set_index("method")
    assert small.index.tolist() == ["kevclus", "recm"]
    assert (small["k"] == 99).all() and (small["delta"] == small["d0"]).all()


def test_large_n_has_no_recm_and_seeds_are_small_enough_for_r():
    params = dataclasses.replace(SMOKE, recm_up_to=50)
    tasks = study.tasks_of(params, make_t4(60, 0), "sampled", 2**32 - 1)
    assert tasks["method"].tolist() == ["kevclus", "eknnclus"] and (tasks["seed"] < 2**31).all()


@pytest.mark.long
def test_r_finds_what_ours_find(monkeypatch):
    monkeypatch.setenv(WITH_R, "1")
    data = make_t4(80, 0)
    tasks = study.tasks_of(SMOKE, data, "all pairs", 1)
    try:
        runs, theirs = study.PROGRAMS.run(X=data.X, tasks=tasks)
    except ProgramUnavailable as reason:
        pytest.skip(str(reason))
    _, ours = study.run_ours(data, tasks)
    assert (runs["time_s"] >= 0).all() and runs["version"].str.startswith("R ").all()
    for mine, other in zip(ours.T, theirs.T):
        assert len(set(zip(mine, other))) == len(set(mine))  # the same partition under other names


# ---------------------------------------------------------------- the stored run, and the claims


def test_the_stored_run_is_complete_and_names_its_origin():
    stored = claims.stored_runs()
    for program in ("R", "ours"):
        runs = stored[stored["program"] == program]
        found = set(runs[["part", "n", "dataset"]].itertuples(index=False, name=None))
        assert found == {tuple(case.values()) for case in study.cases(PAPER)}
    assert stored["date"].nunique() == 1 and stored["platform"].notna().all()
    of_r = stored[stored["program"] == "R"]
    assert of_r["version"].str.fullmatch(r"R [\d.]+, evclust [\d.]+, limSolve [\d.]+, .+").all()
    assert (of_r["time_s"] > 0).all() and (of_r["peak_bytes"] > 0).all()


def test_nothing_is_stored_without_a_complete_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    tool = runpy.run_path(str(ROOT / "tools" / "store_programs.py"))
    assert tool["main"](["denoeux2016_evclus/authors_programs"]) == 1
    assert "no complete result" in capsys.readouterr().err


@pytest.mark.long  # as in test_planted_errors.py
@pytest.mark.parametrize("claim", study.experiment.claims, ids=lambda claim: claim.statement)
@pytest.mark.filterwarnings("ignore")  # bent tables are full of nonsense
def test_every_claim_can_come_out_false(claim):
    tables = {"runs": claims.stored_runs()}
    if outcome(claim, PAPER, tables) in (False, "not checkable"):
        return
    read = columns_read(claim, PAPER, tables)
    assert any(outcome(claim, *bent) is False for bent in bent_tables(read, PAPER, tables))


def planted(**seconds) -> dict[str, pd.DataFrame]:
    """Five data sets for each n in R, with seconds by the law of each method."""
    sizes = {"all pairs": PAPER.sizes_all_pairs, "sampled": PAPER.sizes_sampled}
    rows = [
        {
            "part": part,
            "n": n,
            "dataset": d,
            "program": "R",
            "method": method,
            "time_s": law(n) * (1 + d / 100),
        }
        for part in sizes
        for n in sizes[part]
        for d in range(5)
        for method, law in seconds.items()
        if (part == "sampled" or method != "eknnclus") and (n < 10_000 or method != "recm")
    ]
    runs = pd.DataFrame(rows)
    ari = runs["method"].map({"kevclus": 0.9, "recm": 0.8, "eknnclus": 0.7}) + 0.001 * runs["dataset"]
    return {"runs": runs.assign(ari=ari, peak_bytes=40.0 * runs["n"] ** 2)}


GROWTH = np.log(72.06 / 3.46) / np.log(5)  # of EK-NNclus, as printed
AS_PRINTED = planted(
    kevclus=lambda n: 3.8 * (n / 2000) ** 1.2 if n >= 1000 else 1e-6 * n**2.4,
    recm=lambda n: 12.99 * (n / 2000) ** 2.2 if n >= 1000 else 1e-6 * n**2,
    eknnclus=lambda n: 3.46 * (n / 2000) ** GROWTH,
)
OTHERWISE = planted(
    kevclus=lambda n: 1e-9 * n**3,
    recm=lambda n: 1e-4 * n if n >= 1000 else n**4.0,
    eknnclus=lambda n: 1e-8 * n,
)
OTHERWISE["runs"]["ari"] = 1 - OTHERWISE["runs"]["ari"]


def held(tables) -> dict[str, bool | None]:
    """What each claim on R alone says of planted tables, by its statement."""
    of_r = [c for c in study.experiment.claims if c.statement.startswith("in R")]
    return {claim.statement: claim(PAPER, tables).holds for claim in of_r}


def test_claims_follow_the_planted_times():
    assert all(held(AS_PRINTED).values())
    assert not any(held(OTHERWISE).values())


def test_memory_is_given_in_matrices():
    with pytest.raises(NotCheckable, match=r"takes 5\.0 matrices .* 4\.0 GB at n = 10000"):
        claims.recm_needs_memory(PAPER, AS_PRINTED)


def test_printed_times_are_judged_in_units_of_one_of_them(without_r):
    for claim, seconds in zip(claims.time_as_printed, (12.99, 72.06)):
        [compared] = claim(PAPER, AS_PRINTED).compared
        assert compared.printed.value == seconds and compared.estimate.value == pytest.approx(seconds)
        [stored] = [j for j in without_r.judgements if j.claim.statement == claim.statement]
        [judged] = stored.printed
        assert judged.printed.value == seconds and judged.verdict != "not checkable"
