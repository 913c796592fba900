"""Where *Save* of an explorer puts what it saves: into the user's folder; in a class, into the browser."""

from __future__ import annotations

import os
from pathlib import Path

#: Names the user's folder.
EXPLORATIONS = "CREDALBENCH_EXPLORATIONS"
#: Set where pages are those of a class: what somebody saves there goes to their browser.
FOR_CLASS = "CREDALBENCH_CLASS"


def saved_folder() -> Path:
    """Return ``saved`` in the user's folder: $CREDALBENCH_EXPLORATIONS, or ``explorations`` here."""
    return Path(os.environ.get(EXPLORATIONS) or "explorations") / "saved"


def in_class() -> bool:
    """Whether this machine is not that of whoever saves."""
    return bool(os.environ.get(FOR_CLASS))
