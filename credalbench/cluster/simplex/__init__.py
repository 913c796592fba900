"""Compiled code that all methods need: quadratic programmes on the simplex, compilation, threads."""
