"""Measure the cost of open pages: seconds from a click to the first picture, processor time, and memory.

The program opens explorers and lessons, one after another, in headless Chromium on the server of a class,
moves a slider of each, and leaves them open. For each page, it prints the seconds until the server has
answered, until the browser has painted something, and until the first picture (of a lesson without one: the
first exercise) is there; and the processor time of its kernel and of the server until then.

Then, with all pages open, it prints for each process its memory (RSS), the part that no other process shares
(USS), and this part plus its share of the rest (PSS). The sum of PSS is the memory of all processes together.

Needs the extra ``e2e`` and Chromium. Run it with ``make bench`` or
``python benchmarks/open_pages.py [NAME ...] [--pages N]``.
"""

import argparse
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import numpy as np
import psutil
from explorer_latency import found_browser

from credalbench.explore import list_explorers
from credalbench.learn.server.catalogue import find_tile, notebook_names
from credalbench.papers.places import notebooks_folder

MB = 2**20
MOVES, MOVED_MS, PATIENCE_S = 5, 400, 180
WINDOW = {"width": 1280, "height": 720}
#: In the page: when the first picture had been drawn, in ms since the click.
WATCH = """() => {
  const look = () => {
    const canvas = document.querySelector('.credalbench-canvas');
    if (canvas ? Number(canvas.dataset.drawn ?? 0) > 0 : document.querySelector('.credalbench-exercise'))
      window.pictureAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""
TIMES = """() => [
  performance.getEntriesByType('navigation')[0].responseStart,
  performance.getEntriesByName('first-contentful-paint')[0].startTime,
  window.pictureAt]"""


@contextmanager
def served(folder, most):
    """Run the server of a class; yield its process and the address of its first page."""
    command = [sys.executable, "-m", "credalbench", "explore", "--class", "--no-browser", f"--most={most}"]
    environment = {**os.environ, "CREDALBENCH_EXPLORATIONS": str(folder)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        lines = iter(process.stdout.readline, "")
        yield psutil.Process(process.pid), next(m[0] for x in lines if (m := re.search(r"http://127\S+", x)))
    finally:
        process.terminate()
        process.wait(60)


def words(process):
    return " ".join(process.cmdline())


def parts(command):
    """Return the server, the process from which kernels are forked, if any, and the kernels."""
    below = command.children(recursive=True)
    kernels = [one for one in below if "ipykernel" in words(one) or "warm_process" in words(one.parent())]
    warm = [one for one in below if "warm_process" in words(one) and one not in kernels]
    [server] = [one for one in below if one not in kernels and one not in warm]
    return server, warm, kernels


def processor_s(process):
    times = process.cpu_times()
    return times.user + times.system


def opened(command, browser, address, names):
    """Open pages and print the cost of each; return the kernels, one for each page."""
    parsed, kernels = urlsplit(address), []
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(f"({WATCH})()")
    context.new_page().goto(address)  # the start page, where a student clicks
    server = parts(command)[0]
    for name in names:
        before, page = processor_s(server), context.new_page()
        page.set_default_timeout(1e3 * PATIENCE_S)
        path = find_tile(notebooks_folder(), name).path
        page.goto(f"{parsed.scheme}://{parsed.netloc}/voila/render/originals/{path}")
        page.wait_for_function("() => window.pictureAt")
        answer, painted, picture = (1e-3 * ms for ms in page.evaluate(TIMES))
        [kernel] = [one for one in parts(command)[2] if one not in kernels]
        kernels.append(kernel)
        own, servers = processor_s(kernel), processor_s(server) - before
        seconds = "".join(f"{one:>10.2f}" for one in (answer, painted, picture, own, servers))
        print(f"{name:<24}{seconds}", flush=True)
        move(page)
    return kernels


def move(page):
    """Move the first slider of a page, if there is one."""
    slider = page.get_by_role("slider").first
    if slider.count():
        slider.focus()
        for _ in range(MOVES):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(MOVED_MS)


def print_memory(rows):
    """Print the memory of processes, by their names."""
    print(f"\n{'MB':<24}{'RSS':>10}{'PSS':>10}{'USS':>10}")
    found = []
    for name, process in rows:
        memory = process.memory_full_info()
        found.append([memory.rss / MB, memory.pss / MB, memory.uss / MB])
        print(f"{name:<24}" + "".join(f"{one:>10.0f}" for one in found[-1]))
    print(f"{'sum':<24}" + "".join(f"{one:>10.0f}" for one in np.sum(found, axis=0)))


def main(arguments):
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = notebook_names(notebooks_folder())
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known) + "; by default explorers")
    parser.add_argument("--pages", type=int, default=10, metavar="N", help="number of pages, by default 10")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(known):
        parser.error(f"expected names among {', '.join(known)}; got {', '.join(sorted(unknown))}")
    if (found := found_browser()) is None:
        return
    chromium, sync_playwright = found
    names = list(islice(cycle(given.names or list_explorers()), given.pages))
    with (
        TemporaryDirectory() as folder,
        served(Path(folder), given.pages) as (command, address),
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print(f"{'s':<24}{'answer':>10}{'painted':>10}{'picture':>10}{'kernel':>10}{'server':>10}")
        kernels = opened(command, browser, address, names)
        server, warm, _ = parts(command)
        print_memory([("server", server), *(("warm", one) for one in warm), *zip(names, kernels)])
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
