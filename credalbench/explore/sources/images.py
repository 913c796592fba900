"""Images, with the pixels of a lesion if known."""

import io
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image

from credalbench.datasets import Dataset, load, make_brain_phantom
from credalbench.datasets.image_prototypes import read_picture
from credalbench.explore.program import Program, literal
from credalbench.explore.sources import IMAGE_HELP, MAX_PIXELS, Source, expect_few_bytes
from credalbench.explore.sources.tables import stand_in_note

#: Larger images are shrunk to this size, because the user waits for the fit.
MAX_SIDE = 256
NAMES = {
    "phantom": "brain phantom (stand-in)",
    "phantom:1": "brain phantom, another draw (stand-in)",
    "brain_mr": "MR slice (stand-in)",
}


@dataclass(frozen=True, eq=False)
class ImageSubject:
    """An image, ready to be explored.

    Attributes
    ----------
    name : str
    image : (rows, columns, 3) array
        In [0, 1], rounded to 256 levels.
    lesion : (rows, columns) bool array or None
        The pixels of the lesion, if known.
    note : str
        Information about the image for the user, in one sentence.
    """

    name: str
    image: np.ndarray
    lesion: np.ndarray | None = None
    note: str = ""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.image.shape[:2]

    @property
    def n_objects(self) -> int:
        """Number of pixels."""
        return self.image.shape[0] * self.image.shape[1]

    def pixels(self, colour: bool) -> np.ndarray:
        """Return grey levels (rows, columns, 1), or colours (rows, columns, 3) if `colour` is true."""
        return self.image if colour else rounded(read_picture(self.image))

    @property
    def levels(self) -> np.ndarray:
        """Red, green and blue of every pixel, 0 to 255: (rows, columns, 3)."""
        return np.round(255 * self.image).astype(np.uint8)

    @property
    def text(self) -> str:
        """The image as a PNG file in base 64."""
        buffer = io.BytesIO()
        Image.fromarray(self.levels).save(buffer, "PNG")
        return b64encode(buffer.getvalue()).decode("ascii")


def rounded(image: ArrayLike) -> np.ndarray:
    """Return an image in [0, 1], rounded to multiples of 1/255."""
    return np.round(255 * np.asarray(image)) / 255


def image_from_name(name: str) -> ImageSubject:
    """Return an image by name: ``phantom``, ``phantom:3`` (draw number 3) or ``brain_mr``.

    Raises
    ------
    ValueError, credalbench.datasets.DataUnavailable
    """
    kind, _, number = name.partition(":")
    if kind == "phantom":
        if number and not number.isdecimal():
            raise ValueError(f"expected a number after the colon, as in 'phantom:3'; got {name!r}")
        return image_from_dataset(make_brain_phantom(int(number or 0)), name)
    return image_from_dataset(load(name), name)


def image_from_dataset(dataset: Dataset, name: str | None = None) -> ImageSubject:
    """Return a data set of pixels as a subject; its first class, if any, is the lesion."""
    name = name or dataset.name
    if dataset.image_shape is None or dataset.X is None:
        raise ValueError(f"{name} is not an image")
    image = read_picture(dataset.X.reshape(*dataset.image_shape, -1), colour=True)
    lesion = None if dataset.y is None else (dataset.y == 0).reshape(dataset.image_shape)
    return ImageSubject(name, rounded(image), lesion, stand_in_note(dataset))


def image_from_picture(source: str | Path | bytes | ArrayLike, name: str = "your image") -> ImageSubject:
    """Return a file, its bytes or an array as a subject; large images are shrunk.

    Raises
    ------
    ValueError
        If the file is larger than `MAX_MEGABYTES`, or is not an image.
    """
    if isinstance(source, str | Path | bytes):
        expect_few_bytes(source, Path(name).name)
    full = read_picture(source, colour=True, max_pixels=MAX_PIXELS)
    image = read_picture(full, colour=True, max_side=MAX_SIDE)
    rows, columns = full.shape[:2]
    shrunk = f", shrunk to {image.shape[0]} x {image.shape[1]}" if image.shape != full.shape else ""
    return ImageSubject(name, rounded(image), None, f"{Path(name).name}: {rows} x {columns} pixels{shrunk}.")


class ImageSource(Source):
    """A source of images."""

    FILES = ("your image", f"PNG, JPEG, TIFF, ...; large images are shrunk; {IMAGE_HELP}", "image/*")
    named = staticmethod(image_from_name)

    def names(self) -> Mapping[str, str]:
        return NAMES

    def from_data(self, data: object) -> ImageSubject:
        return image_from_dataset(data) if hasattr(data, "n_objects") else image_from_picture(data)

    def from_file(self, source: str | Path | bytes, name: str | None) -> ImageSubject:
        return image_from_picture(source, name or Path(source).name)

    def from_text(self, text: str, name: str, answers: Mapping[str, object]) -> ImageSubject:
        return image_from_picture(b64decode(text, validate=True), name)

    def write(self, program: Program) -> str:
        """Write code that loads the image as explored: shrunk, and rounded to 256 levels."""
        images, data = "credalbench.explore.sources.images", self.model.data
        if data in NAMES or (not Path(data).suffix and data not in self.own):
            program.use(images, "image_from_name")
            program.add(f"image = image_from_name({literal(data)})")
            return "image"
        program.use(images, "image_from_picture")
        if Path(data).suffix:
            program.add(f"image = image_from_picture({literal(data)})")
        else:
            program.add("# picture: the image that the explorer was given.")
            program.add("image = image_from_picture(picture)")
        return "image"
