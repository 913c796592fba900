"""What pictures keep from one drawing to the next: never more than stays the same."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from credalbench.explore.shared.kept_background import KEPT_BACKGROUNDS, KeptBackground
from credalbench.plots.style import INK, dress


class Picture(KeptBackground):
    """A point on a map with its name, a trace beside it, and a legend of one word."""

    def __init__(self):
        super().__init__(4, 2, 60)
        self.map = self.figure.add_axes((0.1, 0.3, 0.35, 0.6))
        self.trace = self.figure.add_axes((0.6, 0.2, 0.35, 0.6))
        self.steady = (self.map,)
        self.legends, self.named = [], []

    def _draw(self, fitted):
        self.map.plot(0.5, fitted.height, "o", color=INK, label=fitted.word)
        self.map.set(xlim=(0, 1), ylim=(0, fitted.top))
        self._draw_trace(fitted.values, len(fitted.values) - 1)

    def _write_axes(self, fitted):
        dress(self.map, title="map")
        dress(self.trace, title="a title that begins above the scale", grid="both")

    def _layers(self, fitted):
        return [(fitted.name, self._names)]

    def _names(self, fitted):
        self.named.append(fitted.name)
        return [self.map.text(0.1, 0.1, fitted.name)]

    def _legend_key(self, fitted):
        return fitted.word

    def _make_legend(self, fitted):
        self.legends.append(fitted.word)
        return self._legend_below([self.map.get_lines()], (0, -0.2))


class SteadyTrace(Picture):
    TRACE_SCALES = ("y",)


def fit(**changed):
    usual = {"subject": None, "height": 0.5, "top": 1.0, "name": "x", "word": "a"}
    usual |= {"values": np.array([3.0, 2.0, 1.5])}
    return SimpleNamespace(**(usual | changed))


@pytest.fixture(params=[Picture, SteadyTrace])
def picture(request):
    """A picture that has drawn a fit before."""
    picture = request.param()
    picture.png(fit())
    return picture


@pytest.mark.parametrize(
    "changed",
    [
        {"height": 0.8},
        {"top": 2.0},
        {"word": "another"},
        {"name": "y"},
        {"values": np.array([9.0, 4.0, 1.0, 0.5, 0.2])},
        {"values": np.array([3e9, 2e9, 1.5e9])},  # a factor above the scale, for which the title moves
    ],
)
def test_what_is_kept_is_what_would_be_drawn(picture, changed):
    before = picture.png(fit())
    after = picture.png(fit(**changed))
    assert after != before
    assert after == type(picture)().png(fit(**changed))
    assert picture.png(fit()) == before


def test_the_last_legends_are_kept(picture):
    words = [str(k) for k in range(KEPT_BACKGROUNDS - 1)]  # one is that of the names
    for word in (*words, *reversed(words)):
        picture.png(fit(word=word))
    assert picture.legends == ["a", *words]
    picture.png(fit())
    assert picture.legends == ["a", *words, "a"]
    assert picture.named == ["x"]
    picture.png(fit(top=2.0))
    assert picture.legends[-2:] == ["a", "a"]  # other axes, below which no legend has been drawn yet


def test_the_file_holds_what_was_drawn(picture):
    with Image.open(io.BytesIO(picture.png(fit(word="Ω")))) as image:
        image.load()  # which checks the sums of the file, too
        drawn = np.asarray(picture.figure.canvas.buffer_rgba())[:, :, :3]
        assert image.mode == "RGB" and len(np.unique(drawn)) > 2
        np.testing.assert_array_equal(np.asarray(image), drawn)
