"""Data sets by name: load one, list all, fetch and verify their files."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credalbench.core.arguments import expect
from credalbench.datasets.dataset import Dataset
from credalbench.datasets.disdatasets import ORIGINALS, find_original, load_original, original_file
from credalbench.datasets.download import find_file, get_file, registry
from credalbench.datasets.readers import class_names, read_arrays
from credalbench.datasets.synthetic import GENERATORS
from credalbench.datasets.typed import TYPED

if TYPE_CHECKING:
    import pandas as pd

_STATUS = {"substitute": "substitute", "candidate": "candidate"}  # by role; "given" for other roles


def _from_sklearn(name: str, description: str, **about: Any) -> Dataset:
    """Return a data set that scikit-learn ships in its own package."""
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")()
    return Dataset(
        name=name,
        X=bunch.data,
        y=bunch.target,
        class_names=tuple(map(str, bunch.target_names)),
        feature_names=tuple(map(str, bunch.feature_names)),
        description=description,
        licence=f"{about.pop('licence')}; distributed with scikit-learn (BSD-3-Clause)",
        source=f"scikit-learn's load_{name}",
        **about,
    )


_UCI = "CC BY 4.0 (UCI Machine Learning Repository's statement for the data set)"
BUNDLED = {
    "iris": lambda: _from_sklearn(
        "iris",
        "Iris measurements as in Fisher's paper. The papers cite the UCI file, two rows of which differ: "
        "load('iris_uci').",
        licence=_UCI,
        citation="Fisher R.A. (1936), Annals of Eugenics 7:179-188",
        used_by=("antoine2012_cecm: Tables 4-8, Figures 6, 7 and 11", "jiao2022_egmm: Tables 5, 6, 11"),
    ),
    "wine": lambda: _from_sklearn(
        "wine",
        "Chemical analysis of wines of three growers; the same numbers as load('wine_uci'). No paper states "
        "a standardisation; the attributes range from 0.13 to 1680.",
        licence=_UCI,
        citation="Aeberhard S., Forina M. (1991), Wine, UCI",
        used_by=(
            "antoine2012_cecm: Tables 4-8, Figures 10 and 12",
            "jiao2022_egmm: Tables 5, 10, 11",
            "li2020_ensemble: Table 3",
        ),
    ),
    "digits": lambda: _from_sklearn(
        "digits",
        "Handwritten digits as images of 8 x 8 pixels with values 0-16, row by row.",
        licence=_UCI,
        citation="Alpaydin E., Kaynak C. (1998), Optical Recognition of Handwritten Digits, UCI",
        status="substitute",
        substitute_for="Zongker digit dissimilarities (denoeux2016_evclus, Figures 20-22): images from "
        "which a stand-in dissimilarity can be computed",
        used_by=("denoeux2016_evclus: Figures 20-22 (stand-in)",),
    ),
}


def _distortion(source: str) -> Dataset:
    from credalbench.datasets.stand_ins import digit_dissimilarities  # numba is heavy to load

    return digit_dissimilarities(load(source))


def _warping(source: str) -> Dataset:
    from credalbench.datasets.stand_ins import gesture_dissimilarities

    return gesture_dissimilarities(load(source))


#: Dissimilarities that are computed, within seconds, from another set: name -> (that set, function).
COMPUTED = {
    "digits_distortion": ("digits", _distortion),
    "mfeat_pix_distortion": ("mfeat_pix", _distortion),
    "libras_warping": ("libras", _warping),
}


def load(name: str, *, missing: str = "drop") -> Dataset:
    """Load a data set by name.

    "iris", "wine" and "digits" come with scikit-learn; "butterfly", "egmm_diamond" and "cat_diamond" are
    typed in. None of these needs a file. "digits_distortion", "mfeat_pix_distortion" and "libras_warping" are
    computed within seconds from another set. "zongker" and "delft_gestures" are files that only their owners
    distribute (see ``datasets/disdatasets.py``). All others are files. The function looks for a file in the
    folder named by the environment variable CREDALBENCH_DATA and in the cache, otherwise downloads it once,
    and verifies its SHA-256 checksum.

    Parameters
    ----------
    name : str
        A name in :func:`list_datasets`, except those of generators.
    missing : {"drop", "keep"}, default "drop"
        Whether to drop objects that have missing values (their number is in ``n_dropped`` and in the
        description), or to keep them with NaN. Only breast_cancer_wisconsin has any.

    Returns
    -------
    Dataset
        The data with their provenance.

    Raises
    ------
    ValueError
        If the name is unknown (the message suggests one), or the entry cannot be read as a data set.
    DataUnavailable
        If its file is missing and cannot be downloaded; the message explains how to get it.

    Examples
    --------
    >>> from credalbench.datasets import load
    >>> load("iris").class_counts
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """
    expect(missing in ("drop", "keep"), 'missing="drop" or "keep"', missing)
    _check_name(name)
    if name in BUNDLED:
        return BUNDLED[name]()
    if name in TYPED:
        return TYPED[name]()
    if name in COMPUTED:
        source, compute = COMPUTED[name]
        return compute(source)
    if name in ORIGINALS:
        return load_original(name)
    return _load_file(name, missing)


def _load_file(name: str, missing: str) -> Dataset:
    """Read the verified file of a registry entry, and the file of its labels if it is separate."""
    entry = registry()[name]
    form = entry["format"]
    if form["reader"] == "none":
        raise ValueError(f"{name!r} can be fetched and verified but not loaded: {form['reason']}")
    arrays = read_arrays(get_file(name, entry).read_bytes(), entry)
    if "labels_from" in form:
        other = registry()[form["labels_from"]]
        arrays["y"] = read_arrays(get_file(name, other).read_bytes(), other)["y"]
    arrays, note = _complete_rows(arrays, missing)
    return Dataset(
        name=name,
        class_names=class_names(entry.get("classes", {})),
        feature_names=tuple(entry.get("feature_names") or (f"x{j + 1}" for j in range(entry["p"] or 0))),
        categories=_categories(entry),
        description=" ".join(filter(None, [entry["title"], entry.get("notes"), note])),
        licence=entry["licence"],
        citation=entry["citation"],
        source=entry["source"],
        status=_STATUS.get(entry["role"], "given"),
        substitute_for=entry.get("substitute_for"),
        expected_clusters=entry["n_clusters"],
        used_by=_used_by(entry),
        **arrays,
    )


def _used_by(entry: dict) -> tuple[str, ...]:
    return tuple(f"{paper}: {where}" for paper, where in entry["used_by"].items())


def _categories(entry: dict) -> tuple[tuple[str, ...], ...]:
    """Return the meaning of the codes of each attribute, if the registry has it; empty for numbers."""
    about = entry.get("categories")
    if about is None:
        return ()
    names = tuple(about["names"])
    return tuple(() if attribute in about["numbers"] else names for attribute in entry["feature_names"])


def _complete_rows(arrays: dict, missing: str) -> tuple[dict, str]:
    """Drop or keep the objects with missing values; return the arrays and a sentence about these objects."""
    if arrays.get("X") is None or not np.isnan(arrays["X"]).any():
        return arrays, ""
    complete = ~np.isnan(arrays["X"]).any(axis=1)
    n, n_dropped = len(complete), int((~complete).sum())
    if missing == "keep":
        return arrays, f"{n_dropped} of the {n} objects have missing values, kept as NaN."
    arrays = arrays | {key: arrays[key][complete] for key in ("X", "y") if arrays.get(key) is not None}
    names = tuple(name for name, whole in zip(arrays["object_names"], complete) if whole)
    arrays |= {"object_names": names, "n_dropped": n_dropped}
    return arrays, f"{n_dropped} of {n} objects have missing values and were dropped."


def _check_name(name: str) -> None:
    """Raise a ValueError with a suggestion unless `name` is the name of a data set."""
    known = [*BUNDLED, *TYPED, *registry(), *COMPUTED, *ORIGINALS]
    if name in known:
        return
    if name in GENERATORS:
        raise ValueError(f"{name} is a generator: call credalbench.datasets.{name}(n, random_state)")
    close = get_close_matches(str(name).lower(), known, n=3, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(map(repr, close))}?" if close else f"expected one of {', '.join(known)}"
    )
    raise ValueError(f"no data set named {name!r}: {hint}")


def list_datasets() -> pd.DataFrame:
    """List all data sets and generators.

    Returns
    -------
    pandas.DataFrame
        One row for each, with the columns name, kind ("bundled", "typed", "file", "computed" from another
        set, "own file" of a user, or "generator"), data_type, n, p, n_clusters, status, substitute_for,
        used_by, licence and available (whether no download is needed). For generators n is the default number
        of objects.

    Examples
    --------
    >>> list_datasets().set_index("name").loc["iris", ["kind", "status"]].tolist()
    ['bundled', 'given']
    """
    import pandas as pd

    shipped, generators = _rows_without_files()
    rows = [*shipped, *(_file_row(name, entry) for name, entry in registry().items())]
    by_name = {row["name"]: row for row in rows}
    for name, (source, _) in COMPUTED.items():  # without computing the set
        replaced = by_name[source]["substitute_for"].partition(":")[0]
        rows.append(by_name[source] | {"name": name, "kind": "computed", "substitute_for": replaced} | _PAIRS)
    rows += [_original_row(name) for name in ORIGINALS]
    return pd.DataFrame([*rows, *generators]).astype({"p": "Int64"})


#: Entries of a set of dissimilarities.
_PAIRS = {"data_type": "dissimilarities", "p": None}


@cache
def _rows_without_files() -> tuple[list[dict], list[dict]]:
    """Return the rows of bundled and typed sets, and of generators, which never change."""
    bundled = [_row(make(), "bundled") for make in BUNDLED.values()]
    typed = [_row(make(), "typed") for make in TYPED.values()]
    drawn = [_row(make(random_state=0), "generator") | {"name": name} for name, make in GENERATORS.items()]
    return [*bundled, *typed], drawn


def _row(data: Dataset, kind: str) -> dict:
    return {
        "name": data.name,
        "kind": kind,
        "data_type": data.data_type,
        "n": data.n_objects,
        "p": data.n_features,
        "n_clusters": data.n_clusters,
        "status": data.status,
        "substitute_for": data.substitute_for or "",
        "used_by": "; ".join(data.used_by),
        "licence": data.licence,
        "available": True,
    }


def _file_row(name: str, entry: dict) -> dict:
    """Return the row of a registry entry without reading its file."""
    form = entry["format"]
    default = "labels" if "feature_columns" not in form else "attributes"
    data_type = {"png": "image", "none": "dissimilarities"}.get(form["reader"], form.get("content", default))
    return {
        "name": name,
        "kind": "file",
        "data_type": data_type,
        "n": entry["n"],
        "p": entry["p"],
        "n_clusters": entry["n_clusters"],
        "status": _STATUS.get(entry["role"], "given"),
        "substitute_for": entry.get("substitute_for", ""),
        "used_by": "; ".join(_used_by(entry)),
        "licence": entry["licence"],
        "available": find_file(entry)[1] == "ok",
    }


def _original_row(name: str) -> dict:
    about = ORIGINALS[name]
    return _PAIRS | {
        "name": name,
        "kind": "own file",
        "n": about.n,
        "n_clusters": about.n_clusters,
        "status": "given",
        "substitute_for": "",
        "used_by": about.used_by,
        "licence": "see prtools.org",
        "available": find_original(name) is not None,
    }


def _as_list(names: str | Iterable[str] | None) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _with_label_files(names: str | Iterable[str] | None) -> list[str]:
    """Return the registry names of the files of ``names`` (None: all), with their label files."""
    if names is None:
        return list(registry())
    names = _as_list(names)
    for name in names:
        _check_name(name)
    files = []
    for name in (COMPUTED.get(name, (name,))[0] for name in names):
        if name in registry():
            labels = registry()[name]["format"].get("labels_from")
            files += [name, labels] if labels else [name]
    return list(dict.fromkeys(files))


def fetch(
    names: str | Iterable[str] | None = None, progress: bool = True, *, refresh: bool = False
) -> list[Path]:
    """Download the missing files of data sets.

    Parameters
    ----------
    names : str, iterable of str or None, default None
        Data sets; None: all that can be downloaded. Sets that need no file are skipped.
    progress : bool, default True
        Whether to show a progress bar for each download, if the output is a terminal.
    refresh : bool, default False
        Whether to download again the files that the cache already holds. A valid copy stays if the new one is
        not valid.

    Returns
    -------
    list of Path
        The verified files, each once.

    Raises
    ------
    ValueError
        If a name is unknown.
    DataUnavailable
        If a file is not available, such as one that only its owners distribute; files fetched before it stay.

    Examples
    --------
    >>> fetch("iris")
    []
    """
    files, found = _with_label_files(names), {}
    for name in _as_list(names):
        if name in ORIGINALS:
            found[name] = original_file(name)
    for name in files:
        entry = registry()[name]
        if entry["file"] not in found:  # two names may share a file
            found[entry["file"]] = get_file(name, entry, progress=progress, refresh=refresh)
    return list(found.values())


def verify(names: str | Iterable[str] | None = None) -> pd.DataFrame:
    """Check the local files against their SHA-256 checksums, without downloading anything.

    Parameters
    ----------
    names : str, iterable of str or None, default None
        Data sets; None: all that have a file.

    Returns
    -------
    pandas.DataFrame
        Columns name, file, status ("ok", "missing", "corrupt" or, for a user's own file, "unverified") and
        where (the path, empty if missing). Sets that need no file are "ok".

    Examples
    --------
    >>> verify("iris")["status"].tolist()
    ['ok']
    """
    import pandas as pd

    rows = []
    with_files = _with_label_files(names)
    for name in _as_list(names):
        if name in ORIGINALS:
            path = find_original(name)
            status, file = ("unverified", path.name) if path else ("missing", ORIGINALS[name].files[0])
            rows.append({"name": name, "file": file, "status": status, "where": str(path or "")})
        elif COMPUTED.get(name, (name,))[0] not in with_files:
            rows.append({"name": name, "file": "", "status": "ok", "where": "comes with the program"})
    for name in with_files:
        entry = registry()[name]
        path, status = find_file(entry)
        rows.append({"name": name, "file": entry["file"], "status": status, "where": str(path or "")})
    return pd.DataFrame(rows, columns=["name", "file", "status", "where"])
