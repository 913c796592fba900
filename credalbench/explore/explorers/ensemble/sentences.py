"""Sentences of the ensemble explorer: rules and t-norms, a pair of objects, the picture."""

from credalbench.belief.relational import RelationalMasses
from credalbench.explore.explorers.ensemble.fit import Fitted, Pair

RULES = {
    "average": "average",
    "dempster": "Dempster",
    "disjunctive": "disjunctive",
    "dubois_prade": "Dubois-Prade",
    "dubois_prade_sequential": "Dubois-Prade, in turn",
}
T_NORMS = {
    "none": "no closure",
    "minimum": "minimum",
    "product": "product",
    "lukasiewicz": "Łukasiewicz",
    "hamacher": "Hamacher",
    "frank": "Frank",
    "yager": "Yager",
}
#: Name of the row of the closed relation.
CLOSED = "after the closure"
#: Largest number of objects named on a path; of a longer path only the ends are named.
NAMED = 9


def about_pair(fitted: Fitted, chosen: tuple[int, ...]) -> str:
    """Return sentences about the chosen objects."""
    if fitted.pair is None:
        first = (
            f"{objects_in_words(fitted, chosen)}: click another object"
            if chosen
            else "Click two objects, or a pair in a relation"
        )
        return f"{first} to see all evidence about them and the path by which the closure joined them."
    pair, N = fitted.pair, len(fitted.run.bases)
    leaning = int((pair.evidence.same > pair.evidence.different).sum())
    combined = masses_in_words(pair.by_rule[fitted.run.rule])
    text = (
        f"{objects_in_words(fitted, pair.objects)}: "
        f"{leaning} of {N} partitions put them together rather than apart. "
        f"Combined by the rule {RULES[fitted.run.rule]}: {combined}."
    )
    against = [RULES[rule] for rule, masses in pair.by_rule.items() if masses is None]
    if against:
        text += f" {', '.join(against)}: total conflict."
    return f"{text} {about_path(fitted, pair)}".rstrip()


def objects_in_words(fitted: Fitted, objects: tuple[int, ...]) -> str:
    """Return one or two objects by name, or by row if they have no names."""
    names = [name_of(fitted, i) for i in objects]
    return f"Object{'s' if len(names) > 1 else ''} {' and '.join(names)}"


def name_of(fitted: Fitted, i: int) -> str:
    """Return the name of an object, or its row if it has none."""
    names = fitted.subject.object_names
    return names[i] if names else str(i)


def about_path(fitted: Fitted, pair: Pair) -> str:
    """Return a sentence about the path of the closure; empty without a closure."""
    if pair.path is None:
        return ""
    closed = f"After the closure: {masses_in_words(pair.closed)}"
    if not pair.path:
        return f"{closed}; no path joins them."
    if len(pair.path) == 2:
        return f"{closed}; no path is stronger than their direct link."
    names = [name_of(fitted, k) for k in pair.path]
    if len(names) > NAMED:
        names = [*names[: NAMED // 2], "…", *names[-(NAMED // 2) :]]
    return f"{closed}, by a path of {len(pair.path)} objects: {' - '.join(names)}."


def masses_in_words(masses: RelationalMasses) -> str:
    """Return the masses of a pair in words."""
    parts = ((masses.same, "same"), (masses.different, "different"), (masses.ignorance, "unknown"))
    return ", ".join(f"{float(mass):.2f} {name}" for mass, name in parts)


def picture_text(fitted: Fitted) -> str:
    """Return the description of the picture for screen readers."""
    subject, sizes = fitted.subject, fitted.base_sizes
    clusters = str(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    closure = "no closure"
    if fitted.run.t_norm is not None:
        closure = f"closed by the t-norm {T_NORMS[fitted.run.t_norm.name]}"
    return (
        f"Map of {subject.n_objects} objects of {subject.name} in {fitted.partition.n_clusters} clusters, "
        f"the consensus of {len(sizes)} partitions with {clusters} clusters; their relation, combined by the "
        f"rule {RULES[fitted.run.rule]}, {closure}; stress {fitted.objective:.4g} after "
        f"{fitted.iteration} of {fitted.n_iter} sweeps."
    )
