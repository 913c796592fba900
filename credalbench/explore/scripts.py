"""The scripts of the widgets, as one text each: nothing is built, and nothing is fetched from elsewhere."""

from pathlib import Path


def script(name):
    """Return the script beside this file, with the functions of ``svg_layer.js`` before it."""
    here = Path(__file__)
    return "\n".join(here.with_name(part).read_text("utf-8") for part in ("svg_layer.js", name))
