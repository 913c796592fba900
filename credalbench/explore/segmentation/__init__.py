"""The segmentation explorer: regions of an image, constrained by painting them."""

ABOUT = "paint regions on an image, and see CECM segment it"
PUBLIC = {"SegmentationModel": "model", "SegmentationExplorer": "view", "explore_segmentation": "view"}
