"""Mathematics of EK-NNclus: labels that are swept over the nearest neighbours."""
