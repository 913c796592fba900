"""How sure a mixture is of its clusters: refits to resampled objects, and intervals for pairs of objects."""
