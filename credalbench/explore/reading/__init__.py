"""The colours of pages, light and dark; the style and the script of lessons, on the server and as handouts."""

from pathlib import Path

HERE = Path(__file__).parent


def theme() -> str:
    """Return the style sheet of the colours, which canvases read, in the theme of the browser."""
    return (HERE / "theme.css").read_text("utf-8")


def style() -> str:
    """Return the colours and the style of lessons, for elements below ``.reading``."""
    return theme() + (HERE / "reading.css").read_text("utf-8")


def script() -> str:
    """Return the script that makes cards of exercises, docks pictures, and keeps progress."""
    return (HERE / "reading.js").read_text("utf-8")
