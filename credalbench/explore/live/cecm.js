// Constrained evidential c-means, as credalbench/cluster/cecm.py with its default solver. The numbers in brackets are
// equations of Antoine et al. (2012).

import { isOutlier, pignistic } from "./belief.js";
import { numbers, sum, zeros } from "./numerics.js";
import { alternate, costSum, massesFrom, negligibleOf, spreadOf } from "./prototypes.js";
import { separableMinimiser } from "./simplex.js";

/** @typedef {import("./numerics.js").Rows} Rows */
/** @typedef {{i: number, j: number, must: boolean}} Link */
/** @typedef {{sets: number[][], alpha: number, delta: number, xi: number, adaptive: boolean}} Parameters */
/** @typedef {{objects: number[], of: {j: number, must: boolean}[][], links: Link[], same: Float64Array[], different: Float64Array[], strength: number}} Terms */

const TOLERANCE = 1e-3; // a run ends when no prototype moves further than this share of the spread
const STAGES = 20; // strengths of the constraints on the way
const SETTLED = 1e-6; // largest change of a mass in the last sweep
const MAX_SWEEPS = 1000;

/** 1 where sets meet: "same cluster" is m' E m, (18). @param {number[][]} sets @returns {Float64Array[]} */
export const sameMatrix = (sets) =>
  sets.map((A) => Float64Array.from(sets, (B) => Number(A.some((one, k) => one && B[k]))));

/** "Different clusters" is m' D m, (19): 1 for two non-empty sets, except for a singleton and itself. @param {number[][]} sets @returns {Float64Array[]} */
export const differentMatrix = (sets) =>
  sets.map((A, j) =>
    Float64Array.from(sets, (B, l) => Number(sum(A) > 0 && sum(B) > 0 && !(j === l && sum(A) === 1))),
  );

/** m' R m of two objects. @param {Rows} R @param {import("./numerics.js").Vector} one @param {import("./numerics.js").Vector} other */
function joint(R, one, other) {
  let total = 0;
  for (let k = 0; k < one.length; k += 1)
    if (one[k]) for (let l = 0; l < other.length; l += 1) total += one[k] * R[k][l] * other[l];
  return total;
}

/** The plausibility that each constraint is violated. @param {Rows} masses @param {Link[]} links @param {number[][]} sets */
export function violations(masses, links, sets) {
  const [same, different] = [sameMatrix(sets), differentMatrix(sets)];
  return links.map(({ i, j, must }) => joint(must ? different : same, masses[i], masses[j]));
}

/** The cluster of maximal pignistic probability of each object. @param {Rows} masses @param {number[][]} sets */
export function labelsOf(masses, sets) {
  return masses.map((row) => {
    const shares = pignistic(row, sets);
    return shares.findIndex((share) => share >= Math.max(...shares) - 1e-12);
  });
}

/** The outcome of each constraint, as `CECM.constraint_report`. @param {Rows} masses @param {Link[]} links @param {number[][]} sets */
export function outcomesOf(masses, links, sets) {
  const labels = labelsOf(masses, sets);
  return links.map(({ i, j, must }) => {
    if ([i, j].some((end) => isOutlier(masses[end], sets))) return "met by an outlier";
    return (labels[i] === labels[j]) === must ? "met" : "violated";
  });
}

/** @param {number} n @param {Link[]} links @param {Parameters} parameters @returns {Terms} */
function termsOf(n, links, { sets, xi }) {
  /** @type {Terms["of"]} */
  const of = numbers(n).map(() => []);
  for (const { i, j, must } of links) {
    of[i].push({ j, must });
    of[j].push({ j: i, must });
  }
  const strength = ((xi / (1 - xi)) * sets.length * n) / Math.max(links.length, 1);
  const objects = strength > 0 ? numbers(n).filter((i) => of[i].length) : [];
  return { objects, of, links, same: sameMatrix(sets), different: differentMatrix(sets), strength };
}

/** The objective times f n / (1 - xi), (21). @param {Rows} masses @param {Rows} costs @param {Terms} terms */
function scaledObjective(masses, costs, { links, same, different, strength }) {
  const broken = links.map(({ i, j, must }) => joint(must ? different : same, masses[i], masses[j]));
  return costSum(masses, costs, 2) + strength * sum(broken);
}

/** Set each constrained object to its best masses in turn, in place; return the largest change of a mass.
 * @param {Float64Array[]} masses @param {Rows} costs @param {Terms} terms @param {number} strength @param {number} negligible */
function sweep(masses, costs, terms, strength, negligible) {
  let change = 0;
  const f = terms.same.length;
  const [b, linked, parted] = zeros(3, f);
  for (const i of terms.objects) {
    linked.fill(0);
    parted.fill(0);
    for (const { j, must } of terms.of[i])
      for (let k = 0; k < f; k += 1) (must ? linked : parted)[k] += masses[j][k];
    b.fill(0);
    for (let q = 0; q < f; q += 1) {
      if (linked[q]) for (let k = 0; k < f; k += 1) b[k] += linked[q] * terms.different[q][k];
      if (parted[q]) for (let k = 0; k < f; k += 1) b[k] += parted[q] * terms.same[q][k];
    }
    for (let k = 0; k < f; k += 1) b[k] *= strength;
    const next = separableMinimiser(costs[i], b, negligible);
    for (let k = 0; k < f; k += 1) change = Math.max(change, Math.abs(next[k] - masses[i][k]));
    masses[i] = next;
  }
  return change;
}

/** Sweep until the masses settle, in place. @param {Float64Array[]} masses @param {Rows} costs @param {Terms} terms @param {number} negligible */
function settle(masses, costs, terms, negligible) {
  for (let k = 0; k < MAX_SWEEPS; k += 1)
    if (sweep(masses, costs, terms, terms.strength, negligible) < SETTLED) break;
  return masses;
}

/** The mass step of CECM by continuation: constraints grow from nothing, from masses that take no side; never worse
 * than the masses before. @param {Terms} terms @param {number} negligible @returns {import("./prototypes.js").MassStep} */
function constrainedMasses(terms, negligible) {
  return (costs, previous) => {
    const free = costs.map((row) => massesFrom(row, 2, negligible));
    const rated = (/** @type {Float64Array[]} */ masses) => ({
      masses,
      objective: scaledObjective(masses, costs, terms),
    });
    if (!terms.objects.length) return rated(free);
    /** @type {Float64Array[]} */
    const found = [...free];
    for (const i of terms.objects) found[i] = new Float64Array(free[i].length).fill(1 / free[i].length);
    for (let stage = 1; stage < STAGES; stage += 1)
      sweep(found, costs, terms, (terms.strength * stage) / STAGES, negligible);
    const best = rated(settle(found, costs, terms, negligible));
    if (!previous) return best;
    /** @type {Float64Array[]} */
    const warm = [...free];
    for (const i of terms.objects) warm[i] = previous[i];
    if (best.objective <= scaledObjective(warm, costs, terms)) return best;
    return rated(settle(warm, costs, terms, negligible));
  };
}

/**
 * A run of CECM from starting prototypes (c, p), with must-links and cannot-links; without links it is ECM with
 * beta = 2. O(n f p^2) an iteration and, with q links on m objects, at least STAGES sweeps of O(q f + m f^2).
 * @param {Rows} objects @param {Rows} start @param {Link[]} links @param {Parameters} parameters
 * @returns {import("./prototypes.js").Run & {constraintCost: number}}
 */
export function cecm(objects, start, links, parameters) {
  const { spread } = spreadOf(objects);
  const setting = { ...parameters, beta: 2, negligible: negligibleOf(spread) };
  const step = constrainedMasses(termsOf(objects.length, links, parameters), setting.negligible);
  const rule = { adaptive: parameters.adaptive, leastMove: TOLERANCE * spread };
  const run = alternate(objects, start, setting, step, rule);
  const share = links.length ? 1 - parameters.xi : 1;
  const broken = sum(violations(run.masses, links, parameters.sets));
  return {
    ...run,
    objective: run.objective.map((value) => value * share),
    constraintCost: broken / Math.max(links.length, 1),
  };
}
