"""``python -m credalbench`` is the command ``credalbench``."""

from __future__ import annotations

from credalbench.cli import main

main(prog_name="credalbench")
