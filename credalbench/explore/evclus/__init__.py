"""The EVCLUS explorer: dissimilarities, their transformation, and the masses that fit them."""

ABOUT = "move sliders, and see EVCLUS fit dissimilarities again"
PUBLIC = {"EVCLUSModel": "model", "EvclusExplorer": "view", "explore_evclus": "view"}
