"""The studies of [jiao2022_egmm] without repeated runs: memberships, and arithmetic on the printed tables."""

import numpy as np
import pytest

from credalbench.belief import FocalSets
from experiments.jiao2022_egmm import evidential_membership
from experiments.jiao2022_egmm.printed_tables import claims


@pytest.fixture
def memberships(smoke_result):
    return smoke_result("jiao2022_egmm/evidential_membership")


@pytest.fixture
def printed(smoke_result):
    return smoke_result("jiao2022_egmm/printed_tables")


# ---------------------------------------------------------------- Table 1


def test_table_1_holds_and_its_masses_are_the_printed_ones(memberships):
    assert (memberships.verdicts["verdict"] == "reproduced").all()
    partition = evidential_membership.table_1(memberships.tables["masses"])
    assert partition.masses[0, partition.focal_sets.index([2])] == 0.5
    assert partition.masses[3, partition.focal_sets.index([1, 2])] == 0.4
    assert partition.masses[2, partition.focal_sets.index([0, 1, 2])] == 1


# ---------------------------------------------------------------- Tables 2 to 4


def test_parameters_of_both_kinds_are_those_of_the_index():
    """[jiao2022_egmm (33)]: f - 1 mixing probabilities, c p means, p (p + 1) / 2 of the covariance."""
    assert [claims.n_parameters(FocalSets.full(c, empty=False)) for c in (2, 3, 4)] == [9, 15, 25]
    assert [claims.n_parameters(FocalSets.up_to(c, 2, empty=False)) for c in (2, 3, 4)] == [9, 15, 21]


def test_diamond_has_all_sets_and_the_others_few(printed):
    kinds = [*claims.KINDS]
    for name, expected in (("Diamond", kinds[0]), ("Two-class", kinds[1]), ("Four-class", kinds[1])):
        fits = [kind for kind in kinds if claims.explains(printed.tables, name, kind)]
        assert fits == [expected]


def test_one_kind_would_do_had_two_class_fallen_as_all_sets_do(printed):
    """Each step as large as its penalty: then no step gains anything, and all sets fit every table."""
    ebic = printed.tables["ebic"].copy()
    for name, (_, n, right) in claims.EBIC.items():
        if name == "Diamond":
            continue
        sizes = {c: claims.n_parameters(FocalSets.full(c, empty=False)) for c in claims.SEARCHED}
        values = [-0.5 * np.log(n) * sizes[c] + 60.0 * min(c, right) for c in claims.SEARCHED]
        ebic.loc[ebic["dataset"] == name, "ebic"] = values
    tables = printed.tables | {"ebic": ebic}
    assert claims.one_kind_explains_all(printed.params, tables).holds is True


# ---------------------------------------------------------------- the text against Tables 6 to 10


def verdict_of(group, params, tables):
    return [claim(params, tables).holds for claim in group]


def test_three_sentences_are_contradicted_by_the_table_itself(printed):
    assert verdict_of(claims.prose_follows_the_tables, printed.params, printed.tables) == [
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("place", "dataset", "row", "method", "value"),
    [(1, "vehicle", "ari_unknown", "ecm", 0.12), (3, "wine", "purity_known", "gmm", 0.84)],
)
def test_they_would_hold_with_one_other_cell(printed, place, dataset, row, method, value):
    cells = printed.tables["cells"].copy()
    cell = (cells["dataset"] == dataset) & (cells["row"] == row) & (cells["method"] == method)
    cells.loc[cell, "mean"] = value
    tables = printed.tables | {"cells": cells}
    assert claims.prose_follows_the_tables[place](printed.params, tables).holds is True


def test_ten_numbers_have_few_means_and_deviations():
    known = claims.attainable()
    assert (3.4, 0.52) in known and (2.0, 0.0) in known and (3.1, 0.32) in known
    assert (3.1, 0.31) not in known and (2.0, 0.5) not in known
