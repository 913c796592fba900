// Evidential c-means, as credalbench/cluster/ecm.py, and what it says about the number of clusters.

import { nonspecificity } from "./belief.js";
import { cutInto, distancesOf, wardMerges } from "./dissimilarities.js";
import { meanOf, numbers, quantile, squared, sum } from "./numerics.js";
import { alternate, costsOf, freeMasses, negligibleOf, spreadOf } from "./prototypes.js";

/** @typedef {import("./numerics.js").Rows} Rows */
/** @typedef {import("./prototypes.js").Setting} Setting */
/** @typedef {{sets: number[][], alpha: number, beta: number, delta: number}} Parameters */

const TOLERANCE = 1e-3; // a run ends when no prototype moves further than this share of the spread
const NEIGHBOUR = 5; // an object is far if its neighbour of this rank is far:
const FAR_IQR = 6; // interquartile ranges beyond the third quartile,
const FAR_SHARE = 0.1; // and at most this share of the objects is
const [FENCE, LEAST, LEAST_SHARE] = [3, 1.5, 0.1]; // of delta: see outlier_distance.py
const [SHORT_FITS, SHORT_TOLERANCE, SHORT_ITERATIONS] = [2, 1e-2, 10];
const MOST_SHRINKAGE = 4; // of delta by adaptive norms
const COINCIDENT = 1e-8; // prototypes that are nearer than this share of the spread coincide
const SAMPLE = 1000; // objects that delta is chosen from, at most

/** A run of ECM from starting prototypes (c, p). @param {Rows} objects @param {Rows} start @param {Parameters} parameters */
export function ecm(objects, start, parameters) {
  const { spread } = spreadOf(objects);
  const setting = { ...parameters, negligible: negligibleOf(spread) };
  return alternate(objects, start, setting, freeMasses(setting), { leastMove: TOLERANCE * spread });
}

/** The masses (n, f) that are optimal for prototypes, and the objective (14).
 * @param {Rows} objects @param {Rows} prototypes @param {Parameters} parameters */
export function massesAt(objects, prototypes, parameters) {
  const setting = { ...parameters, negligible: negligibleOf(spreadOf(objects).spread) };
  const { masses, objective } = freeMasses(setting)(costsOf(objects, prototypes, setting), null);
  return { masses, objective: objective / (objects.length * setting.sets.length) };
}

// -- delta and starting prototypes from the data, as credalbench/cluster/prototypes/outlier_distance.py -----------

/** @param {number[]} apart */
function farFence(apart) {
  const [low, high] = [quantile(apart, 0.25), quantile(apart, 0.75)];
  return high + FAR_IQR * Math.max(high - low, high / FAR_IQR);
}

/** The rows of the objects that are not far from all others. @param {Rows} D distances @param {number} least */
function nearObjects(D, least) {
  const everyone = numbers(D.length);
  if (D.length <= 2 * NEIGHBOUR) return everyone;
  const apart = D.map((row) => Float64Array.from(row).sort()[NEIGHBOUR]);
  const fence = farFence(apart);
  let far = apart.map((distance) => distance > fence);
  if (sum(far.map(Number)) > FAR_SHARE * D.length && quantile(apart, 0.75) === 0) {
    const within = farFence(apart.filter((_, i) => far[i]));
    far = apart.map((distance) => distance > within);
  }
  if (sum(far.map(Number)) > FAR_SHARE * D.length) return everyone;
  const near = everyone.filter((i) => !far[i]);
  return near.length >= least ? near : everyone;
}

/** @param {number[]} values @param {number} gap */
function beyondMost(values, gap) {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return Math.max(high + FENCE * (high - low), LEAST * high, LEAST_SHARE * gap);
}

/** @typedef {{sample: Rows, near: Rows, merges: number[][], spread: number}} Tree */

/** Ward's linkage of the objects that are not far from all others, of at most a thousand; O(n^2 p).
 * @param {Rows} objects @param {number} [least] objects that are kept at least @returns {Tree} */
export function treeOf(objects, least = 8) {
  const step = Math.max(1, objects.length / SAMPLE);
  const sample = numbers(Math.floor(objects.length / step)).map((k) => objects[Math.floor(k * step)]);
  sample.sort((x, y) => {
    for (let q = x.length - 1; q >= 0; q -= 1) if (x[q] !== y[q]) return x[q] - y[q];
    return 0;
  }); // as in Python: ties do not depend on the order of the objects
  const D = distancesOf(sample);
  const rows = nearObjects(D, least);
  const merges = wardMerges(rows.map((i) => Float64Array.from(rows, (j) => D[i][j])));
  return { sample, near: rows.map((i) => sample[i]), merges, spread: spreadOf(objects).spread };
}

/**
 * The default start and delta of ECM: the means of c clusters of the tree, and a distance beyond most objects after
 * short fits. O(n f p) for at most a thousand objects.
 * @param {Tree} tree @param {number} c @param {Omit<Parameters, "delta">} parameters
 * @returns {{start: Float64Array[], delta: number}}
 */
export function defaultsOf({ sample, near, merges, spread }, c, parameters) {
  const labels = cutInto(merges, c);
  const start = numbers(c).map((k) => meanOf(near.filter((_, i) => labels[i] === k)));
  const within = near.map((x, i) => Math.sqrt(squared(x, start[labels[i]])));
  const gaps = start.flatMap((v, k) => start.slice(0, k).map((w) => Math.sqrt(squared(v, w))));
  const least = Math.min(...gaps.filter((distance) => distance > COINCIDENT * spread));
  const gap = Number.isFinite(least) ? least : spread || 1;
  const rule = { leastMove: SHORT_TOLERANCE * spread, maxIter: SHORT_ITERATIONS };
  let delta = beyondMost(within, gap);
  const lowest = delta / MOST_SHRINKAGE;
  /** @type {Rows} */
  let prototypes = start;
  for (let fit = 0; fit < SHORT_FITS; fit += 1) {
    const setting = { ...parameters, delta, negligible: negligibleOf(spread) };
    const run = alternate(sample, prototypes, setting, freeMasses(setting), rule);
    prototypes = run.prototypes[run.prototypes.length - 1];
    const costs = costsOf(sample, prototypes, { ...setting, delta: Infinity });
    delta = Math.max(
      beyondMost(
        costs.map((row) => Math.sqrt(Math.min(...row))),
        gap,
      ),
      lowest,
    );
  }
  return { start, delta };
}

/** An ECM fit with its default start and delta, and its normalised nonspecificity.
 * @param {Rows} objects @param {Tree} tree @param {number} c @param {Omit<Parameters, "delta">} parameters */
export function fitOf(objects, tree, c, parameters) {
  const { start, delta } = defaultsOf(tree, c, parameters);
  const run = ecm(objects, start, { ...parameters, delta });
  return { c, run, delta, nonspecificity: nonspecificity(run.masses, parameters.sets) };
}
