"""Measure the time from a key press on a control to the painted picture, in headless Chromium with Voila.

The program opens a page for each explorer and number of objects n. Arrow keys move its main control, a
slider, each time when the picture of the last move is there: 20 moves after 3 to warm up, fewer if they take
long. A picture counts from the `keydown` in the browser to the first task after the frame in which the canvas
was drawn; the table also shows the part that Python took, from the message of the control to the end of its
answer. "object" is the same for an arrow key in the picture that touches another object, until the words
about it are painted. If an explorer does not accept n objects, the table says so.

The ensemble is also measured at n = 300, with all of its controls; each move is computed afresh except the
base partitions. Segmentation has one image, of 22 000 pixels and 400 prototypes.

The program prints medians and 95 % quantiles in ms, and which targets are met: for pictures 50 and 100 ms at
n = 1000 (the ensemble: 150 at n = 300), for objects 30. Needs the extra ``e2e`` and Chromium. Run it with
``make bench`` or ``python benchmarks/explorer_latency.py [EXPLORER ...] [--sizes N ...]``.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import nbformat
import numpy as np

from credalbench.explore.explorers import EXPLORERS

WARM_UP, MOVES = 3, 20
#: Seconds for the moves of one control, of which the warm-up is the first; the last move begins within them.
ENOUGH_S = 12
OPENED_S, MOVED_S = 180, 60
WINDOW = {"width": 1280, "height": 720}
#: Aim for the median of an object, in ms; those of pictures belong to the cases.
OBJECT_AIM = 30


@dataclass(frozen=True)
class Latency:
    """What is measured of an explorer.

    Attributes
    ----------
    opened : str
        Python source that opens the explorer as `explorer`, with ``{n}`` for the number of objects.
    controls : sequence of str
        The labels of the controls that are moved.
    sizes : sequence of int
    aims : tuple of (float, float)
        Largest median and 95 % quantile in ms at `aimed_at` objects.
    aimed_at : int
    """

    opened: str
    controls: Sequence[str]
    sizes: Sequence[int] = (200, 1000, 5000)
    aims: tuple[float, float] = (50, 100)
    aimed_at: int = 1000


#: Open CECM with twenty true constraints, and an ensemble without cached relations.
LINKED = """from credalbench.core.constraints import random_pairs
from credalbench.explore.sources.tables import table_from_name
y = table_from_name("two_class:{n}:2").y
pairs = random_pairs({n}, 20, np.random.default_rng(0)).tolist()
links = tuple((i, j, "must-link" if y[i] == y[j] else "cannot-link") for i, j in pairs)
explorer = explore_cecm("two_class:{n}:2", metric="mahalanobis", links=links)"""
AFRESH = """explorer = explore_ensemble("half_rings:{n}", n_estimators=20)
explorer.model.observe(lambda _: explorer.model.forget(), "fitted")"""
#: The cases, with the names of their explorers.
CASES = [
    ("bpec", Latency('explorer = explore_bpec("t4:{n}")', ["nearest K", "exponent α"])),
    (
        "catecm",
        Latency(
            "explorer = explore_catecm(np.random.default_rng(0).integers(0, 4, ({n}, 12)), n_clusters=3)",
            ["exponent α"],
        ),
    ),
    ("cecm", Latency(LINKED, ["weight ξ"])),
    ("compare", Latency('explorer = explore_compare("t4:{n}")', ["right m, β"])),
    ("ecm", Latency('explorer = explore_ecm("t4:{n}")', ["exponent α"])),
    ("egmm", Latency('explorer = explore_egmm("mixture", n_objects={n})', ["ridge"])),
    ("ensemble", Latency('explorer = explore_ensemble("half_rings:{n}", n_estimators=3)', ["partitions N"])),
    (
        "ensemble",
        Latency(
            AFRESH,
            ["partitions N", "clusters c", "rule", "t-norm"],
            sizes=[300],
            aims=(150, float("inf")),
            aimed_at=300,
        ),
    ),
    ("evclus", Latency('explorer = explore_evclus("t4:{n}")', ["d₀, quantile"])),
    ("recm", Latency('explorer = explore_recm("t4:{n}")', ["exponent α"])),
    ("segmentation", Latency('explorer = explore_segmentation("phantom")', ["exponent α"], sizes=[400])),
]

#: Around the explorer: a label that holds how many moves were answered, and the ms of the last one.
PAGE = """from time import perf_counter
import ipywidgets as w
import numpy as np
from credalbench.explore import explore_{explorer}
{opened}
answered, began = w.Label("0 0"), []
answered.add_class("answered")

def timed(control):
    def answer(message):
        began[:] = [perf_counter()]
        control._handle_msg(message)
        if not explorer.model.busy:
            began.clear()
    control.comm.on_msg(answer)

def note(_):
    if began:
        answered.value = f"{{int(answered.value.split()[0]) + 1}} {{1e3 * (perf_counter() - began.pop())}}"

for control in explorer.controls.values():
    timed(control)
explorer.model.observe(note, "fitted")
if explorer.model.fitted is None:
    answered.value = "refused: " + explorer.model.message
display(explorer, answered)
"""

#: In the page: when a key was pressed, and when what it changed had been painted.
WATCH = """() => {
  const channel = new MessageChannel();
  const forget = () => Object.assign(latency, { pressed: null, picture: null, object: null });
  window.latency = { forget };
  forget();
  const note = (what) => {
    if (latency.pressed !== null) latency[what] ??= performance.now() - latency.pressed;
  };
  channel.port1.onmessage = ({ data }) => note(data);
  document.addEventListener("keydown", (event) => { latency.pressed = event.timeStamp; }, true);
  // The canvas is drawn within a frame; words change before one.
  new MutationObserver(() => channel.port2.postMessage("picture"))
    .observe(document.querySelector(".credalbench-canvas"), { attributeFilter: ["data-drawn"] });
  new MutationObserver(() => requestAnimationFrame(() => channel.port2.postMessage("object")))
    .observe(document.querySelector(".credalbench-details"), { childList: true });
}"""
OPENED = """() => {
  const refused = document.querySelector('.answered')?.textContent.startsWith('refused');
  return refused || Number(document.querySelector('.credalbench-canvas')?.dataset.drawn ?? 0) > 0;
}"""
ANSWERED = "() => document.querySelector('.answered').textContent"
MOVED = f"count => latency.picture !== null && Number(({ANSWERED})().split(' ')[0]) > count"
#: Whether a slider or a list is at its end, or its beginning.
AT_END = """(control, forward) => {
  const number = (name) => Number(control.getAttribute(name));
  const last = forward ? (control.options?.length ?? 0) - 1 : 0;
  if (control.tagName === 'SELECT') return control.selectedIndex === last;
  return number('aria-valuenow') === number(forward ? 'aria-valuemax' : 'aria-valuemin');
}"""


class Control:
    """A slider or a list that keys move to its end and back."""

    def __init__(self, page, words):
        label = page.locator("label", has_text=re.compile(f"^{re.escape(words)}$"))
        row = page.locator(".widget-hslider, .widget-dropdown").filter(has=label).first
        slider = row.locator("[role=slider]")
        self._widget = slider if slider.count() else row.locator("select")
        self._keys = ("ArrowRight", "ArrowLeft") if slider.count() else ("ArrowDown", "ArrowUp")
        self._forward = True
        self._page = page

    def press(self):
        """Move it by one step."""
        self._widget.focus()
        if self._widget.evaluate(AT_END, self._forward):
            self._forward = not self._forward
        self._page.keyboard.press(self._keys[not self._forward])


def picture_times(page, words):
    """Return the milliseconds of each move: until the picture, and of these in Python, (moves, 2)."""
    control, times, began = Control(page, words), [], time.monotonic()
    while len(times) < WARM_UP + MOVES and (len(times) <= WARM_UP or time.monotonic() < began + ENOUGH_S):
        count = int(page.evaluate(ANSWERED).split()[0])
        page.evaluate("latency.forget()")
        control.press()
        page.wait_for_function(MOVED, arg=count, polling=20, timeout=1e3 * MOVED_S)
        times.append([page.evaluate("latency.picture"), float(page.evaluate(ANSWERED).split()[1])])
    return np.array(times)[WARM_UP:]


def object_times(page):
    """Return the milliseconds of each move from object to object, (moves,)."""
    page.locator(".credalbench-canvas").focus()
    times = []
    for k in range(WARM_UP + MOVES):
        page.evaluate("latency.forget()")
        page.keyboard.press(("ArrowRight", "ArrowLeft")[k % 2])
        page.wait_for_function("() => latency.object !== null", polling=20)
        times.append(page.evaluate("latency.object"))
    return np.array(times)[WARM_UP:]


def measured(page, name, case, n):
    """Print a line for each control of an explorer of n objects."""
    page.wait_for_function(OPENED, timeout=1e3 * OPENED_S)
    if (answer := page.evaluate(ANSWERED)).startswith("refused"):
        print(f"{name:<13} {'':<13} {n:>5}  {answer}", flush=True)
        return
    page.evaluate(WATCH)
    found = [(words, picture_times(page, words)) for words in case.controls]
    objects = object_times(page)
    for words, times in found:
        (picture, python), (picture_95, python_95) = np.quantile(times, [0.5, 0.95], axis=0)
        numbers = [picture, picture_95, python, python_95, *np.quantile(objects, [0.5, 0.95])]
        late = n == case.aimed_at and (picture > case.aims[0] or picture_95 > case.aims[1])
        missed = ["picture"] * bool(late) + ["object"] * bool(np.median(objects) > OBJECT_AIM)
        verdict = f"{', '.join(missed)} missed" if missed else "met"
        cells = "{:>8.0f}{:>6.0f} {:>8.0f}{:>6.0f} {:>8.0f}{:>6.0f}".format(*numbers)
        print(f"{name:<13} {words:<13} {n:>5} {len(times):>6} {cells}  {verdict}", flush=True)


def write_notebook(path, name, case, n):
    """Write the notebook that a page shows."""
    source = PAGE.format(explorer=name, opened=case.opened.format(n=n))
    cells = [nbformat.v4.new_code_cell(source)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), path)


@contextmanager
def voila(folder) -> Iterator[str]:
    """Serve the notebooks of a folder while the block lasts; yield the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "voila", str(folder), "--no-browser", f"--port={port}"]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            while server.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)


def local_only(route):
    """Let only this machine answer."""
    address = urlsplit(route.request.url)
    local = address.scheme in ("data", "blob") or address.hostname == "127.0.0.1"
    return route.continue_() if local else route.abort()


def measure(cases, browser, folder, address):
    """Open a page for each case."""
    for name, case, n in cases:
        notebook = f"{name}_{n}.ipynb"
        write_notebook(folder / notebook, name, case, n)
        page = browser.new_page(viewport=WINDOW)
        page.route("**/*", local_only)
        try:
            page.goto(f"{address}/voila/render/{notebook}", timeout=1e3 * OPENED_S)
            measured(page, name, case, n)
        except Exception as error:  # the other cases can be measured all the same
            print(f"{name:<13} {'':<13} {n:>5}  failed: {str(error).splitlines()[0]}", flush=True)
        finally:
            page.goto("about:blank")  # which ends the kernel
            page.close()


def chosen_cases(arguments):
    """Return explorers, cases and numbers of objects from the command line."""
    names = list(EXPLORERS)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", metavar="EXPLORER", help=", ".join(names))
    parser.add_argument("--sizes", nargs="+", type=int, metavar="N", help="numbers of objects")
    given = parser.parse_args(arguments)
    if unknown := set(given.explorers) - set(names):
        parser.error(f"expected explorers of {', '.join(names)}; got {', '.join(sorted(unknown))}")
    chosen = [(name, case) for name, case in CASES if not given.explorers or name in given.explorers]
    return [
        (name, case, n) for name, case in chosen for n in case.sizes if not given.sizes or n in given.sizes
    ]


def found_browser():
    """Return the path of Chromium and a function that starts its driver; None if one is missing."""
    chromium = shutil.which(os.environ.get("CREDALBENCH_CHROMIUM", "chromium"))
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        print("not measured: needs playwright (extra e2e) and Chromium")
        return None
    return chromium, sync_playwright


def main(arguments):
    """Print the table."""
    cases = chosen_cases(arguments)
    if (found := found_browser()) is None:
        return
    chromium, sync_playwright = found
    print(f"{'':<40}   picture, ms   of it Python   object, ms")
    print(f"{'explorer':<13} {'control':<13} {'n':>5}  moves " + "  median  95 % " * 3 + " aims")
    with TemporaryDirectory() as folder, voila(Path(folder)) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        measure(cases, browser, Path(folder), address)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
