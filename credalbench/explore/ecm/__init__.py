"""The ECM explorer: prototypes that can be dragged, and the iterations that follow, one by one."""

ABOUT = "drag prototypes, and see ECM go on from there, step by step"
PUBLIC = {"ECMModel": "model", "EcmExplorer": "view", "explore_ecm": "view"}
