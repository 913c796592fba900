"""Figures 15 to 19 from the tables of the study: one panel for each picture."""

from credalbench.belief import FocalSets
from credalbench.plots import focal_set_image, new_figure, plain_image, region_image

from .pictures import HEADLINES

FOCAL_SETS = FocalSets.full(2)
CLUSTERS = FocalSets.from_sets(2, [{0}, {1}])
MASSES = ("m_empty", "m_1", "m_2", "m_12")
PANEL = (3.6, 4.5)  # inches; 156 x 141 pixels, a title above and a legend below


def image_of(tables, name):
    """Return the picture of that name as (rows, columns, p)."""
    pixels, shape = of_picture(tables, name)
    columns = [c for c in ("level", "red", "green", "blue") if c in pixels and pixels[c].notna().all()]
    return pixels[columns].to_numpy().reshape(*shape, len(columns))


def of_picture(tables, name):
    """Return the pixels of one picture, and its rows and columns."""
    pixels = tables["pixels"]
    facts = tables["regions"][tables["regions"]["picture"] == name].iloc[0]
    return pixels[pixels["picture"] == name], (int(facts["rows"]), int(facts["columns"]))


def masses_of(tables, name, method):
    """Return the masses (k, 4) of the prototypes of a picture."""
    rows = tables["prototypes"]
    rows = rows[(rows["picture"] == name) & (rows["method"] == method)].sort_values("prototype")
    return rows[list(MASSES)].to_numpy()


def hard_credal(tables, name, method):
    """Return the index of the focal set of largest mass at each pixel: (rows, columns)."""
    pixels, shape = of_picture(tables, name)
    return masses_of(tables, name, method).argmax(axis=1)[pixels["prototype"] - 1].reshape(shape)


def pignistic(tables, name, method):
    """Return the cluster of largest pignistic probability at each pixel, 0 or 1: (rows, columns)."""
    pixels, shape = of_picture(tables, name)
    masses = masses_of(tables, name, method)
    second = masses[:, 2] > masses[:, 1]  # Ω gives both the same share
    return second.astype(int)[pixels["prototype"] - 1].reshape(shape)


def panels(n_rows, n_columns):
    """Return a figure and its axes, (n_rows, n_columns)."""
    figure = new_figure(PANEL[0] * n_columns, PANEL[1] * n_rows)
    return figure, figure.subplots(n_rows, n_columns, squeeze=False)


def draw(params, tables):
    names = [name for name in HEADLINES if name in {*tables["pixels"]["picture"]}]
    one_row = {key: panels(1, len(names)) for key in ("15", "16", "17", "18")}
    for place, name in enumerate(names):
        axes = {key: axes[0, place] for key, (_, axes) in one_row.items()}
        image, title = image_of(tables, name), HEADLINES[name]
        pixels, shape = of_picture(tables, name)
        region = pixels["region"].to_numpy().reshape(shape)
        plain_image(axes["15"], image, title=title)
        focal_set_image(axes["16"], hard_credal(tables, name, "ECM"), FOCAL_SETS, title=title)
        region_image(axes["17"], image, region == 1, region == 2, title=title)
        focal_set_image(axes["18"], hard_credal(tables, name, "CECM"), FOCAL_SETS, title=title)
    figures = {f"cecm-fig-{key}": figure for key, (figure, _) in one_row.items()}
    return figures | {"cecm-fig-19": draw_pignistic(tables, names)}


def draw_pignistic(tables, names):
    """Draw ECM on the left and CECM on the right, as in the paper, one row for each picture."""
    figure, axes = panels(len(names), 2)
    for row, name in zip(axes, names):
        for ax, method in zip(row, ("ECM", "CECM")):
            focal_set_image(
                ax, pignistic(tables, name, method), CLUSTERS, title=f"{method}: {HEADLINES[name]}"
            )
    return figure
