"""What the studies of [djiberou2019_catecm] share: its tables, random starts, and the plane of Figure 4."""
