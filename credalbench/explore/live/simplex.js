// Convex quadratic programmes on the simplex, solved exactly, as credalbench/cluster/simplex/simplex_qp.py and
// credalbench/cluster/constrained/mass_sweeps.py do.

import { sum } from "./numerics.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */

const PROXIMITY = 1e-12; // relative weight that makes singular programmes unique
const DUAL_TOLERANCE = 1e-13; // relative: a multiplier above minus this counts as non-negative

/**
 * Overwrite the start x on the simplex with the minimiser of x' G x / 2 - a' x, by an active set: solve on the free
 * coordinates, walk until one is zero and drop it; at the solution, admit the one of the most negative multiplier.
 * If the minimiser is not unique, one near the start is taken. O(m^3) a step for m free coordinates.
 * @param {Rows} G symmetric, positive semi-definite @param {Vector} a @param {Float64Array} x
 */
export function minimiseOnSimplex(G, a, x) {
  const f = x.length;
  let scale = 0;
  for (let j = 0; j < f; j += 1) scale = Math.max(scale, G[j][j]);
  if (scale <= 0) return; // every x is a minimiser
  const ridge = PROXIMITY * scale;
  const start = Float64Array.from(x);
  const target = start.map((value, j) => a[j] + ridge * value);
  let free = [...x.keys()].filter((j) => x[j] > 0);
  let admitted = -1;
  for (let step = 0; step < 20 * f; step += 1) {
    const { z, v } = solvedTwo(factorised(G, ridge, free), free, target);
    const multiplier = (sum(z) - 1) / sum(v);
    let [length, blocking] = [1, -1];
    free.forEach((j, r) => {
      z[r] -= multiplier * v[r];
      if (z[r] < 0 && x[j] < length * (x[j] - z[r])) [length, blocking] = [x[j] / (x[j] - z[r]), j];
    });
    if (blocking >= 0) {
      for (const [r, j] of free.entries()) {
        const moved = x[j] + length * (z[r] - x[j]);
        x[j] = j !== blocking && moved > 0 ? moved : 0;
        if (!x[j] && j === admitted) return renormalised(x); // in and out at once: its multiplier was rounding
      }
      free = free.filter((j) => x[j] > 0);
      continue;
    }
    free.forEach((j, r) => (x[j] = Math.max(z[r], 0)));
    if (!(sum(x) > 0)) return x.set(start); // G is rounding alone
    admitted = -1;
    let worst = -DUAL_TOLERANCE * scale;
    for (let j = 0; j < f; j += 1) {
      if (x[j] !== 0) continue;
      let slope = multiplier - target[j];
      for (const k of free) slope += G[j][k] * x[k];
      if (slope < worst) [worst, admitted] = [slope, j];
    }
    if (admitted < 0) break;
    free = [...free.filter((j) => x[j] > 0), admitted];
  }
  renormalised(x);
}

/** G + ridge on the free coordinates as L D L', with 1 / D on the diagonal. @param {Rows} G @param {number} ridge @param {number[]} free */
function factorised(G, ridge, free) {
  const L = free.map((_, r) => new Float64Array(r + 1));
  for (let r = 0; r < free.length; r += 1) {
    for (let s = 0; s < r; s += 1) {
      let t = G[free[r]][free[s]];
      for (let q = 0; q < s; q += 1) t -= L[r][q] * L[s][q];
      L[r][s] = t;
    }
    let pivot = G[free[r]][free[r]] + ridge;
    for (let s = 0; s < r; s += 1) {
      const t = L[r][s] * L[s][s];
      pivot -= t * L[r][s];
      L[r][s] = t;
    }
    L[r][r] = 1 / Math.max(pivot, ridge);
  }
  return L;
}

/** Solutions for the target and for ones. @param {Float64Array[]} L @param {number[]} free @param {Vector} target */
function solvedTwo(L, free, target) {
  const z = Float64Array.from(free, (j) => target[j]);
  const v = new Float64Array(free.length).fill(1);
  for (let r = 0; r < free.length; r += 1) {
    for (let q = 0; q < r; q += 1) {
      z[r] -= L[r][q] * z[q];
      v[r] -= L[r][q] * v[q];
    }
  }
  for (let r = free.length - 1; r >= 0; r -= 1) {
    z[r] *= L[r][r];
    v[r] *= L[r][r];
    for (let q = r + 1; q < free.length; q += 1) {
      z[r] -= L[q][r] * z[q];
      v[r] -= L[q][r] * v[q];
    }
  }
  return { z, v };
}

/** @param {Float64Array} x */
function renormalised(x) {
  const total = sum(x);
  for (let j = 0; j < x.length; j += 1) x[j] /= total;
}

/**
 * The minimiser of the sum of a m^2 + b m on the simplex. Sets are admitted in the order of b until the common slope
 * is below the next b; a set whose a is at most `negligible` takes all mass that is left.
 * @param {Vector} a @param {Vector} b @param {number} negligible @returns {Float64Array}
 */
export function separableMinimiser(a, b, negligible) {
  const f = a.length;
  const order = new Int32Array(f);
  for (let k = 0; k < f; k += 1) {
    let place = k;
    for (; place > 0 && b[order[place - 1]] > b[k]; place -= 1) order[place] = order[place - 1];
    order[place] = k;
  }
  const least = b[order[0]];
  const masses = new Float64Array(f);
  let [width, used, level, flat, admitted] = [0, 0, 0, -1, 0];
  for (; admitted < f; admitted += 1) {
    const k = order[admitted];
    const more = width * (b[k] - least - level);
    if (used + more >= 1) break;
    used += more;
    level = b[k] - least;
    if (a[k] <= negligible) {
      flat = k;
      break;
    }
    masses[k] = 0.5 / a[k]; // for now
    width += masses[k];
  }
  const excess = flat < 0 ? (1 - used) / width : 0;
  for (let r = 0; r < admitted; r += 1) masses[order[r]] *= level - (b[order[r]] - least) + excess;
  if (flat >= 0) masses[flat] = 1 - used;
  renormalised(masses);
  return masses;
}
