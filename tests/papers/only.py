"""Let the package know only some studies, in this process."""

from credalbench.papers import studies


def only(found, setattr=setattr):
    """Replace all studies by those in paper -> study -> experiment."""
    every = {f"{paper}/{name}": one for paper, members in found.items() for name, one in members.items()}
    setattr(studies, "discover", lambda: found)
    setattr(studies, "names", lambda: {paper: list(members) for paper, members in found.items()})
    setattr(studies, "get_study", every.__getitem__)
