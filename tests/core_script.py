"""What works with `pip install credalbench` alone, and what a missing extra answers."""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from credalbench.baselines import FuzzyCMeans
from credalbench.belief import CredalPartition
from credalbench.cluster import ECM, EGMM, EVCLUS, CatECM
from credalbench.core.extras import MissingPackage
from credalbench.datasets import load, make_t4
from credalbench.metrics import credal_rand
from credalbench.select import select_n_clusters
from credalbench.tables import read_user_table

X = make_t4(60, random_state=0).X
ecm = ECM(n_clusters=4, random_state=0).fit(X)
for estimator in (EVCLUS(n_clusters=4, random_state=0), EGMM(n_clusters=4, random_state=0)):
    assert estimator.fit(X).partition_.masses.shape[0] == 60
assert CatECM(n_clusters=2, random_state=0).fit(load("cat_diamond").to_frame().iloc[:, :2]).partition_
assert FuzzyCMeans(n_clusters=4, random_state=0).fit(X).labels_.shape == (60,)
assert 0 <= credal_rand(ecm.partition_, make_t4(60, random_state=0).y) <= 1
assert select_n_clusters(ECM(random_state=0), X, n_clusters=range(2, 4))
assert not ecm.partition_.to_frame().empty and str(ecm.partition_)
with tempfile.TemporaryDirectory() as folder:
    file, table = Path(folder, "partition.npz"), Path(folder, "table.csv")
    ecm.partition_.save(file)
    np.testing.assert_array_equal(CredalPartition.load(file).masses, ecm.partition_.masses)
    pd.DataFrame(X, columns=["u", "v"]).to_csv(table, index=False)
    assert read_user_table(table).n_objects == 60


def message(code):
    try:
        exec(code, {"ecm": ecm, "X": X})
    except MissingPackage as error:
        return str(error)


found = message("ecm.partition_.plot(X)")
assert found == "credalbench.plots needs matplotlib: pip install '.[plots]' in a clone of credalbench", found
for code, extra in {
    "import credalbench.report": "plots",
    "from credalbench.explore import explore_ecm": "explore",
    "import credalbench.learn": "explore",
    "import credalbench.learn.server": "explore",
    "import credalbench.papers.studies": "papers",
    "from credalbench.datasets import load; load('protein')": "papers",
    "import credalbench.papers.site": "site",
    "from credalbench.__main__ import main; main()": None,
}.items():
    try:
        found = message(code)
    except SystemExit as stop:
        found, extra = str(stop), "plots"
    assert found and found.endswith(f": pip install '.[{extra}]' in a clone of credalbench"), (code, found)
assert not {"matplotlib", "ipywidgets", "click", "pooch"} & set(sys.modules)
