"""Partitions in blocks: what they compute is what one partition of all objects would."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from credalbench.belief import CredalPartition
from credalbench.cluster import ECM
from tests.cluster.test_blocks import as_frame, planted

X, PARTS = planted(9, n=400)


def fitted(parts=PARTS):
    return ECM(3, random_state=0).fit(partial(iter, parts)).partition_


def test_methods_are_those_of_the_partition_in_memory():
    blocks = fitted()
    whole = blocks.compute()
    assert isinstance(whole, CredalPartition) and blocks.n_objects == len(whole) == len(X)
    for name in ("labels", "hard_credal", "outliers", "interval_dominance"):
        np.testing.assert_array_equal(getattr(blocks, name)(), getattr(whole, name)())
    np.testing.assert_array_equal(blocks.labels("belief", noise=-1), whole.labels("belief", noise=-1))
    assert blocks.nonspecificity() == pytest.approx(whole.nonspecificity(), rel=1e-12)  # another order
    pd.testing.assert_frame_equal(blocks.summary(), whole.summary(), rtol=1e-12)  # another order
    pd.testing.assert_frame_equal(pd.concat(blocks.to_frame()), whole.to_frame(), check_index_type=False)
    assert [len(part) for part in blocks.blocks()] == [len(part) for part in PARTS]
    assert sum(blocks.map(len)) == len(X)


def test_names_of_blocks_are_kept():
    frames = [as_frame(part).rename(index=lambda i, k=k: f"{k}/{i}") for k, part in enumerate(PARTS)]
    blocks = fitted(frames)
    names = np.concatenate([frame.index for frame in frames])
    np.testing.assert_array_equal(blocks.compute().index, names)
    assert set(blocks.summary().typical) <= set(names)


def test_printing_computes_nothing_and_each_method_reads_once():
    passes = []

    def blocks():
        passes.append(0)
        return iter(PARTS)

    partition = ECM(3, random_state=0).fit(blocks).partition_
    passes.clear()
    assert repr(partition) == "BlockwisePartition(n=400, c=3, f=8)"
    assert not passes
    partition.summary(), partition.labels()
    assert len(passes) == 2


def test_saved_parquet_is_the_table_of_masses(tmp_path):
    pytest.importorskip("pyarrow")
    blocks = fitted()
    folder = blocks.save(tmp_path / "masses")
    expected = blocks.compute().to_frame("masses")
    pd.testing.assert_frame_equal(
        pd.read_parquet(folder), expected, check_index_type=False, check_names=False
    )
    with pytest.raises(ValueError, match="a folder that does not exist yet"):
        blocks.save(folder)


def test_an_interrupted_save_leaves_no_file(tmp_path):
    pytest.importorskip("pyarrow")

    def blocks():
        yield from PARTS if stop is None else PARTS[:stop]
        if stop is not None:
            raise KeyboardInterrupt

    stop = None
    partition = ECM(3, random_state=0).fit(blocks).partition_
    stop = 1
    with pytest.raises(KeyboardInterrupt):
        partition.save(tmp_path / "masses")
    assert not list(tmp_path.iterdir())


def test_what_is_missing_names_the_way():
    with pytest.raises(AttributeError, match=r"no 'masses': use compute\(\).masses in memory, or masses of"):
        fitted().masses  # noqa: B018
    with pytest.raises(AttributeError, match=r"no .nothing.$"):
        fitted().nothing  # noqa: B018
