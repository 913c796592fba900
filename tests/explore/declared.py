"""The explorers, and their data for tests."""

import io

import numpy as np
import pandas as pd
from PIL import Image

import credalbench.explore
from credalbench.explore.explorers import EXPLORERS, declaration
from credalbench.explore.sources import expect_few_bytes
from credalbench.explore.sources.category_tables import category_table_from_user_table, read_categories
from credalbench.explore.sources.images import image_from_picture
from credalbench.explore.sources.table_source import read_table, table_from_user_table
from credalbench.explore.view.explorer_view import ExplorerView
from tests.explore.settings import SETTINGS, Noise

NAMES = list(EXPLORERS)
#: A table of two classes.
CSV = b"u,v,class\n0,0,a\n0,1,a\n1,0,a\n9,9,b\n9,8,b\n8,9,b\n"
#: Two kinds of animals, and one between them.
ANIMALS = (
    "name,hair,legs,class\n"
    + "".join(f"cat{i},yes,4,cat\ngull{i},no,2,gull\n" for i in range(9))
    + "bat,yes,2,cat\n"
).encode()
#: A square table of dissimilarities.
SQUARE = b"0,1,5\n1,0,5\n5,5,0\n"


def model_class(name):
    """Return the model of an explorer."""
    return getattr(credalbench.explore, EXPLORERS[name].model)


def png(pixels):
    """Return the contents of a file with an image."""
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def user_files(name):
    """Return the name of a file that users upload to an explorer, and two contents of it."""
    kind = getattr(SETTINGS[name].small, "kind", "numbers")
    if kind == "words":
        return "mine.csv", ANIMALS, ANIMALS.replace(b"bat,yes,2", b"bat,yes,4")
    if kind == "image":
        pixels = np.random.default_rng(0).integers(0, 256, (20, 24, 3))
        return "mine.png", png(pixels), png(pixels // 2)
    return "mine.csv", CSV, CSV.replace(b"9,9", b"1,2")


def open_explorer(name, *data, **settings):
    """Open an explorer as it is, or with other data and settings."""
    return getattr(credalbench.explore, f"explore_{name}")(*data, **settings)


def table_from_csv(source, name=None):
    """Return the table of a file of a user."""
    expect_few_bytes(source, name)
    own = read_table(source, name)
    return table_from_user_table(own, own.text)


def category_table_from_csv(source, name=None):
    """Return the table of categories of a file of a user."""
    expect_few_bytes(source, name)
    return category_table_from_user_table(read_categories(source, name))


def view_of(model):
    """Return the page of a model."""
    return ExplorerView(model, declaration(model.STEM))


def few_objects(name, folder=None):
    """Return settings of an explorer with few objects; random data are written to a folder, if any."""
    if name == "egmm":
        return {"n_objects": 40}
    small, rng = SETTINGS[name].small, np.random.default_rng(0)
    if not isinstance(small, Noise):
        return {"data": small}
    if folder is None:
        return {}
    if small.kind == "image":
        path = folder / "image.png"
        Image.fromarray(rng.integers(256, size=(small.rows, small.columns), dtype=np.uint8)).save(path)
    else:
        path = folder / "words.csv"
        words = rng.choice(list("abc"), (small.rows, small.columns))
        pd.DataFrame(words, columns=[*"uvwxyz"[: small.columns]]).to_csv(path, index=False)
    return {"data": str(path)}


def long_settings(name):
    """Return settings of an explorer whose fit takes long, as a saved state has them."""
    settings, rng = dict(SETTINGS[name].long), np.random.default_rng(0)
    noise = settings.get("own")
    if noise is not None and noise.kind == "image":
        pixels = rng.integers(0, 256, (noise.rows, noise.columns, 3))
        settings["own"] = image_from_picture(pixels, settings["data"]).text
    elif noise is not None:
        names = [f"x{j + 1}" for j in range(noise.columns)]
        digits = rng.integers(0, 10, (noise.rows, noise.columns))
        settings["own"] = pd.DataFrame(digits, columns=names).to_csv(index=False)
    return settings


def definition(_=None):
    """A definition, or what the picture shows: the scene of each explorer has its own tests."""
