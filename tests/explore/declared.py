"""The explorers, and the data that they declare for tests."""

import numpy as np
import pandas as pd
from PIL import Image

import credalbench.explore
from credalbench.explore.declaration import Noise
from credalbench.explore.explorers import EXPLORERS
from credalbench.explore.sources.images import image_from_picture

NAMES = list(EXPLORERS)


def model_class(name):
    """The model of an explorer."""
    public = EXPLORERS[name].public
    return getattr(credalbench.explore, next(key for key, module in public.items() if module == "model"))


def open_explorer(name, *data):
    """An explorer as it opens, or with other data."""
    return getattr(credalbench.explore, f"explore_{name}")(*data)


def small_data(name, folder):
    """The name of small data of an explorer, or of a file with them."""
    small, rng = EXPLORERS[name].small, np.random.default_rng(0)
    if not isinstance(small, Noise):
        return small
    if small.kind == "image":
        path = folder / "image.png"
        Image.fromarray(rng.integers(256, size=(small.rows, small.columns), dtype=np.uint8)).save(path)
    else:
        path = folder / "words.csv"
        words = rng.choice(list("abc"), (small.rows, small.columns))
        pd.DataFrame(words, columns=[*"uvwxyz"[: small.columns]]).to_csv(path, index=False)
    return str(path)


def long_settings(name):
    """The settings of an explorer whose fit takes long, as a saved state has them."""
    settings, rng = dict(EXPLORERS[name].long), np.random.default_rng(0)
    noise = settings.get("own")
    if noise is not None and noise.kind == "image":
        pixels = rng.integers(0, 256, (noise.rows, noise.columns, 3))
        settings["own"] = image_from_picture(pixels, settings["data"]).text
    elif noise is not None:
        names = [f"x{j + 1}" for j in range(noise.columns)]
        digits = rng.integers(0, 10, (noise.rows, noise.columns))
        settings["own"] = pd.DataFrame(digits, columns=names).to_csv(index=False)
    return settings
