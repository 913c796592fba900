"""Widgets with their own scripts. There is no build step, and nothing is downloaded."""

from pathlib import Path


def script(*names: str) -> str:
    """Return the concatenated scripts of this folder, ``theme.js`` and ``svg_layer.js`` first."""
    here = Path(__file__)
    return "\n".join(here.with_name(part).read_text("utf-8") for part in ("theme.js", "svg_layer.js", *names))
