"""Every estimator with little memory: does a fit go through, is it refused by name, or does it die?

    python tools/starve.py [--gib 4] [--objects 20000 100000 1000000] [--only EVCLUS]

Each fit is a process of its own whose address space is limited; three iterations, since further ones take no
more. Prints one line a fit: what came of it, the seconds of the call, the peak of resident memory, the first
words of a refusal. Ends with 1 if a fit died, or a refusal took more than two seconds.

With ``--gib 0`` nothing is limited here: for a shell that is in a control group with a limit of its own.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Beside the defaults, settings that are a way out, and some that blow up.
VARIANTS = {
    "EVCLUS": [
        {"n_pairs": 100},
        {"n_pairs": 100, "solver": "lbfgs"},
        {"n_clusters": 10, "focal_sets": "full"},
    ],
    "ECM": [{"n_clusters": 10}, {"n_clusters": 10, "focal_sets": "pairs"}, {"n_clusters": 25}],
    "CECM": [{"n_clusters": 10, "n_init": 1}, {"n_clusters": 25}],
    "EKNNclus": [{"n_neighbors": 50}],
    "MECM": [{"n_clusters": 25}],
}
CHILD = """
import json, resource, sys, time
gib, n, name, options = json.loads(sys.argv[1])
import numpy as np
from credalbench import baselines, cluster
from credalbench.core.kernels import compile_kernels
model = getattr(cluster, name, None) or getattr(baselines, name)
compile_kernels()
X = np.random.default_rng(0).normal(size=(n, 2))
if gib:
    resource.setrlimit(resource.RLIMIT_AS, (int(gib * 2**30),) * 2)
model, outcome, words = model(**options), "fits", ""
if "max_iter" in model.get_params():
    model.set_params(max_iter=3)
began = time.perf_counter()
try:
    model.fit(X)
except ValueError as error:
    outcome, words = "refuses", str(error)
print(json.dumps([outcome, time.perf_counter() - began, words]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


def starved(gib: float, n: int, name: str, options: dict) -> tuple[str, float, float, str]:
    """What came of a fit: "fits", "refuses" or "dies"; seconds, GiB at the peak, and the last words."""
    command = [sys.executable, "-W", "ignore", "-c", CHILD, json.dumps([gib, n, name, options])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) < 2:
        return "dies", float("nan"), float("nan"), (done.stderr.splitlines() or [f"{done.returncode}"])[-1]
    outcome, seconds, words = json.loads(lines[0])
    return outcome, seconds, float(lines[1]), words


def main() -> int:
    """Print the table; 1 where a fit died or was refused late."""
    sys.path.insert(0, str(ROOT))
    from credalbench import baselines, cluster

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gib", type=float, default=4.0)
    parser.add_argument("--objects", type=int, nargs="+", default=[20_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", default=[])
    arguments = parser.parse_args()
    exported = [
        (name, getattr(package, name)) for package in (cluster, baselines) for name in package.__all__
    ]
    names = [name for name, thing in exported if hasattr(thing, "get_params")]
    bad, counts = 0, {}
    for n in arguments.objects:
        for name in arguments.only or names:
            for options in [{}, *VARIANTS.get(name, [])]:
                outcome, seconds, peak, words = starved(arguments.gib, n, name, options)
                counts[outcome] = counts.get(outcome, 0) + 1
                bad += outcome == "dies" or (outcome == "refuses" and seconds > 2)
                call = f"{name}({', '.join(f'{key}={value!r}' for key, value in options.items())})"
                print(
                    f"{n:8} {call:50} {outcome:8} {seconds:7.2f} s {peak:5.2f} GiB  {words[:160]}", flush=True
                )
    print(counts)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
