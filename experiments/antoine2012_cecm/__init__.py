"""Antoine, Quost, Masson and Denœux (2012): CECM, constrained evidential c-means

The studies of Tables 1 to 9 and Figures 1 to 19; printed values in ``reference/``.
"""
