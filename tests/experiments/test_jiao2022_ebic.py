"""Why EBIC prefers too few clusters: the arithmetic of the study, and what it reads from its tables."""

import numpy as np
import pandas as pd
import pytest

from credalbench.cluster import EGMM
from credalbench.datasets import make_egmm_four_class
from experiments.jiao2022_egmm import number_of_clusters as study
from experiments.jiao2022_egmm.number_of_clusters import claims, data, lead


@pytest.mark.parametrize("focal_sets", lead.KINDS)
def test_parameters_are_counted_as_egmm_counts_them(focal_sets):
    """[jiao2022_egmm (33)]"""
    X = make_egmm_four_class(60, 0).X
    two, four = (EGMM(c, focal_sets=lead.KINDS[focal_sets](c), random_state=0).fit(X) for c in (2, 4))
    assert lead.more_parameters(focal_sets) == four.n_parameters_ - two.n_parameters_
    gain = (four.log_likelihood_ - two.log_likelihood_) / 60
    assert lead.expected_lead(60, gain, focal_sets) == pytest.approx(four.ebic_ - two.ebic_)
    assert lead.gain_behind(four.ebic_ - two.ebic_, 60, focal_sets) == pytest.approx(gain)


def test_with_the_objects_needed_gain_and_penalty_are_equal():
    for focal_sets in lead.KINDS:
        n = lead.objects_needed(0.06, focal_sets)
        assert lead.expected_lead(n, 0.06, focal_sets) == pytest.approx(0, abs=1e-6)  # of the root's search
        assert [lead.expected_lead(x * n, 0.06, focal_sets) > 0 for x in (0.9, 1.1)] == [False, True]


def test_the_printed_lead_would_be_gone_with_half_of_the_objects():
    gain = lead.gain_behind(claims.printed_lead(), 800, "pairs")
    assert claims.printed_lead() == pytest.approx(13.3)
    assert 400 < lead.objects_needed(gain, "pairs") < 800


def test_leads_are_those_of_the_same_fits_by_hand():
    params = study.Parameters(n_starts=1, seed=3)
    found = lead.lead_of_four(params, 60, 0).set_index("focal_sets")
    assert list(found.index) == list(lead.KINDS)
    X = make_egmm_four_class(60, study.case_rng(3, "lead", 60, 0)).X
    seed = study.case_random_state(3, "lead", 60, 0)
    fits = [EGMM(c, focal_sets="full", random_state=seed).fit(X).ebic_ for c in (1, 2, 3, 4)]
    assert found.loc["full", "lead"] == pytest.approx(fits[3] - max(fits[:3]))
    assert found.loc["full", "fewer"] == 1 + int(np.argmax(fits[:3]))


def test_drawn_mixtures_have_two_to_five_classes_apart():
    counts = set()
    for seed in range(12):
        X, y = data.mixture(90, np.random.default_rng(seed))
        assert X.shape == (90, 2)
        counts.add(int(y.max()) + 1)
        centres = data.separated(4, 3.0, np.random.default_rng(seed))
        distances = np.linalg.norm(centres[:, None] - centres, axis=2)
        assert distances[~np.eye(4, dtype=bool)].min() >= 3
    assert counts == {2, 3, 4, 5}


def test_no_clear_answer_is_right_where_there_is_one_class():
    rows = [
        ("one_class", 1, 0, "none"),
        ("one_class", 1, 3, "full"),
        ("iris", 3, 0, "none"),
        ("iris", 3, 3, "full"),
    ]
    table = pd.DataFrame(rows, columns=["dataset", "n_classes", "c", "agreement"])
    assert claims.answers(table).tolist() == [1, 3, 0, 3]
    found = claims.right_by_agreement(None, {"recommendations": table})
    assert found.loc["full"].tolist() == ["0 of 1", "1 of 1"]
    assert found.loc["none"].tolist() == ["1 of 1", "0 of 1"]
