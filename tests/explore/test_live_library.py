"""The JavaScript library of live pages computes what the estimators compute, from the same starts."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.focal import resolve_focal_sets
from credalbench.cluster import CECM, ECM, EVCLUS
from credalbench.cluster.conflict.preliminary import starting_masses, ward_masses
from credalbench.cluster.conflict.transformation import d0_from_quantile, phi
from credalbench.cluster.constrained.report import constraint_outcomes
from credalbench.cluster.simplex.simplex_qp import kkt_residual, solve_simplex_qp
from credalbench.core.linkage import cut
from credalbench.learn.mass_board import decisions
from tests.explore.javascript import javascript  # noqa: F401, a fixture

pytestmark = pytest.mark.filterwarnings("ignore")

#: Problems of each method.
N_PROBLEMS = 200
OBJECTIVE, MASS = 1e-9, 1e-6  # relative; absolute
SETS = ("full", "simple", "pairs")


def sets_of(focal_sets):
    return focal_sets.membership.astype(int).tolist()


def random_objects(rng, least=6):
    n, c, p = int(rng.integers(least, 60)), int(rng.integers(2, 6)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, p)) + 3 * rng.normal(size=(c, p))[rng.integers(0, c, n)]
    return X * 10 ** rng.uniform(-1, 1) + 10 * rng.normal(size=p), c


def assert_same(found, expected, nudged, worst):
    """Compare (objective, masses) of both languages; `nudged` is Python's from a start moved by rounding.

    What rounding moves in Python is not determined: `worst` collects the deviations of the other problems.
    """
    (objective, masses), (J, M), (J_nudged, M_nudged) = found, expected, nudged
    moved = max(np.abs(M - M_nudged).max(), abs(J - J_nudged) / max(abs(J), 1e-300))
    if moved > MASS / 10:
        return 1
    relative, absolute = abs(objective - J) / max(abs(J), 1e-300), np.abs(np.array(masses) - M).max()
    worst[:] = np.maximum(worst, [relative, absolute])
    return 0


def assert_agrees(problems, found):
    worst, undetermined = np.zeros(2), 0
    for (expected, nudged), result in zip(problems, found):
        undetermined += assert_same((result["objective"], result["masses"]), expected, nudged, worst)
    print(f"largest deviations: objective {worst[0]:.1e}, masses {worst[1]:.1e}; undetermined {undetermined}")
    assert worst[0] <= OBJECTIVE and worst[1] <= MASS
    assert undetermined <= len(problems) / 20


def test_quadratic_programmes(javascript):  # noqa: F811
    rng = np.random.default_rng(0)
    problems = []
    for k in range(200):
        f = int(rng.integers(2, 18))
        A = rng.normal(size=(int(rng.integers(1, 2 * f)) if k % 2 else 2 * f, f))  # singular, some of them
        problems.append((A.T @ A, 3 * A.T @ rng.normal(size=len(A)), rng.dirichlet(np.ones(f))))
    found = javascript(
        """problems => problems.map(([G, a, start]) => {
          const x = Float64Array.from(start); minimiseOnSimplex(G, a, x); return x; })""",
        [[part.tolist() for part in problem] for problem in problems],
    )
    for (G, a, start), x in zip(problems, found):
        assert kkt_residual(G, a, np.array(x)) < 1e-9
        assert np.abs(x - solve_simplex_qp(G, a, start)).max() < MASS


def test_evclus(javascript):  # noqa: F811
    rng = np.random.default_rng(1)
    problems, given = [], []
    for _ in range(N_PROBLEMS):
        X, c = random_objects(rng)
        focal_sets = resolve_focal_sets(str(rng.choice(SETS)), min(c, 4))
        M = rng.dirichlet(np.ones(len(focal_sets)), size=len(X))
        setting = {"d0_quantile": rng.uniform(0.3, 1), "alpha": rng.uniform(0.02, 0.5)}
        estimator = EVCLUS(focal_sets.n_clusters, focal_sets=focal_sets, init=M, **setting)
        results = []
        for start in (M, (M * (1 + 1e-14 * rng.normal(size=M.shape)))):
            fit = estimator.set_params(init=start / start.sum(axis=1, keepdims=True)).fit(X)
            results.append((fit.objective_, fit.partition_.masses))
        problems.append(results)
        given.append({"X": X.tolist(), "M": M.tolist(), "sets": sets_of(focal_sets)} | setting)
    found = javascript(
        """problems => problems.map(({ X, M, sets, d0_quantile, alpha }) => {
          const D = distancesOf(X);
          const delta = transformed(D, gammaOf(quantileOfPairs(orderedPairs(D), d0_quantile), alpha));
          const { masses, stress } = evclus(delta, sets, M);
          return { objective: stress.at(-1), masses }; })""",
        given,
    )
    assert_agrees(problems, found)


def test_ecm(javascript):  # noqa: F811
    rng = np.random.default_rng(2)
    problems, given = [], []
    for _ in range(N_PROBLEMS):
        X, c = random_objects(rng)
        start = X[rng.choice(len(X), c, replace=False)]
        setting = {
            "alpha": rng.uniform(-1, 3),
            "beta": rng.choice([2.0, rng.uniform(1.1, 4)]),
            "delta": rng.uniform(0.3, 4) * X.std(),
        }
        estimator = ECM(c, focal_sets=str(rng.choice(SETS)), **setting)
        results = []
        for init in (start, start * (1 + 1e-15 * rng.normal(size=start.shape))):
            fit = estimator.set_params(init=init).fit(X)
            results.append((fit.objective_, fit.partition_.masses))
        problems.append(results)
        sets = sets_of(fit.partition_.focal_sets)
        given.append({"X": X.tolist(), "start": start.tolist(), "setting": setting | {"sets": sets}})
    found = javascript(
        """problems => problems.map(({ X, start, setting }) => {
          const { objective, masses } = ecm(X, start, setting);
          return { objective: objective.at(-1), masses }; })""",
        given,
    )
    assert_agrees(problems, found)


def test_cecm(javascript):  # noqa: F811
    rng = np.random.default_rng(3)
    problems, given, outcomes = [], [], []
    for k in range(N_PROBLEMS):
        X, c = random_objects(rng, 10)
        start = X[rng.choice(len(X), c, replace=False)]
        pairs = rng.permutation(len(X))[: 2 * int(rng.integers(0, 5))].reshape(-1, 2)
        must = rng.random(len(pairs)) < 0.5
        setting = {
            "alpha": rng.uniform(0, 2),
            "delta": rng.uniform(0.5, 4) * X.std(),
            "xi": rng.uniform(0, 0.95),
        }
        adaptive = bool(k % 2)
        metric = "mahalanobis" if adaptive else "euclidean"
        estimator = CECM(c, focal_sets=str(rng.choice(SETS)), metric=metric, **setting)
        results = []
        for init in (start * (1 + 1e-15 * rng.normal(size=start.shape)), start):
            links = {"must_link": pairs[must], "cannot_link": pairs[~must]}
            fit = estimator.set_params(init=init).fit(X, **links)
            results.append((fit.objective_, fit.partition_.masses))
        problems.append(results[::-1])
        outcomes.append(constraint_outcomes(pairs, must, fit.partition_, fit.labels_).tolist())
        sets = sets_of(fit.partition_.focal_sets)
        links = [{"i": int(i), "j": int(j), "must": bool(m)} for (i, j), m in zip(pairs, must)]
        setting |= {"sets": sets, "adaptive": adaptive}
        masses = fit.partition_.masses.tolist()
        given.append(
            {"X": X.tolist(), "start": start.tolist(), "links": links, "setting": setting, "M": masses}
        )
    found = javascript(
        """problems => problems.map(({ X, start, links, setting, M }) => {
          const { objective, masses } = cecm(X, start, links, setting);
          return { objective: objective.at(-1), masses, outcomes: outcomesOf(M, links, setting.sets) }; })""",
        given,
    )
    assert_agrees(problems, found)
    assert [result["outcomes"] for result in found] == outcomes


def test_starts_and_scales(javascript):  # noqa: F811
    rng = np.random.default_rng(4)
    for c in (2, 3, 4, 5):
        X = np.round(random_objects(rng, 20)[0], 1)  # with ties
        D, focal_sets = squareform(pdist(X)), FocalSets.pairs(c)
        d0 = d0_from_quantile(squareform(D, checks=False), 0.7, condensed=True)
        delta = phi(D, -np.log(0.05) / d0**2)
        found = javascript(
            """({ X, sets, c }) => {
              const D = distancesOf(X), d0 = quantileOfPairs(orderedPairs(D), 0.7);
              const delta = transformed(D, gammaOf(d0, 0.05));
              return { d0, masses: startingMasses(cutInto(wardMerges(delta), c), sets), map: mapOf(D) }; }""",
            {"X": X.tolist(), "sets": sets_of(focal_sets), "c": c},
        )
        simple = FocalSets.simple(c)
        first = CredalPartition(ward_masses(squareform(delta, checks=False), simple), simple)
        assert found["d0"] == pytest.approx(d0, rel=1e-12)
        np.testing.assert_allclose(found["masses"], starting_masses(first, focal_sets), atol=1e-12)
        if X.shape[1] < 3:
            np.testing.assert_allclose(pdist(found["map"]), pdist(X), rtol=1e-6)


def test_default_starts_and_delta_of_ecm(javascript):  # noqa: F811
    rng = np.random.default_rng(5)
    for k in range(8):
        X, c = random_objects(rng, 25)
        X[0] += 20 * X.std(axis=0) * (k % 2)
        fit = ECM(c, beta=2, focal_sets="pairs").fit(X)
        found = javascript(
            """({ X, c, sets }) => {
              const [tree, parameters] = [treeOf(X), { sets, alpha: 1, beta: 2 }];
              const { nonspecificity } = fitOf(X, tree, c, parameters);
              return { ...defaultsOf(tree, c, parameters), fit: nonspecificity }; }""",
            {"X": X.tolist(), "c": c, "sets": sets_of(fit.partition_.focal_sets)},
        )
        assert found["delta"] == pytest.approx(fit.delta_, rel=1e-6)
        start = np.array(found["start"])
        again = ECM(c, beta=2, focal_sets="pairs", delta=found["delta"], init=start).fit(X)
        assert found["fit"] == pytest.approx(again.partition_.nonspecificity(), abs=1e-6)
        labels = cut(linkage(X, "ward"), c) if not k % 2 else None
        if labels is not None:
            means = np.array([X[labels == k].mean(axis=0) for k in range(c)])
            np.testing.assert_allclose(sorted(start.tolist()), sorted(means.tolist()), rtol=1e-9)


def test_readings_of_masses(javascript):  # noqa: F811
    rng = np.random.default_rng(6)
    for focal_sets in (FocalSets.full(3), FocalSets.full(4), FocalSets.simple(4), FocalSets.pairs(3)):
        masses = rng.dirichlet(np.full(len(focal_sets), 0.4), size=60)
        masses[:20] = masses[:20].round(1)  # ties
        masses[:20, -1] += 1 - masses[:20].sum(axis=1)
        masses = masses[masses.min(axis=1) >= 0]
        partition = CredalPartition(masses, focal_sets)
        found = javascript(
            """([rows, sets, labels]) => rows.map((masses) => ({
              pignistic: pignistic(masses, sets),
              belief: sets[0].map((_, k) => belief(masses, sets, k)),
              plausibility: contour(masses, sets),
              outlier: isOutlier(masses, sets),
              nonspecificity: nonspecificity([masses], sets),
              sentence: sentenceOf(masses, sets),
              decisions: decisionsOf(masses, sets, labels),
            }))""",
            [masses.tolist(), sets_of(focal_sets), focal_sets.labels],
        )
        for i, one_found in enumerate(found):
            one = partition.take([i])
            assert np.allclose(one_found["pignistic"], one.pignistic[0], atol=1e-12)
            assert np.allclose(one_found["plausibility"], one.contour[0], atol=1e-12)
            singles = [one.belief({k})[0] for k in range(focal_sets.n_clusters)]
            assert np.allclose(one_found["belief"], singles, atol=1e-12)
            assert one_found["outlier"] == one.outliers()[0]
            assert one_found["nonspecificity"] == pytest.approx(one.nonspecificity(), abs=1e-12)
            assert one_found["sentence"] == partition.explain(i).reason
            assert one_found["decisions"] == decisions(one).split("<br>")


TABLES = {
    "x,y\n1,2\n3,4.5\n5,6": ([[1, 2], [3, 4.5], [5, 6]], ["x", "y"], []),
    "name;x;y\na;1,5;2\nb;3;4\nc;-1e2;,5": ([[1.5, 2], [3, 4], [-100, 0.5]], ["x", "y"], ["a", "b", "c"]),
    "1\t2\n3\t4\n5\t6\n": ([[1, 2], [3, 4], [5, 6]], ["x1", "x2"], []),
    " 1  2\n 3  4\n 5  6": ([[1, 2], [3, 4], [5, 6]], ["x1", "x2"], []),
    "x\n1\n2\n3": ([[1], [2], [3]], ["x"], []),
    'x y\n"a" 1 2\n"b" 3 4\n"c" 5 6': ([[1, 2], [3, 4], [5, 6]], ["x", "y"], ["a", "b", "c"]),
}


@pytest.mark.parametrize("text", TABLES)
def test_tables_are_read(javascript, text):  # noqa: F811
    rows, columns, names = TABLES[text]
    found = javascript("readTable", text)
    assert (found["rows"], found["columns"], found["names"]) == (rows, columns, names)
    assert not found["matrix"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2", "at least three rows"),
        ("x,y\n1,2\n3,red\n5,6", 'Row 2, column 2: expected a number, got "red"'),
        ("1,2\n3,4,5\n6,7", "different numbers of cells"),
        ("1,2\n3,\n5,6", 'got ""'),
        ("1,2\n3,1e308\n5,6", "Row 2, column 2: expected a number up to 1e+100, got 1e308."),
        ("x,y\n1,2\n1,2\n1,2", "All rows are equal"),
        ("\n".join(["1;2"] * 2001), "2001 rows"),
    ],
)
def test_other_tables_are_refused_with_the_reason(javascript, text, words):  # noqa: F811
    found = javascript("text => { try { readTable(text); } catch (error) { return error.message; } }", text)
    assert words in found
    assert ("credalbench cluster FILE" in found) == ("equal" not in words and "up to" not in words)


def test_a_matrix_is_recognised(javascript):  # noqa: F811
    D = squareform(pdist(np.random.default_rng(7).normal(size=(6, 2))))
    text = "\n".join(";".join(map(str, row)).replace(".", ",") for row in D.tolist())
    assert javascript("readTable", text)["matrix"]
    D[0, 1] += 1
    assert not javascript("readTable", "\n".join(" ".join(map(str, row)) for row in D))["matrix"]
