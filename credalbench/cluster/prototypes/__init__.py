"""Mathematics of the prototype family (ECM, CECM, MECM, RECM): masses, prototypes, adaptive metric, starts."""
