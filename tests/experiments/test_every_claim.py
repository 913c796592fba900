"""No claim of any study holds whatever the tables say."""

import pytest

from credalbench import intervals
from credalbench.studies import discover

from .bent_tables import bent_tables, outcome

STUDIES = {e.name: e for studies in discover().values() for e in studies.values()}


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.filterwarnings("ignore")  # bent tables are full of nonsense
def test_every_claim_can_come_out_false(name, smoke_result, monkeypatch):
    result = smoke_result(name)
    monkeypatch.setattr(intervals, "RESAMPLES", 200)  # hundreds of bent tables need no fine intervals
    stubborn = []
    for claim in STUDIES[name].claims:
        found = outcome(claim, result.params, result.tables)
        if found in (False, "cannot be checked"):  # the latter are for numbers of the paper's sizes
            continue
        bends = bent_tables(claim, result.params, result.tables)
        if not any(outcome(claim, *bent) is False for bent in bends):
            stubborn.append(f"{claim.artefact}: {claim.statement} ({found})")
    assert not stubborn, "\n".join(stubborn)
