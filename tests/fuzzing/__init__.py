"""Random calls of every estimator, their verdicts, and small reproductions of what is found; `tools/fuzz.py`."""
