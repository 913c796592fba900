"""Measure the processor time of the first fit of each estimator, before anything is compiled on a machine.

Every fit runs in its own process with an empty cache of numba, on iris with three clusters: with the defaults
of the estimator, each of its variants, and constraints if it accepts them. The program prints the processor
seconds of this fit, of a second one, and the number of compiled functions. With the name of an estimator it
lists the kernels that its fits compile, with the seconds of each, less those of the kernels that it calls.
Run it with ``python benchmarks/cold_fits.py [NAME ...]``.
"""

import json
import os
import subprocess
import sys
import time
from tempfile import TemporaryDirectory


def cases():
    """Yield each estimator with the parameters of its default and each variant, and whether with links."""
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import has_fit_parameter

    from credalbench import baselines, cluster
    from credalbench.cluster.testing.problem import examples_of

    for package in (cluster, baselines):
        for name in package.__all__:
            thing = getattr(package, name)
            if isinstance(thing, type) and issubclass(thing, BaseEstimator) and name != "PCCA":
                for variant in ({}, *examples_of(thing).variants):
                    yield package.__name__, name, variant, False
                if has_fit_parameter(thing, "must_link"):
                    yield package.__name__, name, {}, True


def child(package, name, parameters, linked):
    """Fit twice, with constraints if `linked`; print the seconds of both and of each compiled kernel."""
    from importlib import import_module

    import numpy as np
    from numba.core import event
    from scipy.spatial.distance import cdist
    from sklearn.utils import get_tags

    from credalbench.cluster.testing.problem import seeded
    from credalbench.datasets import load

    model = seeded(getattr(import_module(package), name)(**parameters))
    if "n_clusters" in model.get_params() and "n_clusters" not in parameters:
        model.set_params(n_clusters=3)
    tags, X = get_tags(model).input_tags, load("iris").X
    X = np.round(X) if tags.categorical else cdist(X, X) if tags.pairwise else X
    pairs = {"must_link": [(0, 5), (60, 70)], "cannot_link": [(3, 80), (60, 120)]} if linked else {}
    running, kernels, seconds = [], [], []

    class Compiled(event.Listener):
        def on_start(self, what):
            running.append([what.data["dispatcher"].__name__, time.process_time(), 0.0])

        def on_end(self, what):
            kernel, begun, inner = running.pop()
            took = time.process_time() - begun
            kernels.append((kernel, took - inner))
            if running:
                running[-1][2] += took

    with event.install_listener("numba:compile", Compiled()):
        for _ in range(2):
            began = time.process_time()
            model.fit(X, **pairs)
            seconds.append(time.process_time() - began)
    print(json.dumps([*seconds, kernels]))


def main(names):
    """Print a line for each case; with names, the kernels of each as well."""
    print("processor seconds of the first fit, of the second, and compiled functions")
    for package, name, parameters, linked in cases():
        if names and name not in names:
            continue
        with TemporaryDirectory() as folder:
            command = [sys.executable, __file__, json.dumps([package, name, parameters, linked])]
            environment = os.environ | {"NUMBA_CACHE_DIR": folder}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        first, second, kernels = json.loads(done.stdout)
        case = "links" if linked else parameters or ""
        print(f"{name:20} {first:5.1f} {second:6.2f} {len(kernels):3d}  {case}", flush=True)
        for kernel, seconds in sorted(kernels, key=lambda pair: -pair[1]) if names else ():
            print(f"    {seconds:5.2f}  {kernel}")


if __name__ == "__main__":
    child(*json.loads(sys.argv[1])) if sys.argv[1:] and sys.argv[1][0] == "[" else main(sys.argv[1:])
