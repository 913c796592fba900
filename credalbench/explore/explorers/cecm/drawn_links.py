"""Constraints between drawn points, which stay with their points when others are added or deleted."""

from credalbench.explore.explorers.cecm.fit import Links
from credalbench.explore.sources.drawing import Points


def numbered(links: Links, points: Points) -> Links:
    """Return links between rows as links between the numbers of their points."""
    return tuple((points[i], points[j], kind) for i, j, kind in links)


def among(links: Links, points: Points) -> Links:
    """Return links between numbers of points as links between rows, without those of deleted points."""
    rows = {number: row for row, number in enumerate(points)}
    there = [link for link in links if link[0] in rows and link[1] in rows]
    return tuple((*sorted((rows[i], rows[j])), kind) for i, j, kind in there)


def remaining(links: Links, points: Points) -> Links:
    """Return the links between numbers of points that `among` leaves out."""
    there = set(points)
    return tuple(link for link in links if not there.issuperset(link[:2]))
