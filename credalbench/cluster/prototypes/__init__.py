"""Mathematics of the prototype family (ECM, CECM, MECM, RECM): masses, prototypes, norms, starts."""
