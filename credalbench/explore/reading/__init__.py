"""The style of lessons, on the server and as handouts, and the script that stores progress in the browser."""

from pathlib import Path

HERE = Path(__file__).parent


def style() -> str:
    """Return the style of lessons, for elements below ``.reading``."""
    return (HERE / "reading.css").read_text("utf-8")


def script() -> str:
    """Return the script that makes cards of exercises, docks pictures, and keeps progress."""
    return (HERE / "reading.js").read_text("utf-8")
