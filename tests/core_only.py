"""Code that hides from its process whatever `pip install credalbench` would not install."""

import sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def core_packages():
    """Return the names of the packages that credalbench installs without extras, at any depth."""
    found, left = set(), ["credalbench"]
    while left:
        if (package := canonicalize_name(left.pop())) in found:
            continue
        try:
            needs = map(Requirement, requires(package) or ())
        except PackageNotFoundError:
            continue  # a package of other platforms
        found.add(package)
        left += [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    return found


CORE = core_packages()
HIDDEN = {
    module
    for module, packages in packages_distributions().items()
    if not {canonicalize_name(package) for package in packages} & CORE
}


class CoreFinder:
    """Finder of modules that finds none of `HIDDEN`."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return None if name.partition(".")[0] in HIDDEN else PathFinder.find_spec(name, path, target)


sys.meta_path[:] = [CoreFinder if finder is PathFinder else finder for finder in sys.meta_path]
for name in [name for name in sys.modules if name.partition(".")[0] in HIDDEN]:
    del sys.modules[name]
