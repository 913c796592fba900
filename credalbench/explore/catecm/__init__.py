"""The cat-ECM explorer: tables of categories, what clusters are made of, and which objects are doubtful."""

ABOUT = "see cat-ECM cluster tables of categories, and read what its clusters are made of"
PUBLIC = {"CatECMModel": "model", "CatecmExplorer": "view", "explore_catecm": "view"}
