"""The CECM explorer: pairs of objects, constrained by clicking on them."""

ABOUT = "constrain pairs of objects by clicking on them, and see ECM become CECM"
PUBLIC = {"CECMModel": "model", "CecmExplorer": "view", "explore_cecm": "view"}
