"""Shared parts of all packages: checks of arguments and data, names, compiled loops, threads, progress."""
