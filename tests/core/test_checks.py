"""Values that are not finite numbers are refused by position, without advice on other estimators."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from credalbench.baselines import FuzzyCMeans, KModes
from credalbench.cluster import ECM, EVCLUS, CatECM, MixedECM
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


HOURS = pd.to_timedelta(np.arange(12), unit="h")
TIMES = {
    "durations": HOURS,
    "dates": pd.Timestamp("2024-01-01") + HOURS,
    "dates of a zone": pd.Timestamp("2024-01-01", tz="UTC") + HOURS,
    "periods": pd.period_range("2024-01", periods=12, freq="M"),
    "intervals": pd.interval_range(0, 12),
    "lists": pd.Series([[1.0]] * 12, FRAME.index),
}


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("kind", TIMES)
def test_columns_of_times_and_lists_are_refused_by_name(kind, alone):
    table = FRAME.assign(t=TIMES[kind])
    with pytest.raises(ValueError, match=r"expected numbers in all columns of X .*got \{'t': "):
        ECM(2).fit(table[["t"]] if alone else table)
    if kind != "lists":
        with pytest.raises(ValueError, match="expected numbers in all columns of X"):
            as_attributes(table.to_numpy())


NAMES = {
    "repeated": (["a", "a"], r"different names of the columns of X, got \['a'\]"),
    "repeated numbers": ([1, 1], r"different names of the columns of X, got \['1'\]"),
    "repeated levels": (pd.MultiIndex.from_tuples([("a", 1), ("a", 1)]), "different names of the columns"),
    "text and numbers": (["a", 1], r"that are all text, or none, got \['a', 1\]"),
}


@pytest.mark.parametrize("estimator", [ECM(2), EVCLUS(2), CatECM(2), MixedECM(2), FuzzyCMeans(2), KModes(2)])
@pytest.mark.parametrize(("names", "message"), NAMES.values(), ids=list(NAMES))
def test_names_of_columns_differ_and_are_of_one_kind(estimator, names, message):
    with pytest.raises(ValueError, match=f"expected .*{message}"):
        estimator.fit(FRAME.set_axis(names, axis=1))


@pytest.mark.parametrize(
    "estimator", [ECM(2, random_state=0), EVCLUS(2, random_state=0), MixedECM(2, random_state=0)]
)
@pytest.mark.parametrize("form", ["sparse", "some sparse", "two levels", "nullable"])
def test_frames_of_any_form_are_fitted_and_described(estimator, form):
    table = FRAME.round(1)
    forms = {
        "sparse": table.astype(pd.SparseDtype(float, 0)),
        "some sparse": table.astype({"width": pd.SparseDtype(float, 0)}),
        "two levels": table.set_axis(
            pd.MultiIndex.from_tuples([("leaf", "width"), ("leaf", "height")]), axis=1
        ),
        "nullable": table.astype("Float64"),
    }
    fit, plain = clone(estimator).fit(forms[form]), clone(estimator).fit(table)
    np.testing.assert_array_equal(fit.partition_.masses, plain.partition_.masses)
    np.testing.assert_array_equal(fit.predict(forms[form]), plain.predict(table))
    described, usual = fit.partition_.profiles(forms[form]), plain.partition_.profiles(table)
    assert str(described).replace("leaf ", "") == str(usual)
