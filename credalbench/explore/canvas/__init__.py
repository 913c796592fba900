"""Widgets with scripts of their own, one text each: nothing is built, nothing fetched from elsewhere."""

from pathlib import Path


def script(*names: str) -> str:
    """Return the scripts beside this file one after another, the functions of ``svg_layer.js`` first."""
    here = Path(__file__)
    return "\n".join(here.with_name(part).read_text("utf-8") for part in ("svg_layer.js", *names))
