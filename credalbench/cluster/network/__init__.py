"""Mathematics of NN-EVCLUS: a network that computes masses, its loss, and its training."""
