"""Kill runs and damage their store, again and again: no wrong table may pass as a complete result.

    python tools/abuse_store.py --kills 30 --damages 30 --seed 0

Works in a folder of its own. A few studies of the smoke profile are run without disturbance, which says what
is right. Then runs are killed (signal 9) at random moments and continued, and any one file of the finished
store is deleted, cut, zeroed, or has two bytes swapped, before the study is run, verified and reported again.
Prints one line for each, and counts; the exit code is 1 where a wrong table was shown as complete, where a
recomputed case was not named, or where a study did not end as it does undisturbed.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from credalbench.cli import main as main_command  # noqa: E402
from credalbench.papers.paper_pages import paper_list  # noqa: E402
from credalbench.papers.reproduction import collect, stored_result  # noqa: E402
from credalbench.papers.store import StudyFolder  # noqa: E402
from credalbench.papers.studies import get_study  # noqa: E402

#: Quick studies of several cases each, whose tables hold no times: they are the same in every run.
STUDIES = (
    "antoine2012_cecm/constraint_examples",
    "antoine2012_cecm/two_class",
    "denoeux2016_evclus/butterfly",
)
PROFILE = "smoke"
LIMIT_S = 600


def start(*words: str) -> subprocess.Popen:
    """``credalbench`` with these words on the present store; its output is one stream."""
    command = [sys.executable, "-m", "credalbench", *words, "--profile", PROFILE]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def call(*words: str) -> tuple[int, str]:
    """Exit code of ``credalbench`` with these words, and its output."""
    process = start(*words)
    output, _ = process.communicate(timeout=LIMIT_S)
    return process.returncode, output


def folder_of(study: str) -> Path:
    """Where the study is stored."""
    experiment = get_study(study)
    return StudyFolder.of(experiment, experiment.resolve(PROFILE)).path


def report(study: str) -> str:
    """Return the list of one study, from the store."""
    experiment = get_study(study)
    [paper] = collect({experiment.paper: {experiment.study: experiment}}, PROFILE)
    return paper_list(paper)


class Truth:
    """Tables and report of a study that ran undisturbed, and how long it took."""

    def __init__(self, study: str) -> None:
        began = time.monotonic()
        code, output = call("run", study)
        self.study, self.seconds = study, time.monotonic() - began
        result, damage = stored_result(get_study(study), PROFILE)
        if code or damage or result is None:
            raise SystemExit(f"{study} does not run undisturbed: {damage}\n{output}")
        self.tables: dict[str, pd.DataFrame] = result.tables
        self.report = report(study)

    def state(self) -> str:
        """What the store shows of the study now: complete, damaged, unfinished, or WRONG."""
        result, damage = stored_result(get_study(self.study), PROFILE)
        if result is None:
            return "damaged" if damage else "unfinished"
        same = list(result.tables) == list(self.tables) and all(
            result.tables[name].equals(table) for name, table in self.tables.items()
        )
        return "complete" if same and report(self.study) == self.report else "WRONG"

    def ends_well(self) -> tuple[str, str]:
        """Run to the end and verify: what is wrong with that, or empty; and the output of the run."""
        code, output = call("run", self.study)
        verified = CliRunner().invoke(main_command, ["verify", self.study, "--profile", PROFILE]).exit_code
        state = self.state()
        wrong = f"run {code}, verify {verified}, {state}" if code or verified or state != "complete" else ""
        return wrong, output


def kill(truth: Truth, rng: random.Random) -> str:
    """Start a run, kill it at a random moment, and look at what it left."""
    process = start("run", truth.study)
    moment = rng.uniform(0, truth.seconds)
    try:
        process.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    state = truth.state()
    if state == "complete":  # the next kill meets a fresh start
        shutil.rmtree(folder_of(truth.study))
    print(f"kill -9 after {moment:.1f} s: {truth.study} {state}", flush=True)
    return state


def cut(content: bytes, rng: random.Random) -> bytes:
    """The beginning of a file."""
    return content[: rng.randrange(len(content))]


def zero(content: bytes, rng: random.Random) -> bytes:
    """As many zero bytes."""
    return bytes(len(content))


def swap(content: bytes, rng: random.Random) -> bytes:
    """Two different bytes change places."""
    found = bytearray(content)
    while bytes(found) == content:
        i, j = rng.sample(range(len(content)), 2)
        found[i], found[j] = content[j], content[i]
    return bytes(found)


DAMAGES: tuple[Callable[[bytes, random.Random], bytes] | None, ...] = (None, cut, zero, swap)


def damage(truths: dict[str, Truth], rng: random.Random) -> str:
    """Damage one file of the store, look at it, and let the command repair it; returns how that went."""
    places = {path: t for t in truths.values() for path in folder_of(t.study).rglob("*") if path.is_file()}
    path = rng.choice(sorted(p for p in places if len(set(p.read_bytes())) > 1))
    truth, how = places[path], rng.choice(DAMAGES)
    path.unlink() if how is None else path.write_bytes(how(path.read_bytes(), rng))
    seen = truth.state()
    wrong, output = truth.ends_well()
    name = path.relative_to(folder_of(truth.study)).as_posix()
    if seen == "damaged" and name not in output:
        wrong = wrong or "repaired without a word"
    if seen == "WRONG":
        wrong = "a wrong table shown as complete"
    well = {"damaged": "named and made anew", "unfinished": "put together anew"}
    how_it_went = wrong or well.get(seen, "no table concerned")
    print(f"{how.__name__ if how else 'delete'} {truth.study} {name}: {how_it_went}", flush=True)
    return "WRONG" if wrong else how_it_went


def campaign(n_kills: int, n_damages: int, rng: random.Random) -> Counter:
    """All of it on the store that ``CREDALBENCH_RESULTS`` names."""
    truths = {study: Truth(study) for study in STUDIES}
    for study in STUDIES:
        shutil.rmtree(folder_of(study))
    counts: Counter = Counter()
    for _ in range(n_kills):
        counts[f"kill: {kill(rng.choice([*truths.values()]), rng)}"] += 1
    for truth in truths.values():
        wrong, _ = truth.ends_well()
        counts[f"continued: {wrong or 'complete'}"] += 1
    for _ in range(n_damages):
        counts[f"damage: {damage(truths, rng)}"] += 1
    left = [path for path in Path(os.environ["CREDALBENCH_RESULTS"]).rglob(".part-*")]
    counts["temporary files left"] = len(left)
    return counts


def main() -> int:
    """Run the campaign and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--damages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="abuse-store-") as folder:
        os.environ["CREDALBENCH_RESULTS"] = folder
        counts = campaign(arguments.kills, arguments.damages, random.Random(arguments.seed))
    print("\n".join(f"{n:4d}  {what}" for what, n in sorted(counts.items())))
    fine = ("complete", "unfinished", "made anew", "put together anew", "concerned")
    return int(any(n and not what.endswith(fine) for what, n in counts.items()))


if __name__ == "__main__":
    sys.exit(main())
