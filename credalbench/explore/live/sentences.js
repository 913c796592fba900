// Sentences about masses: why an object is where it is, as credalbench/belief/explanation.py says it, what rules of
// decision choose, as credalbench/learn/mass_board.py says it, and what a picture of all objects shows.

import { belief, contour, heaviestSet, isOutlier, pignistic, plausibility, TIED } from "./belief.js";
import { sum } from "./numerics.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */

const RIVAL = 0.25; // share of the highest mass from which on another set is named
const NAMED = 3; // sets that are named at most, besides the set of highest mass and the empty set
const MANY = 3; // largest number of clusters that a sentence lists if the object is between all of them

/** @param {number[]} members */
const membersOf = (members) => [...members.keys()].filter((k) => members[k]);

/** @param {number[]} clusters @param {number} c */
const setLabel = (clusters, c) =>
  clusters.length === 0
    ? "∅"
    : clusters.length === c && c > 1
      ? "Ω"
      : `{${clusters.map((k) => k + 1).join(",")}}`;

/** Words as in a sentence: 1, 2 and 4. @param {(string | number)[]} words @param {string} [word] */
export const listed = (words, word = "and") =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} ${word} ${words[words.length - 1]}` : String(words[0]);

/** A number of things: 1 object, 2 objects. @param {number} count @param {string} thing */
export const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** The reason for the place of an object. @param {Vector} masses @param {number[][]} sets */
export function sentenceOf(masses, sets) {
  const c = sets[0].length;
  const first = heaviestSet(masses, sets);
  const inside = membersOf(sets[first]);
  const rivals = [...sets.keys()].filter((j) => j !== first && masses[j] >= RIVAL * masses[first]);
  const filled = rivals.filter((j) => sum(sets[j])).sort((a, b) => masses[b] - masses[a] || a - b);
  const named = [first, ...filled.slice(0, NAMED), ...rivals.filter((j) => !sum(sets[j]))];
  const weights = named.map((j) => `${masses[j].toFixed(2)} on ${setLabel(membersOf(sets[j]), c)}`);
  const more = filled.length - NAMED;
  if (more > 0)
    weights.push(`${more} more set${more > 1 ? "s" : ""} with at least a quarter of the first mass`);
  const numbered = (/** @type {number[]} */ clusters) => clusters.map((k) => k + 1);
  let lead = `in cluster ${inside[0] + 1}`;
  if (!inside.length) lead = "outlier";
  else if (inside.length > 1)
    lead = `between ${inside.length === c && c > MANY ? `all ${c} clusters` : listed(numbered(inside))}`;
  const upper = contour(masses, sets);
  const surest = Math.max(...sets[0].map((_, k) => belief(masses, sets, k)));
  const digits = (/** @type {number} */ value) => Number(value.toFixed(2));
  const weakest = digits(Math.min(...inside.map((k) => upper[k])));
  const isPossible = (/** @type {number} */ value) =>
    inside.length > 1 ? digits(value) > weakest : value >= surest;
  const possible = inside.length
    ? [...upper.keys()].filter((k) => isPossible(upper[k]) && !inside.includes(k))
    : [];
  if (possible.length) {
    const likeliest = possible.reduce((best, k) => (upper[k] > upper[best] ? k : best));
    lead += `, possibly in ${listed(numbered(possible), "or")}`;
    weights.push(`plausibility ${upper[likeliest].toFixed(2)} of ${setLabel([likeliest], c)}`);
  }
  return `${lead}: ${weights.join(", ")}`;
}

/** The names of the largest values, in words. @param {Vector} values @param {string[]} names */
function largest(values, names) {
  const most = Math.max(...values);
  const tied = names.filter((_, k) => values[k] >= most - TIED);
  return tied.join(" and ") + (tied.length > 1 ? ", equally" : "");
}

/** A line for each rule of decision. @param {Vector} masses @param {number[][]} sets @param {string[]} labels */
export function decisionsOf(masses, sets, labels) {
  if (isOutlier(masses, sets)) return ["highest mass on ∅: none of them, an outlier"];
  const clusters = sets[0].map((_, k) => k);
  const singles = clusters.map((k) => `{${k + 1}}`);
  const upper = clusters.map((k) => plausibility(masses, sets, k));
  const surest = Math.max(...clusters.map((k) => belief(masses, sets, k)));
  return [
    `most plausible: ${largest(upper, singles)}`,
    `of highest pignistic probability: ${largest(pignistic(masses, sets), singles)}`,
    `not ruled out: ${setLabel(
      clusters.filter((k) => upper[k] >= surest - TIED),
      clusters.length,
    )}`,
    `set of highest mass: ${largest(masses, labels)}`,
  ];
}

/**
 * What the sets of largest mass say of all objects: "57 and 60 of 120 objects are in clusters 1 and 2, 2 are between
 * clusters, and 1 is an outlier". @param {Rows} masses @param {number[][]} sets
 */
export function summaryOf(masses, sets) {
  const c = sets[0].length;
  const inside = new Array(c).fill(0);
  let [between, outliers] = [0, 0];
  for (const row of masses) {
    const clusters = membersOf(sets[heaviestSet(row, sets)]);
    if (!clusters.length) outliers += 1;
    else if (clusters.length > 1) between += 1;
    else inside[clusters[0]] += 1;
  }
  const numbered = inside.map((_, k) => k + 1);
  const are = (/** @type {number} */ count) => (count === 1 ? "is" : "are");
  return (
    `Of ${counted(masses.length, "object")}, ${listed(inside)} are in clusters ${listed(numbered)}, ` +
    `${between} ${are(between)} between clusters, and ${outliers} ${are(outliers)} ${outliers === 1 ? "an outlier" : "outliers"}.`
  );
}
