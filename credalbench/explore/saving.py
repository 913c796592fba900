"""Saved explorations: states, their files, and the settings in the address of a page.

*Save* writes to the user's folder; in a class, the browser downloads the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import traitlets as t

from credalbench.core.arguments import expect
from credalbench.explore.parameter import expect_known
from credalbench.explore.sources import expect_few_bytes
from credalbench.explore.sources.reading import SAVED

if TYPE_CHECKING:
    from credalbench.explore.model import ExplorerModel

#: The environment variable that names the user's folder.
EXPLORATIONS = "CREDALBENCH_EXPLORATIONS"
#: The environment variable that is set in a class, where files are saved by the browser.
FOR_CLASS = "CREDALBENCH_CLASS"
#: The key of the name of the explorer in a saved state.
EXPLORER = "explorer"


def saved_folder() -> Path:
    """Return ``saved`` in the user's folder: $CREDALBENCH_EXPLORATIONS, or ``explorations`` here."""
    return Path(os.environ.get(EXPLORATIONS) or "explorations") / "saved"


def in_class() -> bool:
    """Return whether the pages are served in a class, not on the user's machine."""
    return bool(os.environ.get(FOR_CLASS))


def restore(model: ExplorerModel, state: Mapping[str, object]) -> None:
    """Restore an exploration; raise a ValueError, before anything changes, if a value is not valid."""
    state = dict(state)
    text, answers, name = state.pop("own", None), state.pop("answers", None) or {}, state.pop("data", None)
    expect(set(answers) <= set(SAVED), f"answers among {', '.join(SAVED)}", [*answers])
    if text is None and name is not None:
        _expect_no_path(model, str(name))
    own = None if text is None else model.source.from_text(text, name, answers)
    expect_known(type(model), state)
    for parameter_name, value in state.items():
        model.parameters()[parameter_name].check(parameter_name, value)
    with model.batch():
        model.set_parameters(state)
        if own is not None:
            model.show_subject(own)
        elif name is not None:
            model.data = name


def _expect_no_path(model: ExplorerModel, name: str) -> None:
    """Raise a ValueError if a state names a file, whether or not the file exists."""
    if Path(name).suffix and name not in model.source.own:
        raise ValueError(
            f"the state names the file {name!r}, but does not contain its data: "
            f"choose the file with the button {model.source.FILES[0]!r} first"
        )


def read_state(model: ExplorerModel, contents: bytes) -> dict[str, object]:
    """Return the state in a file; raise a ValueError if it is not a saved state of this explorer."""
    expect_few_bytes(contents, "the saved state")
    try:
        state = json.loads(contents)
    except (ValueError, RecursionError):
        raise ValueError("expected a saved state, as written by Save; got a file that is not JSON") from None
    if not isinstance(state, dict):
        raise ValueError(f"expected a saved state, a JSON object; got {type(state).__name__}")
    explorer = state.pop(EXPLORER, model.STEM)
    if explorer != model.STEM:
        raise ValueError(f"expected a saved state of the explorer {model.STEM!r}; got one of {explorer!r}")
    for name, kind in (("data", str), ("own", str), ("answers", dict)):
        if not isinstance(state.get(name, kind()), kind):
            got = type(state[name]).__name__
            raise ValueError(f"expected {name!r} of a saved state as {kind.__name__}; got {got}")
    return state


def read_address(model: ExplorerModel, texts: object, own: object) -> dict[str, object]:
    """Return the state in the address of a page; raise a ValueError if it is not one of this explorer.

    Parameters
    ----------
    model : ExplorerModel
    texts : dict of str to str
        The settings in the address: texts and choices as they are, other values in JSON.
    own : str
        The user's data that the tab of the browser has stored, in JSON, or "".
    """
    are_texts = isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
    expect(are_texts and isinstance(own, str), "the settings of an address as texts", texts)
    expect_few_bytes("".join(texts.values()).encode(), "the address")
    expect_known(type(model), texts)
    kept = read_state(model, own.encode()) if own else {}
    expect(set(kept) <= {"own", "answers"}, "own data and answers about them", [*kept])
    return {name: _value(model, name, text) for name, text in texts.items()} | kept


def _value(model: ExplorerModel, name: str, text: str) -> object:
    """Return the value of a parameter from its text in an address; it is not checked yet."""
    if isinstance(getattr(type(model), name), t.Unicode):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"expected {name} of the address in JSON, such as 0.5; got {text[:40]!r}") from None


def state_file(model: ExplorerModel) -> tuple[str, str]:
    """Return the name and the contents of the file of a state."""
    state = {EXPLORER: model.STEM} | model.state()
    return f"{_file_stem(model)}-state.json", json.dumps(state, indent=2)


def export(model: ExplorerModel, folder: str | Path | None = None) -> tuple[Path, ...]:
    """Save partitions and state to files in a folder, or in `saved_folder`; return their paths."""
    folder = saved_folder() if folder is None else Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name, contents = state_file(model)
    state_path = folder / name
    state_path.write_text(contents, encoding="utf-8")
    partitions = [
        Path(partition.save(folder / f"{_file_stem(model)}-{ending}.npz"))
        for ending, partition in model.partitions().items()
    ]
    return *partitions, state_path


def _file_stem(model: ExplorerModel) -> str:
    """Return the start of the names of saved files."""
    return f"{model.STEM}-" + "".join(ch if ch.isalnum() else "-" for ch in Path(model.data).stem)
