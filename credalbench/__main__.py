"""The command ``credalbench``; also ``python -m credalbench``."""

import sys

from credalbench.core.extras import MissingPackage, require


def main() -> None:
    """Run the command line; a missing package becomes a message that names its extra."""
    try:
        require("click", extra="plots", purpose="The command line")
        from credalbench.cli import main as command

        command(prog_name="credalbench")
    except MissingPackage as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
