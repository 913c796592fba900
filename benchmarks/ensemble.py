"""Measure EvidentialEnsemble from the attribute matrix to labels: time and memory of its parts.

Data t4, c = 4, N = 20 bases of the paper's kind (15 clusters), on all threads: all pairs with each closure
from n = 500 to 2000, and 100 sampled pairs of each object up to n = 20 000. Every fit runs in its own
process, so that its peak of memory is measured separately. The program prints the seconds of the bases, of
the combination by the average, of the closure and of the consensus, and the growth of the peak of memory in
GiB. Then it times the combination alone under each rule, at n = 2000.
"""

import json
import subprocess
import sys
import time

from credalbench.datasets import make_t4

SIZES = (500, 800, 1400, 2000)
CLOSURES = (None, "minimum", "product", "lukasiewicz")
SAMPLED = (2000, 5000, 20_000)
K = 100
PARTS = ("base_partitions", "combine_partitions", "combine_pairs", "close_masses", "recovered")
N, C = 20, 4


def timed(module, name, seconds):
    """Make a function of a module record its time."""
    function = getattr(module, name)

    def call(*args, **kwargs):
        began = time.perf_counter()
        result = function(*args, **kwargs)
        seconds[name] = time.perf_counter() - began
        return result

    setattr(module, name, call)


def child(n, options):
    """Fit once; return the seconds of the parts, sweeps, and the growth of peak memory in GiB."""
    import resource  # not on every system

    from credalbench.cluster import EvidentialEnsemble, ensemble
    from credalbench.core.kernels import compile_kernels

    seconds, model = {}, EvidentialEnsemble(C, n_estimators=N, random_state=0, **options)
    compile_kernels()
    EvidentialEnsemble(C, n_estimators=2, random_state=0).fit(make_t4(50, random_state=0).X)
    for name in PARTS:
        timed(ensemble, name, seconds)
    X = make_t4(n, random_state=0).X
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit = model.fit(X)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**20
    print(json.dumps([seconds, fit.n_iter_, peak]))


def report(n, **options):
    """Run `child` in a separate process, and print a line."""
    command = [sys.executable, __file__, str(n), json.dumps(options)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, n_iter, peak = json.loads(done.stdout.splitlines()[-1])
    parts = "  ".join(f"{name} {seconds[name]:.2f}" for name in PARTS if name in seconds)
    after = sum(value for name, value in seconds.items() if name != "base_partitions")
    print(f"n = {n:6d}, {options}: {parts}  {n_iter} sweeps  after the bases {after:.2f} s, {peak:.2f} GiB")


def rules(n=2000):
    """Return the seconds of each rule, for the bases of one fit."""
    from credalbench.belief.relations.combination import RULES, combine_partitions
    from credalbench.cluster import EvidentialEnsemble

    fit = EvidentialEnsemble(C, n_estimators=N, max_iter=1, random_state=0).fit(make_t4(n, random_state=0).X)
    for rule in RULES:
        began = time.perf_counter()
        combine_partitions(fit.partitions_, rule)
        print(f"n = {n}, N = {N}, {rule}: {time.perf_counter() - began:.2f} s")


def main():
    """Fit every size with every closure, then with sampled pairs; then the rules."""
    print(f"t4, c = {C}, N = {N}; seconds of the parts")
    for n in SIZES:
        for t_norm in CLOSURES:
            report(n, t_norm=t_norm)
    for n in SAMPLED:
        report(n, n_pairs=K)
    rules()


if __name__ == "__main__":
    child(int(sys.argv[1]), json.loads(sys.argv[2])) if len(sys.argv) > 1 else main()
