"""Planted errors in real tables: a printed value is met no more where ours is moved by twice its margin.

A column that a claim reads is shifted until the estimate beside a printed value lies where it should: by half
the margin off, where it must not differ, and by twice the margin, where it must not hold. Estimates that do
not move with a shift of a column (shares, orders, ratios) are bent in ``tests/runner``.
"""

import math

import numpy as np
import pytest

from credalbench.studies import discover

from .bent_tables import columns_read

STUDIES = [e.name for studies in discover().values() for e in studies.values()]
PER_CLAIM = 3  # printed values of a claim that are bent: they are judged alike
TRIAL = 1e-3  # shift that shows how an estimate moves, in the column's own size
SMALL = 1e-6  # shift that an exact value shows


def compared(claim, params, tables):
    """Printed value -> its comparison; empty where the claim stops."""
    try:
        with np.errstate(all="ignore"):
            found = claim(params, tables).compared
    except Exception:  # tables that may be nonsense
        return {}
    return {c.printed: c for c in found}


def shifted(tables, name, column, by):
    table = tables[name]
    return tables | {name: table.assign(**{column: table[column] + by})}


def columns(claim, params, tables):
    """Columns of numbers that the claim reads, measured ones first."""
    for name, read in columns_read(claim, params, tables).items():
        numbers = [c for c in read if tables[name][c].dtype.kind in "fiu"]
        yield from ((name, c) for c in sorted(numbers, key=lambda c: tables[name][c].dtype.kind != "f"))


def offsets(comparison):
    """Off the printed value: what must not differ, and what must not hold."""
    printed, unit = comparison.printed, comparison.margin
    if printed.relation == "=":
        return (unit / 2, 2 * unit) if unit else (0.0, SMALL * max(1.0, abs(printed.value)))
    unit = comparison.reach if math.isfinite(comparison.reach) else 0.0
    unit = max(unit, SMALL * max(1.0, abs(printed.value)))
    return (2 * unit, -2 * unit) if printed.relation == ">" else (-2 * unit, 2 * unit)


def moved_to(target, comparison, claim, params, tables, places):
    """The comparison after a shift of one of the columns that brings its estimate to `target`, or None."""
    printed, value = comparison.printed, comparison.estimate.value
    for name, column in places:
        trial = TRIAL * (np.nanmax(np.abs(tables[name][column])) or 1.0)
        there = compared(claim, params, shifted(tables, name, column, trial)).get(printed)
        if there is None or there.estimate.value == value:
            continue
        by = trial * (target - value) / (there.estimate.value - value)
        found = compared(claim, params, shifted(tables, name, column, by)).get(printed)
        if found is not None and math.isclose(found.estimate.value, target, rel_tol=1e-7, abs_tol=1e-9):
            return found
    return None


def bent(result):
    """Printed value, ours half the margin off, ours twice the margin off: where a shift reaches both."""
    for claim in result.experiment.claims:
        found = compared(claim, result.params, result.tables)
        places = list(columns(claim, result.params, result.tables)) if found else []
        for comparison in list(found.values())[:PER_CLAIM]:
            targets = (comparison.printed.value + off for off in offsets(comparison))
            pair = [
                moved_to(target, comparison, claim, result.params, result.tables, places)
                for target in targets
            ]
            if None not in pair:
                yield f"{claim.statement}: {comparison.printed}", *pair


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.filterwarnings("ignore")  # bent tables may be nonsense
def test_a_printed_value_is_met_no_more_where_ours_is_moved_by_twice_its_margin(name, smoke_result):
    for where, near, far in bent(smoke_result(name)):
        assert near.holds is not False, where
        assert far.holds is not True, where
        estimate = far.estimate
        if max(estimate.value - estimate.low, estimate.high - estimate.value) < far.margin:
            assert far.holds is False, where


def test_the_search_finds_something_to_bend(smoke_result):
    found = list(bent(smoke_result("denoeux2016_evclus/belief_examples")))
    assert len(found) > 3 and all(far.holds is False for _, _, far in found)
