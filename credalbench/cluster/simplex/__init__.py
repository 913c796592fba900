"""What compiled code needs whatever the method: quadratic programmes on the simplex, compilation, threads."""
