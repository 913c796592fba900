// A user's table of numbers, pasted or dropped: objects with attributes, or a square matrix of dissimilarities.

import { numbers } from "./numerics.js";

const MOST_ROWS = 2000;
const LARGEST = 1e100; // squares of larger numbers are not finite
const ELSEWHERE = "The command credalbench cluster FILE reads words, dates, missing values and larger files";
const ALIKE = 1e-9; // relative: a matrix is symmetric if entries differ by less

/**
 * Rows of numbers and their names. `matrix` tells whether they are symmetric dissimilarities with a zero diagonal.
 * @typedef {{rows: number[][], columns: string[], names: string[], matrix: boolean}} Table
 */

/** The cells of a line. @param {string} line @param {string} delimiter */
const cellsOf = (line, delimiter) =>
  (delimiter === " " ? line.trim().split(/ +/) : line.split(delimiter)).map((cell) =>
    cell.trim().replace(/^"(.*)"$/, "$1"),
  );

/** The number in a cell, or NaN. @param {string} cell @param {boolean} commas whether the decimal sign is a comma */
function numberIn(cell, commas) {
  const text = commas ? cell.replace(",", ".") : cell;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** The sign that most lines agree on: semicolon, tab, comma or space. @param {string[]} lines */
function delimiterOf(lines) {
  const some = lines.slice(0, 50);
  return [";", "\t", ",", " "].find((sign) => {
    const counts = some.map((line) => cellsOf(line, sign).length);
    return counts[0] > 1 && counts.every((count) => count === counts[0]);
  });
}

/**
 * Read a table of at most 2000 rows of numbers: separated by commas, semicolons, tabs or spaces, with or without a
 * header and names in the first column; decimal commas if the sign is not a comma. Throws an error whose message tells
 * what is wrong. @param {string} text @returns {Table}
 */
export function readTable(text) {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim());
  if (lines.length < 3) throw new Error(`Expected at least three rows of numbers. ${ELSEWHERE}.`);
  const delimiter =
    delimiterOf(lines.slice(1)) ?? (lines.every((line) => !/[;\t, ]/.test(line.trim())) ? ";" : null);
  if (!delimiter) throw new Error(`The rows have different numbers of cells. ${ELSEWHERE}.`);
  const commas = delimiter !== ",";
  let cells = lines.map((line) => cellsOf(line, delimiter));
  const isNumber = (/** @type {string} */ cell) => !Number.isNaN(numberIn(cell, commas));
  const width = cells[1].length;
  const named = cells.slice(1).every((row) => !isNumber(row[0])) && width > 1;
  const from = named ? 1 : 0;
  const headed = cells[0].length !== width || !cells[0].slice(from).every(isNumber);
  const header = headed ? cells[0].slice(cells[0].length === width ? from : 0) : [];
  if (headed) cells = cells.slice(1);
  if (cells.length > MOST_ROWS)
    throw new Error(`The table has ${cells.length} rows; this page reads only ${MOST_ROWS}. ${ELSEWHERE}.`);
  const rows = cells.map((row, i) => {
    if (row.length !== width)
      throw new Error(`Row ${i + 1} has ${row.length} cells, but the first has ${width}. ${ELSEWHERE}.`);
    return row.slice(from).map((cell, q) => {
      const value = numberIn(cell, commas);
      const place = `Row ${i + 1}, column ${q + 1 + from}`;
      if (Number.isNaN(value)) throw new Error(`${place}: expected a number, got "${cell}". ${ELSEWHERE}.`);
      if (Math.abs(value) > LARGEST)
        throw new Error(`${place}: expected a number up to ${LARGEST}, got ${cell}.`);
      return value;
    });
  });
  if (rows.every((row) => row.every((value, q) => value === rows[0][q])))
    throw new Error("All rows are equal: there are no clusters to find.");
  const columns = rows[0].map((_, q) => header[q] ?? `x${q + 1}`);
  return { rows, columns, names: named ? cells.map((row) => row[0]) : [], matrix: isMatrix(rows) };
}

/** @param {number[][]} rows */
function isMatrix(rows) {
  if (rows.length !== rows[0].length) return false;
  const alike = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.abs(a - b) <= ALIKE * Math.max(Math.abs(a), Math.abs(b));
  return rows.every((row, i) => row[i] === 0 && row.every((d, j) => d >= 0 && alike(d, rows[j][i])));
}

/** Columns of mean 0 and standard deviation 1; constant ones are 0. @param {number[][]} rows @returns {number[][]} */
export function standardised(rows) {
  const scales = numbers(rows[0].length).map((q) => {
    const mean = rows.reduce((total, row) => total + row[q], 0) / rows.length;
    const deviation = Math.sqrt(rows.reduce((total, row) => total + (row[q] - mean) ** 2, 0) / rows.length);
    return { mean, deviation };
  });
  return rows.map((row) =>
    row.map((value, q) => (scales[q].deviation ? (value - scales[q].mean) / scales[q].deviation : 0)),
  );
}
