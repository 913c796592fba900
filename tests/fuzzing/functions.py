"""Random calls of functions and of methods: what is public and no estimator."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from credalbench import belief, metrics, select, tables
from credalbench.belief import relations
from credalbench.core import categories

from .calls import Call, pick
from .sources import ODD, TABLES, three_groups

PACKAGES = (belief, categories, metrics, relations, select, tables)
METHODS = {"P": belief.CredalPartition, "F": belief.FocalSets, "P.named(names)[0]": belief.MassFunction}
#: A picture has no number, files would be written, and a table is handed on with its holes.
NO_ANSWERS = ("plot", "save", "write_credpart", "as_table")
FOCAL_SETS = """
    FocalSets.full(3) FocalSets.full(3,empty=False) FocalSets.simple(3) FocalSets.pairs(3)
    FocalSets.pairs(4,[(0,1)]) FocalSets.up_to(4,2,omega=False) FocalSets.full(1) FocalSets.full(6)
"""
UNLIKELY = [value for value in ODD.split() if value != "300"]  # so many repetitions take their time
NAMED = """
    F=FOCAL
    y=np.arange(len(A))%3
    names=[f'o{i}'for(i)in(range(len(A)))]
    P=CredalPartition(np.random.default_rng(0).dirichlet(np.full(len(F),0.3),len(A)),F)
    Q=CredalPartition.from_labels(y)
    T=pd.DataFrame({'height':A[:,0],'colour':np.array(['red','green','blue'])[y]})
    words=pd.DataFrame({'colour':T['colour'],'size':np.array(['small','large'])[y%2]})
    D=np.abs(A[:,:1]-A[:,0])
    codes,domain=read_table(words)
"""
MEMBERSHIPS = "np.eye(3)[y] P.to_fuzzy() np.ones((len(A),1)) np.random.default_rng(1).dirichlet([1,1],len(A))"
ROUGH = "np.eye(3)[y]>0 np.ones((len(A),3))>0 P.lower_approximation() P.upper_approximation()"
ROWS = "[0] [0,0] [-1] slice(2) [*range(len(A))] [len(A)] y>0 [] 'o0' ['o0'] 0"
TEXTS = r"""
    T words A D D.tolist() T.T T.to_csv(index=False).encode() words.to_csv().encode() 'nowhere.csv' '/' b''
    b'a,b\n1,2\n3,4\n5,7\n' b'a;b\n1,5;x\n2,5;?\n3,1;y' b'\0' b'a' b'1\t2\n3\t4\n5\t6' b'0,1,2\n1,0,3\n2,3,0'
    b'a,a\n,\n1,2' b'\xff\xfea'
"""
#: Sources by parameter; unsuitable ones should be refused.
SENSIBLE = {
    "A": "[0] [0,1] [] range(3) {1} (2,) 0 7",
    "D": "None D A",
    "P": "P Q P.masses",
    "Q": "P Q Q.masses",
    "R": "np.eye(len(A)) np.ones((len(A),len(A))) np.exp(-D) P.relational().same D",
    "U": MEMBERSHIPS,
    "X": "A T words A[:,:1] None",
    "c": "1 2 3 6 14",
    "centers": "A[:3] A[:1] A[:,:1][:3]",
    "codes": "codes codes[:1] codes+1",
    "columns": "None {'colour':'category'} {'colour':'left_out'} {'height':'number'} {'a':'class'}",
    "criteria": "None ['evidence'] ['silhouette'] [] ['bic']",
    "delimiter": "None ',' ';'",
    "decimal": "None '.' ','",
    "domain": "domain",
    "empty": "True False",
    "empty_mass": "0.1 np.zeros(len(A)) np.full(len(A),0.5) np.ones(len(A))",
    "encoding": "None 'utf-8' 'latin-1' 'utf-7'",
    "estimator": "ECM() ECM(init='k-means++') ECM(max_iter=3)",
    "evidence": "RelationalMasses(*np.full((4,2,9,9),0.25)) P.relational() combine_partitions([P,Q])",
    "fit_params": "None {}",
    "focal_sets": "F FocalSets.full(3) FocalSets.full(6) None",
    "header": "None True False",
    "i": "0 1 -1 len(A)",
    "index": "names names[::-1] range(len(A)) ['a']",
    "j": "0 1 -1 len(A)",
    "kind": "None 'attributes' 'dissimilarities' 'jousselme' 'conflict'",
    "limits": "Limits()",
    "log_likelihood": "-10.0 0.0",
    "lower": ROUGH,
    "m": "2.0 1.5",
    "masks": "[0,1,2] [1,2,4,7] [] F.masks",
    "masses": "P.relational() P.masses",
    "max_objects": "None 3 5",
    "skip_lines": "None 0 1",
    "keep_na_words": "False True",
    "beyond": "None 'limit' 'half' 'missing'",
    "membership": MEMBERSHIPS,
    "metric": "'euclidean' 'cityblock' 'precomputed'",
    "missing": "'error' 'category' 'ignore' None 'rows' 'median'",
    "n_clusters": "range(2,4) [2] [3,2] range(1,3)",
    "n_components": "1 2 3",
    "n_jobs": "None",
    "n_neighbors": "1 3 100",
    "n_objects": "1 20",
    "n_parameters": "0 3",
    "n_references": "0 1 3",
    "n_repeats": "1 2",
    "n_resamples": "0 2",
    "na_values": "() ['red'] [0.0]",
    "name": "None 'o0' 0 'mine'",
    "noise": "None -1",
    "norm": "'minimum' 'product' 'lukasiewicz' 'frank' 'hamacher'",
    "numbers": "range(P.n_clusters) range(P.n_clusters)[::-1] [0,0,0] [5] None",
    "omega": "True False",
    "other": "F FocalSets.full(3) FocalSets.simple(6)",
    "pairs": "None [(0,1)] [(1,2),(0,2)] []",
    "parameter": "None 0.5 1.0 2.0 10.0",
    "partition": "P Q",
    "partitions": "[P,Q] [P] [y,y[::-1]] [Q,y] [] [P,P,P]",
    "partners": "(np.arange(len(A))[:,None]+[1])%len(A) np.zeros((len(A),1),int) [[1]]",
    "parts": "'masses' 'contour' 'decisions'",
    "path": "'nowhere' '' '/' b'x'",
    "pi": "np.eye(3)[y] np.maximum(np.random.default_rng(1).random((len(A),3)),np.eye(3)[y])",
    "positions": "np.random.default_rng(0).normal(size=(len(A),2)) A[:,:1]",
    "random_state": "0 1",
    "ranges": "'robust' 'full'",
    "references": "[Q] [P,Q] [P] []",
    "rows": ROWS,
    "rule": "'dempster' 'yager' 'interval_dominance' 'maximum' 'pignistic' 'plausibility' 'average' 'belief'",
    "sets": "[[],[0],[1],[0,1]] [range(3)] [] [[0],[0]] [[9]]",
    "shares": "np.ones((len(A),2)) np.random.default_rng(0).dirichlet(np.ones(2),len(A))",
    "size": "1 2 3",
    "source": TEXTS,
    "standardize": "None True False",
    "supplementary": "() ['colour']",
    "t_norm": "'minimum' 'product' 'lukasiewicz' 'frank' 'hamacher'",
    "table": "read_user_table(T) read_user_table(A)",
    "upper": ROUGH,
    "values": "D D[0] np.ones(3) np.ones((3,3)) A",
    "weights": "None [1.0,2.0] np.full((domain.n_rows,2),0.5) [np.full((2,m),1/m)for(m)in(domain.sizes)]",
    "y": "y y.astype(str) [*y] np.zeros(len(A)) y*1.0",
    "y_true": "y y[::-1] y.astype(str) np.zeros(len(A)) [*y]",
    "y_pred": "y y[::-1] y*2 np.zeros(len(A)) [*y]",
    "alpha": "0.0 1.0 2.0",
    "allow_empty": "True False",
    "blank_rows": "True False",
    "exclude_outliers": "True False",
    "data": "A D T",
}


@dataclass(frozen=True)
class FunctionCall(Call):
    """A call of a function, or of a method of something named before it."""

    called: str = ""
    named: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is called, for a report."""
        return self.called

    @property
    def fitting(self) -> str:
        """The statements that name what is called, or handed over."""
        return "\n".join(self.named)


def _subjects() -> Iterator[tuple[str, Callable, Callable]]:
    """Yield what can be called: source text, function, and what a script has to import."""
    for package in PACKAGES:
        for name in package.__all__:
            thing = getattr(package, name)
            if callable(thing) and not isinstance(thing, type) and name not in NO_ANSWERS:
                yield name, thing, thing
    for owner, cls in METHODS.items():
        for name, member in inspect.getmembers(cls, callable):
            if not name.startswith("_") and name not in NO_ANSWERS:
                bound = inspect.ismethod(member)  # of the class
                yield f"{cls.__name__ if bound else owner}.{name}", member, cls


SUBJECTS = {name: (function, imported) for name, function, imported in _subjects()}


def parameters_of(function: Callable) -> list[inspect.Parameter]:
    """Return the parameters of a function, without ``self``."""
    found = inspect.signature(function).parameters.values()
    return [p for p in found if p.name != "self" and p.kind is not p.VAR_KEYWORD]


def draw_function(seed: int) -> FunctionCall:
    """Return the call of a seed."""
    rng = np.random.default_rng(seed)
    name = pick(rng, sorted(SUBJECTS))
    function, imported = SUBJECTS[name]
    given = []
    for parameter in parameters_of(function):
        if parameter.default is parameter.empty or rng.random() < 0.4:
            value = pick(rng, UNLIKELY if rng.random() < 0.1 else SENSIBLE[parameter.name])
            named = "" if parameter.kind is parameter.VAR_POSITIONAL else f"{parameter.name}="
            given.append(f"{named}{value}")
    A = three_groups(rng, rng.integers(1, 25), rng.integers(1, 4))
    if rng.random() < 0.2:
        A = TABLES[pick(rng, TABLES)](rng, A)
    named = tuple(line.replace("FOCAL", pick(rng, FOCAL_SETS)) for line in NAMED.split())
    return FunctionCall(imported, A, after=(f"{name}({', '.join(given)})",), called=name, named=named)
