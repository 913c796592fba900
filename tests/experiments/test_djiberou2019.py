"""The studies of [djiberou2019_catecm]: readings of the data, restarts, Cat-diamond, what claims compare."""

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import FocalSets
from credalbench.cluster import CatECM
from credalbench.papers import NotCheckable
from experiments.djiberou2019_catecm import alpha_sweep, cat_diamond, data_sets
from experiments.djiberou2019_catecm.algorithm.measures import squared_dissimilarities
from experiments.djiberou2019_catecm.cat_diamond import claims as diamond_claims
from experiments.djiberou2019_catecm.shared import restarts, tables
from experiments.djiberou2019_catecm.zoo import claims as zoo_claims


@pytest.fixture
def diamond_result(smoke_result):
    return smoke_result("djiberou2019_catecm/cat_diamond")


@pytest.fixture
def zoo_result(smoke_result):
    return smoke_result("djiberou2019_catecm/zoo")


# ---------------------------------------------------------------- tables of categories


def test_object_13_stands_above_6_in_the_second_reading_only():
    first, second = (tables.diamond(place) for place in tables.PLACES)
    differing = (first != second).to_numpy()
    assert np.argwhere(differing).tolist() == [[12, 0]]
    assert second.iloc[12, 0] == second.iloc[5, 0] and first.shape == (13, 2)


def test_renaming_keeps_which_values_are_equal():
    table = tables.diamond(tables.PLACES[0])
    other = tables.renamed(table)
    for column in table:
        values, renamed = table[column].to_numpy(), other[column].to_numpy()
        assert ((values[:, None] == values) == (renamed[:, None] == renamed)).all()
        assert (values != renamed).any()


def test_readings_of_the_attributes():
    widths = [tables.zoo(attributes).shape for attributes in tables.ATTRIBUTES]
    assert widths == [(101, 16), (101, 17), (101, 17)]
    assert tables.zoo(tables.ATTRIBUTES[1])["type"].nunique() == 7
    assert tables.zoo(tables.ATTRIBUTES[2])["animal_name"].nunique() == 100  # two rows are frogs
    assert tables.varying(tables.problem("soybean").table).shape == (47, 21)


def test_sets_of_at_most_two_clusters():
    assert tables.at_most_pairs(2) == FocalSets.full(2)
    four = tables.at_most_pairs(4)
    assert len(four) == 1 + 4 + 6 and four.cardinality.max() == 2 and four.has_empty


# ---------------------------------------------------------------- random starts


def test_cases_split_the_experiments():
    split = [[*restarts.experiments_of(chunk, 7, 3)] for chunk in restarts.chunks(7, 3)]
    assert split == [[0, 1, 2], [3, 4, 5], [6]]


def test_starts_differ_and_repeat():
    table = tables.diamond(tables.PLACES[0])
    first, again = (
        [model.objective_trace_[0] for _, model in restarts.fitted_starts(table, 3, 0, "x", n_clusters=2)]
        for _ in range(2)
    )
    assert first == again and len(set(first)) == 3


def test_best_of_each_experiment_and_how_often_it_is_the_lowest():
    runs = pd.DataFrame(
        {"repetition": [0, 0, 1, 1, 2, 2], "objective": [3.0, 1.0, 2.0, 5.0, 1.0 + 1e-12, 9.0]}
    )
    assert restarts.best_of_each(runs)["objective"].round(6).tolist() == [1.0, 2.0, 1.0]
    shares = restarts.shares_of_lowest(runs)
    assert shares["of the starts"].value == pytest.approx(2 / 6)
    assert shares["of the experiments"].value == pytest.approx(2 / 3)
    assert restarts.shares_that_reach(runs, 0.5)["of the starts"].value == 0


# ---------------------------------------------------------------- Cat-diamond


@pytest.mark.parametrize("way", diamond_claims.WAYS)
def test_the_global_minimum_is_where_the_algorithm_rests(way):
    """Started there, cat-ECM stays, with the same masses and objective."""
    params = cat_diamond.Parameters()
    table = tables.diamond(tables.PLACES[0])
    found = cat_diamond.global_minimum(params, way, table)
    numbers = [int(number) - 1 for number in found["centres"].iloc[0].split(", ")]
    weights = [
        (np.sort(table[column].unique()) == table[column].to_numpy()[numbers, None]).astype(float)
        for column in table
    ]
    model = CatECM(init=weights, **cat_diamond.options(params, way)).fit(table)
    assert model.n_iter_ == 1 and numbers == [1, 7]
    assert model.objective_ == pytest.approx(found["objective"].iloc[0], rel=1e-12)  # a sum of 13 terms
    np.testing.assert_allclose(model.partition_.masses, found[model.partition_.focal_sets.labels], atol=1e-12)


def test_only_the_outliers_separate_the_printed_equation_from_the_other(diamond_result):
    """The conflict of equation (10) with Figure 2: objects 12 and 13 cannot be on the empty set."""
    found = diamond_result.summary("sentences_by_way")
    listed = {sentence: row for (sentence, _), row in found.iterrows()}
    assert (found["without 1/p"] == "yes").all(axis=None) and (found["smaller delta"] == "yes").all(axis=None)
    assert (listed.pop("S28")["printed"] == "NO").all()
    assert all((row["printed"] == "yes").all() for row in listed.values())


@pytest.mark.parametrize("name", diamond_claims.SENTENCES)
def test_each_sentence_on_figure_2_can_be_untrue(diamond_result, name):
    """Of masses that are exchanged between objects, none is true."""
    _, check = diamond_claims.SENTENCES[name]
    found = diamond_claims.solution(diamond_result.tables, "without 1/p", tables.PLACES[0])
    labels = diamond_claims.FOCAL_SETS.labels
    assert check(found)
    assert not check(found.assign(**{label: found[label].to_numpy()[::-1] for label in labels}))
    assert not check(found.assign(**dict.fromkeys(labels, 0.25)))


def test_centres_that_lie_on_no_object_are_marked():
    table = tables.diamond(tables.PLACES[0])
    model = CatECM(2, n_init=1, random_state=0).fit(table)
    model.prototypes_.iloc[0, 0] = "z"
    assert "-" in cat_diamond.centres(model, table)


# ---------------------------------------------------------------- Soybean, Zoo, Algorithm 1


def test_the_lost_alpha_cannot_be_checked_where_it_was_not_run(smoke_result):
    result = smoke_result("djiberou2019_catecm/alpha_sweep")
    runs = result.tables["runs"]
    for claim, alpha in zip(alpha_sweep.row_as_printed, alpha_sweep.ROWS):
        with pytest.raises(NotCheckable, match="not among the values"):
            claim(result.params, {"runs": runs[runs["alpha"] != alpha]})


def test_clusters_are_called_after_the_class_of_most_of_their_animals():
    from experiments.djiberou2019_catecm import zoo

    found = tables.problem("zoo")
    assert set(zoo.called_after(found.y, found)) == set(found.class_names)
    merged = np.where(found.y == 1, 0, found.y)  # birds join the mammals, of which there are more
    assert sorted(zoo.called_after(merged, found)) == sorted(set(found.class_names) - {"bird"})
    sizes = [w.shape for w in zoo.modes_of_classes(found.table, found.y)]
    assert sizes == [(7, n) for n in found.table.nunique()]


@pytest.mark.parametrize("claim", zoo_claims.animals_between)
def test_animals_between_clusters_are_compared_by_name(zoo_result, claim):
    """In every experiment the named animals and no others, or one more."""
    place, wanted = next(
        (place, animals) for place, animals in zoo_claims.IMPRECISE.items() if place in claim.statement
    )
    numbers = sorted(set(zoo_result.tables["runs"]["repetition"]))
    reading = dict(zip(("focal_sets", "convention"), zoo_claims.FIRST))
    rows = pd.DataFrame(
        [reading | {"repetition": k, "animal": animal, "set": place} for k in numbers for animal in wanted]
    )
    claim_on = {"named": rows}
    share = claim(zoo_result.params, zoo_result.tables | claim_on)
    assert share.ours.startswith("share of the experiments: 100%")
    claim_on["named"] = pd.concat([rows, rows.iloc[:: len(wanted)].assign(animal="bear")])
    share = claim(zoo_result.params, zoo_result.tables | claim_on)
    assert share.ours.startswith("share of the experiments: 0%")


def test_the_formulas_of_the_study_are_those_of_the_paper():
    """[djiberou2019_catecm (10)] and [djiberou2019_catecm (11)], value by value."""
    table = tables.diamond(tables.PLACES[1])
    model = CatECM(3, focal_sets=tables.at_most_pairs(3), n_init=1, random_state=0).fit(table)
    d2 = squared_dissimilarities(table, model, model.partition_.focal_sets)
    for i in range(len(table)):
        for j, A in enumerate(model.partition_.focal_sets.sets[1:]):
            terms = [
                w[k, t] / len(A)
                for l, (values, w) in enumerate(zip(model.categories_, model.weights_))
                for t, value in enumerate(values)
                if value != table.iloc[i, l]
                for k in A
            ]
            assert d2[i, j] == pytest.approx(sum(terms) / 2, abs=1e-12)


def test_table_i_differs_in_two_numbers(smoke_result):
    result = smoke_result("djiberou2019_catecm/data_sets")
    verdicts = [claim(result.params, result.tables).holds for claim in data_sets.sizes_as_printed]
    assert verdicts == [False, True, False]  # Cat-diamond, Soybean, Zoo
