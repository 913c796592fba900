"""The command ``credalbench``: studies, the site, your own table, explorers, data files.

Each command imports what it needs when you call it, so ``credalbench --help`` is fast. Exit codes: 0 success
(claims that differ are findings, not errors), 1 an error, 2 a usage error.
"""

import click

from credalbench.cli.files import data, doctor
from credalbench.cli.pages import cluster, explore, handout, site
from credalbench.cli.runs import list_, run, verify
from credalbench.cli.words import SuggestingGroup

EXAMPLES = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(cls=SuggestingGroup, context_settings=EXAMPLES)
@click.version_option(package_name="credalbench", prog_name="credalbench")
def main() -> None:
    """Reproduce and explore evidential clustering.

    \b
    A first tour:
      credalbench list                          what can be reproduced
      credalbench run --profile smoke           everything, shortened, in minutes
      credalbench site --profile smoke --open   the results, in the browser
      credalbench explore                       explorers and lessons, in the browser
      credalbench cluster mine.csv --open       your own table, clustered and explained
    """


for command in (list_, run, verify, site, cluster, explore, handout, data, doctor):
    main.add_command(command)
