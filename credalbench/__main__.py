"""``python -m credalbench`` is the command ``credalbench``."""

from credalbench.cli import main

main(prog_name="credalbench")
