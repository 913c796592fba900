"""Djiberou Mahamadou, Antoine, Christie and Moreno (2019): cat-ECM, evidential clustering of categorical data

The studies of Algorithm 1, Tables I and II and Figures 1 to 4; printed values in ``reference/``.
"""
