"""The sentence about an object says what a literal reading of its masses says, in every explorer."""

import re

import numpy as np
import pytest

from credalbench.belief import CredalPartition, FocalSets
from credalbench.belief.explanation import reasons_of
from credalbench.cluster.constrained.report import OUTCOMES
from credalbench.explore import CECMModel
from credalbench.explore.explorers.cecm import cecm_scene
from credalbench.explore.linking import KINDS, outcomes_of
from credalbench.explore.scene.credal_map import link_remarks
from tests.explore.declared import NAMES, few_objects, open_explorer

OBJECTS = 300


def literal_reading(masses, sets, c):
    """Return what a sentence has to say of these masses: decision, sets to name, number of others, rival."""
    label = {j: "∅" if not one else "Ω" if len(one) == c > 1 else f"{{{','.join(map(str, one))}}}"
             for j, one in enumerate([sorted(k + 1 for k in one) for one in sets])}  # fmt: skip
    top = max(masses)
    best = [j for j in range(len(sets)) if masses[j] >= top - 1e-12]  # ties, as decisions read them
    if len(best) > 1 and not sets[best[0]]:  # a tie is not an outlier
        best = best[1:]
    best, pl, bel = best[0], [0.0] * c, [0.0] * c
    for mass, members in zip(masses, sets):
        for k in members:
            pl[k] += mass
        if len(members) == 1:
            bel[next(iter(members))] += mass
    named = [j for j in range(len(sets)) if j != best and masses[j] >= masses[best] / 4]
    others = sorted((j for j in named if sets[j]), key=lambda j: (-masses[j], j))
    empty = [j for j in named if not sets[j]]
    possible = []
    if len(sets[best]) == 1:
        possible = [k + 1 for k in range(c) if k not in sets[best] and max(bel) <= pl[k] + 1e-9]
    elif sets[best]:  # another cluster may be more plausible than one of these
        weakest = np.round(min(pl[k] for k in sets[best]), 2)
        possible = [k + 1 for k in range(c) if k not in sets[best] and np.round(pl[k], 2) > weakest]
    return label[best], [label[j] for j in others[:3] + empty], max(len(others) - 3, 0), possible


def as_read(evidence, i):
    """Return the sentence of an object as the browser writes it."""
    numbers = iter(evidence.numbers[i].tolist())
    return re.sub(r"%\.2f", lambda _: f"{next(numbers):.2f}", evidence.templates[evidence.which[i]])


def check(sentence, masses, focal_sets):
    best, named, more, possible = literal_reading(masses.tolist(), focal_sets.sets, focal_sets.n_clusters)
    weights = re.findall(r"(\d\.\d\d) on (∅|Ω|\{[\d,]+\})", sentence)
    assert [label for _, label in weights] == [best, *named], sentence
    by_label = dict(zip(focal_sets.labels, masses.tolist()))
    assert all(abs(float(mass) - by_label[label]) < 0.0051 for mass, label in weights), sentence
    counted = re.search(r"(\d+) more sets? with at least a quarter", sentence)
    assert (int(counted[1]) if counted else 0) == more, sentence
    found = re.search(r", possibly in ([\d, or]+):", sentence)
    assert ([*map(int, re.findall(r"\d+", found[1]))] if found else []) == possible, sentence
    several = best.count(",") or (best == "Ω" and focal_sets.n_clusters > 1)
    lead = "outlier" if best == "∅" else "between " if several else "in cluster "
    assert sentence.startswith(lead), sentence


@pytest.mark.parametrize("name", NAMES)
def test_sentences_agree_with_a_literal_reading_of_the_masses(name):
    rng = np.random.default_rng(0)
    model = open_explorer(name, **few_objects(name)).model
    fitted = model.fitted
    for partition in getattr(fitted, "partitions", (fitted.partition,)):
        reasons = reasons_of(partition.masses, partition.focal_sets)
        for i in rng.choice(partition.n_objects, min(OBJECTS, partition.n_objects), replace=False):
            check(reasons[i], partition.masses[i], partition.focal_sets)


@pytest.mark.parametrize("concentration", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("c", [1, 2, 3, 5])
def test_sentences_of_random_masses_agree_with_a_literal_reading(c, concentration):
    rng, focal_sets = np.random.default_rng(c), FocalSets.full(c)
    masses = rng.dirichlet(np.full(len(focal_sets), concentration), OBJECTS)
    reasons = reasons_of(masses, focal_sets)
    for i in range(OBJECTS):
        check(reasons[i], masses[i], focal_sets)


def literal_outcome(masses, sets, pair, kind):
    """Return what became of a constraint: by the sets of largest mass, else by the likeliest clusters."""
    likeliest = []
    for row in masses[list(pair)].tolist():
        if row[0] > max(row[1:]):
            return "met by an outlier"
        shares = [0.0] * max(map(len, sets))
        for mass, members in zip(row, sets):
            for k in members:
                shares[k] += mass / len(members)
        largest = max(shares) - 1e-12 * (1 - row[0])  # ties, as decisions read them
        likeliest.append(next(k for k, share in enumerate(shares) if share >= largest))
    return "met" if (likeliest[0] == likeliest[1]) == (kind == "must-link") else "violated"


@pytest.mark.parametrize("concentration", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("c", [2, 3, 5])
def test_outcomes_of_random_constraints_agree_with_a_literal_reading_of_the_masses(c, concentration):
    rng, focal_sets = np.random.default_rng(c), FocalSets.full(c)
    masses = rng.dirichlet(np.full(len(focal_sets), concentration), OBJECTS)
    pairs = np.sort(np.array([rng.choice(OBJECTS, 2, replace=False) for _ in range(OBJECTS)]))
    links = tuple(
        (i, j, KINDS[k]) for (i, j), k in zip(pairs.tolist(), rng.integers(2, size=OBJECTS).tolist())
    )
    partition = CredalPartition(masses, focal_sets)
    outcomes = outcomes_of(links, partition)
    expected = [literal_outcome(masses, focal_sets.sets, link[:2], link[2]) for link in links]
    assert outcomes.tolist() == expected and set(expected) == set(OUTCOMES)
    remarks = link_remarks((), links, outcomes)
    for i, text in remarks.items():
        own = [(link, one) for link, one in zip(links, expected) if i in link[:2]]
        words = [f"{kind} with object {(j if a == i else a) + 1}" for (a, j, kind), _ in own]
        assert text == ", ".join(w if one == "met" else f"{w} ({one})" for w, (_, one) in zip(words, own))


def test_sentences_name_the_constraints_of_an_object():
    model = CECMModel("two_class:60:2", n_clusters=2, links=((3, 7, "cannot-link"), (3, 9, "must-link")))
    evidence = cecm_scene(model.fitted).evidence
    sentences = [as_read(evidence, i) for i in range(60)]
    outcome = dict(zip(model.fitted.links, model.fitted.outcomes.tolist()))
    marks = [f" ({outcome[link]})" * (outcome[link] != "met") for link in model.fitted.links]
    assert sentences[3].endswith(f"; cannot-link with object 8{marks[0]}, must-link with object 10{marks[1]}")
    assert sentences[7].endswith(f"; cannot-link with object 4{marks[0]}")
    assert [i for i, one in enumerate(sentences) if "link" in one] == [3, 7, 9]
