"""The one thing that pyproject.toml cannot say: an installed package carries the studies and notebooks.

It carries them inside, so that no top-level ``experiments`` lands beside other people's packages.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
#: Folder of the checkout -> its name inside the installed package.
CARRIED = {"experiments": "_experiments", "notebooks": "_notebooks"}
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "conftest.py")


class BuildWithStudies(build_py):
    """An editable install finds both folders in the checkout and copies nothing."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if not self.editable_mode:
            self.packages = [name for name in self.packages if name.split(".")[0] not in CARRIED]

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder, name in CARRIED.items():
            target = Path(self.build_lib, "credalbench", name)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(ROOT / folder, target, ignore=LEFT_BEHIND)


setup(cmdclass={"build_py": BuildWithStudies})
