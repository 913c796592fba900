"""Mathematics of evidential mixtures (EGMM): coordinates, covariances, expectation-maximisation."""
