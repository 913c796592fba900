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


def moved_to(target, comparison, claim, params, tables):
    """The comparison after a shift of one column that brings its estimate to `target`, or None."""
    printed, value = comparison.printed, comparison.estimate.value
    for name, column in columns(claim, params, tables):
        trial = TRIAL * (np.nanmax(np.abs(tables[name][column])) or 1.0)
        there = compared(claim, params, shifted(tables, name, column, trial)).get(printed)
        if there is None or there.estimate.value == value:
            continue
        by = trial * (target - value) / (there.estimate.value - value)
        found = compared(claim, params, shifted(tables, name, column, by)).get(printed)
        if found is not None and math.isclose(found.estimate.value, target, rel_tol=1e-7, abs_tol=1e-9):
            return found
    return None


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.filterwarnings("ignore")  # bent tables may be nonsense
def test_a_printed_value_is_met_no_more_where_ours_is_moved_by_twice_its_margin(name, smoke_result):
    result = smoke_result(name)
    for claim in result.experiment.claims:
        for comparison in list(compared(claim, result.params, result.tables).values())[:PER_CLAIM]:
            near, far = offsets(comparison)
            where = f"{claim.statement}: {comparison.printed}"
            for off, forbidden in ((near, False), (far, True)):
                target = comparison.printed.value + off
                found = moved_to(target, comparison, claim, result.params, result.tables)
                if found is not None:
                    assert found.holds is not forbidden, where
                if found is not None and forbidden and found.reach < comparison.margin:
                    assert found.holds is False, where


def test_the_exact_values_of_the_examples_are_bent(smoke_result):
    """That the search above finds something to bend."""
    result = smoke_result("denoeux2016_evclus/belief_examples")
    claims = [c for c in result.experiment.claims if compared(c, result.params, result.tables)]
    found = [
        moved_to(comparison.printed.value + SMALL, comparison, claim, result.params, result.tables)
        for claim in claims
        for comparison in compared(claim, result.params, result.tables).values()
    ]
    assert claims and any(c is not None and c.holds is False for c in found)
