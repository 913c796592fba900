"""Values that are no finite numbers are refused by their place, and without advice on other estimators."""

import numpy as np
import pandas as pd
import pytest

from credalbench.attributes import as_attributes
from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import ECM, EVCLUS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 2))
FRAME = pd.DataFrame(X, index=[f"object {chr(97 + i)}" for i in range(12)], columns=["width", "height"])


@pytest.mark.parametrize("estimator", [ECM(2), EVCLUS(2), FuzzyCMeans(2)])
@pytest.mark.parametrize(("value", "printed"), [(np.nan, "NaN"), (np.inf, "inf")])
def test_a_value_that_is_no_number_is_refused_by_row_and_column(estimator, value, printed):
    frame = FRAME.copy()
    frame.loc["object c", "height"] = frame.loc["object e", "width"] = value
    with pytest.raises(ValueError, match="expected finite numbers") as refused:
        estimator.fit(frame)
    message = str(refused.value)
    assert f"got {printed} in row 'object c', column 'height' (2 of 12 rows" in message
    assert "sklearn" not in message and "scikit-learn" not in message


def test_rows_of_arrays_are_counted_from_0():
    values = X.copy()
    values[3, 1] = np.nan
    with pytest.raises(ValueError, match="got NaN in row 3, column 1"):
        as_attributes(values)


def test_finite_numbers_pass_as_floats():
    assert as_attributes([[1, 2], [3, 4]]).dtype == np.float64
    with pytest.raises(ValueError, match="minimum of 3 is required"):
        as_attributes([[1, 2], [3, 4]], least=3)
