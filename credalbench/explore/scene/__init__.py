"""Scenes: panels of marks and the evidence about each object, drawn in the browser.

Sizes are in screen pixels, positions in the units of the axes of a panel, colours "#rrggbb".
"""
