// EVCLUS with all pairs of objects: the row-wise quadratic programmes of credalbench/cluster/evclus.py. The numbers
// in brackets are equations of Denoeux et al. (2016).

import { copied, sum, zeros } from "./numerics.js";
import { minimiseOnSimplex } from "./simplex.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */

const SMOOTHING = 0.5; // rho of (21b)
const OWN = 0.9; // mass on an object's own cluster at the start

/** 1 for two sets without a common cluster, else 0. @param {number[][]} sets */
export const conflictOf = (sets) =>
  sets.map((A) => Float64Array.from(sets, (B) => Number(!A.some((one, k) => one && B[k]))));

/** Starting masses from labels of clusters, as init="linkage" has them. @param {number[]} labels @param {number[][]} sets */
export function startingMasses(labels, sets) {
  const [c, f] = [sets[0].length, sets.length];
  const rest = (1 - OWN) / (c + 1);
  return labels.map((own) => {
    const masses = Float64Array.from(sets, (members) => {
      const size = sum(members);
      const simple = size <= 1 || size === c;
      const first = size === 1 && members[own] ? OWN : rest;
      return (1 - OWN) / f + (simple ? OWN * first : 0);
    });
    const total = sum(masses);
    return masses.map((mass) => mass / total);
  });
}

/** Degrees of conflict of two mass functions, given A = M C of the first. @param {Vector} a @param {Vector} masses */
function product(a, masses) {
  let total = 0;
  for (let p = 0; p < masses.length; p += 1) total += a[p] * masses[p];
  return total;
}

/** Degrees of conflict of all pairs, (n, n). @param {Rows} masses @param {number[][]} sets */
export function conflicts(masses, sets) {
  const C = conflictOf(sets);
  return masses.map((one) => {
    const a = C.map((row) => product(row, one));
    const row = new Float64Array(masses.length);
    for (let j = 0; j < row.length; j += 1) row[j] = product(a, masses[j]);
    return row;
  });
}

/** The stress (12) of masses, O(n^2 f). @param {Rows} masses @param {number[][]} sets @param {Rows} delta */
export function stressOf(masses, sets, delta) {
  let [total, squares] = [0, 0];
  conflicts(masses, sets).forEach((row, i) => {
    for (let j = 0; j < i; j += 1) {
      total += (row[j] - delta[i][j]) ** 2;
      squares += delta[i][j] ** 2;
    }
  });
  return total / squares;
}

/**
 * Sweeps of row updates, (20), from starting masses until the smoothed relative change of the stress, (21), is below
 * `tol`. O(n^2 f + n f^3) a sweep.
 * @param {Rows} delta transformed dissimilarities, (n, n) @param {number[][]} sets @param {Rows} start (n, f)
 * @param {{tol?: number, maxIter?: number}} [rule]
 * @returns {{masses: Float64Array[], stress: number[], converged: boolean}}
 */
export function evclus(delta, sets, start, { tol = 1e-5, maxIter = 1000 } = {}) {
  const [n, f, C] = [delta.length, sets.length, conflictOf(sets)];
  const masses = copied(start);
  const columns = zeros(f, n); // M C by columns
  const gram = zeros(f, f);
  const own = new Float64Array(f);
  const linear = new Float64Array(f);
  let squares = 0;
  for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) squares += delta[i][j] ** 2;
  masses.forEach((row, i) => C.forEach((line, p) => (columns[p][i] = product(line, row))));

  /** @param {number} sign */
  function addOwn(sign) {
    for (let p = 0; p < f; p += 1) for (let q = 0; q < f; q += 1) gram[p][q] += sign * own[p] * own[q];
  }

  /** @param {Float64Array} x */
  function rowObjective(x) {
    let total = 0;
    for (let p = 0; p < f; p += 1) if (x[p]) total += x[p] * (product(gram[p], x) - 2 * linear[p]);
    return total;
  }

  const stress = [stressOf(masses, sets, delta)];
  let [error, converged] = [1, stress[0] <= 0];
  for (let sweep = 0; sweep < maxIter && !(converged && sweep); sweep += 1) {
    let change = 0;
    for (let p = 0; p < f; p += 1)
      for (let q = 0; q < f; q += 1) gram[p][q] = product(columns[p], columns[q]);
    for (let i = 0; i < n; i += 1) {
      for (let p = 0; p < f; p += 1) {
        linear[p] = product(columns[p], delta[i]);
        own[p] = columns[p][i];
      }
      addOwn(-1);
      const before = rowObjective(masses[i]);
      minimiseOnSimplex(gram, linear, masses[i]);
      change += rowObjective(masses[i]) - before;
      for (let p = 0; p < f; p += 1) columns[p][i] = own[p] = product(C[p], masses[i]);
      addOwn(1);
    }
    const last = stress[stress.length - 1];
    const next = Math.max(last + change / squares, 0);
    error = SMOOTHING * error + (1 - SMOOTHING) * (last > 0 ? Math.abs(next - last) / last : 0);
    stress.push(next);
    converged = error < tol || next <= 0;
  }
  stress[stress.length - 1] = stressOf(masses, sets, delta); // the sum of the changes, freed from rounding
  return { masses, stress, converged };
}
