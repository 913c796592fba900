"""The ensemble explorer: pairwise evidence of many partitions, its closure, and the consensus.

A program uses the model alone::

    model = EnsembleModel("half_rings:300")
    model.t_norm = "none"
    model.choice.choose(3, 210)
    model.fitted.pair.evidence.same
"""

from dataclasses import replace
from time import perf_counter

import numpy as np
import traitlets as t

from credalbench.belief.relational import RelationalMasses
from credalbench.belief.relations import TNorm, close_masses, combine_partitions
from credalbench.belief.relations.t_norms import PARAMETER_RANGES
from credalbench.cluster import EvidentialEnsemble
from credalbench.cluster.ensembles.consensus import Recovery, recovered
from credalbench.explore import parameter as shared
from credalbench.explore.declaration import RULE, Button, FitExplorer
from credalbench.explore.explorers.ensemble import fit, scene
from credalbench.explore.explorers.ensemble.fit import ConsensusRun, FittedEnsemble, Pair, base_partitions
from credalbench.explore.linking import ObjectChoice
from credalbench.explore.model import ExplorerModel
from credalbench.explore.parameter import MAX_CLUSTERS, MAX_PARTITIONS, parameter
from credalbench.explore.program import Program
from credalbench.explore.sources.table_source import TableSource
from credalbench.explore.stepping import ResultCache

#: Limits that keep fits fast enough for an explorer.
MAX_OBJECTS, MAX_ITER = 1000, 200
#: Number of cached relations and consensus partitions.
RELATIONS, RECOVERIES = 6, 32


class EnsembleModel(ExplorerModel):
    """Data, parameters, sweeps and chosen pair of the ensemble explorer.

    Base partitions have `base_from` to `base_to` clusters each, drawn at random; adding partitions keeps the
    first ones. Results are cached: changing the rule, the t-norm or the number of clusters reuses the base
    partitions. `t_norm_parameter` is used only by Hamacher, Frank and Yager. The iterations are the sweeps
    of all searches, which run one after the other.
    """

    STEM, DATA, FITTED = "ensemble", "half_rings:300", FittedEnsemble

    n_estimators = parameter(
        t.Int(10), "partitions N", "Number of base partitions", low=1, most=MAX_PARTITIONS, slider=(2, 30, 1)
    )
    base_from = parameter(
        t.Int(15),
        "sizes from",
        "Smallest number of clusters in a base partition",
        low=2,
        most=MAX_CLUSTERS,
        slider=(2, 20, 1),
    )
    base_to = parameter(
        t.Int(15),
        "to",
        "Largest number of clusters in a base partition",
        low=2,
        most=MAX_CLUSTERS,
        slider=(2, 20, 1),
    )
    rule = parameter(
        t.Unicode("average"), "rule", "Rule that combines evidence about pairs", choices=scene.RULES
    )
    t_norm = parameter(
        t.Unicode("minimum"), "t-norm", "T-norm that makes the relation transitive", choices=scene.T_NORMS
    )
    t_norm_parameter = parameter(
        t.Float(3.0),
        "parameter",
        "Parameter of Hamacher (1: product), Frank (1: product, 0: minimum) and Yager (1: Łukasiewicz)",
        above=0,
        slider=(-1, 1.3, 0.05),
        logarithmic=True,
    )
    n_clusters = shared.n_clusters_parameter(10, words="Number of clusters of the consensus")
    focal_sets = shared.focal_sets_parameter("simple")
    pair_neighbors = shared.pair_neighbors_parameter()
    standardize = shared.standardize_parameter()
    seed = shared.seed_parameter()

    def __init__(self, data: object = None, **parameters: object) -> None:
        self.choice = ObjectChoice(self, then=self._look)
        self._relations, self._lines = ResultCache(RELATIONS), ResultCache(RELATIONS)
        self._recoveries = ResultCache(RECOVERIES)
        self._ahead = iter(())  # base partitions for the next changes
        super().__init__(data, **parameters)

    # -- data -------------------------------------------------------------------------------------------

    def _make_source(self) -> TableSource:
        return TableSource(self, attributes_for="the ensemble", most=MAX_OBJECTS)

    def _adapt(self, changed: set[str]) -> None:
        super()._adapt(changed)
        self.choice.objects = ()
        most = max(2, self.subject.n_objects // 3)
        for name in ("base_from", "base_to"):
            if name not in changed:
                setattr(self, name, min(getattr(self, name), most))

    def _settle(self, changed: set[str]) -> None:
        """Keep the ends of the interval in order by moving the one that the user did not set."""
        super()._settle(changed)
        if self.base_from > self.base_to:
            if "base_from" in changed:
                self.base_to = self.base_from
            else:
                self.base_from = self.base_to

    # -- a pair -----------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Show the evidence about the chosen objects."""
        if self.fitted is not None:
            self.fitted = replace(self.fitted, pair=self._pair(self.fitted))

    def suggest(self) -> None:
        """Choose the pair that the closure changed most; if none, that with the largest ignorance."""
        if self.fitted is None:
            self.report("There is no relation yet.", error=True)
        else:
            self.choice.choose(*fit.informative_pair(self.fitted.run.relation, self.fitted.run.closed))

    def _pair(self, fitted: FittedEnsemble) -> Pair | None:
        if len(self.choice.objects) < 2 or fitted.subject is not self.subject:
            return None
        run = fitted.run
        return fit.look_at_pair(self.choice.objects, run.bases, run.relation, run.closed, run.t_norm)

    def clicked(self, i: int | None, panel: str, x: float, y: float) -> None:
        related = panel in ("relation", "closed") and self.fitted is not None
        pair = scene.pair_at(self.fitted, x, y) if related else None
        if pair is None:
            self.choice.click(i)
        else:
            self.choice.choose(*pair)

    # -- fit --------------------------------------------------------------------------------------------

    def _run(self, changed: set[str]) -> ConsensusRun:
        began = perf_counter()
        self._expect_few_sets(self.n_clusters)
        norm = None
        if self.t_norm != "none":
            norm = TNorm(self.t_norm, self.t_norm_parameter if self.t_norm in PARAMETER_RANGES else None)
        drawn = self.n_estimators, self.base_from, self.base_to, self.seed
        bases = tuple(base_partitions(self.subject, *drawn))
        self._ahead = fit.partitions_ahead(self.subject, *drawn)
        made_of = self.subject, *drawn, self.rule
        relation = self._relations.get(made_of, lambda: combine_partitions(bases, self.rule))
        line = self._lines.get(made_of, lambda: fit.in_line(relation))
        closed = relation
        if norm is not None:
            closed = self._relations.get((*made_of, norm), lambda: close_masses(relation, norm))
        requested = norm, self.n_clusters, self.focal_sets, self.pair_neighbors
        recovery = self._recoveries.get((*made_of, *requested), lambda: self._recovered(closed))
        numbers = self._numbers_of(fit.with_empty(recovery, bases))
        took_ms = 1e3 * (perf_counter() - began)
        return ConsensusRun(
            self.subject, bases, self.rule, norm, relation, closed, line, recovery, numbers, took_ms
        )

    def _take(self, fitted: FittedEnsemble, changed: set[str]) -> None:
        with self.hold_trait_notifications():
            if changed & self.PREPARING:
                self.choice.objects = fit.informative_pair(fitted.run.relation, fitted.run.closed)
            self.fitted = replace(fitted, pair=self._pair(fitted))

    def prepare(self) -> bool:
        """Compute one more base partition that the next change may need.

        Returns
        -------
        bool
            Whether there may be more to compute.
        """
        with self.turn:
            return next(self._ahead, None) is not None

    def forget(self) -> None:
        """Remove cached relations and consensus partitions; base partitions stay."""
        for cache in (self._relations, self._lines, self._recoveries):
            cache.clear()

    def _write_fit(self, program: Program, data: str) -> None:
        kinds = fit.base_kinds(self.subject, self.n_estimators, self.base_from, self.base_to, self.seed)
        program.use("credalbench.cluster.ensemble", "paper_base")
        program.add("# Clusters, distance to the empty set and random seed of each base partition.")
        program.add("bases = [", *(f"    paper_base{kind!r}," for kind in kinds), "]")
        program.use("credalbench.explore.explorers.ensemble.fit", "from_left_to_right")
        program.use("credalbench.plots.object_maps", "map_of_attributes")
        program.add("# Clusters are numbered as shown; rounding can decide between similar clusters.")
        program.add(f"places, _ = map_of_attributes({data})")
        program.add(f"bases = [from_left_to_right(base.fit({data}).partition_, places) for base in bases]")
        norm = self.fitted.run.t_norm
        estimator = EvidentialEnsemble(
            self.n_clusters,
            rule=self.rule,
            t_norm=None if norm is None else norm.name,
            t_norm_parameter=None if norm is None else norm.parameter,
            focal_sets=self.focal_sets,
            pair_neighbors=min(self.pair_neighbors, self.n_clusters - 1) or None,
            max_iter=MAX_ITER,
            random_state=self.seed,
        )
        program.add_fit(estimator, ["bases"], method="fit_from_partitions")
        found, numbers = "model.partition_", self.fitted.run.numbers
        if not self.fitted.ended:
            program.use("credalbench.cluster.ensembles.consensus", "after_sweeps")
            program.use("credalbench.belief.relations", "denormalize", "mean_empty_mass")
            number, sweeps = self.fitted.run.place(self.fitted.iteration)
            program.add("# The search after these sweeps; the mean masses on the empty set are restored.")
            again = f"model.starts_[{number}], model.closed_relation_, {sweeps}"
            program.add(f"found = after_sweeps({again})")
            found = "denormalize(found.partition, mean_empty_mass(bases))"
        program.add_partition(numbers, found)

    def _recovered(self, closed: RelationalMasses) -> Recovery:
        """Return the consensus started from average linkage, without random numbers."""
        return recovered(
            closed,
            self.n_clusters,
            self.focal_sets,
            pair_neighbors=min(self.pair_neighbors, self.n_clusters - 1) or None,
            max_iter=MAX_ITER,
            rng=np.random.RandomState(self.seed),
        )


EXPLORER = FitExplorer(
    model=EnsembleModel,
    title="Ensemble explorer",
    hint=(
        "Click an object to see its masses; click two, or a pair in a relation, for the evidence about them."
    ),
    scene=scene.ensemble_scene,
    text=scene.picture_text,
    tiles=scene.tiles,
    controls=(
        *("n_estimators", "base_from", "base_to"),
        RULE,
        *("rule", "t_norm", "t_norm_parameter"),
        RULE,
        *("n_clusters", "focal_sets", "pair_neighbors"),
        ("restart", "export"),
    ),
    buttons=[
        Button(
            "suggest",
            "Most informative pair (t)",
            "question",
            "Select the pair that the closure changed most; if none, that with the largest ignorance",
            "t",
        ),
        Button("restart", "New bases (n)", "refresh", "Draw new base partitions", "n", flex="1"),
    ],
    play=("first", "second", "suggest"),
    parts=("pair",),
    texts={"below": scene.pair_html},
    off=lambda model: {} if model.t_norm in PARAMETER_RANGES else {"t_norm_parameter": None},
    idle="prepare",
    words=(
        "Name of a data set with attributes, ``half_rings:n:draw`` for n objects on two interlocked arcs, "
        "path of a table, or attributes."
    ),
    returns="``.model.fitted.run.relation`` and ``.closed`` are the masses of all pairs.",
    example="""
        >>> explorer = explore_ensemble("half_rings:60", n_estimators=10)
        >>> explorer.model.suggest()
        >>> len(explorer.model.fitted.pair.evidence.same)
        10
    """,
)
