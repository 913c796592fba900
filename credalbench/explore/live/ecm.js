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

/**
 * The default start and delta of ECM for several numbers of clusters: the means of Ward's clusters of the objects
 * that are not far from all others, and a distance beyond most objects. O(n^2 p + n f p) for at most a thousand objects.
 * @param {Rows} objects @param {number[]} counts numbers of clusters
 * @param {(c: number) => Omit<Parameters, "delta">} parametersOf @param {boolean} [adaptive]
 * @returns {{start: Float64Array[], delta: number}[]}
 */
export function defaultsOf(objects, counts, parametersOf, adaptive = false) {
  const { spread } = spreadOf(objects);
  const step = Math.max(1, objects.length / SAMPLE);
  const sample = numbers(Math.floor(objects.length / step)).map((k) => objects[Math.floor(k * step)]);
  const order = (/** @type {import("./numerics.js").Vector} */ x, /** @type {typeof x} */ y) => {
    for (let q = x.length - 1; q >= 0; q -= 1) if (x[q] !== y[q]) return x[q] - y[q];
    return 0;
  };
  sample.sort(order); // as in Python: ties do not depend on the order of the objects
  const D = distancesOf(sample);
  const rows = nearObjects(D, Math.max(...counts));
  const near = rows.map((i) => sample[i]);
  const merges = wardMerges(rows.map((i) => Float64Array.from(rows, (j) => D[i][j])));
  return counts.map((c) => {
    const labels = cutInto(merges, c);
    const start = numbers(c).map((k) => meanOf(near.filter((_, i) => labels[i] === k)));
    const within = near.map((x, i) => Math.sqrt(squared(x, start[labels[i]])));
    const gaps = start.flatMap((v, k) => start.slice(0, k).map((w) => Math.sqrt(squared(v, w))));
    const gap = Math.min(...gaps.filter((distance) => distance > 1e-6 * spread), Infinity);
    const parameters = { ...parametersOf(c), negligible: negligibleOf(spread) };
    let delta = beyondMost(within, Number.isFinite(gap) ? gap : spread || 1);
    const least = delta / MOST_SHRINKAGE;
    /** @type {Rows} */
    let prototypes = start;
    for (let fit = 0; fit < SHORT_FITS; fit += 1) {
      const setting = { ...parameters, delta };
      const rule = { adaptive, leastMove: SHORT_TOLERANCE * spread, maxIter: SHORT_ITERATIONS };
      const run = alternate(sample, prototypes, setting, freeMasses(setting), rule);
      prototypes = run.prototypes[run.prototypes.length - 1];
      const limits = costsOf(sample, prototypes, setting, run.norms).map((row) =>
        Math.sqrt(Math.min(...[...row].filter((_, j) => sum(setting.sets[j])))),
      );
      delta = Math.max(beyondMost(limits, Number.isFinite(gap) ? gap : spread || 1), least);
    }
    return { start, delta };
  });
}

/**
 * ECM fits for several numbers of clusters, each with its default start and delta, and their normalised
 * nonspecificities. @param {Rows} objects @param {number[]} counts @param {(c: number) => Omit<Parameters, "delta">} parametersOf
 */
export function fitsByCount(objects, counts, parametersOf) {
  return defaultsOf(objects, counts, parametersOf).map(({ start, delta }, k) => {
    const parameters = { ...parametersOf(counts[k]), delta };
    const run = ecm(objects, start, parameters);
    return { c: counts[k], run, delta, start, nonspecificity: nonspecificity(run.masses, parameters.sets) };
  });
}
