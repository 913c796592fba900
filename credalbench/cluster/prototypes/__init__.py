"""Mathematics of ECM, CECM, MECM and RECM: masses, prototypes, norms, starts."""
