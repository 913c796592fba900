// What is read from the masses of an object on sets of clusters: rows of 0 and 1, the empty set first if there is one.

import { sum } from "./numerics.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */

export const TIED = 1e-12; // values that differ by less are equal

/** @param {Vector} masses @param {number[][]} sets @param {(members: number[]) => unknown} holds */
const massWhere = (masses, sets, holds) =>
  sets.reduce((total, members, j) => total + (holds(members) ? masses[j] : 0), 0);

/** The belief in cluster k. @param {Vector} masses @param {number[][]} sets @param {number} k */
export const belief = (masses, sets, k) =>
  massWhere(masses, sets, (members) => members[k] && sum(members) === 1);

/** The plausibility of cluster k. @param {Vector} masses @param {number[][]} sets @param {number} k */
export const plausibility = (masses, sets, k) => massWhere(masses, sets, (members) => members[k]);

/** The plausibility of each cluster. @param {Vector} masses @param {number[][]} sets @returns {number[]} */
export const contour = (masses, sets) => sets[0].map((_, k) => plausibility(masses, sets, k));

/** The probability of each cluster: the mass of a set is shared equally, that of the empty set left out.
 * @param {Vector} masses @param {number[][]} sets @returns {number[]} */
export function pignistic(masses, sets) {
  const given = massWhere(masses, sets, sum);
  const c = sets[0].length;
  if (!given) return new Array(c).fill(1 / c);
  const shares = sets[0].map((_, k) =>
    sets.reduce((total, members, j) => total + (members[k] ? masses[j] / sum(members) : 0), 0),
  );
  return shares.map((share) => share / given);
}

/** Whether the empty set has more mass than any other set. @param {Vector} masses @param {number[][]} sets */
export function isOutlier(masses, sets) {
  const empty = sets.findIndex((members) => !sum(members));
  if (empty < 0) return false;
  return sets.every((_, j) => j === empty || masses[j] < masses[empty] - TIED) && masses[empty] > TIED;
}

/** The set of largest mass: the first of equal ones, the empty set only if it has more than any other.
 * @param {Vector} masses @param {number[][]} sets */
export function heaviestSet(masses, sets) {
  if (isOutlier(masses, sets)) return sets.findIndex((members) => !sum(members));
  const filled = [...sets.keys()].filter((j) => sum(sets[j]));
  const given = filled.reduce((total, j) => total + masses[j], 0);
  const most = Math.max(...filled.map((j) => masses[j]));
  return filled.find((j) => masses[j] / given >= most / given - TIED) ?? filled[0];
}

/** The mean of log2 |A|, weighted by the masses and as a share of log2 c; the empty set counts as the frame.
 * @param {Rows} rows @param {number[][]} sets */
export function nonspecificity(rows, sets) {
  const c = sets[0].length;
  if (c === 1) return 0;
  const weights = sets.map((members) => Math.log2(sum(members) || c) / Math.log2(c));
  let total = 0;
  for (const masses of rows) for (let j = 0; j < weights.length; j += 1) total += masses[j] * weights[j];
  return total / rows.length;
}
