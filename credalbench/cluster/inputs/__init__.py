"""What the clusterers take in: families of focal sets by name, and matrices of dissimilarities."""
