"""The command that opens the explorers."""

from pathlib import Path

from click.testing import CliRunner

from credalbench.cli import main
from credalbench.explore import explorers

NOTEBOOKS = Path(__file__).parents[2] / "notebooks" / "explore"


def test_every_explorer_is_listed_with_what_it_is():
    words = CliRunner().invoke(main, ["explore", "--help"]).output
    for name, about in explorers().items():
        assert f"{name} " in words and about in words


def test_without_a_name_the_list_comes_first_and_the_folder_is_opened(monkeypatch):
    class Ended:
        returncode = 0

    commands = []
    monkeypatch.setattr("subprocess.run", lambda command: commands.append(command) or Ended)
    result = CliRunner().invoke(main, ["explore", "--no-browser"])
    assert result.exit_code == 0
    assert result.output.index("segmentation") < result.output.index("Starting JupyterLab on explore")
    assert str(NOTEBOOKS) in commands[0]
