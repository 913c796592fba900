"""Memory at hand, and what is refused or warned of because of it."""

import numpy as np
import psutil
import pytest

from credalbench.cluster import ECM, EGMM, EVCLUS, MECM, RECM
from credalbench.core import resources
from credalbench.core.resources import NotEnoughMemory, available_memory, expect_memory, warn_if_slow

GIB = 2**30


def test_a_refusal_names_need_limit_and_way_out(monkeypatch):
    monkeypatch.setattr(resources, "available_memory", lambda: 8 * GIB)
    with pytest.raises(NotEnoughMemory, match=r"at most 8\.0 GiB.*the machine has.*9\.0 GiB for a.*fewer"):
        expect_memory(9 * GIB, "a matrix", "fewer objects")
    for kind in (ValueError, MemoryError):
        with pytest.raises(kind):
            expect_memory(9 * GIB, "a matrix", "fewer objects")
    expect_memory(8 * GIB, "a matrix", "fewer objects")


def test_long_work_is_warned_of_with_its_seconds_and_the_way_out(recwarn):
    warn_if_slow(29e9, "a sweep", "fewer objects")
    assert not recwarn
    with pytest.warns(UserWarning, match="a sweep takes about 60 s. It is faster with fewer objects"):
        warn_if_slow(60e9, "a sweep", "fewer objects")


def test_the_memory_of_the_machine_is_known():
    assert 0 < available_memory() < psutil.virtual_memory().total


@pytest.mark.parametrize(
    ("estimator", "what"),
    [
        (RECM(2), "dissimilarities of 300 x 300 objects"),
        (MECM(2), "dissimilarities of 300 x 300 objects"),
        (EVCLUS(2), "dissimilarities of 300 x 300 objects"),
        (ECM(12, focal_sets="full"), r"masses of 300 objects on 2\^12 focal sets"),
        (EGMM(12, focal_sets="full"), r"masses of 300 objects on 2\^12 focal sets"),
    ],
)
def test_pairs_of_objects_and_all_subsets_are_refused(estimator, what, monkeypatch):
    monkeypatch.setattr(resources, "SMALL", 0)
    monkeypatch.setattr(resources, "available_memory", lambda: 2**20)
    with pytest.raises(NotEnoughMemory, match=f"MiB for {what}. Use "):
        estimator.fit(np.random.default_rng(0).normal(size=(300, 2)))
