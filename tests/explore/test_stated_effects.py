"""The tooltips of d0, alpha, beta, delta and xi state effects that fits have, and lessons teach them."""

import re

import numpy as np
import pytest

from credalbench.explore import CatECMModel, CECMModel, ECMModel, EVCLUSModel
from credalbench.learn import COURSE
from credalbench.learn.source import read_lesson

LINKS = ((31, 129, "cannot-link"), (23, 31, "must-link"), (82, 123, "cannot-link"), (6, 152, "must-link"))


def outliers(fitted):
    return fitted.n_outliers


def mass_on_several(fitted):
    partition = fitted.partition
    return partition.masses[:, partition.focal_sets.cardinality > 1].sum()


def hardness(fitted):
    return fitted.partition.masses.max(axis=1).mean()


def violation(fitted):
    return fitted.run.estimator.constraint_cost_


def misfit(fitted):
    return fitted.data_cost


def stress(fitted):
    return np.square(fitted.kappa - fitted.delta).sum() / np.square(fitted.delta).sum()


ECM = (ECMModel, {"data": "t4:200", "n_clusters": 4})
CATEGORIES = (CatECMModel, {"data": "cat_diamond", "n_init": 10})
LINKED = (CECMModel, {"data": "two_class:200:0", "metric": "mahalanobis", "n_init": 5, "links": LINKS})
COMPARED = (EVCLUSModel, {"data": "t4:200", "n_clusters": 4})
#: Model and settings, parameter, its values from small to large, words of its tooltip, what they mean.
EFFECTS = [
    (*COMPARED, "d0_quantile", (0.1, 0.5, 0.9), "smaller values give more outliers", outliers, -1),
    (*COMPARED, "d0", (2.0, 6.0, 12.0), "smaller values give more outliers", outliers, -1),
    (*ECM, "alpha", (-1.0, 1.0, 3.0), "larger values give less mass to sets of", mass_on_several, -1),
    (*ECM, "beta", (1.1, 1.5, 2.0), "near 1 they become hard", hardness, -1),
    (*ECM, "delta", (1.5, 3.0, 10.0), "smaller values give more outliers", outliers, -1),
    (*CATEGORIES, "alpha", (-1.0, 0.0, 1.0), "larger values give less mass to sets of", mass_on_several, -1),
    (*CATEGORIES, "delta", (0.5, 1.05, 3.0), "smaller values give more outliers", outliers, -1),
    (*LINKED, "xi", (0.0, 0.1, 0.3), "larger values give fewer violations", violation, -1),
    (*LINKED, "xi", (0.0, 0.1, 0.3), "and a worse fit", misfit, 1),
    (EVCLUSModel, {"data": "two_class:200:0", "links": LINKS}, "xi", (0.0, 0.01, 0.5), "fewer violations",
     violation, -1),
    (EVCLUSModel, {"data": "two_class:200:0", "links": LINKS}, "xi", (0.0, 0.01, 0.5), "more stress",
     stress, 1),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings", "name", "values", "words", "measure", "sign"), EFFECTS)
def test_a_parameter_has_the_effect_that_its_tooltip_states(
    kind, settings, name, values, words, measure, sign
):
    assert words in kind.parameters()[name].tooltip
    model, measured = kind(**settings), []
    for value in values:
        setattr(model, name, value)
        assert not model.is_error
        measured.append(sign * measure(model.fitted))
    assert measured[0] < measured[1] < measured[2], measured


@pytest.mark.parametrize("letter", ["d₀", "α", "β", "δ", "ξ"])
def test_a_lesson_has_a_section_about_each_parameter(letter):
    headings = [heading for name in COURSE for heading in read_lesson(name).plan]
    assert any(re.match(f"{letter}: ", heading) for heading in headings), headings
