"""Mathematics of the conflict family (EVCLUS, k-EVCLUS): stress over pairs of objects, and solvers."""
