"""What every room stands on: checks of arguments and data, names, compiled loops, threads, progress."""
