"""Five hundred malformed uploads: each ends in a fit, or in a message that says what was expected."""

from itertools import islice

import numpy as np
import pytest

from tests.explore.declared import NAMES, model_class
from tests.explore.malformed_uploads import malformed

N_UPLOADS = 500
#: Words of a reason; an error of Python or of a library has none of them.
REASONS = ("xpected", "Answer it", "needs attributes", "nothing to cluster", "an explorer takes")


def answer(model):
    """Answer what keeps a table from being read, the last way each time, as long as that is taken."""
    before = None
    while model.source.reading is not before and model.source.reading.pending:
        before = model.source.reading
        question = next(question for question in before.open if question.blocking)
        if ways := model.source.ways(question):
            model.source.answer_question(question, ways[-1])


def explained(model, data):
    """Whether the model shows the upload, or says why it shows what it did before."""
    if model.is_error:
        return any(reason in model.message for reason in REASONS) and "Traceback" not in model.message
    return model.data == data and np.isfinite(model.fitted.partition.masses).all()


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_uploads_end_in_a_fit_or_a_reason(number):
    model, outcomes = model_class(NAMES[number])(), []
    for seed in islice(range(N_UPLOADS), number, None, len(NAMES)):
        contents, name = malformed(np.random.default_rng(seed)), f"upload {seed}"
        model.load_file(contents, name)
        assert explained(model, name), (model.message, contents[:300])
        reading = getattr(model.source, "reading", None)
        if reading and reading.table.name == name:
            answer(model)
            assert explained(model, name), (model.message, contents[:300])
        outcomes.append(model.is_error)
    assert 0 < sum(outcomes) < len(outcomes)
