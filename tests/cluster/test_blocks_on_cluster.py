"""Data in blocks with a cluster of this machine: its workers read blocks and make predictions."""

import numpy as np
import pytest

from credalbench.cluster import ECM
from credalbench.core.progress import Cancelled, listen
from tests.cluster.test_blocks import Recorded, as_frame, assert_same, planted

distributed = pytest.importorskip("distributed")
dask_dataframe = pytest.importorskip("dask.dataframe")

pytestmark = pytest.mark.slow
N_BLOCKS = 12


def with_nan(frame, partition_info=None):
    frame = frame.copy()
    if partition_info and partition_info["number"] == 7:
        frame.iloc[3, 1] = np.nan
    return frame


def test_a_cluster_gives_the_fit_in_memory(tmp_path):
    X, _ = planted(8, n=3000, c=4)
    for k, part in enumerate(np.array_split(X, N_BLOCKS)):
        as_frame(part).to_parquet(tmp_path / f"{k:03}.parquet")
    data = dask_dataframe.read_parquet(tmp_path, aggregate_files=False, split_row_groups=False)
    expected = ECM(4, random_state=0).fit(X)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    )
    with cluster, distributed.Client(cluster) as client:
        recorded = Recorded()
        with listen(recorded):
            fit = ECM(4, random_state=0).fit(data)
        assert_same(fit, expected)
        np.testing.assert_array_equal(fit.predict(data), expected.labels_)
        text = f"dashboard {client.dashboard_link}, block 3 of {N_BLOCKS}"
        assert text in recorded.texts
        with pytest.raises(ValueError, match=r"block 7 .*got NaN in row 3, column 'x1'"):
            fit.fit(data.map_partitions(with_nan, meta=data._meta))
        with listen(Recorded(text)), pytest.raises(Cancelled):
            fit.fit(data)
        assert client.submit(sum, [1, 2]).result() == 3
