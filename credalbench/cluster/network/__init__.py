"""Mathematics of NN-EVCLUS: a network that computes masses, what it is trained for, and how."""
