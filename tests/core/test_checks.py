"""Values that are not finite numbers are refused by position, without advice on other estimators."""

import re

import numpy as np
import pandas as pd
import pytest

from credalbench.baselines import FuzzyCMeans
from credalbench.cluster import ECM, EVCLUS, CatECM
from credalbench.core.checks import as_attributes

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


@pytest.mark.parametrize("estimator", [ECM(2), EVCLUS(2, metric="precomputed"), CatECM(2), FuzzyCMeans(2)])
@pytest.mark.parametrize("form", [np.array, list, pd.Series], ids=lambda form: form.__name__)
def test_one_dimension_is_refused_by_its_shape(estimator, form):
    """A condensed vector of dissimilarities of 20 objects: none of its 190 numbers is in the message."""
    with pytest.raises(ValueError, match=r"expected X of shape \(n, p\).*squareform.*, got \(190,\)$"):
        estimator.fit(form(np.arange(190.0)))


@pytest.mark.parametrize("kind", ["object", "category", "string", "list"])
def test_columns_of_text_are_refused_by_name_with_a_hint(kind):
    table = FRAME.assign(species=["setosa", "7"] * 6, colour="red", number="1.5")
    if kind == "list":
        given, expected = table.to_numpy().tolist(), "{2: 'setosa', 3: 'red'}"
    else:
        given, expected = table.astype({"species": kind}), "{'species': 'setosa', 'colour': 'red'}"
    message = re.escape(f"decimal commas), got {expected}")
    with pytest.raises(ValueError, match=rf"numbers in all columns of X \(CatECM accepts.*{message}$"):
        ECM(2).fit(given)
    with pytest.raises(ValueError, match=message):
        as_attributes(given)


def test_dates_are_refused_by_name_and_text_of_numbers_is_read():
    table = FRAME.assign(day=pd.Timestamp("2020-02-01"))
    with pytest.raises(ValueError, match=r"columns of X .*got {'day': '2020-02-01 00:00:00'}"):
        ECM(2).fit(table)
    assert as_attributes(FRAME.assign(number="1.5"))[0, 2] == 1.5
