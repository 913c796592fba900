"""Time pages that compute in the browser: their start, and a redraw after a move of each page's main slider.

The redraw goes from the event of the slider to the drawn frame, at 200 objects. Wall time depends on other
programs; processor time is that of the page's thread. Browsers compile a program while it runs, so the first
moves take longer than later ones.

    .venv/bin/python benchmarks/live_pages.py
"""

import statistics
import tempfile
from pathlib import Path

import numpy as np
from explorer_latency import found_browser

from credalbench.explore.live import PAGES, write_live_page

FIRST, LATER = 10, 20  # moves
SLIDERS = {"evclus": "d0", "ecm": "alpha", "cecm": "xi", "clusters": "alpha"}
LINKS = ";".join(f"{i}-{i + 100}{'mc'[i % 2]}" for i in range(1, 11))
PAINTS = "performance.getEntriesByType('paint')"
STARTED = f"() => document.querySelector('.credalbench-canvas, #readings tr') && {PAINTS}.length"
DRAWN = "Number(document.querySelector('.credalbench-canvas').dataset.drawn ?? 0)"
MOVE = f"""([name, share]) => new Promise((done) => {{
  const slider = document.getElementById(name);
  slider.value = Number(slider.min) + share * (slider.max - slider.min);
  const [began, before] = [performance.now(), {DRAWN}];
  slider.dispatchEvent(new Event("input"));
  const wait = () => ({DRAWN} > before ? done(performance.now() - began) : requestAnimationFrame(wait));
  wait();
}})"""


def main() -> None:
    """Print the milliseconds of each page."""
    if (found := found_browser()) is None:
        return
    chromium, sync_playwright = found
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print("Medians in ms; redraws in wall time and processor time.")
        print(f"{'page':10}{'kB':>6}{'start':>8}{'first redraws':>16}{'later redraws':>16}")
        for name in PAGES:
            path = write_live_page(name, Path(folder) / f"{name}.html")
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{path.as_uri()}#{f'links={LINKS}' if name == 'cecm' else ''}")
            page.wait_for_function(STARTED)
            start = page.evaluate(f"() => {PAINTS}.at(-1).startTime")
            print(f"{name:10}{path.stat().st_size / 1e3:6.0f}{start:8.0f}", end="")
            print("" if name == "board" else "{:10.0f}{:6.0f}{:10.0f}{:6.0f}".format(*redraw(page, name)))
            page.close()


def redraw(page, name: str) -> tuple[float, float, float, float]:
    """Return the median milliseconds, wall and processor, of the first redraws and of later ones."""
    if name == "evclus":  # its data have 150 objects: objects may be added
        X = np.random.default_rng(0).normal(size=(200, 2)) + 5 * np.eye(4, 2)[np.arange(200) % 4]
        page.locator("#own").evaluate("own => { own.open = true; }")
        page.locator("#table").fill("\n".join(f"{x:.4f},{y:.4f}" for x, y in X))
        page.locator("#use").click()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def processor() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    walls, busy = [], []
    for share in np.random.default_rng(1).uniform(0.2, 0.9, FIRST + LATER):
        before = processor()
        walls.append(page.evaluate(MOVE, [SLIDERS[name], float(share)]))
        busy.append(1000 * (processor() - before))
        page.wait_for_function("() => !document.getElementById('sentence').textContent.startsWith('Fitting')")
    parts = [part for moves in (slice(FIRST), slice(FIRST, None)) for part in (walls[moves], busy[moves])]
    return tuple(map(statistics.median, parts))


if __name__ == "__main__":
    main()
