"""Images as objects: pixels with their grey levels or colours, represented by a few hundred prototypes.

Clustering every pixel of an image is expensive, and most pixels look like many others. You therefore quantise
the colours of the pixels first, cluster the prototypes, and give each pixel the class of the nearest
prototype. [antoine2012_cecm] does so with 400 prototypes by "a basic learning vector quantization algorithm"
and no settings.

Without classes, basic learning vector quantisation moves the nearest prototype towards one pixel after the
other; with rates 1/t, where t counts the pixels that the prototype has won, this is online k-means.
``method="lvq"`` is scikit-learn's ``MiniBatchKMeans``, which takes pixels in batches, not singly, and starts
from random pixels. ``method="k-means"`` iterates over all pixels until nothing changes, for a smaller error.

An image with at most as many different colours as requested prototypes needs no quantisation: the prototypes
are then the colours themselves. An image of 8 bits has at most 256 grey levels.
"""

from dataclasses import dataclass
from io import BytesIO
from math import prod
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from credalbench.core.arguments import Choice, expect, expect_count
from credalbench.core.extras import require
from credalbench.core.progress import check_cancelled, track_step

METHODS = ("lvq", "k-means")
BATCH = 1024  # pixels per step of learning vector quantisation
CHANNELS = (1, 3)
#: Formats whose size can be read before decoding, and that Pillow decodes without other libraries.
FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
FULL_SCALE = {"u1": 255.0, "u2": 65535.0}  # of integer images, by kind and bytes


@dataclass(frozen=True, eq=False, repr=False)
class ImagePrototypes:
    """An image whose pixels are represented by prototypes.

    Parameters
    ----------
    image : (rows, columns, p) array
        Grey levels (p = 1) or red, green, blue (p = 3), in [0, 1].
    prototypes : (k, p) array
        In increasing order, the first channel first.
    nearest : (rows, columns) int array
        Prototype that represents each pixel.
    n_colours : int
        Number of different colours in the image.
    """

    image: np.ndarray
    prototypes: np.ndarray
    nearest: np.ndarray
    n_colours: int

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"of {self.n_colours} colours"
        return f"ImagePrototypes({len(self.prototypes)} prototypes, {kind}, shape={self.shape})"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.nearest.shape

    @property
    def exact(self) -> bool:
        """Whether the prototypes are the colours of the image themselves."""
        return len(self.prototypes) == self.n_colours

    @property
    def error(self) -> float:
        """Root mean square distance of the pixels to their prototypes."""
        gaps = self.image - self.prototypes[self.nearest]
        return float(np.sqrt(np.mean(np.sum(gaps**2, axis=-1))))

    def to_pixels(self, values: ArrayLike) -> np.ndarray:
        """Return the value of the prototype of each pixel. (k, ...) -> (rows, columns, ...)."""
        values = np.asarray(values)
        expect(len(values) == len(self.prototypes), f"{len(self.prototypes)} values", len(values))
        return values[self.nearest]


def read_picture(
    source: str | PathLike | bytes | ArrayLike,
    *,
    colour: bool = False,
    max_side: int | None = None,
    max_pixels: int | None = None,
) -> np.ndarray:
    """Read an image as an array of channels in [0, 1].

    Parameters
    ----------
    source : path, bytes or array
        A file of one of `FORMATS` (PNG, JPEG, TIFF, ...) or its bytes; an ``.npy`` file; or an array of shape
        (rows, columns), (rows, columns, 1), (rows, columns, 3) or, with an opacity that is ignored, (rows,
        columns, 4). Integers of 8 or 16 bits are divided by their full scale. Floats outside [0, 1] are
        mapped onto it linearly, smallest value to 0 and largest to 1; others do not change.
    colour : bool, default False
        Whether to keep red, green and blue; otherwise the grey level (ITU-R 601 weights) is the only channel.
    max_side : int, optional
        Length of the longer side to which a larger image is shrunk.
    max_pixels : int, optional
        Largest number of pixels of a file. The function checks it before it decodes the file, since few bytes
        may decode to many pixels.

    Returns
    -------
    (rows, columns, p) array
        With p = 1, or 3 with `colour`.

    Raises
    ------
    ValueError
        If `source` is not an image, is damaged or too large, or has values that are not finite.
    FileNotFoundError
        If there is no such file.
    """
    pixels = _scaled(_channels(_pixels(source, max_pixels)))
    if max_side is not None:
        max_side = expect_count("max_side", max_side, 2)
        pixels = _shrunk(pixels, max_side)
    if colour:
        return np.repeat(pixels, 3, axis=2) if pixels.shape[2] == 1 else pixels
    return pixels if pixels.shape[2] == 1 else (pixels @ [0.299, 0.587, 0.114])[:, :, None]


def image_prototypes(
    image: ArrayLike,
    n_prototypes: int = 400,
    *,
    method: str = "lvq",
    random_state: int | np.random.RandomState = 0,
) -> ImagePrototypes:
    """Compute prototypes of the colours of an image.

    Parameters
    ----------
    image : (rows, columns) or (rows, columns, p) array
        Values in [0, 1]; p is 1 or 3.
    n_prototypes : int, default 400
        At least 2; an image with fewer different colours gets fewer prototypes.
    method : {"lvq", "k-means"}, default "lvq"
        See the module.
    random_state : int or RandomState, default 0
        Seed of the starting prototypes.

    Returns
    -------
    ImagePrototypes
        The prototypes, and the nearest prototype to each pixel.

    Raises
    ------
    ValueError
        If values are outside [0, 1] or not finite, or there are fewer than two different colours.

    Notes
    -----
    O(n k p) for each iteration over n pixels.

    Examples
    --------
    >>> found = image_prototypes([[0.0, 0.5], [0.5, 1.0]])
    >>> found.prototypes.ravel().tolist(), found.nearest.tolist()
    ([0.0, 0.5, 1.0], [[0, 1], [1, 2]])
    """
    image = _checked_image(image)
    n_prototypes = expect_count("n_prototypes", n_prototypes, 2)
    method = Choice(*METHODS).read("method", method)
    pixels = image.reshape(-1, image.shape[2])
    colours, place = np.unique(pixels, axis=0, return_inverse=True)
    expect(len(colours) > 1, "an image of at least two different colours", len(colours))
    if len(colours) <= n_prototypes:
        return ImagePrototypes(image, colours, place.reshape(image.shape[:2]), len(colours))
    from sklearn.metrics import pairwise_distances_argmin

    prototypes = np.unique(_quantised(pixels, n_prototypes, method, random_state), axis=0)
    nearest = pairwise_distances_argmin(pixels, prototypes)
    used, nearest = np.unique(nearest, return_inverse=True)  # drop prototypes without pixels
    return ImagePrototypes(image, prototypes[used], nearest.reshape(image.shape[:2]), len(colours))


def _quantised(
    pixels: np.ndarray, k: int, method: str, random_state: int | np.random.RandomState
) -> np.ndarray:
    from sklearn.cluster import KMeans, MiniBatchKMeans
    from threadpoolctl import threadpool_limits

    class CancellableKMeans(MiniBatchKMeans):
        """k-means that checks after each batch whether the fit has been cancelled."""

        def _mini_batch_convergence(self, *arguments: object) -> bool:
            check_cancelled()
            return super()._mini_batch_convergence(*arguments)

    options = {"n_clusters": k, "init": "random", "n_init": 1, "random_state": random_state}
    model = CancellableKMeans(batch_size=BATCH, **options) if method == "lvq" else KMeans(**options)
    # many small steps: several threads would mostly wait for each other
    with threadpool_limits(limits=1), track_step(f"{k} prototypes of {len(pixels)} pixels"):
        return model.fit(pixels).cluster_centers_


def _pixels(source: str | PathLike | bytes | ArrayLike, max_pixels: int | None) -> np.ndarray:
    if isinstance(source, np.ndarray | list | tuple):
        return np.asarray(source)
    known = isinstance(source, str | PathLike | bytes | bytearray | memoryview)
    expect(known, "a path, the bytes of a file, or an array", source)
    if not isinstance(source, bytes | bytearray | memoryview):
        path = Path(source)
        if not path.is_file():
            raise FileNotFoundError(f"expected an image file, got {path}, which does not exist")
        if path.suffix.lower() == ".npy":
            pixels = np.lib.format.open_memmap(path, mode="r")  # reads no values yet
            _expect_few_pixels(pixels.shape[:2], max_pixels)
            return pixels
        source = path.read_bytes()
    return _decoded(source, max_pixels)


def _decoded(contents: bytes, max_pixels: int | None) -> np.ndarray:
    require("PIL", extra="plots", purpose="Reading an image")
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(contents), formats=FORMATS) as picture:  # reads no more than the header
            _expect_few_pixels(picture.size[::-1], max_pixels)
            sixteen_bits = picture.mode.startswith("I;16")
            plain = sixteen_bits or picture.mode in ("L", "RGB", "F")
            pixels = np.asarray(picture if plain else picture.convert("RGB"))
    except UnidentifiedImageError:
        raise ValueError("expected an image (PNG, JPEG, TIFF, ...), got a file of another kind") from None
    except Image.DecompressionBombError as error:  # Pillow has a limit of its own
        most = max_pixels or 2 * Image.MAX_IMAGE_PIXELS
        raise ValueError(f"expected an image of at most {most} pixels, got a larger one: {error}") from None
    except (OSError, SyntaxError) as error:
        raise ValueError(f"expected a whole image, got one that cannot be decoded: {error}") from None
    return pixels.astype(np.uint16) if sixteen_bits else pixels


def _expect_few_pixels(shape: tuple[int, ...], max_pixels: int | None) -> None:
    few = max_pixels is None or prod(shape) <= max_pixels
    expect(few, f"an image of at most {max_pixels} pixels", " x ".join(map(str, shape)))


def _channels(pixels: np.ndarray) -> np.ndarray:
    """Return two or three dimensions as (rows, columns, 1 or 3)."""
    given = pixels.shape
    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    if pixels.ndim == 3 and pixels.shape[2] == 4:
        pixels = pixels[:, :, :3]
    right = pixels.ndim == 3 and pixels.shape[2] in CHANNELS and min(pixels.shape[:2]) > 0
    expect(right, "an image of shape (rows, columns) or (rows, columns, 1, 3 or 4)", given)
    return pixels


def _scaled(pixels: np.ndarray) -> np.ndarray:
    kind = f"{pixels.dtype.kind}{pixels.dtype.itemsize}"
    if kind in FULL_SCALE:
        return pixels / FULL_SCALE[kind]
    expect(pixels.dtype.kind in "biuf", "numbers in the image", pixels.dtype)
    pixels = pixels.astype(float)
    expect(np.isfinite(pixels).all(), "finite values in the image", "NaN or infinity")
    low, high = pixels.min(), pixels.max()
    return pixels if low >= 0 and high <= 1 else (pixels - low) / max(high - low, np.finfo(float).tiny)


def _shrunk(pixels: np.ndarray, max_side: int) -> np.ndarray:
    require("PIL", extra="plots", purpose="Shrinking an image")
    from PIL import Image

    factor = max_side / max(pixels.shape[:2])
    if factor >= 1:
        return pixels
    columns, rows = (max(2, round(factor * side)) for side in (pixels.shape[1], pixels.shape[0]))
    bands = [
        Image.fromarray(pixels[:, :, q].astype(np.float32)).resize((columns, rows), Image.Resampling.BOX)
        for q in range(pixels.shape[2])
    ]
    return np.clip(np.stack([np.asarray(band, dtype=float) for band in bands], axis=2), 0.0, 1.0)


def _checked_image(image: ArrayLike) -> np.ndarray:
    image = np.asarray(image, dtype=float)
    image = image[:, :, None] if image.ndim == 2 else image
    right = image.ndim == 3 and image.shape[2] in CHANNELS
    expect(right, "an image of shape (rows, columns) or (rows, columns, 1 or 3)", image.shape)
    within = bool(np.all((image >= 0) & (image <= 1)))  # also false for NaN
    expect(within, "values in [0, 1] (see read_picture)", "others")
    return image
