"""ECM and CECM alike: prediction."""

import numpy as np
import pytest

from credalbench.cluster import CECM, ECM
from credalbench.datasets import load

METRICS = ["euclidean", "mahalanobis"]
BUTTERFLY = load("butterfly").X
#: The classes, with what their fit takes beside the objects.
LINKS = {ECM: {}, CECM: {"must_link": [(0, 1)], "cannot_link": [(0, 10)]}}


@pytest.mark.parametrize("cls", LINKS)
@pytest.mark.parametrize("metric", METRICS)
def test_predictions_depend_neither_on_the_company_nor_on_the_order(cls, metric):
    """scikit-learn checks it for labels, this for masses."""
    fit = cls(2, metric=metric, random_state=0).fit(BUTTERFLY[:, :1], **LINKS[cls])
    new = np.linspace(-5, 5, 50)[:, None]
    together = fit.predict_partition(new).masses
    alone = np.concatenate([fit.predict_partition(new[i : i + 1]).masses for i in range(50)])
    np.testing.assert_allclose(alone, together, rtol=1e-12)  # sums in another order
    np.testing.assert_allclose(fit.predict_partition(new[::-1]).masses[::-1], together, rtol=1e-12)


@pytest.mark.parametrize("cls", LINKS)
def test_new_objects_need_the_attributes_of_the_fit(cls):
    fit = cls(2, random_state=0).fit(BUTTERFLY)
    with pytest.raises(ValueError, match="features"):
        fit.predict(BUTTERFLY[:, :1])
