"""Li, Li and Denœux (2020): combining clusterings in the belief function framework

The studies of Algorithm 1, Figures 1 to 3, Tables 1 to 3 and Section 5. The bodies of the three tables are
missing from the text that we have: the sentences about them are judged, but their numbers cannot be.
"""
