"""Fits of masses to target pairwise relations, of all or of sampled pairs; for BootGMM and ensembles."""
