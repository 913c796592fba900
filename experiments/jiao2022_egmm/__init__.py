"""Jiao, Denœux, Liu and Pan (2022): EGMM, an evidential version of the Gaussian mixture model

The studies of Tables 1 to 11 and Figures 1 to 5; printed values in ``reference/``.
"""
