"""The study of the authors' program: the stored run without R, and with R the same draws as ours."""

import pandas as pd
import pytest

from credalbench.papers import CannotBeChecked
from experiments.antoine2012_cecm import authors_program as study
from experiments.antoine2012_cecm.authors_program import claims
from experiments.rscript import ProgramUnavailable

SMOKE = study.experiment.resolve("smoke")


def test_without_r_a_claim_is_not_judged_and_names_the_stored_run():
    for claim in claims.means_in_r + claims.two_changes_give_r:
        with pytest.raises(CannotBeChecked, match=r"in the stored run of 20\d\d-\d\d-\d\d with R \d"):
            claim(SMOKE, {})


def test_of_the_stored_run_interior_masses_are_nearer_to_r_than_ours():
    table = claims.by_program(SMOKE, {})
    on_iris = table.loc[claims.NAMES["iris"]].map(lambda cell: float(str(cell).split(" ")[0]))
    gap = (on_iris[[claims.PROGRAM, claims.OURS]].sub(on_iris[claims.IN_R], axis=0)).abs()
    assert (gap[claims.PROGRAM] < gap[claims.OURS]).all()


def test_stored_runs_are_judged_where_those_made_here_are_the_same():
    stored = pd.read_csv(claims.STORED)
    here = stored.query("repetition < 2")
    assert len(claims.runs_of({"runs": here})) == len(stored)
    for name in ("ri", "n_iter"):
        another = {"runs": here.assign(**{name: here[name] + 1})}
        assert claims.runs_of(another) is another["runs"]
    gone = {"runs": here.assign(repetition=here["repetition"] + 1000)}  # not stored: nothing confirms them
    assert claims.runs_of(gone) is gone["runs"]


@pytest.mark.long
def test_r_gets_one_task_for_each_draw_and_ours_the_same_draws():
    case = study.cases(SMOKE)[0]
    try:
        runs = study.compute(SMOKE, case)["runs"]
    except ProgramUnavailable as reason:
        pytest.skip(str(reason))
    weighted = runs[runs["xi"] > 0].pivot(index="repetition", columns="program", values="ri")
    assert list(weighted.index) == [0, 1] and weighted.notna().all(axis=None)
    assert weighted.min(axis=None) > 0.8  # all find the classes of Iris
    free = runs[runs["xi"] == 0]
    assert len(free) == SMOKE.n_free_trials and set(free["program"]) == {claims.IN_R}
