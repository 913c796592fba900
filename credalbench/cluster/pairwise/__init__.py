"""Masses fitted to what is wanted of pairs of objects, all or sampled: where BootGMM and ensembles meet."""
