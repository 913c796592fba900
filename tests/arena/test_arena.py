"""The arena: who takes part, what is measured, what a failure counts as, what the page concludes."""

import importlib
import inspect
import sys
from dataclasses import replace
from math import nan

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from numpy.testing import assert_allclose
from scipy.stats import friedmanchisquare
from sklearn.base import ClusterMixin

import credalbench.baselines
import credalbench.cluster
from credalbench.arena.data_sets import DATA_SETS, KINDS, objects_of, with_outliers
from credalbench.arena.fits import DEFAULTS, PARTS, UNKNOWN, Parameters, experiment
from credalbench.arena.guarded import Guarded, PeakMemory
from credalbench.arena.measures import certainty, error_after_rejection, outlier_shares, silhouette
from credalbench.arena.methods import Entrant, entrants
from credalbench.arena.page import page, write_page
from credalbench.arena.results import Arena
from credalbench.arena.settings import settings_of
from credalbench.belief import CredalPartition, FocalSets
from credalbench.cli import main
from credalbench.cli.arena import check_those_of_others
from credalbench.metrics import misclassified
from credalbench.papers import run_study
from credalbench.papers.sources import compute_hash
from credalbench.plots import critical_difference, new_figure
from credalbench.plots.critical_difference import groups_within
from tests.papers.conftest import store  # noqa: F401  (a results folder of its own for every test)

from .others import install

ALL = {one.name: one for one in entrants()}


@pytest.fixture
def outsider(tmp_path, monkeypatch):
    """The path of a clusterer of another package, which is installed for the moment."""
    monkeypatch.syspath_prepend(install(tmp_path / "installed"))
    importlib.invalidate_caches()
    yield "outsider:Halves"
    sys.modules.pop("outsider", None)


# ---------------------------------------------------------------- who takes part


def test_every_exported_clusterer_takes_part_by_its_declaration():
    classes = [
        name
        for package in (credalbench.cluster, credalbench.baselines)
        for name in package.__all__
        if inspect.isclass(one := getattr(package, name)) and issubclass(one, ClusterMixin)
    ]
    assert set(classes) | {"k-means", "Gaussian mixture"} == set(ALL)
    known = {"ECM", "EVCLUS", "CatECM", "MixedECM", "BPEC"}
    assert known <= set(ALL)
    assert {*ALL["ECM"].kinds} == {"attributes"}
    assert {*ALL["EVCLUS"].kinds} == {"attributes", "dissimilarities"}
    assert {*ALL["CatECM"].kinds} == {"categories"}
    assert {*ALL["MixedECM"].kinds} == {"categories", "attributes", "mixed"}
    assert ALL["EVCLUS"].takes("mixed") == "dissimilarities"
    assert ALL["k-means"].takes("mixed") is None
    finding = [name for name in ("BPEC", "EKNNclus", "EvidenceAccumulation", "ECM") if ALL[name].finds_number]
    assert finding == ["BPEC", "EKNNclus", "EvidenceAccumulation"]


def test_settings_are_the_defaults_and_values_that_the_method_takes():
    assert settings_of(ALL["FuzzyCMeans"], "attributes") == [{}, {"m": 1.5}, {"m": 3.0}]
    assert {"metric": "mahalanobis"} in settings_of(ALL["ECM"], "attributes")
    assert all("metric" not in setting for setting in settings_of(ALL["EVCLUS"], "dissimilarities"))


def test_an_entry_point_of_another_package_takes_part_and_its_code_is_part_of_the_key(outsider, tmp_path):
    (found,) = [one for one in entrants() if one.path == outsider]
    assert (found.name, found.kinds, found.is_random) == ("Halves", {"attributes": {}}, False)
    before = found.version
    assert len(before) == 16
    with (tmp_path / "installed" / "outsider" / "__init__.py").open("a") as file:
        file.write("\nANOTHER = 1\n")
    assert found.version != before
    assert ALL["ECM"].version == ""


def test_key_depends_on_the_code_of_the_method_alone():
    def key(name: str) -> str:
        return compute_hash(experiment, Parameters(method=ALL[name].path))

    assert len({key("ECM"), key("EVCLUS"), compute_hash(experiment)}) == 3


@pytest.mark.parametrize("path", ["nowhere:X", "credalbench.cluster:ECN", "collections:OrderedDict"])
def test_a_class_that_cannot_be_used_is_refused_with_what_was_expected(path):
    with pytest.raises(ValueError, match=f"{path}.*(expected package.module:Class|scikit-learn estimator)"):
        Entrant("X", path).estimator  # noqa: B018


def test_two_methods_of_one_name_are_refused(outsider):
    with pytest.raises(ValueError, match="got Halves twice"):
        entrants(("elsewhere:Halves",))


# ---------------------------------------------------------------- data


@pytest.mark.parametrize("name", DATA_SETS)
def test_data_are_drawn_by_data_set_and_run_alone(name):
    first, again, later = (objects_of(name, 0, run, 90) for run in (1, 1, 2))
    n = len(first.y)
    assert n <= 90
    assert len(first.X) == n
    assert first.kind in KINDS
    assert first.D.shape == (n, n)
    assert_allclose(first.D, first.D.T)
    assert first.n_classes == first.y.max() + 1 >= 2
    assert (np.asarray(first.X) == np.asarray(again.X)).all()
    if not DATA_SETS[name].is_fixed(90):
        assert not np.array_equal(first.D, later.D)
    if DATA_SETS[name].units:
        assert_allclose(first.X.std(axis=0), 1)


def test_data_sets_are_twenty_of_papers_and_ten_others_at_least():
    origins = [one.origin for one in DATA_SETS.values()]
    assert origins.count("of a paper") >= 20
    assert len(origins) - origins.count("of a paper") >= 10


def test_planted_outliers_are_isolated():
    X = np.random.default_rng(0).normal(size=(60, 2))
    found = with_outliers(X, np.random.default_rng(1))
    assert (found[:60] == X).all()
    assert len(found) == 65
    D = np.linalg.norm(found[:, None] - found, axis=2) + np.diag([np.inf] * 65)
    assert D[60:].min() > 2 * D[:60, :60].min(axis=1).max()


# ---------------------------------------------------------------- measures


def test_error_without_rejection_is_that_of_the_best_matching():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, labels = rng.integers(4, size=(2, 50))
        assert_allclose(error_after_rejection(y, labels, rng.random(50), 0.0), misclassified(y, labels) / 50)


def test_rejection_pays_where_the_wrong_objects_are_unsure_and_not_where_all_are_equally_sure():
    y, labels = np.repeat([0, 1], 10), np.r_[np.zeros(9), np.ones(11)].astype(int)
    sure = np.where(y == labels, 0.9, 0.5)
    assert error_after_rejection(y, labels, sure) == 0
    assert_allclose(error_after_rejection(y, labels, np.ones(20)), 1 / 20)
    assert_allclose(error_after_rejection(y, labels, 1 - sure), 1 / 18)


def test_certainty_counts_imprecision_and_conflict():
    frame = FocalSets.from_sets(2, [[], [0], [1], [0, 1]])
    masses = [[0, 1, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]]
    assert_allclose(certainty(CredalPartition(masses, frame)), [1, 0.5, 0.5, 0])


def test_outliers_are_called_by_the_empty_set_or_by_minus_one():
    class Fit:
        pass

    labels = np.array([0, 0, -1, -1])
    assert outlier_shares(Fit(), labels, 3) == {"found": 1.0, "false": 1 / 3}
    assert_allclose([*outlier_shares(Fit(), np.zeros(4, int), 3).values()], nan)
    Fit.partition_ = CredalPartition(
        [[0, 1], [0.4, 0.6], [0.2, 0.8], [0.9, 0.1]], FocalSets.from_sets(1, [[], [0]])
    )
    assert outlier_shares(Fit(), np.zeros(4, int), 3) == {"found": 1.0, "false": 0.0}


def test_silhouette_of_one_cluster_is_the_least():
    D = np.abs(np.subtract.outer(*[np.array([0.0, 1.0, 10.0, 11.0])] * 2))
    assert silhouette(D, np.zeros(4, int)) == -1
    assert silhouette(D, np.array([0, 0, 1, 1])) > 0.8


# ---------------------------------------------------------------- limits


def answer(request: str) -> dict:
    if request == "memory":
        return {"size": len(np.ones(1 << 28))}
    if request == "long":
        while True:
            pass
    if request == "dies":
        import os

        os._exit(7)
    if request == "raises":
        raise RuntimeError("why")
    if request == "slow":
        return {"seconds": 3.0}
    return {"pid": request}


def test_what_goes_wrong_is_an_answer_and_the_next_request_is_served():
    with Guarded(answer, 1.0, 300) as process:
        expected = {"memory": "memory limit", "raises": "error", "slow": "time limit", "dies": "died"}
        for request, failure in expected.items():
            assert process.ask(request)["failure"] == failure
            assert process.ask("well")["pid"] == "well"
        assert process.ask("raises")["message"] == "RuntimeError: why"


@pytest.mark.long
def test_an_endless_loop_ends_at_its_limit():
    with Guarded(answer, 0.5, 300) as process:
        found = process.ask("long")
        assert (found["failure"], found["spent_s"]) == ("time limit", 0.5)
        assert found["message"] == "more than 0.5 s of processor time"
        assert process.ask("well")["pid"] == "well"


def test_peak_of_memory_is_that_of_the_context():
    with PeakMemory() as memory:
        np.ones(1 << 23).sum()
    if np.isnan(memory.mebibytes):
        pytest.skip("this system has no account of the peak")
    assert 60 < memory.mebibytes < 80  # 64 MiB, and what numpy needs besides


# ---------------------------------------------------------------- fits


def run(path: str, *data: str, **more: object) -> Arena:
    """Run one method on some data sets here."""
    entrant = Entrant(path, path)
    more = {"max_objects": 60} | more
    result = run_study(experiment, profile="smoke", method=path, version=entrant.version, data=data, **more)
    return Arena.of({path.partition(":")[2]: result})


def test_a_method_is_fitted_in_all_ways():
    found = run("credalbench.cluster:BPEC", "overlap", "survey", n_runs=2)
    assert found.params.data == ("overlap", "survey")  # BPEC takes no categories
    fits = found.fits
    assert set(fits["dataset"]) == {"overlap"}
    assert fits.groupby("part", sort=False)["run"].apply(list).to_dict() == {part: [0, 1] for part in PARTS}
    assert (fits["failure"] == "").all()
    known = fits[fits["part"] == DEFAULTS]
    assert known["ari"].between(0.5, 1).all()
    assert (known["kept_error"] <= known["error"] + 0.02).all()
    assert not fits[fits["part"] == "outliers"]["found"].isna().any()
    assert fits["finds_number"].all()


def test_runs_that_must_be_equal_are_computed_once():
    found = run("credalbench.cluster:BPEC", "iris", n_runs=3, max_objects=200).fits
    runs = found[found["part"] == DEFAULTS]
    assert [*runs["run"]] == [0, 1, 2]
    assert runs["seconds"].nunique() == 1


def test_an_estimator_of_others_is_run_and_one_that_fails_counts_with_its_message(outsider):
    good, bad = run(outsider, "iris"), run("outsider:Broken", "iris")
    assert good.by_set(DEFAULTS, "ari")["Halves"]["iris"] > 0.2
    assert set(bad.fits["failure"]) == {"error"}
    assert set(bad.fits["message"]) == {"RuntimeError: three | is <too> many"}
    assert bad.by_set(DEFAULTS, "ari")["Broken"]["iris"] == 0
    both = replace(
        bad, fits=pd.concat([good.fits, bad.fits]), settings=pd.concat([good.settings, bad.settings])
    )
    text = page(both, "smoke", None)
    assert "RuntimeError: three \\| is &lt;too> many" in text
    assert "| Broken | error | 12 | iris |" in text
    assert "Halves is above every other" not in text


def test_data_that_cannot_be_had_are_left_out_with_the_reason(monkeypatch):
    from credalbench.arena import data_sets
    from credalbench.datasets import DataUnavailable

    def absent(name: str) -> None:
        raise DataUnavailable(f"{name} cannot be had")

    monkeypatch.setattr(data_sets, "load", absent)
    data_sets._read.cache_clear()
    found = run("sklearn.cluster:KMeans", "wine", "overlap", n_runs=1)
    assert found.left_out == {"wine": "wine cannot be had"}
    assert set(found.fits["dataset"]) == {"overlap"}
    assert "left out: wine cannot be had" in page(found, "smoke", None)


# ---------------------------------------------------------------- conclusions

NAMES = ("iris", "wine", "seeds", "overlap", "moons", "rare", "rings")


def arena_of(indices: dict[str, list[float]], n_runs: int = 4) -> Arena:
    """Make an arena with the mean index of each method on each data set, runs a little apart."""
    rows = [
        {"method": method, "dataset": name, "part": part, "run": run, "ari": ari + 0.001 * (run % 2)}
        for method, values in indices.items()
        for name, ari in zip(NAMES, values)
        for part in PARTS
        for run in range(n_runs)
    ]
    columns = ("credal", "error", "kept_error", "found", "false", "n_clusters", "seconds", "mebibytes")
    fits = pd.DataFrame(rows).assign(
        **dict.fromkeys(columns, 0.5),
        failure="",
        message="",
        answer="hard",
        setting="defaults",
        finds_number=False,
    )
    settings = pd.DataFrame({"method": [], "chosen": []})
    return Arena(fits, settings, Parameters(data=NAMES), {}, {})


GOOD, FAIR, POOR = [0.9, 0.8, 0.9, 0.7, 0.8, 0.9, 0.6], [0.8, 0.7, 0.8, 0.6, 0.7, 0.8, 0.5], [0.1] * 7


def test_ranks_are_those_of_friedman_and_the_critical_difference_that_of_demsar():
    rng = np.random.default_rng(0)
    found = arena_of({name: rng.random(7) for name in "abcd"}).ranks()
    wide = arena_of({name: rng.random(7) for name in "abcd"}).by_set(DEFAULTS, "ari")
    assert friedmanchisquare(*wide.to_numpy().T).pvalue == pytest.approx(
        arena_of({name: wide[name] for name in "abcd"}).ranks().p_value
    )
    assert found.mean.sum() == pytest.approx(10)  # 1 + 2 + 3 + 4
    # Demšar (2006) prints q = 2.569 for four methods, and 1.25 for them on 14 data sets
    assert found.critical == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 7)), abs=1e-3)
    assert found.critical * np.sqrt(7 / 14) == pytest.approx(1.25, abs=0.01)


def test_a_method_is_called_best_by_intervals_only():
    clear = arena_of({"good": GOOD, "poor": POOR, "k-means": POOR})
    assert clear.best()[0] == "good"
    assert clear.best()[1].holds
    assert "good is above every other method" in page(clear, "paper", clear.ranks())
    mixed = [0.95, 0.5, 0.99, 0.5, 0.9, 0.9, 0.9]
    open_ = arena_of({"good": GOOD, "mixed": mixed, "k-means": POOR})
    assert not open_.best()[1].holds
    assert "No method is best" in page(open_, "paper", open_.ranks())


def test_winners_are_those_that_are_not_below_the_first_by_intervals():
    found = arena_of({"good": GOOD, "twin": GOOD, "fair": FAIR}).winners()
    assert [set(best) for best in found["best"]] == [{"good", "twin"}] * 7


def test_failures_count_as_chance_and_are_listed():
    found = arena_of({"good": GOOD, "fair": FAIR})
    failed = (found.fits["method"] == "good") & (found.fits["dataset"] == "iris")
    found.fits.loc[failed, ["failure", "message", "ari"]] = ["error", "ValueError: no", nan]
    assert found.by_set(DEFAULTS, "ari")["good"]["iris"] == 0
    assert found.overview()["failed"].to_dict() == {"good": 16, "fair": 0}
    assert found.failures().to_dict("records")[0]["fits"] == 16
    assert found.winners()["best"]["iris"] == ["fair"]


def test_a_clock_that_steps_over_most_fits_does_not_make_them_free():
    found = arena_of({"quick": GOOD, "slow": GOOD, "failed": GOOD})
    fits = found.fits
    fits.loc[fits["method"] == "quick", "seconds"] = 0.0
    fits.loc[(fits["method"] == "quick") & (fits["run"] == 0), "seconds"] = 0.004
    fits.loc[fits["method"] == "failed", "seconds"] = nan
    overview = found.overview()
    assert overview["seconds"][["quick", "slow"]].tolist() == pytest.approx([0.001, 0.5])
    assert np.isnan(overview["seconds"]["failed"])
    [row] = [
        line for line in page(found, "paper", None).splitlines() if line.startswith("| quick | hard | 0.8")
    ]
    assert "| 0.001 |" in row


def test_page_has_pictures_a_list_and_short_lines(tmp_path):
    found = arena_of({"good": GOOD, "fair": FAIR, "k-means": POOR})
    text = write_page(found, "paper", tmp_path).read_text()
    for name in ("arena_results/ranks.png", "arena_results/map.png", "arena_results/means.csv"):
        assert f"({name})" in text
        assert (tmp_path / name).stat().st_size > 100
    assert len(pd.read_csv(tmp_path / "arena_results" / "means.csv")) == 3 * 7 * 4
    assert [line for line in text.splitlines() if len(line) > 110 and not line.startswith("|")] == []
    assert UNKNOWN in text


def test_picture_of_ranks_names_all_methods_and_joins_what_does_not_differ():
    ax = new_figure().subplots()
    ranks = {"a": 1.2, "b": 1.9, "c": 3.0, "d": 3.9}
    critical_difference(ax, ranks, 1.0)
    texts = " ".join(text.get_text() for text in ax.texts)
    assert all(f"{name}" in texts and f"{rank:.1f}" in texts for name, rank in ranks.items())
    bars = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 3][:-1]  # the last is the key
    assert len(bars) == len(groups_within(ranks, 1.0)) == 2
    for (low, high), (first, second) in zip(bars, (("a", "b"), ("c", "d"))):
        assert low <= ranks[first] < ranks[second] <= high


def test_groups_are_the_largest_within_the_critical_difference():
    assert groups_within({"a": 1, "b": 2, "c": 3}, 0.5) == []
    assert groups_within({"a": 1, "b": 2, "c": 3}, 2) == [("a", "b", "c")]


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--methods", "ECN"], "no method 'ECN'; did you mean 'ECM'?"),
        (["--data", "iriss"], "no data set 'iriss'; did you mean 'iris'?"),
        (["--with", "nowhere:Nothing"], "nowhere:Nothing: expected package.module:Class"),
        (["--methods", "k-means", "--data", "survey"], "no method takes any of these data sets"),
    ],
)
def test_command_refuses_what_it_does_not_know(words, message):
    result = CliRunner().invoke(main, ["arena", *words])
    assert result.exit_code == 2
    assert message in result.output


def test_estimators_of_others_are_looked_at_first_and_what_they_do_not_keep_is_shown(outsider, capsys):
    check_those_of_others([ALL["k-means"], Entrant("Halves", outsider), Entrant("Broken", "outsider:Broken")])
    shown = capsys.readouterr().out
    assert "k-means" not in shown
    assert "! Broken, looked at by check_clusterer: Broken does not keep" in shown
    assert "RuntimeError: three | is <too> many" in shown
    assert "Halves" in shown


@pytest.mark.long
def test_command_runs_a_clusterer_of_others_and_shows_what_it_does_not_keep(outsider, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"), prepend=":")
    words = ["arena", "--methods", "k-means,Halves", "--data", "iris,overlap", "--with", "outsider:Broken"]
    result = CliRunner().invoke(main, [*words, "-o", str(tmp_path), "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert "! Halves, looked at by check_clusterer" in result.output or "✓ Halves keeps" in result.output
    assert "! Broken, looked at by check_clusterer: Broken does not keep" in result.output
    text = (tmp_path / "arena.md").read_text()
    assert "| Broken | error |" in text
    assert "| Halves | hard |" in text
    again = CliRunner().invoke(main, [*words, "-o", str(tmp_path), "--jobs", "1"])
    assert "✓ arena/Halves  already stored" in again.output
