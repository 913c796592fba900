"""A mark for tests of the data files themselves."""

import os

import pytest

from credalbench.datasets.download import FOLDER_VARIABLE

HAS_FILES = os.path.isdir(os.environ.get(FOLDER_VARIABLE, ""))
needs_files = pytest.mark.skipif(not HAS_FILES, reason=f"{FOLDER_VARIABLE} names no folder of data files")
