"""What the browser draws of a fit: panels of marks, and the evidence about each object. No widget, no pixels.

Lengths of marks are pixels of the screen, places are in the units of their panel's axes, colours "#rrggbb".
"""
