"""The installed package: built from its source archive, in an environment of its own."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.slow
JUPYTER = str(Path(sys.prefix, "share", "jupyter"))  # JupyterLab's extensions
BUILD = "from setuptools import build_meta; print(build_meta.build_{kind}({target!r}))"


def run(*command, cwd, **environment) -> str:
    """Return the standard output of a command; a failure shows both outputs."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CREDALBENCH_RESULTS")}
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=inherited | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(kind: str, source: Path, target: Path) -> Path:
    """Build an "sdist" or a "wheel" in the folder `target`; return its path."""
    name = run(sys.executable, "-c", BUILD.format(kind=kind, target=str(target)), cwd=source).splitlines()[-1]
    return target / name


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from the unpacked source archive: a file missing in one is missing in both."""
    folder = tmp_path_factory.mktemp("build")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder / "source", filter="data")
    [source] = (folder / "source").iterdir()
    return build("wheel", source, folder)


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """An interpreter with this package installed from the wheel; its dependencies are those of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    # A folder named in a .pth file is searched, but its own .pth files, such as that of an editable install,
    # are not read.
    Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_wheel_has_the_package_with_studies_and_notebooks_alone(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"credalbench"}
    assert not [name for name in names if "__pycache__" in name or "checkpoint" in name]
    carried = [path for kind in ("csv", "toml", "R") for path in ROOT.glob(f"experiments/*/**/*.{kind}")]
    for path in (*carried, *ROOT.glob("notebooks/**/*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        assert f"credalbench/_{path.relative_to(ROOT).as_posix()}" in names
    assert {"credalbench/datasets/registry.json", "credalbench/papers/site/source/conf.py"} <= set(names)


def test_core_fits_and_names_the_extra_of_whatever_is_missing(python, tmp_path):
    """Only the core's packages can be imported, as after `pip install credalbench`."""
    script = tmp_path / "script.py"
    script.write_text(
        "".join((ROOT / "tests" / name).read_text() for name in ("core_only.py", "core_script.py"))
    )
    run(python, script, cwd=tmp_path, CREDALBENCH_DATA="", NUMBA_DISABLE_JIT="1")


@pytest.mark.long
def test_core_installed_by_pip_fits_and_is_light(wheel, tmp_path):
    """The same in an environment into which pip installs the wheel; needs a package index."""
    venv.create(tmp_path / "core", with_pip=True)
    python = tmp_path / "core" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    run(python, "-P", ROOT / "tests" / "core_script.py", cwd=tmp_path, CREDALBENCH_DATA="")
    listed = run(python, "-m", "pip", "list", "--format=freeze", cwd=tmp_path).split()
    tools = {"credalbench", "pip", "setuptools"}
    assert len({line.partition("==")[0] for line in listed} - tools) <= 12 + 5


@pytest.mark.long
def test_installed_copy_runs_a_study_with_its_notebook(python, tmp_path):
    study = "denoeux2016_evclus/belief_examples"  # which needs no compiled loop: the explorer below does
    command = python.parent / "credalbench"
    assert study in run(command, "run", study, "--profile", "smoke", cwd=tmp_path, JUPYTER_PATH=JUPYTER)
    [notebook] = (tmp_path / "results").rglob("notebook.ipynb")
    assert (notebook.parent / "verdicts.csv").is_file()


ANSWERS = """
import credalbench, credalbench.explore as e
from credalbench.cli import main
assert "_experiments" not in credalbench.__file__
for words in (["list"], ["doctor"]):
    try:
        main(words)
    except SystemExit as end:
        assert end.code == 0
print("outliers:", e.explore_evclus("butterfly", n_clusters=2, d0=11).model.fitted.n_outliers)
"""


@pytest.mark.long
def test_installed_copy_lists_its_studies_is_sound_and_opens_an_explorer(python, tmp_path):
    from credalbench.papers.studies import discover

    cache = str(python.parents[1] / "numba")
    answers = run(python, "-c", ANSWERS, cwd=tmp_path, NUMBA_CACHE_DIR=cache, JUPYTER_PATH=JUPYTER)
    for experiment in (e for studies in discover().values() for e in studies.values()):
        assert f"{experiment.study}: " in answers
    assert f"experiments: {len(discover())} papers" in answers and answers.endswith("outliers: 1\n")
