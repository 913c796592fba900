// Evidential c-means with the Euclidean metric: the iteration of credalbench/cluster/ecm.py, on arrays of rows.
//
// A problem has `objects` (n rows), `sets` (f rows of 0 and 1, one for each cluster, the empty set first if there is
// one), `alpha`, `beta` and `delta`. The numbers in brackets are equations of Antoine et al. (2012).

const ROUNDING = 1e-13; // distances below this share of the spread of the objects are rounding
const REGULAR = 1e-5; // least pivot of a Cholesky root, of unit diagonal, that is trusted
const TOLERANCE = 1e-3; // the run ends when no prototype moves further than this share of the spread,
const LEFT = 5; // and the moves that are left sum to at most so many times this
const MOST_ITERATIONS = 1000;

const sum = (values) => values.reduce((total, value) => total + value, 0);
const squared = (x, y) => x.reduce((total, value, q) => total + (value - y[q]) ** 2, 0);
const zeros = (rows, columns) => Array.from({ length: rows }, () => new Array(columns).fill(0));

// The mean of the objects, and their root mean square distance to it.
function spreadOf(objects) {
  const mean = objects[0].map((_, q) => sum(objects.map((x) => x[q])) / objects.length);
  return { mean, spread: Math.sqrt(sum(objects.map((x) => squared(x, mean))) / objects.length) };
}

// The means of the prototypes of the clusters in each set, (11); null for the empty set.
function barycentres(prototypes, sets) {
  return sets.map((members) => {
    const size = sum(members);
    if (!size) return null;
    return prototypes[0].map((_, q) => sum(prototypes.map((v, k) => members[k] * v[q])) / size);
  });
}

// What multiplies mass to the power beta: |A|^alpha d^2 for an object and each set, delta^2 for the empty set, (14).
function costsOf(x, centres, { sets, alpha, delta }) {
  return centres.map((centre, j) => (centre ? sum(sets[j]) ** alpha * squared(x, centre) : delta ** 2));
}

// The masses that minimise the sum of costs times mass to the power beta, (A.1) and (A.2). Sets of negligible cost
// share the unit mass equally.
function massesFrom(costs, beta, negligible) {
  const least = Math.min(...costs);
  const met = least <= negligible;
  const shares = costs.map((cost) => (met ? Number(cost <= negligible) : (least / cost) ** (1 / (beta - 1))));
  const total = sum(shares);
  return shares.map((share) => share / total);
}

// The masses of all objects that are optimal for the prototypes, (n, f), and the objective (14), with f for 2^c.
function massStep(prototypes, problem) {
  const { objects, sets, beta } = problem;
  const negligible = (ROUNDING * spreadOf(objects).spread) ** 2;
  const centres = barycentres(prototypes, sets);
  const costs = objects.map((x) => costsOf(x, centres, problem));
  const masses = costs.map((row) => massesFrom(row, beta, negligible));
  const terms = masses.map((row, i) => sum(row.map((mass, j) => mass ** beta * costs[i][j])));
  return { masses, objective: sum(terms) / (objects.length * sets.length) };
}

// The prototypes that are optimal for the masses: H V = B of (A.3) to (A.5), solved for their move. A cluster without
// any mass keeps its prototype.
function prototypeStep(prototypes, masses, { objects, sets, alpha, beta }) {
  const [c, p] = [prototypes.length, prototypes[0].length];
  const centres = barycentres(prototypes, sets);
  const [H, B] = [zeros(c, c), zeros(c, p)];
  sets.forEach((members, j) => {
    const size = sum(members);
    if (!size) return;
    let weight = 0;
    const offset = new Array(p).fill(0);
    objects.forEach((x, i) => {
      const power = masses[i][j] ** beta;
      weight += power;
      for (let q = 0; q < p; q += 1) offset[q] += power * (x[q] - centres[j][q]);
    });
    for (let k = 0; k < c; k += 1) {
      if (!members[k]) continue;
      for (let l = 0; l < c; l += 1) H[k][l] += members[l] * size ** (alpha - 2) * weight;
      for (let q = 0; q < p; q += 1) B[k][q] += size ** (alpha - 1) * offset[q];
    }
  });
  const move = solved(H, B);
  return prototypes.map((v, k) => v.map((value, q) => value + move[k][q]));
}

// The least solution of H V = B for positive semi-definite H, scaled to unit diagonal first.
function solved(H, B) {
  const scale = H.map((row, k) => Math.sqrt(row[k]) || 1);
  const scaled = H.map((row, k) => row.map((value, l) => value / scale[k] / scale[l]));
  const right = B.map((row, k) => row.map((value) => value / scale[k]));
  const root = choleskyRoot(scaled);
  const solution = root ? substituted(root, right) : leastSolution(scaled, right);
  return solution.map((row, k) => row.map((value) => value / scale[k]));
}

// The lower triangular root of a matrix, or null if it is not clearly regular.
function choleskyRoot(H) {
  const root = zeros(H.length, H.length);
  for (let k = 0; k < H.length; k += 1)
    for (let l = 0; l <= k; l += 1) {
      const rest = H[k][l] - sum(root[k].slice(0, l).map((value, m) => value * root[l][m]));
      if (l < k) root[k][l] = rest / root[l][l];
      else if (!(rest > REGULAR ** 2)) return null;
      else root[k][k] = Math.sqrt(rest);
    }
  return root;
}

function substituted(root, right) {
  const solution = right.map((row) => [...row]);
  const step = (k, others) =>
    solution[k].forEach((value, q) => {
      solution[k][q] = (value - sum(others.map(([weight, l]) => weight * solution[l][q]))) / root[k][k];
    });
  const numbers = [...root.keys()];
  for (const k of numbers) step(k, numbers.slice(0, k).map((l) => [root[k][l], l]));
  for (const k of numbers.toReversed()) step(k, numbers.slice(k + 1).map((l) => [root[l][k], l]));
  return solution;
}

// The solution of least length, from the eigenvalues that are not rounding, by Jacobi's rotations.
function leastSolution(H, right) {
  const m = H.length;
  const [A, Q] = [H.map((row) => [...row]), H.map((row, k) => row.map((_, l) => Number(k === l)))];
  for (let sweep = 0; sweep < 60; sweep += 1)
    for (let k = 0; k < m; k += 1)
      for (let l = k + 1; l < m; l += 1) {
        if (!A[k][l]) continue;
        const theta = (A[l][l] - A[k][k]) / (2 * A[k][l]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const cosine = 1 / Math.hypot(t, 1);
        const rotate = (read, write) => {
          for (let i = 0; i < m; i += 1) {
            const [x, y] = [read(i, k), read(i, l)];
            write(i, k, cosine * (x - t * y));
            write(i, l, cosine * (t * x + y));
          }
        };
        rotate((i, j) => A[i][j], (i, j, value) => (A[i][j] = value));
        rotate((i, j) => A[j][i], (i, j, value) => (A[j][i] = value));
        rotate((i, j) => Q[i][j], (i, j, value) => (Q[i][j] = value));
      }
  const values = A.map((row, k) => row[k]);
  const least = m * Number.EPSILON * Math.max(...values);
  return right.map((_, row) =>
    right[0].map((_, q) =>
      sum(values.map((value, e) => {
        if (value <= least) return 0;
        return (Q[row][e] * sum(right.map((line, k) => Q[k][e] * line[q]))) / value;
      })),
    ),
  );
}

// Whether the run may stop: the last move is small, and those that are left, extrapolated from the last two, are too.
function atRest(objective, least, last, before) {
  if (last > least) return false;
  if (last === 0 || objective.at(-1) >= objective.at(-2)) return true;
  return (last * last) / least <= LEFT * (before - last);
}

// A run from starting prototypes: prototypes and objective at the start and after each iteration.
function run(start, problem) {
  const { mean, spread } = spreadOf(problem.objects);
  const centred = (rows) => rows.map((row) => row.map((value, q) => value - mean[q]));
  const about = { ...problem, objects: centred(problem.objects) };
  let prototypes = centred(start);
  let { masses, objective } = massStep(prototypes, about);
  const run = { prototypes: [start], objective: [objective], converged: false };
  let last = 0;
  while (!run.converged && run.prototypes.length <= MOST_ITERATIONS) {
    const before = prototypes;
    prototypes = prototypeStep(prototypes, masses, about);
    ({ masses, objective } = massStep(prototypes, about));
    run.prototypes.push(prototypes.map((v) => v.map((value, q) => value + mean[q])));
    run.objective.push(objective);
    const moved = Math.max(...prototypes.map((v, k) => Math.sqrt(squared(v, before[k]))));
    run.converged = atRest(run.objective, TOLERANCE * spread, moved, last);
    last = moved;
  }
  return run;
}
