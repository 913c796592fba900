"""The number of clusters by silhouettes, and one cluster by reference data."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_samples

from credalbench.core.intervals import proportion
from credalbench.select import select_by_silhouette
from credalbench.select.silhouettes import chosen_number, far_objects, linkage_criteria, reference_attributes
from credalbench.tables import gower_dissimilarities


def groups(c, n=120, p=2, gap=8.0, seed=0):
    rng = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(c)))
    centers = np.zeros((c, p))
    centers[:, :2] = gap * np.array([(k % side, k // side) for k in range(c)])
    return pd.DataFrame(centers[np.arange(n) % c] + rng.normal(size=(n, p)))


def categories(c, n=150, seed=0):
    rng = np.random.default_rng(seed)
    usual = np.array([[(k + l) % 6 for l in range(8)] for k in range(c)])[np.arange(n) % c]
    other = rng.integers(0, 6, usual.shape)
    return pd.DataFrame(np.where(rng.random(usual.shape) < 0.15, other, usual)).astype(str).add_prefix("q")


def without_clusters(kind, seed):
    rng = np.random.default_rng(seed)
    if kind == "correlated":
        return pd.DataFrame(rng.normal(size=(100, 3)) @ (np.eye(3) + 0.8 * rng.normal(size=(3, 3))))
    return pd.DataFrame(rng.normal(size=(100, 3)) if kind == "gaussian" else rng.uniform(size=(100, 3)))


@pytest.mark.parametrize("c", [2, 3, 5, 9])
def test_separated_groups_are_counted(c):
    X = groups(c)
    D = pd.DataFrame(cdist(X, X, "cityblock"))
    fewer = {"n_references": 5, "n_resamples": 5, "random_state": 0}
    assert select_by_silhouette(X, **fewer).n_clusters == c
    assert select_by_silhouette(D, metric="precomputed", **fewer).n_clusters == c
    k = min(c, 6)  # categories
    mixed = pd.concat([groups(k, 150), categories(k)], axis=1).rename(columns=str)
    assert select_by_silhouette(categories(k), metric="gower", **fewer).n_clusters == k
    assert select_by_silhouette(mixed, metric="gower", **fewer).n_clusters == k


@pytest.mark.parametrize("kind", ["gaussian", "uniform", "correlated"])
def test_data_without_clusters_are_one_cluster(kind):
    """Of 10 draws at most 2 are found to have clusters: each has a chance of one in 20."""
    chosen = [
        select_by_silhouette(without_clusters(kind, seed), n_resamples=1, random_state=seed).n_clusters
        for seed in range(10)
    ]
    assert np.mean(np.array(chosen) > 1) <= 2 / 10


def test_far_objects_are_no_clusters():
    X = groups(3).to_numpy()
    far = np.array([[90.0, 0.0], [0.0, 120.0], [-100.0, -40.0]])
    choice = select_by_silhouette(np.concatenate([X, far]), n_resamples=5, random_state=0)
    assert choice.n_clusters == 3
    np.testing.assert_array_equal(choice.far.nonzero()[0], [120, 121, 122])
    assert choice.words.endswith("Left out, far from all others: 3 objects.")


def test_criteria_are_those_of_wards_clusters():
    X = groups(4, 60, seed=3)
    criteria, _ = linkage_criteria(squareform(pdist(X)), [2, 3, 4, 7])
    heights = AgglomerativeClustering(compute_distances=True).fit(X).distances_[::-1]
    for c, row in criteria.iterrows():
        labels = AgglomerativeClustering(c, linkage="ward").fit_predict(X)
        values = silhouette_samples(X, labels)
        weakest = min(values[labels == k].mean() for k in range(c))
        expected = [values.mean(), weakest, 1 - heights[c - 1] / heights[c - 2]]
        expected.append(expected[0] + expected[1] / 2 + expected[2])
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_identical_objects_are_one_cluster():
    """Beyond the number of different objects clusters have silhouettes of 0, and nothing drops."""
    D = squareform(pdist(np.repeat(np.eye(3), 4, axis=0)))
    criteria, _ = linkage_criteria(D, range(2, 6))
    assert criteria["score"].idxmax() == 3 and criteria["score"][3] == 2.5
    assert (criteria.loc[5, ["weakest", "drop"]] == 0).all()


def test_cores_of_clusters_are_no_clusters():
    """Identical objects in the middle of a cluster have large silhouettes, those around them low ones."""
    rng = np.random.default_rng(0)
    words = np.repeat([["a"] * 6, ["b"] * 6], 60, axis=0)
    words[rng.random(words.shape) < 0.06] = "c"
    choice = select_by_silhouette(pd.DataFrame(words), metric="gower", random_state=0)
    assert choice.n_clusters == 2
    assert choice.criteria["silhouette"].idxmax() > 2


def test_near_clusters_are_not_hidden_by_far_ones():
    """The largest score is that of 3 clusters; one of these is two clear ones."""
    rng = np.random.default_rng(1)
    X = np.concatenate(
        [rng.normal(at, 1.0, (40, 3)) for at in ((0, 0, 0), (6, 0, 0), (25, 0, 0), (0, 30, 0))]
    )
    D = squareform(pdist(X))
    for data, metric in ((X, "euclidean"), (D, "precomputed")):
        choice = select_by_silhouette(data, metric=metric, n_resamples=5, random_state=0)
        assert choice.n_clusters == choice.best == 4 and choice.criteria["score"].idxmax() == 3
        assert choice.second == 3 and choice.is_clear
        assert choice.words.startswith(
            "4 clusters: 3 clusters have the largest score, and clusters within them"
        )
        two_or_three = select_by_silhouette(data, [2, 3], metric=metric, n_resamples=1, random_state=0)
        assert two_or_three.n_clusters == 3


@pytest.mark.parametrize("metric", ["euclidean", "precomputed", "gower"])
def test_clusters_that_one_column_divides_are_counted(metric):
    """Two of three clusters differ in a column that the others, of noise, outweigh; the third is far away."""
    rng = np.random.default_rng(0)
    centers = np.zeros((3, 6))
    centers[1, 0], centers[2] = 8.0, 20.0
    X = pd.DataFrame(np.repeat(centers, 60, axis=0) + rng.normal(size=(180, 6)))
    data = {"euclidean": X / X.std(), "precomputed": squareform(pdist(X)), "gower": X.assign(word="a")}[
        metric
    ]
    fewer = {"n_references": 5, "n_resamples": 5, "random_state": 0}
    choice = select_by_silhouette(data, metric=metric, **fewer)
    assert choice.n_clusters == 3
    without_valley = np.delete(X.to_numpy(), 0, axis=1)
    assert select_by_silhouette(without_valley, **fewer).n_clusters == 2


def test_a_column_that_one_cluster_lacks_divides_the_others():
    """Values of it are missing in a part of the objects, which counts with the cluster alone."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        np.repeat([[0.0] * 5, [9.0] + [0.0] * 4, [20.0] * 5], 60, axis=0) + rng.normal(size=(180, 5))
    )
    X = X.assign(word="a")
    X[0] = X[0].round(2).astype("Float64").mask(np.isin(np.arange(180), rng.choice(120, 12, replace=False)))
    choice = select_by_silhouette(X, metric="gower", n_references=5, n_resamples=5, random_state=0)
    assert choice.n_clusters == 3


def test_far_is_far_from_the_fifth_neighbour():
    """A group of five far away is left out, one of six is a cluster; of duplicates none is far."""
    D = squareform(pdist(np.concatenate([groups(2, 100), np.full((5, 2), 300.0)])))
    assert far_objects(D).sum() == 5
    D = squareform(pdist(np.concatenate([groups(2, 100), np.full((6, 2), 300.0)])))
    assert far_objects(D).sum() == 0
    assert not far_objects(np.zeros((30, 30))).any()


def test_references_keep_the_extent_and_the_categories_but_no_clusters():
    frame = pd.concat([groups(4, 400), categories(3, 400)], axis=1).rename(columns=str)
    drawn = reference_attributes(frame, np.random.RandomState(0))
    assert list(drawn.columns) == list(frame.columns)
    for name in frame.columns[2:]:
        assert drawn[name].value_counts().equals(frame[name].value_counts())
    widths = [np.ptp(one[["0", "1"]].to_numpy() @ [[1.0], [1.0]]) for one in (frame, drawn)]
    assert widths[1] == pytest.approx(widths[0], rel=0.5)
    of_frame, of_drawn = (
        linkage_criteria(gower_dissimilarities(one), [3, 4])[0]["silhouette"].max() for one in (frame, drawn)
    )
    assert of_drawn < 0.5 * of_frame


def test_references_lie_where_the_data_are():
    """A table far from 0 has references around its centre, in its own box of principal axes."""
    frame = groups(3, 90) + [1000.0, -500.0]
    drawn = reference_attributes(frame, np.random.RandomState(0))
    center = frame.mean().to_numpy()
    axes = np.linalg.svd(frame - center, full_matrices=False)[2]
    scores, reference = ((one.to_numpy() - center) @ axes.T for one in (frame, drawn))
    rounding = 1e-9  # of products
    assert (reference.min(axis=0) >= scores.min(axis=0) - rounding).all()
    assert (reference.max(axis=0) <= scores.max(axis=0) + rounding).all()


def test_half_of_the_references_are_enough_for_one_cluster():
    criteria = pd.DataFrame({"silhouette": [0.4, 0.5], "score": [1.2, 1.5]}, index=[2, 3])
    support = proportion([True] * 20)
    for reached, n_clusters in ((9, 3), (10, 1)):
        references = np.repeat([0.6, 0.2], [reached, 20 - reached])
        assert chosen_number(3, criteria, references, support, np.zeros(9, bool)).n_clusters == n_clusters


def test_as_many_references_and_halves_as_documented():
    choice = select_by_silhouette(groups(2, 24), [2, 3], random_state=0)
    assert len(choice.references) == 19 and choice.support.n == 20


def test_the_words_name_what_is_not_sure():
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(center, 1.0, (40, 2)) for center in ((0, 0), (4.2, 0), (20, 0))])
    choice = select_by_silhouette(X, random_state=0)
    assert choice.best in (2, 3) and choice.second in (2, 3)
    same = round(choice.support.value * 20)
    assert f"also in {same} of 20 random halves" in choice.words
    assert ("This choice is not certain" in choice.words) == (same < 19)
    one = select_by_silhouette(without_clusters("gaussian", 0), random_state=0)
    assert one.words.startswith("1 cluster: ") and "data sets without clusters reach the mean" in one.words
    end = select_by_silhouette(groups(6), range(2, 7), random_state=0)
    assert "6 is the largest number that was tried." in end.words


@pytest.mark.parametrize(
    ("reached", "same", "n_clusters", "second", "clear"),
    [
        (0, 20, 3, 2, True),
        (0, 19, 3, 2, True),
        (0, 18, 3, 2, False),
        (1, 20, 3, 1, False),  # there may be no clusters
        (9, 20, 3, 1, False),
        (10, 20, 1, 3, False),  # most data without clusters are as good
        (19, 0, 1, 3, True),
    ],
)
def test_a_minority_of_references_makes_the_choice_unsure(reached, same, n_clusters, second, clear):
    criteria = pd.DataFrame({"silhouette": [0.4, 0.5, 0.3], "score": [1.2, 1.5, 0.8]}, index=[2, 3, 4])
    references = np.repeat([0.6, 0.2], [reached, 19 - reached])
    support = proportion([True] * same + [False] * (20 - same))
    choice = chosen_number(3, criteria, references, support, np.zeros(30, bool))
    assert (choice.n_clusters, choice.second, choice.is_clear) == (n_clusters, second, clear)
    assert choice.words.startswith(f"{n_clusters} cluster")
    assert ("This choice is not certain" in choice.words) != clear


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"metric": "cosine"}, "metric"),
        ({"n_clusters": [1]}, "numbers of clusters between 2 and"),
        ({"n_clusters": [0, 2]}, "1 <= n_clusters, got 0"),
        ({"n_references": 0}, "n_references"),
        ({"data": np.eye(4)}, "at least 8 objects"),
    ],
)
def test_bad_arguments_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        select_by_silhouette(**({"data": groups(2, 20)} | change))
