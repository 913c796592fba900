"""Data sets of the papers, by `credalbench.datasets`, and one that scikit-learn ships."""

import numpy as np
import pandas as pd
from benchopt import BaseDataset
from sklearn.datasets import load_breast_cancer

from credalbench.datasets import DataUnavailable, load

SCALED = ("wine", "glass", "seeds", "vehicle", "breast cancer (images)")  # attributes with units of their own
#: What they are, by name; and the names of those that are called otherwise in `credalbench.datasets`.
ABOUT = {
    "iris": "flowers of three species, four lengths",
    "wine": "chemical analyses of three wines",
    "digits": "images of handwritten digits",
    "fourclass": "four groups with heavy tails",
    "s2": "fifteen overlapping Gaussians",
    "letters": "printed letters I, J and L, measured",
    "glass": "chemical analyses of glass",
    "seeds": "grains of three sorts of wheat",
    "user knowledge": "learners of four levels",
    "vehicle": "silhouettes of four vehicles",
    "aggregation": "seven groups that touch",
    "compound": "six groups, within and around each other",
    "flame": "a disc in a bowl",
    "spiral": "three spirals",
    "r15": "fifteen small groups, seven of them close",
    "jain": "two crescents of unequal density",
    "ecoli": "proteins by their place in the cell",
    "breast cancer (cells)": "cells under the microscope",
    "digits (pixels)": "images of handwritten numerals",
    "sign language": "movements of hands, fifteen signs",
    "breast cancer (images)": "thirty measures of cell nuclei",
    "soybean": "diseases of plants",
    "zoo": "animals of seven classes",
    "protein": "proteins of four families",
    "sign language (warped)": "the same movements, compared as curves",
}
FILES = {
    "letters": "letters_ijl",
    "user knowledge": "user_knowledge",
    "breast cancer (cells)": "breast_cancer_wisconsin",
    "digits (pixels)": "mfeat_pix",
    "sign language": "libras",
    "soybean": "soybean_small",
    "sign language (warped)": "libras_warping",
}


class Dataset(BaseDataset):
    """A data set of a paper."""

    name = "papers"
    parameters = {"data": list(ABOUT)}  # noqa: RUF012

    def get_data(self):
        kind, origin = "attributes", "of a paper"
        if self.data == "breast cancer (images)":
            (X, y), origin = load_breast_cancer(return_X_y=True), "shipped"
        else:
            try:
                data = load(FILES.get(self.data, self.data))
            except DataUnavailable as error:
                return {"kind": kind, "draw": None, "about": str(error)}
            X, y = data.X, data.y
            if X is None:
                X, kind = np.asarray(data.D), "dissimilarities"
            elif data.data_type == "categorical":
                X, kind = pd.DataFrame(X.astype(int).astype(str), columns=data.feature_names), "categories"
        about = {"origin": origin, "about": ABOUT[self.data], "units": self.data in SCALED}
        return {"kind": kind, "draw": lambda rng: (X, y), **about}
