"""Figures 15 to 19 of [antoine2012_cecm] on their stand-ins; skipped where the MR slice is not at hand."""

import numpy as np
import pytest
from PIL import Image

from credalbench.datasets import make_brain_phantom
from credalbench.papers import run_study
from experiments.antoine2012_cecm import image_segmentation
from experiments.antoine2012_cecm.image_segmentation import experiment, figures, in_one_piece, jaccard
from tests.data_files import needs_files

SMALL = {"n_prototypes": 40, "n_phantoms": 2}


@pytest.fixture(scope="module")
def own_image(tmp_path_factory):
    """A small colour picture as a file."""
    data = make_brain_phantom(5, shape=(48, 40))
    levels = data.X.reshape(48, 40)
    pixels = np.dstack([levels, 0.8 * levels, np.linspace(0, 1, 40) * np.ones((48, 1))])
    path = tmp_path_factory.mktemp("own") / "own.png"
    Image.fromarray(np.round(255 * pixels).astype(np.uint8)).save(path)
    return str(path)


@pytest.fixture(scope="module")
def result(tmp_path_factory, own_image):
    patch = pytest.MonkeyPatch()
    patch.setenv("CREDALBENCH_RESULTS", str(tmp_path_factory.mktemp("results")))
    yield run_study(experiment, profile="smoke", image=own_image, colour=True, **SMALL)
    patch.undo()


@needs_files
def test_every_claim_on_stand_ins_is_marked(result):
    assert result.errors == []
    verdicts = result.verdicts
    assert verdicts["verdict"].isin(["on stand-in data only", "not checkable"]).all()
    assert (verdicts["verdict"] == "not checkable").sum() == 1, "only what the private image shows"
    assert "stand-in" in experiment.title and all("stand-in" in text for text in experiment.titles.values())


@needs_files
def test_every_figure_names_its_stand_ins(result):
    for figure in experiment.draw(result.params, result.tables).values():
        titles = [ax.get_title(loc="left") for ax in figure.axes]
        assert all("STAND-IN" in title or "your own" in title for title in titles)
        assert len(titles) in (3, 6)


@needs_files
def test_colours_give_the_adaptive_metric_something_to_adapt(result):
    """det S = 1 leaves 1 in one dimension, and more in three."""
    norms = result.tables["fits"].set_index(["picture", "method"])["norm"]
    assert norms.loc[("brain_mr", "CECM")].item() == 1
    assert norms.loc[("own", "CECM")].item() > 1.05  # identity would be 1


@needs_files
def test_brighter_cluster_is_the_first(result):
    fits = result.tables["fits"]
    assert (fits["level_1"] > fits["level_2"]).all()


@needs_files
def test_figures_are_those_of_the_tables(result):
    tables = result.tables
    chosen = figures.hard_credal(tables, "phantom", "CECM")
    row = tables["fits"].query("picture == 'phantom' and method == 'CECM' and repetition == 0").iloc[0]
    assert np.mean(chosen == image_segmentation.OMEGA) == row["share_omega"]
    bright = figures.pignistic(tables, "phantom", "ECM") == 0
    lesion = tables["pixels"].query("picture == 'phantom'")["lesion"].to_numpy().reshape(bright.shape) == 1
    ecm = tables["fits"].query("picture == 'phantom' and method == 'ECM' and repetition == 0").iloc[0]
    # equal pignistic probabilities, if any, may be told apart by rounding
    assert jaccard(bright, lesion) == pytest.approx(ecm["jaccard_pignistic"], abs=2e-3)


@needs_files
def test_bad_regions_of_an_own_image_become_an_error(own_image, tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_RESULTS", str(tmp_path))
    bad = run_study(experiment, profile="smoke", image=own_image, region_1=(0.5, 0.2, 0, 1), **SMALL)
    assert any("top < bottom" in str(error) for error in bad.errors)


def test_measures_of_a_mask():
    mask = np.zeros((6, 6), dtype=bool)
    mask[:2, :2] = mask[4, 4] = True
    assert in_one_piece(mask) == 0.8
    assert in_one_piece(np.zeros((3, 3), dtype=bool)) == 0
    assert jaccard(mask, mask) == 1 and jaccard(mask, ~mask) == 0
