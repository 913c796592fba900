"""Input of the clusterers: focal sets by name, dissimilarities, objects with names."""
