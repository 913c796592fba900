// The steps that ECM and CECM share: distances, masses, prototypes and norms, as in credalbench/cluster/prototypes/.
// The numbers in brackets are equations of Antoine et al. (2012).

import { copied, eigen, meanOf, solved, squared, sum, zeros } from "./numerics.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */
/**
 * The parameters of the objective. `sets` are rows of 0 and 1, one for each cluster, the empty set first if there is
 * one; costs up to `negligible` count as zero.
 * @typedef {{sets: number[][], alpha: number, beta: number, delta: number, negligible: number}} Setting
 */
/**
 * A run: prototypes (c, p) and the objective at the start and after each iteration; masses (n, f) of the last, norms
 * (c, p, p), or null if they are Euclidean.
 * @typedef {{prototypes: Float64Array[][], objective: number[], masses: Float64Array[], norms: Float64Array[][] | null,
 *   converged: boolean}} Run
 */
/**
 * A mass step: masses that are optimal for costs (n, f), given those before, and the objective times n f.
 * @typedef {(costs: Float64Array[], previous: Float64Array[] | null) => {masses: Float64Array[], objective: number}} MassStep
 */

const ROUNDING = 1e-13; // distances below this share of the spread of the objects are rounding
const LEFT = 5; // when a run ends, the moves that are left sum to at most so many of the last one allowed
const RIDGE = 1e-10; // least eigenvalue of a covariance, as a share of the mean eigenvalue

/** The mean of the objects, and their root mean square distance to it. @param {Rows} objects */
export function spreadOf(objects) {
  const mean = meanOf(objects);
  return { mean, spread: Math.sqrt(sum(objects.map((x) => squared(x, mean))) / objects.length) };
}

/** Squared distances that are rounding. @param {number} spread */
export const negligibleOf = (spread) => (ROUNDING * spread) ** 2;

/** The means of the prototypes of each set, (11); null for the empty set. @param {Rows} prototypes @param {number[][]} sets */
export function barycentres(prototypes, sets) {
  return sets.map((members) => {
    const size = sum(members);
    if (!size) return null;
    return Float64Array.from(
      prototypes[0],
      (_, q) => prototypes.reduce((total, v, k) => total + members[k] * v[q], 0) / size,
    );
  });
}

/** The mean norm of the clusters of each set, (22); null for the empty set. @param {Rows[]} norms @param {number[][]} sets */
function setNorms(norms, sets) {
  return sets.map((members) => {
    const size = sum(members);
    if (!size) return null;
    return norms[0].map((row, q) =>
      Float64Array.from(row, (_, r) => norms.reduce((total, S, k) => total + members[k] * S[q][r], 0) / size),
    );
  });
}

/**
 * What multiplies mass to the power beta, (14): |A|^alpha d^2 for each set, delta^2 for the empty set. O(n f p^2).
 * @param {Rows} objects @param {Rows} prototypes @param {Setting} setting @param {Rows[] | null} [norms]
 * @returns {Float64Array[]} (n, f)
 */
export function costsOf(objects, prototypes, { sets, alpha, delta }, norms = null) {
  const [centres, metrics] = [barycentres(prototypes, sets), norms && setNorms(norms, sets)];
  const factors = sets.map((members) => sum(members) ** alpha);
  return objects.map((x) => {
    const costs = new Float64Array(sets.length).fill(delta ** 2);
    for (let j = 0; j < costs.length; j += 1) {
      const [centre, S] = [centres[j], metrics?.[j]];
      if (centre) costs[j] = factors[j] * (S ? squaredUnder(S, x, centre) : squared(x, centre));
    }
    return costs;
  });
}

/** The squared distance (x - y)' S (x - y). @param {Rows} S @param {Vector} x @param {Vector} y */
function squaredUnder(S, x, y) {
  let total = 0;
  for (let q = 0; q < x.length; q += 1) {
    total += S[q][q] * (x[q] - y[q]) ** 2;
    for (let r = 0; r < q; r += 1) total += 2 * S[q][r] * (x[q] - y[q]) * (x[r] - y[r]);
  }
  return Math.max(total, 0);
}

/**
 * The masses of an object that minimise the sum of costs times mass to the power beta, (A.1) and (A.2). Sets of
 * negligible cost share the unit mass. @param {Vector} costs @param {number} beta @param {number} negligible
 */
export function massesFrom(costs, beta, negligible) {
  let least = Infinity;
  for (let j = 0; j < costs.length; j += 1) least = Math.min(least, costs[j]);
  const masses = new Float64Array(costs.length);
  let total = 0;
  for (let j = 0; j < costs.length; j += 1) {
    const share = least / costs[j];
    if (least <= negligible) masses[j] = Number(costs[j] <= negligible);
    else masses[j] = beta === 2 ? share : share ** (1 / (beta - 1));
    total += masses[j];
  }
  for (let j = 0; j < costs.length; j += 1) masses[j] /= total;
  return masses;
}

/** @param {number} mass @param {number} beta */
const power = (mass, beta) => (beta === 2 ? mass * mass : mass ** beta);

/** The sum of costs times mass to the power beta. @param {Rows} masses @param {Rows} costs @param {number} beta */
export function costSum(masses, costs, beta) {
  let total = 0;
  masses.forEach((row, i) => {
    for (let j = 0; j < row.length; j += 1) if (row[j]) total += power(row[j], beta) * costs[i][j];
  });
  return total;
}

/** The mass step of ECM. @param {Setting} setting @returns {MassStep} */
export function freeMasses({ beta, negligible }) {
  return (costs) => {
    const masses = costs.map((row) => massesFrom(row, beta, negligible));
    return { masses, objective: costSum(masses, costs, beta) };
  };
}

/**
 * The prototypes that are optimal for the masses: H V = B, (A.3) to (A.5), or G V = F X, (33), solved for their move.
 * A cluster without any mass keeps its prototype. O(n f p + f c^2 p^2 + c^3 p^3).
 * @param {Rows} objects @param {Rows} masses @param {Rows} prototypes @param {Setting} setting @param {Rows[] | null} norms
 * @returns {Float64Array[]}
 */
export function prototypeStep(objects, masses, prototypes, { sets, alpha, beta }, norms) {
  const [c, p] = [prototypes.length, prototypes[0].length];
  const centres = barycentres(prototypes, sets);
  const metrics = norms && setNorms(norms, sets);
  const block = metrics ? p : 1; // with norms, all coordinates of all prototypes are one system
  const [H, B] = [zeros(c * block, c * block), zeros(c * block, metrics ? 1 : p)];
  sets.forEach((members, j) => {
    const [size, centre] = [sum(members), centres[j]];
    if (!centre) return;
    let weight = 0;
    const offset = new Float64Array(p);
    objects.forEach((x, i) => {
      if (!masses[i][j]) return;
      const share = power(masses[i][j], beta);
      weight += share;
      for (let q = 0; q < p; q += 1) offset[q] += share * (x[q] - centre[q]);
    });
    const [outer, inner] = [size ** (alpha - 2) * weight, size ** (alpha - 1)];
    const S = metrics?.[j];
    for (let k = 0; k < c; k += 1) {
      if (!members[k]) continue;
      for (let l = 0; l < c; l += 1) {
        if (!members[l]) continue;
        if (!S) H[k][l] += outer;
        else
          for (let q = 0; q < p; q += 1)
            for (let r = 0; r < p; r += 1) H[k * p + q][l * p + r] += outer * S[q][r];
      }
      for (let q = 0; q < p; q += 1) {
        if (!S) B[k][q] += inner * offset[q];
        else for (let r = 0; r < p; r += 1) B[k * p + q][0] += inner * S[q][r] * offset[r];
      }
    }
  });
  const move = solved(H, B);
  return prototypes.map((v, k) =>
    Float64Array.from(v, (value, q) => value + (metrics ? move[k * p + q][0] : move[k][q])),
  );
}

/**
 * The norms of determinant 1 that are optimal for masses and prototypes, (42). A singular covariance gets a ridge; the
 * previous norm is kept if the ridge would raise the objective. O(n f p^2).
 * @param {Rows} objects @param {Rows} masses @param {Rows} prototypes @param {Setting} setting @param {Rows[]} previous
 * @returns {Float64Array[][]}
 */
export function normStep(objects, masses, prototypes, { sets, alpha, beta }, previous) {
  const p = prototypes[0].length;
  const covariances = prototypes.map(() => zeros(p, p));
  barycentres(prototypes, sets).forEach((centre, j) => {
    if (!centre) return;
    const scatter = zeros(p, p);
    objects.forEach((x, i) => {
      const weight = power(masses[i][j], beta);
      if (!weight) return;
      for (let q = 0; q < p; q += 1)
        for (let r = 0; r <= q; r += 1) scatter[q][r] += weight * (x[q] - centre[q]) * (x[r] - centre[r]);
    });
    const factor = sum(sets[j]) ** (alpha - 1);
    covariances.forEach((C, k) => {
      if (!sets[j][k]) return;
      for (let q = 0; q < p; q += 1)
        for (let r = 0; r < p; r += 1) C[q][r] += factor * scatter[Math.max(q, r)][Math.min(q, r)];
    });
  });
  return covariances.map((C, k) => normOf(C, previous[k]));
}

/** The inverse, scaled to determinant 1. @param {Float64Array[]} C @param {Rows} previous @returns {Float64Array[]} */
function normOf(C, previous) {
  const p = C.length;
  const mean = sum(C.map((row, q) => row[q])) / p || 1;
  const { values, vectors } = eigen(C.map((row) => row.map((value) => value / mean)));
  const positive = values.map((value) => Math.max(value, 0));
  const ridge = Math.max(RIDGE - Math.min(...positive), 0);
  const widened = positive.map((value) => value + ridge);
  const scale = Math.exp(sum(widened.map(Math.log)) / p);
  const S = C.map((row, q) =>
    row.map((_, r) => sum(widened.map((value, e) => (vectors[q][e] * vectors[r][e] * scale) / value))),
  );
  /** @param {Rows} norm */
  const cost = (norm) => sum(C.map((row, q) => sum(row.map((value, r) => value * norm[q][r]))));
  return ridge && cost(previous) < cost(S) ? copied(previous) : S;
}

/** Whether a run may stop: the last move is small, and those that are left, extrapolated from the last two, are too.
 * @param {number[]} objective @param {number} least @param {number} last @param {number} before */
function atRest(objective, least, last, before) {
  if (last > least) return false;
  if (last === 0 || objective[objective.length - 1] >= objective[objective.length - 2]) return true;
  return last * (last / least) <= LEFT * (before - last);
}

/**
 * Update masses, prototypes and, if `adaptive`, norms in turn until the prototypes rest. The objective of the run is
 * that of the mass step, divided by n f.
 * @param {Rows} objects @param {Rows} start @param {Setting} setting @param {MassStep} massStep
 * @param {{adaptive?: boolean, leastMove: number, maxIter?: number}} rule
 * @returns {Run}
 */
export function alternate(
  objects,
  start,
  setting,
  massStep,
  { adaptive = false, leastMove, maxIter = 1000 },
) {
  const mean = meanOf(objects);
  const centred = objects.map((x) => Float64Array.from(x, (value, q) => value - mean[q]));
  /** @type {Float64Array[]} */
  let prototypes = start.map((v) => Float64Array.from(v, (value, q) => value - mean[q]));
  /** @type {Float64Array[][] | null} */
  let norms = adaptive ? start.map((v) => identity(v.length)) : null;
  /** @type {Run} */
  const run = { prototypes: [copied(start)], objective: [], masses: [], norms, converged: false };
  let [last, before] = [0, 0];
  for (;;) {
    const costs = costsOf(centred, prototypes, setting, norms);
    const step = massStep(costs, run.objective.length ? run.masses : null);
    run.masses = step.masses;
    run.objective.push(step.objective / (objects.length * setting.sets.length));
    const done = run.objective.length - 1;
    run.converged = done > 0 && atRest(run.objective, leastMove, last, before);
    if (run.converged || done >= maxIter) return run;
    const moved = prototypeStep(centred, run.masses, prototypes, setting, norms);
    if (norms) run.norms = norms = normStep(centred, run.masses, moved, setting, norms);
    before = last;
    last = Math.sqrt(Math.max(...moved.map((v, k) => squared(v, prototypes[k]))));
    prototypes = moved;
    run.prototypes.push(moved.map((v) => v.map((value, q) => value + mean[q])));
  }
}

/** @param {number} p */
const identity = (p) => zeros(p, p).map((row, q) => row.fill(1, q, q + 1));
