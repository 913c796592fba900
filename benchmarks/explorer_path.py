"""Count the files, functions and calls of credalbench through which one move of a slider passes.

The trace goes from setting the value of ECM's alpha slider to the new picture. The program prints the
numbers, and the classes of credalbench that the model and the view of each explorer inherit from. Run it with
``python benchmarks/explorer_path.py [--list]``; ``tests/explore/test_path.py`` checks the numbers.
"""

import sys
import threading
from collections import Counter
from pathlib import Path

import credalbench
import credalbench.explore
from credalbench.explore import explore_ecm
from credalbench.explore.explorers import EXPLORERS

PACKAGE = str(Path(credalbench.__file__).parent)


def path_of_a_move():
    """Return how often each function, (file, name, line), is called while the slider moves by a step."""
    explorer, calls = explore_ecm("t4:200"), Counter()
    slider = explorer.controls["alpha"]
    slider.value += slider.step  # what is done once in a process is done

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            calls[code.co_filename[len(PACKAGE) + 1 :], code.co_qualname, code.co_firstlineno] += 1

    before, threads = explorer.image.scene, threading.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        slider.value += slider.step
    finally:
        sys.setprofile(None)
        threading.setprofile(threads)
    assert explorer.image.scene is not before
    return calls


def files_of(calls):
    """Return the files of the functions that were called."""
    return sorted({file for file, *_ in calls})


def ancestors(name, kind):
    """Return the classes of credalbench among the bases of an explorer's "model" or "view"."""
    explorer = getattr(credalbench.explore, f"explore_{name}")()
    bases = type(explorer.model if kind == "model" else explorer).__mro__
    return [one.__name__ for one in bases if one.__module__.startswith("credalbench.")]


def main(arguments):
    calls = path_of_a_move()
    print(f"{len(files_of(calls))} files, {len(calls)} functions, {sum(calls.values())} calls")
    if "--list" in arguments:
        for file in files_of(calls):
            functions = sorted({name for where, name, _ in calls if where == file})
            print(f"  {file}: {', '.join(functions)}")
    for name in EXPLORERS:
        for kind in ("model", "view"):
            print(f"{name} {kind}: {', '.join(ancestors(name, kind))}")


if __name__ == "__main__":
    main(sys.argv[1:])
