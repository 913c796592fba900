"""The comparing explorer: two methods, two settings or two starts side by side, on the same objects."""

ABOUT = "see two methods, settings or starts side by side, and what one knows that the other does not"
PUBLIC = {"CompareModel": "model", "CompareExplorer": "view", "explore_compare": "view"}
