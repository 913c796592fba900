"""Mathematics of EVCLUS and k-EVCLUS: stress over pairs of objects, and solvers."""
