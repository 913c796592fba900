"""The EGMM explorer: mixtures with components between the clusters, and how many clusters there are."""

ABOUT = "let clusters overlap, and see EGMM's components and how many clusters EBIC chooses"
PUBLIC = {"EGMMModel": "model", "EgmmExplorer": "view", "explore_egmm": "view"}
