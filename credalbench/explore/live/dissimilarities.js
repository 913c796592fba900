// Dissimilarities of objects: their transformation to degrees of conflict, Ward's linkage, and a map.

import { copied, numbers, squared, sum, zeros } from "./numerics.js";

/** @typedef {import("./numerics.js").Vector} Vector */
/** @typedef {import("./numerics.js").Rows} Rows */

const STEPS = 100; // of the power iteration of a map

/** Euclidean distances, (n, n), in O(n^2 p). @param {Rows} objects @returns {Float64Array[]} */
export function distancesOf(objects) {
  const D = zeros(objects.length, objects.length);
  for (let i = 0; i < D.length; i += 1)
    for (let j = 0; j < i; j += 1) D[i][j] = D[j][i] = Math.sqrt(squared(objects[i], objects[j]));
  return D;
}

/** The dissimilarities of different objects, in ascending order. @param {Rows} D @returns {Float64Array} */
export function orderedPairs(D) {
  const pairs = new Float64Array((D.length * (D.length - 1)) / 2);
  let count = 0;
  for (let i = 0; i < D.length; i += 1) for (let j = 0; j < i; j += 1) pairs[count++] = D[i][j];
  return pairs.sort();
}

/**
 * The quantile d0 of dissimilarities between different objects; each pair counts twice, as in
 * credalbench/cluster/conflict/transformation.py. @param {Float64Array} ordered @param {number} share in (0, 1]
 */
export function quantileOfPairs(ordered, share) {
  const most = 2 * ordered.length - 1;
  const place = most * share;
  const [below, above] = [Math.floor(place), Math.min(Math.floor(place) + 1, most)].map(
    (k) => ordered[k >> 1],
  );
  return below + (place - Math.floor(place)) * (above - below);
}

/** The coefficient gamma with a conflict of 1 - alpha at d0. @param {number} d0 @param {number} alpha */
export const gammaOf = (d0, alpha) => -Math.log(alpha) / d0 ** 2;

/** Transformed dissimilarities 1 - exp(-gamma d^2). @param {Rows} D @param {number} gamma @returns {Float64Array[]} */
export const transformed = (D, gamma) =>
  D.map((row) => Float64Array.from(row).map((d) => -Math.expm1(-gamma * d * d)));

/**
 * The merges of Ward's linkage in the order of their heights: pairs of objects whose clusters are merged. As scipy's
 * chain of nearest neighbours, ties included; O(n^2).
 * @param {Rows} D symmetric dissimilarities, (n, n) @returns {number[][]} (n - 1, 2)
 */
export function wardMerges(D) {
  const n = D.length;
  const d = copied(D);
  const size = new Float64Array(n).fill(1);
  /** @type {{pair: number[], height: number}[]} */
  const merges = [];
  /** @type {number[]} */
  let chain = [];
  while (merges.length < n - 1) {
    if (!chain.length) chain = [size.findIndex((count) => count > 0)];
    let [x, y, height] = [0, 0, Infinity];
    for (;;) {
      x = chain[chain.length - 1];
      const before = chain.length > 1 ? chain[chain.length - 2] : -1;
      [y, height] = before < 0 ? [-1, Infinity] : [before, d[x][before]];
      for (let i = 0; i < n; i += 1) if (size[i] && i !== x && d[x][i] < height) [y, height] = [i, d[x][i]];
      if (y === before) break;
      chain.push(y);
    }
    chain.length -= 2;
    if (x > y) [x, y] = [y, x];
    const [nx, ny] = [size[x], size[y]];
    merges.push({ pair: [x, y], height });
    size[x] = 0;
    size[y] = nx + ny;
    for (let i = 0; i < n; i += 1) {
      if (!size[i] || i === y) continue;
      const t = 1 / (nx + ny + size[i]);
      const square =
        (size[i] + nx) * t * d[i][x] ** 2 + (size[i] + ny) * t * d[i][y] ** 2 - size[i] * t * height ** 2;
      d[i][y] = d[y][i] = Math.sqrt(square);
    }
  }
  return merges.sort((one, other) => one.height - other.height).map(({ pair }) => pair);
}

/** Labels of c clusters by merges, in the order of their first objects. @param {number[][]} merges @param {number} c */
export function cutInto(merges, c) {
  const n = merges.length + 1;
  const parent = numbers(n);
  /** @param {number} i @returns {number} */
  const root = (i) => (parent[i] === i ? i : (parent[i] = root(parent[i])));
  for (const [x, y] of merges.slice(0, n - c)) parent[root(x)] = root(y);
  /** @type {Map<number, number>} */
  const labels = new Map();
  return numbers(n).map((i) => {
    if (!labels.has(root(i))) labels.set(root(i), labels.size);
    return /** @type {number} */ (labels.get(root(i)));
  });
}

/** Places of objects in the plane, by classical scaling of dissimilarities; O(n^2) a step. @param {Rows} D @returns {number[][]} */
export function mapOf(D) {
  const n = D.length;
  const G = D.map((row) => Float64Array.from(row, (d) => -0.5 * d * d));
  const means = G.map((row) => sum(row) / n);
  const mean = sum(means) / n;
  G.forEach((row, i) => row.forEach((_, j) => (row[j] += mean - means[i] - means[j])));
  const places = numbers(n).map(() => [0, 0]);
  for (const axis of [0, 1]) {
    let vector = Float64Array.from({ length: n }, (_, i) => Math.cos(1 + i * (axis + 1)));
    let value = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const next = Float64Array.from(G, (row) =>
        row.reduce((total, entry, j) => total + entry * vector[j], 0),
      );
      value = Math.hypot(...next);
      if (!value) break;
      vector = next.map((entry) => entry / value);
    }
    places.forEach((place, i) => (place[axis] = Math.sqrt(value) * vector[i]));
    G.forEach((row, i) => row.forEach((_, j) => (row[j] -= value * vector[i] * vector[j])));
  }
  return places;
}
