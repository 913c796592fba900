"""Li, Li and Denœux (2020): combining clusterings in the belief function framework

The studies of Algorithm 1, Figures 1 to 3 and Tables 1 to 3, and some beyond the paper. The bodies of the
three tables are lost in the text at hand: what the text says of them is judged, their numbers cannot be.
"""
