"""The study of Figures 6 to 10: do its curves come from the trials, and can its claims fail?"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.cluster import CECM
from credalbench.cluster.constrained.active_learning import Round
from credalbench.core.constraints import PairwiseConstraints
from credalbench.metrics import rand_index
from credalbench.papers import NotCheckable, case_rng
from experiments.antoine2012_cecm import active_learning as study
from experiments.antoine2012_cecm.active_learning import claims
from experiments.antoine2012_cecm.shared.protocol import draw_constraints, prepared, starting_prototypes

GRID = (0, 20, 40, 60)


@pytest.fixture
def result(smoke_result):
    return smoke_result("antoine2012_cecm/active_learning")


def tables(name="iris", active=(0.85, 0.9, 1.0, 1.0), random=(0.85, 0.9, 0.92, 0.95), free=None, **others):
    """Made-up runs: one value of active learning per point, three random trials around a mean."""
    rows = [("active", "previous", 0, C, value, value) for C, value in zip(GRID, active)]
    for start in claims.STARTS:
        for trial, shift in enumerate((-0.004, 0.0, 0.004)):
            for C, value, other in zip(GRID, random, free or random):
                moved = shift * (C > 0)
                rows.append(("random", start, trial, C, value + moved, other + moved * (1 + C / 1000)))
    columns = ["selection", "start", "repetition", "n_constraints", "ri", "ri_unconstrained"]
    counts = {"n_partners": 2, "n_partners_lost": 1, "n_others_lost": 1}
    runs = pd.DataFrame(rows, columns=columns).assign(dataset=name, **counts)
    return {"runs": runs.assign(ri_constrained=runs["ri_unconstrained"], **others)}


def all_four(**others):
    """The same made-up runs on every data set."""
    return {"runs": pd.concat([tables(name, **others)["runs"] for name in study.METRIC])}


# ---------------------------------------------------------------- the smoke profile


def test_active_learning_has_every_number_of_constraints_and_random_the_grid(result):
    runs = result.tables["runs"]
    for name in study.METRIC:
        assert claims.active_curve(runs, name).index.tolist() == list(range(31))
        trials = claims.random_trials(runs, name)
        assert set(trials.columns) == {0, *result.params.sizes}
        assert len(trials) == 3 and not trials.isna().any(axis=None)
    assert runs["ri"].between(0, 1).all()


def test_without_constraints_all_selections_are_the_same_fit(result):
    none = result.tables["runs"].query("n_constraints == 0")
    assert (none.groupby("dataset")["ri"].nunique() == 1).all()
    assert (none["ri"] == none["ri_unconstrained"]).all()


def test_a_random_point_is_the_fit_of_its_constraints_from_k_means(result):
    """From the seed alone, past learner and study: trial 1 at 30 constraints on Wine."""
    X, y, c, delta = prepared("wine")
    constraints = draw_constraints(y, 30, case_rng(result.params.seed, "wine", 1))
    model = CECM(c, xi=0.5, delta=delta, init=starting_prototypes("wine"))
    model.fit(X, must_link=constraints.must_link, cannot_link=constraints.cannot_link)
    runs = result.tables["runs"].query("dataset == 'wine' and selection == 'random' and start == 'same'")
    row = runs.query("repetition == 1 and n_constraints == 30").iloc[0]
    assert row["ri"] == rand_index(y, model.labels_)
    assert row["objective"] == pytest.approx(model.objective_, rel=1e-9)  # written and read as text


def test_cases_cover_every_trial_once_and_refuse_unknown_names():
    params = study.experiment.resolve("paper", {"n_trials": 25})
    parts = [case for case in study.cases(params) if case["selection"] == "random"]
    assert len(parts) == 4 * 3
    for knob in ("data_sets", "readings"):
        with pytest.raises(ValueError, match=f"expected {knob} among"):
            study.cases(study.experiment.resolve("paper", {knob: ("zoo",)}))


# ---------------------------------------------------------------- reading the runs


def test_leads_are_active_minus_random_at_every_number_of_constraints():
    leads = claims.leads_by_number(tables(active=(0.85, 0.8, 0.925, 1.0))["runs"], "iris")
    assert {C: round(lead.value, 12) for C, lead in leads.items()} == {20: -0.1, 40: 0.005, 60: 0.05}
    assert [(lead.low > 0, lead.high < 0) for lead in leads.values()] == [
        (False, True),
        (False, False),
        (True, False),
    ]


def test_a_run_that_settled_all_pairs_keeps_its_last_value():
    runs = tables()["runs"].query("selection == 'random' or n_constraints <= 40")
    assert claims.active_on([20, 40, 60], runs, "iris").tolist() == [0.9, 1.0, 1.0]


def test_reached_means_to_stay():
    curve = pd.Series((0.85, 0.97, 0.9, 0.96), index=GRID)
    assert claims.reached(curve, 0.95) == 60
    assert claims.reached(curve, 0.99) == np.inf
    assert claims.reached(curve, 0.5) == 0


# ---------------------------------------------------------------- claims can fail

SLOW = {"active": (0.85, 0.8, 0.8, 0.8)}
FINE = {}
FALLING = {"free": (0.95, 0.9, 0.85, 0.8)}


@pytest.mark.parametrize(
    ("group", "artefact", "so", "otherwise"),
    [
        (claims.unconstrained_objects_gain, "cecm-fig-06", FINE, FALLING),
        (claims.optimum_with_fewer, "cecm-fig-07", FINE, {"random": (0.8, 0.9, 1.0, 1.02)}),
        (claims.faster, "cecm-fig-08", FINE, SLOW),
        (claims.faster, "cecm-fig-09", FINE, SLOW),
        (claims.outperformed, "cecm-fig-09", SLOW, {"active": (0.85, 0.95, 0.95, 1.0)}),
        (claims.outperformed_early, "cecm-fig-10", FINE, SLOW),
        (claims.others_may_be_lost, "cecm-fig-10", FINE, {"n_others_lost": 0}),
    ],
)
def test_a_claim_holds_of_the_curves_it_describes_and_differs_of_others(group, artefact, so, otherwise):
    claim = next(c for c in (group if isinstance(group, tuple) else (group,)) if c.artefact == artefact)
    dataset = claims.ARTEFACTS[artefact]
    assert claim(None, tables(dataset, **so)).holds is True
    assert claim(None, tables(dataset, **otherwise)).holds is False


@pytest.mark.parametrize(
    ("claim", "so", "otherwise"),
    [
        (claims.most_data_sets_gain, FINE, FALLING),
        (claims.constrained_objects_may_lose, FALLING, FINE),
        (claims.partners_may_be_lost, FINE, {"n_partners_lost": 0}),
    ],
)
def test_a_claim_over_all_data_sets_can_fail(claim, so, otherwise):
    assert claim(None, all_four(**so)).holds is True
    assert claim(None, all_four(**otherwise)).holds is False


def longer(values):
    """Made-up curves that end at the printed number of constraints, 200 instead of 60."""
    runs = tables(**values)["runs"]
    return {"runs": runs.assign(n_constraints=runs["n_constraints"].map({0: 0, 20: 20, 40: 40, 60: 200}))}


def test_the_printed_optimum_is_where_active_learning_comes_to_rest():
    assert claims.optimum_early(None, longer({})).holds is True
    assert claims.optimum_early(None, longer({"active": (0.85, 1.0, 0.9, 1.0)})).holds is False
    assert claims.optimum_early(None, longer({"active": (0.85, 1.0, 1.0, 1.0)})).holds is False


def test_random_selection_that_comes_to_the_optimum_contradicts_the_print():
    assert claims.random_never_there(None, longer({})).holds is True
    assert claims.random_never_there(None, longer({"random": (0.85, 0.9, 1.1, 1.1)})).holds is False


def test_partners_are_lost_to_certain_misplaced_objects():
    """Object 4 is of class 1 among those of class 0, with most of its mass there; 5 was well placed."""
    y, sets = np.array([0, 0, 0, 0, 1, 1, 1, 1]), FocalSets.full(2)
    pairs = np.array([[4, 5]])

    def a_round(labels):
        masses = np.zeros((8, len(sets)))
        masses[np.arange(8), np.array(sets.singletons)[labels]] = 1
        model = SimpleNamespace(partition_=CredalPartition(masses, sets), labels_=np.array(labels))
        return Round(pairs, np.array([True]), PairwiseConstraints(8, pairs, None), model)

    before, after = a_round([0, 0, 0, 0, 0, 1, 1, 1]), a_round([0, 0, 0, 0, 0, 0, 1, 1])
    assert study.losses(y, before, after) == {"n_partners": 1, "n_partners_lost": 1, "n_others_lost": 0}
    assert study.losses(y, before, before)["n_partners_lost"] == 0
    assert study.losses(y, None, after)["n_partners"] == 0


def test_a_target_that_the_error_of_the_random_mean_moves_leaves_the_speed_open():
    """At the mean itself active learning is there by 40, at the upper end of the interval never."""
    [claim] = [c for c in claims.faster if c.artefact == "cecm-fig-07"]
    assert claim(None, tables(active=(0.85, 0.9, 0.952, 0.952))).holds is None


def test_claims_cannot_be_checked_where_the_data_or_the_constraints_are_missing():
    for claim in study.experiment.claims:
        with pytest.raises(NotCheckable):
            claim(None, tables("two_class"))
    few = {"runs": tables()["runs"].query("n_constraints < 40")}
    for claim in (claims.optimum_early, claims.random_never_there):
        with pytest.raises(NotCheckable, match="no more than 20") as reason:
            claim(None, few)
        assert reason.value.printed
