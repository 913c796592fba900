"""Denœux, Sriboonchitta and Kanjanatarakul (2016): Evidential clustering of large dissimilarity data (EVCLUS)

The studies of Examples 1 to 6, Algorithm 1 and Figures 1 to 28; printed values in ``reference/``.
"""
