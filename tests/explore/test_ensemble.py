"""The ensemble explorer: what is cached and what is computed again, pairs, paths, relations."""

import numpy as np
import pytest

from credalbench.belief import CredalPartition
from credalbench.belief.relational import RelationalMasses, relational
from credalbench.belief.relations.t_norms import PARAMETER_RANGES
from credalbench.cluster import EvidentialEnsemble
from credalbench.explore import explore_ensemble
from credalbench.explore.explorers import ensemble as model_module
from credalbench.explore.explorers.ensemble import MAX_OBJECTS, EnsembleModel
from credalbench.explore.explorers.ensemble import fit as bases
from credalbench.explore.explorers.ensemble.fit import (
    base_sizes,
    by_cluster,
    from_left_to_right,
    in_line,
    informative_pair,
)
from credalbench.explore.explorers.ensemble.scene import (
    CLOSED,
    GAP,
    MAPS,
    MOST,
    NAMED,
    RULES,
    SHOWN,
    T_NORMS,
    about_pair,
    ensemble_scene,
    picture_text,
    rows_of,
)
from credalbench.explore.scene.marks import Bars, Line, Points, Raster, Text
from credalbench.explore.stepping import ResultCache
from credalbench.metrics import adjusted_rand
from credalbench.plots.relations import HEIGHT, relation_pixels
from credalbench.plots.style import colour
from tests.explore.browser import click, panel_of, press, shown, upload
from tests.explore.test_as_code import assert_same_as_shown

DATA = "half_rings:60"


@pytest.fixture
def model():
    return EnsembleModel(DATA, n_estimators=8, base_from=4, base_to=6)


@pytest.fixture
def made(monkeypatch):
    """How often each stage has been computed since the fixture was asked for, by name."""
    counts = dict.fromkeys(("base", "combine_partitions", "close_masses", "recovered"), 0)

    def counting(module, name, key):
        real = getattr(module, name)

        def call(*args, **kwargs):
            counts[key] += 1
            return real(*args, **kwargs)

        monkeypatch.setattr(module, name, call)

    for name in ("combine_partitions", "close_masses", "recovered"):
        counting(model_module, name, name)
    counting(bases, "partition_by", "base")
    return counts


# -- the fit ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("t_norm", ["none", "minimum", "product", "frank"])
def test_the_consensus_is_that_of_the_estimator(model, t_norm):
    with model.batch():
        model.t_norm, model.t_norm_parameter, model.n_clusters = t_norm, 0.5, 3
    alone = EvidentialEnsemble(
        3,
        t_norm=None if t_norm == "none" else t_norm,
        t_norm_parameter=0.5 if t_norm in PARAMETER_RANGES else None,
        n_init=1,
        random_state=0,
    ).fit_from_partitions(model.fitted.run.bases)
    found, requested = (np.sort(fit.masses, axis=1) for fit in (model.fitted.partition, alone.partition_))
    np.testing.assert_allclose(found, requested, atol=1e-12)  # the same, whatever the numbers of the clusters
    assert model.fitted.objective == pytest.approx(alone.objective_, rel=1e-12)  # the same
    assert model.fitted.credal_rand == pytest.approx(alone.credal_rand_, rel=1e-12)  # the same


def test_iterations_are_the_sweeps_of_all_searches():
    """From linkage, from turned masses, and with pairs of clusters."""
    model = EnsembleModel("half_rings:30", n_estimators=3, n_clusters=3, pair_neighbors=1)
    searches = model.fitted.run.recovery.searches
    assert len(searches) == 3
    begins = np.cumsum([0, *(len(search.stress) for search in searches)])
    assert model.fitted.n_iter == begins[-1] - 1
    for number, (start, stress) in enumerate(searches):
        for sweeps in (0, len(stress) - 1):
            model.iteration = int(begins[number] + sweeps)
            assert model.fitted.objective == stress[sweeps]
            assert len(model.fitted.partition.focal_sets) == len(start.focal_sets) + 1  # the empty set
            assert_same_as_shown(model)


def test_by_the_minimum_the_half_rings_come_apart_and_without_a_closure_they_do_not():
    """The point of Figure 2 of [li2020_ensemble], on one draw of a stand-in."""
    model = EnsembleModel()
    closed = model.fitted.ari
    model.t_norm = "none"
    assert closed > 0.9 > 0.6 > model.fitted.ari


def test_every_rule_and_every_t_norm_ends_in_a_consensus(model):
    for name, values in (("rule", RULES), ("t_norm", T_NORMS)):
        for value in values:
            setattr(model, name, value)
            assert not model.is_error, model.message
            assert value in (model.fitted.run.rule, getattr(model.fitted.run.t_norm, "name", "none"))
            assert RULES[model.rule] in picture_text(model.fitted)
            assert (T_NORMS[model.t_norm] in picture_text(model.fitted)) or model.t_norm == "none"


def test_without_a_closure_the_relation_stays_as_it_is(model):
    assert (model.fitted.run.closed.same > model.fitted.run.relation.same).any()
    model.t_norm = "none"
    assert model.fitted.run.closed is model.fitted.run.relation and model.fitted.run.t_norm is None


# -- what is kept ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "stages"),
    [
        ("n_clusters", 3, {"recovered"}),
        ("focal_sets", "full", {"recovered"}),
        ("t_norm", "product", {"close_masses", "recovered"}),
        ("t_norm", "none", {"recovered"}),
        ("rule", "disjunctive", {"combine_partitions", "close_masses", "recovered"}),
    ],
)
def test_a_move_repeats_what_it_changes_and_no_more(model, made, name, value, stages):
    before = getattr(model, name)
    setattr(model, name, value)
    assert {stage for stage, count in made.items() if count} == stages
    assert all(made[stage] == 1 for stage in stages)
    setattr(model, name, before)  # and the way back nothing
    assert sum(made.values()) == len(stages)


def test_more_base_partitions_leave_the_first_ones_as_they_are(model, made):
    first = model.fitted.run.bases
    model.n_estimators = 11
    assert made["base"] <= 3  # some may be there from another test
    assert len(model.fitted.run.bases) == 11
    for earlier, now in zip(first, model.fitted.run.bases):
        np.testing.assert_array_equal(earlier.masses, now.masses)


def test_what_the_next_move_needs_is_made_while_nothing_moves(model, made):
    while model.prepare():
        pass
    assert not model.prepare()
    there = made["base"]
    moves = (("base_to", 7), ("base_to", 5), ("base_from", 5), ("base_from", 3), ("n_estimators", 9))
    for name, value in moves:
        before = getattr(model, name)
        setattr(model, name, value)
        assert made["base"] == there
        setattr(model, name, before)


def test_other_explorers_find_the_base_partitions(model, made):
    EnsembleModel(DATA, n_estimators=8, base_from=4, base_to=6)
    assert made["base"] == 0


def test_few_results_are_cached_the_latest_ones():
    cached, made = ResultCache(2), []
    for key in (1, 2, 1, 3, 1, 2):
        assert cached.get(key, lambda key=key: made.append(key) or 10 * key) == 10 * key
    assert made == [1, 2, 3, 2]


# -- base partitions -------------------------------------------------------------------------------------


def test_sizes_lie_in_the_interval_and_differ_within_it(model):
    sizes = base_sizes(200, 4, 6, seed=0)
    assert set(sizes) == {4, 5, 6}
    assert base_sizes(50, 4, 6, seed=0) == sizes[:50]
    assert set(base_sizes(20, 7, 7, seed=0)) == {7}
    assert model.fitted.base_sizes == tuple(base_sizes(8, 4, 6, seed=0))


def test_ends_of_the_interval_keep_their_order(model):
    model.base_from = 9
    assert (model.base_from, model.base_to) == (9, 9)
    model.base_to = 3
    assert (model.base_from, model.base_to) == (3, 3)
    model.base_to = 5
    assert (model.base_from, model.base_to) == (3, 5)


def test_clusters_of_a_base_partition_are_numbered_from_left_to_right():
    X = np.array([[9.0, 0.0], [0.0, 1.0], [5.0, 2.0], [9.1, 0.0]])
    partition = from_left_to_right(CredalPartition.from_labels([0, 1, 2, 0]), X)
    np.testing.assert_array_equal(partition.labels(), [2, 0, 1, 2])


def test_new_bases_are_other_partitions(model):
    before = model.fitted.run.bases[0].masses
    model.restart()
    assert not np.array_equal(model.fitted.run.bases[0].masses, before)


def test_more_clusters_than_objects_are_refused():
    model = EnsembleModel(np.arange(12.0).reshape(6, 2), n_clusters=2, base_from=3, base_to=4, n_estimators=3)
    assert not model.is_error
    fitted = model.fitted
    model.base_to = 7
    assert model.is_error and "7" in model.message
    assert model.fitted is fitted


def test_data_with_too_many_objects_are_refused(model):
    many = np.random.default_rng(0).normal(size=(MAX_OBJECTS + 1, 2))
    model.set_data(many)
    assert f"at most {MAX_OBJECTS} objects" in model.message
    assert model.data == DATA


def test_a_point_too_many_is_no_change_to_take_back(model, monkeypatch):
    monkeypatch.setattr(model.source, "most", 60)
    before = model.fitted
    model.drawing.add(0.0, 0.0)
    assert "expected at most 60 objects" in model.message and model.fitted is before
    model.drawing.undo()
    assert "no drawing to undo" in model.message and model.fitted is before


def test_more_neighbours_than_there_are_clusters_count_as_all(model):
    with model.batch():
        model.n_clusters, model.pair_neighbors = 3, 2
    masses = model.fitted.partition.masses
    assert masses.shape[1] == 1 + 3 + 3 + 1
    model.pair_neighbors = 3
    np.testing.assert_array_equal(model.fitted.partition.masses, masses)


# -- a pair ----------------------------------------------------------------------------------------------


def test_evidence_is_that_of_each_base_partition(model):
    model.choice.choose(3, 40)
    pair = model.fitted.pair
    assert pair.objects == model.choice.objects == (3, 40)
    for b, base in enumerate(model.fitted.run.bases):
        star = base.normalized("dempster")
        masses = relational(star.masses, star.focal_sets)
        for found, requested in zip(pair.evidence, masses):
            assert found[b] == pytest.approx(requested[3, 40], abs=1e-12)  # sums in another order


@pytest.mark.parametrize("rule", RULES)
def test_what_a_rule_makes_of_the_pair_is_what_it_makes_of_all(model, rule):
    model.choice.choose(3, 40)
    model.rule = rule
    for found, whole in zip(model.fitted.pair.by_rule[rule], model.fitted.run.relation):
        assert found == pytest.approx(whole[3, 40], abs=1e-12)  # sums in another order


@pytest.mark.parametrize("t_norm", ["minimum", "product", "hamacher"])
def test_a_path_is_as_strong_as_that_of_the_closure(model, t_norm):
    model.t_norm = t_norm
    model.suggest()
    pair, same = model.fitted.pair, model.fitted.run.relation.same
    assert (pair.path[0], pair.path[-1]) == pair.objects and len(pair.path) > 2
    strength = 1.0
    for i, j in zip(pair.path, pair.path[1:]):
        strength = float(model.fitted.run.t_norm(strength, same[i, j]))
    assert strength == pytest.approx(pair.closed.same, abs=1e-12)  # products in another order
    assert pair.closed.same > same[pair.objects]
    assert " - ".join(str(k + 1) for k in pair.path[-4:]) in about_pair(model.fitted, pair.objects)


def test_the_informative_pair_is_joined_against_what_was_believed_or_known_least(model):
    relation, closed = model.fitted.run.relation, model.fitted.run.closed
    surprise = (closed.same - relation.same) * relation.different
    assert surprise[informative_pair(relation, closed)] == surprise.max() > 0
    unknown = relation.ignorance
    assert unknown[informative_pair(relation, relation)] == unknown.max()


def test_a_pair_is_chosen_with_the_data_and_one_object_is_none(model):
    assert model.choice.objects == model.fitted.pair.objects
    model.choice.choose(5)
    assert model.fitted.pair is None and "Object 6: click another" in about_pair(model.fitted, (5,))
    model.choice.choose()
    assert "Click two objects" in about_pair(model.fitted, ())
    model.choice.choose(5, 60)
    assert "objects 1 to 60; got 61" in model.message
    model.data = "iris"
    assert model.fitted.pair.objects == model.choice.objects
    assert max(model.choice.objects) < 150


def test_a_pair_stays_while_sliders_move(model):
    model.choice.choose(3, 40)
    for name, value in (("n_clusters", 3), ("rule", "disjunctive"), ("n_estimators", 9), ("t_norm", "none")):
        setattr(model, name, value)
        assert model.fitted.pair.objects == (3, 40)
    assert len(model.fitted.pair.evidence.same) == 9
    assert model.fitted.pair.path is None and model.fitted.pair.closed is None


def test_total_conflict_is_a_message_with_the_pair_and_no_row_of_dempster(model, monkeypatch):
    """Two hard partitions: one sees objects 0 and 1 together, the other one apart."""
    hard = tuple(CredalPartition.from_labels(np.arange(60) // part % 2) for part in (2, 1))
    monkeypatch.setattr(model_module, "base_partitions", lambda *args: hard)
    model.n_estimators = 2
    model.choice.choose(0, 1)
    assert model.fitted.pair.by_rule["dempster"] is None
    assert "Dempster: total conflict" in about_pair(model.fitted, (0, 1))
    fitted = model.fitted
    model.rule = "dempster"
    assert "total conflict about objects 1 and 2: partition 1 is" in model.message
    assert model.fitted is fitted


# -- order, state ----------------------------------------------------------------------------------------


def test_objects_are_sorted_by_cluster_and_within_it_as_they_stand_in_line():
    order, boundaries = by_cluster(CredalPartition.from_labels([1, 0, 0, 1, 1]), np.array([4, 2, 0, 1, 3]))
    np.testing.assert_array_equal(order, [2, 1, 4, 0, 3])
    np.testing.assert_array_equal(boundaries, [2])


def test_neighbours_in_line_belong_together():
    """Two clusters of three, of which one object is nearer to one than to the other."""
    labels = np.array([0, 1, 0, 1, 0, 1])
    same = np.where(labels[:, None] == labels, 0.8, 0.1)
    same[0, 2] = same[2, 0] = 0.9
    np.fill_diagonal(same, 1)
    line = in_line(RelationalMasses(0 * same, same, 1 - same, 0 * same)).tolist()
    assert sorted(labels[line[:3]]) in ([0, 0, 0], [1, 1, 1])
    assert abs(line.index(0) - line.index(2)) == 1


# -- the view -------------------------------------------------------------------------------------------


SMALL = {"n_estimators": 8, "base_from": 4, "base_to": 6}


@pytest.fixture
def explorer():
    return explore_ensemble("half_rings:60", **SMALL)


def shown_panel(explorer, name):
    return panel_of(ensemble_scene(explorer.model.fitted), name)


def marks_of(explorer, name, kind):
    return [mark for mark in shown_panel(explorer, name).marks if isinstance(mark, kind)]


def test_two_clicked_objects_are_looked_at(explorer):
    click(explorer, None)
    assert explorer.image.chosen == [] and "Click two objects" in explorer.texts["below"].value
    click(explorer, 3)
    assert "Object 4: click another object" in explorer.texts["below"].value
    click(explorer, 40)
    assert explorer.image.chosen == [3, 40]
    assert (explorer.controls["first"].value, explorer.controls["second"].value) == ("4", "41")
    assert "Objects 4 and 41: " in explorer.texts["below"].value


def test_numbers_letters_and_buttons_do_what_clicks_do(explorer):
    explorer.controls["first"].value, explorer.controls["second"].value = "8", "9"
    assert explorer.model.fitted.pair.objects == (7, 8)
    press(explorer, "t")
    fine = explorer.model.choice.objects
    explorer.controls["second"].value = "10"
    explorer.controls["suggest"].click()
    assert explorer.model.choice.objects == fine
    press(explorer, "n")
    assert explorer.model.seed == 1
    explorer.controls["first"].value = "sixty"
    assert "numbers of objects" in explorer.message.value


def test_a_click_in_a_relation_chooses_the_pair_of_its_row_and_column(explorer):
    """The first row is on top; a pixel of the picture is an object wide."""
    order = explorer.model.fitted.order
    for panel, row, column in (("relation", 4, 50), ("closed", 59, 0)):
        click(explorer, None, panel, column + 0.5, 60 - row - 0.5)
        assert explorer.model.choice.objects == (order[row], order[column])
    click(explorer, None, "relation", 7.5, 52.5)  # an object and itself
    assert explorer.model.choice.objects == ()
    click(explorer, 5)
    click(explorer, None, "closed", -3.0, 30.0)  # beside the picture
    assert explorer.model.choice.objects == ()


def test_elsewhere_a_place_is_no_pair(explorer):
    click(explorer, None, "base 2", 4.5, 50.5)
    assert explorer.model.choice.objects == ()
    click(explorer, 5, "base 2", 4.5, 50.5)
    assert explorer.model.choice.objects == (5,)


@pytest.mark.parametrize("name", ["relation", "closed"])
def test_a_relation_has_the_colours_of_its_pairs_in_the_order_of_the_fit(explorer, name):
    fitted = explorer.model.fitted
    (raster,) = marks_of(explorer, name, Raster)
    colours = relation_pixels(getattr(fitted.run, name), np.arange(60), 60, 60)
    np.testing.assert_array_equal(raster.pixels[..., :3], colours[np.ix_(fitted.order, fitted.order)])
    assert (raster.pixels[..., 3] == 255).all() and raster.box == (0, 0, 60, 60)
    *between, around = marks_of(explorer, name, Line)
    assert len(between) == 2 and between[0].path is between[1].path  # seen on dark and on white
    places = {60 - place for place in fitted.boundaries}
    assert {y for x, y in between[0].path if x == 60} >= places
    assert around.path.max() == 60


def test_of_many_objects_a_relation_has_fewer_pixels():
    explorer = explore_ensemble(
        np.random.default_rng(0).normal(size=(MOST + 20, 2)), n_estimators=2, base_from=2, base_to=2
    )
    (raster,) = marks_of(explorer, "relation", Raster)
    assert raster.pixels.shape == (MOST, MOST, 4) and raster.box == (0, 0, MOST + 20, MOST + 20)


def test_rings_mark_both_places_of_the_pair_in_the_relations(explorer):
    order = explorer.model.fitted.order
    explorer.model.choice.choose(int(order[4]), int(order[50]))
    for name in ("relation", "closed"):
        for ring in marks_of(explorer, name, Points):
            assert ring.positions.tolist() == [[50.5, 55.5], [4.5, 9.5]]
    explorer.model.choice.choose()
    assert marks_of(explorer, "closed", Points) == []


def bars(explorer):
    """Widths (3, m) of "same", unknown and "different" in the rows of the pair, and their middles (m,)."""
    parts, whole = marks_of(explorer, "evidence", Bars)
    widths = (parts.boxes[:, 2] - parts.boxes[:, 0]).reshape(3, -1)
    return widths, whole.boxes[:, [1, 3]].mean(axis=1)


def test_rows_are_partitions_then_rules_then_the_closure(explorer):
    fitted = explorer.model.fitted
    names, places = rows_of(fitted)
    assert names == [*(f"partition {b + 1}" for b in range(8)), *RULES.values(), CLOSED]
    panel = shown_panel(explorer, "evidence")
    assert [words for _, words in panel.y.ticks] == [*names[:8:2], *names[8:]]
    assert [place for place, _ in panel.y.ticks] == [*places[:8:2], *places[8:]]
    widths, drawn = bars(explorer)
    np.testing.assert_allclose(drawn, places)
    pair = fitted.pair
    same = [*pair.evidence.same, *(masses.same for masses in pair.by_rule.values()), pair.closed.same]
    np.testing.assert_allclose(widths[0], same, atol=1e-12)  # differences of sums
    np.testing.assert_allclose(widths.sum(axis=0), 1)
    explorer.controls["t_norm"].value = "none"
    np.testing.assert_allclose(bars(explorer)[1], places[:-1])
    without = shown_panel(explorer, "evidence")
    assert (without.y.low, without.y.high) == (panel.y.low, panel.y.high) == (places[-1] - 0.5, NAMED / 8 / 2)
    assert [(text.words, text.place[1]) for text in marks_of(explorer, "evidence", Text)] == [
        ("no closure", places[-1])
    ]


def test_rows_lie_below_each_other(explorer):
    """Of more base partitions than are named the rows are lower, and the rules keep their height."""
    for count in (2, NAMED, SHOWN):
        explorer.model.n_estimators = count
        _, places = rows_of(explorer.model.fitted)
        height = min(NAMED / count, 1)
        gaps = -np.diff(places)
        np.testing.assert_allclose(gaps[: count - 1], height)
        np.testing.assert_allclose(gaps[count - 1], (height + 1) / 2 + GAP)
        np.testing.assert_allclose(gaps[count : count + len(RULES) - 1], 1)
        np.testing.assert_allclose(gaps[-1], 1 + GAP)
        _, whole = marks_of(explorer, "evidence", Bars)
        heights = whole.boxes[:, 3] - whole.boxes[:, 1]
        np.testing.assert_allclose(heights[:count], HEIGHT * height)
        np.testing.assert_allclose(heights[count:], HEIGHT)


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_in_use_is_framed(explorer, rule):
    explorer.controls["rule"].value = rule
    names, places = rows_of(explorer.model.fitted)
    (frame,) = marks_of(explorer, "evidence", Line)
    assert frame.path[:4, 1].mean() == pytest.approx(places[names.index(RULES[rule])])


def test_the_parameter_is_off_where_the_t_norm_has_none(explorer):
    fields = [explorer.controls[name] for name in ("t_norm_parameter", "t_norm_parameter_slider")]
    assert all(field.disabled for field in fields)
    explorer.controls["t_norm"].value = "yager"
    assert not any(field.disabled for field in fields)
    before = shown(explorer)
    explorer.controls["t_norm_parameter"].value = 5.0
    assert explorer.model.fitted.run.t_norm.parameter == 5.0
    assert shown(explorer) != before
    explorer.controls["t_norm_parameter"].value = 0.01  # less than Yager's family has
    assert "&#x27;yager&#x27;" in explorer.message.value and "got 0.01" in explorer.message.value


def base_maps(explorer):
    return [panel for panel in ensemble_scene(explorer.model.fitted).panels if panel.name.startswith("base ")]


def test_base_partitions_are_maps_with_their_numbers_and_colours(explorer):
    fitted = explorer.model.fitted
    assert shown_panel(explorer, "bases").title == "Base partitions"
    for b, (panel, base) in enumerate(zip(base_maps(explorer), fitted.run.bases, strict=True)):
        points, number = panel.marks
        assert number.words == str(b + 1)
        assert points.objects.tolist() == list(range(60))  # each of them can be touched
        clusters = base.hard_credal()
        for i in range(60):
            members = base.focal_sets.sets[clusters[i]]
            if len(members) == 1:
                assert points.looks[points.look_of[i]].fill == colour(*members).lower()


def test_base_maps_lie_below_their_title_and_next_to_each_other(explorer):
    heading = shown_panel(explorer, "bases").place
    places = {panel.place for panel in base_maps(explorer)}
    assert len(places) == 8
    for left, top, width, height in places:
        assert top >= heading[1] + heading[3] - 1e-12  # rounding
        assert left + width <= heading[2] + 1e-12 and top + height <= 1 + 1e-12  # rounding


def test_of_many_base_partitions_the_first_are_shown(explorer):
    explorer.model.n_estimators = SHOWN + 2
    assert shown_panel(explorer, "bases").title == f"Base partitions, {MAPS} of {SHOWN + 2}"
    assert len(base_maps(explorer)) == MAPS
    assert len(bars(explorer)[1]) == SHOWN + len(RULES) + 1
    ticks = [words for _, words in shown_panel(explorer, "evidence").y.ticks]
    assert ticks == [*(f"partition {b + 1}" for b in range(0, SHOWN, 4)), *RULES.values(), CLOSED]


def test_the_path_of_the_closure_joins_the_pair_on_the_map(explorer):
    explorer.model.suggest()
    fitted = explorer.model.fitted
    requested = fitted.subject.positions[list(fitted.pair.path)]
    (path,) = marks_of(explorer, "map", Line)
    np.testing.assert_array_equal(path.path, requested)
    explorer.controls["t_norm"].value = "none"
    assert marks_of(explorer, "map", Line) == []
    assert shown_panel(explorer, "closed").title == "No closure"


def test_objects_with_names_are_called_by_them(explorer):
    upload(explorer, "mine.csv", b"name,u,v\nAnna,0,0\nBert,0,1\nCara,1,0\nDora,9,9\nEmil,9,8\nFred,8,7\n")
    explorer.model.choice.choose(1)
    assert "Object Bert: click another object" in explorer.texts["below"].value
    explorer.model.choice.choose(1, 3)
    assert "Objects Bert and Dora: " in explorer.texts["below"].value
    assert shown_panel(explorer, "evidence").title == "Objects Bert and Dora"


# -- the introduction ------------------------------------------------------------------------------------


def check_t_norms():
    model = EnsembleModel("half_rings:300")
    found, bases, y = {}, model.fitted.run.bases, model.subject.y
    assert len(bases) == 10 and max(adjusted_rand(y, one.labels()) for one in bases) < 0.5
    for model.t_norm in ("none", "lukasiewicz", "product", "minimum"):
        found[model.t_norm] = round(model.fitted.ari, 2)
    assert found["minimum"] == 0.91 and found["product"] == 0.79
    assert max(found["none"], found["lukasiewicz"]) == 0.25


#: The sentences of the introduction, by their beginning, with what checks them.
INTRODUCTION = {
    "Ten ECM partitions": check_t_norms,
    "The closure of their": check_t_norms,
    "With the product": check_t_norms,
}
