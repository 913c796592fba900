"""What calls are made of: values as source text, without blanks, and kinds of data."""

import numpy as np
from scipy.spatial.distance import squareform

IMPORTS = {
    "pickle": "import pickle",
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "inf": "from numpy import inf",
    "nan": "from numpy import nan",
    "csr_array": "from scipy.sparse import csr_array",
    "squareform": "from scipy.spatial.distance import squareform",
    "clone": "from sklearn.base import clone",
    "DBSCAN": "from sklearn.cluster import DBSCAN",
    "KMeans": "from sklearn.cluster import KMeans",
    "CredalPartition": "from credalbench.belief import CredalPartition",
    "FocalSets": "from credalbench.belief import FocalSets",
    "RelationalMasses": "from credalbench.belief import RelationalMasses",
    "read_table": "from credalbench.core.categories import read_table",
    "ECM": "from credalbench.cluster import ECM",
    "ActiveLearner": "from credalbench.cluster import ActiveLearner",
    "add_pairs": "from credalbench.cluster import add_pairs",
    "delta_for_rejection_rate": "from credalbench.cluster import delta_for_rejection_rate",
    "combine_partitions": "from credalbench.belief.relations import combine_partitions",
    "Limits": "from credalbench.tables import Limits",
    "read_user_table": "from credalbench.tables import read_user_table",
}

KINDS = {  # by what a docstring says of a parameter, beside the choices that it lists; c is n_clusters
    "(c, p) array": "A[:{c}] A[-{c}:]*1.5",
    "(c, p) table": "A[:{c}] A[-{c}:].tolist() pd.DataFrame(A[:{c}])",
    "list of p arrays (c, n_l)": "[np.eye(max(1,len(np.unique(a))))[np.zeros({c},int)]for(a)in(A.T)]",
    "(c,) int array": "[*range({c})]",
    "(n,) int array": "np.arange(len(A))%{c}",
    "(n, f) array": "np.random.default_rng(0).dirichlet(np.ones({c}+2),len(A))",
    "FocalSets": "FocalSets.full({c},empty=False) FocalSets.from_sets({c},[[],range({c})])",
}
SENSIBLE = {  # by parameter; other parameters get values of their kind, unsuitable ones should be refused
    "n_clusters": "2 2 2 2 3 3 4 1 6 len(A)",
    "BootGMM n_clusters": "2 2 2 2 3 3 4 1 6 9",  # with all pairs of 60 a fit takes 12 s
    "EvidentialEnsemble n_clusters": "2 2 2 2 3 3 4 1 6 9",  # so does one with all pairs of 40 clusters
    "metric": "'euclidean' 'cityblock' 'cosine' 'correlation' 'mahalanobis' 'seuclidean' 'jaccard'",
    "init": "'k-means++' 'random' A[:{c}]",
    "weight": "'balanced' 0.0 1.0 1e6",
    "alpha": "0.05 0.5 1.0 2.0 -1.0 0.999 30.0",
    "beta": "1.05 1.5 2.0 3.0 20.0",
    "m": "1.05 1.5 2.0 5.0",
    "delta": "0.1 1.0 10.0 1e3 1e6 1e-6 1e-100 1e100",
    "d0": "0.01 1.0 11.0 1e4 1e-100 1e100",
    "gamma": "0.0 0.5 1.0 10.0",
    "eta": "0.1 1.0 10.0",
    "xi": "0.0 0.1 0.5 0.9 0.999",
    "b": "0.5 1.0 2.0 5.0",
    "q": "0.1 0.5 0.9 1.0",
    "d0_quantile": "0.1 0.5 0.9 1.0",
    "n_pairs": "1 2 5 20 len(A)-1",
    "n_neighbors": "1 2 5 20 len(A)-1",
    "n_bootstrap": "1 2 10",
    "n_estimators": "1 2 10",
    "base_n_clusters": "None 1 2 3 (1,4) (2,len(A)) [2,2]",
    "base": "None DBSCAN(eps=3.0) KMeans(2,n_init=1) ECM(3) [ECM(2),KMeans(3)]",
    "t_norm_parameter": "None 0.5 1.0 2.0",
    "ridge": "1e-9 1e-6 1e-3 1.0",
    "confidence": "0.5 0.9 0.99",
    "n_jobs": "None 1",
    "pair_neighbors": "1 2",
    "n_init": "1 2 3",
    "n_restarts": "0 1 5",
    "max_iter": "0 1 2 10 100",
    "tol": "0.0 1e-12 1e-5 1e-2 1.0",
    "reg_covar": "0.0 1e-9 1e-6 0.01 1.0 1e6",
    "regularization": "0.0 1e-12 1e-3 1.0",
    "random_state": "0 1 np.random.RandomState(0)",
    "n_hidden": "1 5 20 (4,3) [2,2]",
    "batch_size": "None 2 5 20",
    "novelty": "None 0.05 0.2 0.9",
    "label_weight": "0.0 0.5 0.999",
    "penalty": "0.0 1e-3 1.0 1e3",
    "labels": "np.arange(len(A))%2 np.full(len(A),-1) np.arange(len(A))%3-1 [0,1]",
    "must_link": "[] [(0,1)] [(0,1),(1,2)] [(0,2),(4,5)] np.array([[3,1]])",
    "cannot_link": "[] [(0,3)] [(2,5),(3,6),(0,7)] [(0,2)] np.array([[4,1]])",
    "must_link_weights": "[0.5] [1.0,0.1] []",
    "cannot_link_weights": "[0.5] [1.0,0.1,0.9] []",
    "sample_weight": "np.ones(len(A)) np.arange(1.0,len(A)+1) np.zeros(len(A)) 1e300*np.ones(len(A))",
    "partners": "(np.arange(len(A))[:,None]+[1])%len(A) (np.arange(len(A))[:,None]+[1,2])%len(A)",
}
ODD = """
    None True False '' '1' 'nonsense' b'x' nan inf -inf 0 -1 0.5 2.5 1e-300 1e300 5e-324 2**70 -2**70 1j
    10**30 np.int8(2) np.uint8(2) np.int16(2) np.int64(2) np.uint64(2) np.float16(1.5) np.float32(0.5)
    np.float64(nan) np.longdouble(2) np.bool_(True) np.str_('euclidean') np.array(2) np.array([1,2])
    np.array([]) np.eye(2) np.full((2,2),nan) np.full((2,2),1e200) np.full(A.shape,1e300) [] [2] (2,)
    ['irqp'] {} {2} object() len dict range(2) pd.NA pd.Series([1,2]) np.datetime64('2020-01-01') [[0,0]]
    [[0,99]] [(0,-1)] [[0.0,1.0]] [[0,1],[2]] A A[:0] 1e150 1e-150 300 0.0 -0.0 1e16
"""
CONTAINERS = """
    A.tolist() pd.DataFrame(A) A.astype(np.float32) A.astype(object) np.asfortranarray(A) csr_array(A) A.T
    A.astype(np.float16) A.astype(str) A.astype(str).astype(object) pd.DataFrame(A).astype('category')
    pd.DataFrame(A).astype(str) A.astype(int) A>0 A+0j A.ravel() A[:,:1].ravel() A[None] A[:,:0] None
    'x' [*A.tolist(),[1.0]] np.ma.masked_invalid(A) A[::-1] pd.DataFrame(A).T 3.0 {} A[:1]
"""
NEW = "A A[:1] A[::-1]+1.0 A*3 A[:,:1] A*1e200 A[:0] A.astype(np.float32) A.tolist() np.full_like(A,1e300)"

# ------------------------------------------------------------------------------------------------ data


def three_groups(rng, n, p):
    """Objects (n, p), with few digits."""
    return np.round(rng.normal(size=(n, p)) + 8 * rng.integers(3, size=(n, 1)), 2)


def with_one(rng, A, value):
    """`A` with one entry replaced, if it has any."""
    A = A.copy()
    if A.size:
        A.flat[rng.integers(A.size)] = value
    return A


def power(rng, low, high):
    """A power of ten, its exponent in low..high."""
    return 10.0 ** rng.integers(low, high + 1)


TABLES = {  # each from an (n, p) array
    "groups": lambda rng, A: A,
    "duplicates": lambda rng, A: A[rng.integers(max(1, len(A) // 8), size=len(A))] if len(A) else A,
    "constant": lambda rng, A: np.full_like(A, np.round(rng.normal(), 2)),
    "one constant column": lambda rng, A: A * (np.arange(A.shape[1]) > 0),
    "collinear": lambda rng, A: A[:, :1] * np.arange(1.0, A.shape[1] + 1),
    "one large column": lambda rng, A: A * np.where(np.arange(A.shape[1]), 1.0, power(rng, 3, 300)),
    "any scale": lambda rng, A: A * power(rng, -300, 300),
    "far from zero": lambda rng, A: A + power(rng, 3, 300),
    "one far object": lambda rng, A: with_one(rng, A, power(rng, 3, 308)),
    "subnormal": lambda rng, A: A * 5e-324,
    "integers": lambda rng, A: np.round(A),
    "two places": lambda rng, A: np.where(A > 8, 1.0, 0.0),
    "a hole": lambda rng, A: with_one(rng, A, rng.choice([np.nan, np.inf, -np.inf])),
    "categories": lambda rng, A: rng.integers(4, size=A.shape) * 1.0,
    "categories with holes": lambda rng, A: np.where(rng.random(A.shape) < 0.2, np.nan, np.round(A / 4)),
}
DISSIMILARITIES = {  # each from an (n, n) matrix of distances
    "distances": lambda rng, D: D,
    "asymmetric": lambda rng, D: D * np.round(rng.uniform(0.5, 1, D.shape), 2),
    "asymmetric by rounding": lambda rng, D: D * (1 + 1e-12 * rng.normal(size=D.shape)),
    "negative": lambda rng, D: D - 1,
    "a diagonal": lambda rng, D: D + np.eye(len(D)),
    "no metric": lambda rng, D: D**3,
    "at random": lambda rng, D: squareform(np.round(rng.uniform(size=len(squareform(D))), 2)),
    "two values": lambda rng, D: (D > 4) * 1.0,
    "zeros": lambda rng, D: 0 * D,
    "any scale": lambda rng, D: D * power(rng, -300, 300),
    "a hole": lambda rng, D: with_one(rng, D, rng.choice([np.nan, np.inf])),
}
