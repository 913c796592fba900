"""Mathematics of the conflict family (EVCLUS, k-EVCLUS): a stress over pairs of objects, and its minimisation."""
