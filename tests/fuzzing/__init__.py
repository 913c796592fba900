"""Random calls of every estimator, their verdicts, and small reproductions of findings; `tools/fuzz.py`."""
