// Numbers: sums, small linear systems, eigenvalues, quantiles.

/** @typedef {number[] | Float64Array} Vector */
/** @typedef {Vector[]} Rows */

const MOST_SWEEPS = 60; // of Jacobi's rotations

/** The sum of some numbers. @param {Vector} values */
export function sum(values) {
  let total = 0;
  for (let k = 0; k < values.length; k += 1) total += values[k];
  return total;
}

/** The squared Euclidean distance of two points. @param {Vector} x @param {Vector} y */
export function squared(x, y) {
  let total = 0;
  for (let q = 0; q < x.length; q += 1) total += (x[q] - y[q]) ** 2;
  return total;
}

/** Rows of zeros. @param {number} rows @param {number} columns @returns {Float64Array[]} */
export const zeros = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

/** The numbers 0, 1, ... @param {number} count @returns {number[]} */
export const numbers = (count) => Array.from({ length: count }, (_, k) => k);

/** A copy of rows. @param {Rows} rows @returns {Float64Array[]} */
export const copied = (rows) => rows.map((row) => Float64Array.from(row));

/** The mean of some rows. @param {Rows} rows @returns {Float64Array} */
export function meanOf(rows) {
  return Float64Array.from(rows[0], (_, q) => rows.reduce((total, row) => total + row[q], 0) / rows.length);
}

/** A quantile, linearly interpolated as by numpy. @param {Vector} values @param {number} share in [0, 1] */
export function quantile(values, share) {
  const ordered = Float64Array.from(values).sort();
  const place = (ordered.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, ordered.length - 1);
  return ordered[below] + (place - below) * (ordered[above] - ordered[below]);
}

/**
 * The least solution V of H V = B for positive semi-definite H (m, m), scaled to unit diagonal first, from the
 * eigenvalues that are not rounding. @param {Rows} H @param {Rows} B @returns {Float64Array[]}
 */
export function solved(H, B) {
  const m = H.length;
  const scale = H.map((row, k) => Math.sqrt(row[k]) || 1);
  const { values, vectors } = eigen(H.map((row, k) => row.map((value, l) => value / scale[k] / scale[l])));
  const least = m * Number.EPSILON * Math.max(...values);
  const solution = zeros(m, B[0].length);
  values.forEach((value, e) => {
    if (value <= least) return;
    for (let q = 0; q < B[0].length; q += 1) {
      let share = 0;
      for (let k = 0; k < m; k += 1) share += (vectors[k][e] * B[k][q]) / scale[k];
      for (let k = 0; k < m; k += 1) solution[k][q] += (vectors[k][e] * share) / value / scale[k];
    }
  });
  return solution;
}

/**
 * Eigenvalues and, as columns, eigenvectors of a symmetric matrix, in no order, by Jacobi's rotations.
 * @param {Rows} H @returns {{values: number[], vectors: Float64Array[]}}
 */
export function eigen(H) {
  const m = H.length;
  const A = copied(H);
  const vectors = zeros(m, m);
  for (let k = 0; k < m; k += 1) vectors[k][k] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep += 1) {
    let rotated = false;
    for (let k = 0; k < m; k += 1) {
      for (let l = k + 1; l < m; l += 1) {
        if (!A[k][l]) continue;
        rotated = true;
        const theta = (A[l][l] - A[k][k]) / (2 * A[k][l]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const cosine = 1 / Math.hypot(t, 1);
        for (let i = 0; i < m; i += 1) {
          const [x, y] = [A[i][k], A[i][l]];
          A[i][k] = cosine * (x - t * y);
          A[i][l] = cosine * (t * x + y);
        }
        for (let j = 0; j < m; j += 1) {
          const [x, y] = [A[k][j], A[l][j]];
          A[k][j] = cosine * (x - t * y);
          A[l][j] = cosine * (t * x + y);
          const [u, v] = [vectors[j][k], vectors[j][l]];
          vectors[j][k] = cosine * (u - t * v);
          vectors[j][l] = cosine * (t * u + v);
        }
      }
    }
    if (!rotated) break;
  }
  return { values: A.map((row, k) => row[k]), vectors };
}
