// Scenes of the pages, as credalbench/explore/scene/ makes them, from numbers of the browser. Signs of focal sets, and
// the looks of other marks, come from Python: see writing.py.

import { contour, isOutlier } from "./belief.js";
import { given } from "./frame.js";
import { numbers, sum, zeros } from "./numerics.js";
import { barycentres } from "./prototypes.js";
import { sentenceOf } from "./sentences.js";

const HALF = 0.35; // half the width of a bar
const GAPS = [NaN, NaN];
const LISTED = 12; // sets in the legend
const TIE = 1e-12; // masses that differ by less are equal; the first set is chosen
const UNIT = [
  [0, "0"],
  [0.5, "0.5"],
  [1, "1"],
];
const MARGIN = 0.05; // around a map, as a share of its span
const MOST_POINTS = 3000; // pairs in a Shepard diagram; more are counted in cells
const CELLS = 60;

const ofKind = (kind, values) => ({ kind, ...values });
export const axis = (low, high, more = {}) =>
  ofKind("axis", { low, high, label: "", scale: "linear", whole: false, ticks: [], ...more });
export const panelOf = (name, place, x, y, marks, more = {}) =>
  ofKind("panel", { name, place, x, y, marks, title: "", equal: false, grid: false, ...more });
export const points = (positions, looks, lookOf, objects = null) =>
  ofKind("points", { positions, looks, look_of: lookOf, objects });
export const alike = (positions, look) => points(positions, [look], new Array(positions.length).fill(0));
export const line = (path, stroke) => ofKind("line", { path, stroke });
export const between = (ends) => ends.flatMap(([from, to]) => [from, to, GAPS]);

/** The set of largest mass of each object. */
export function largestSets(masses) {
  return masses.map((row) => {
    const most = Math.max(...row);
    return row.findIndex((mass) => mass >= most - TIE);
  });
}

export const outliersOf = (masses, sets) => masses.filter((row) => isOutlier(row, sets)).length;

// -- maps ----------------------------------------------------------------------------------------------------

function axesAround(positions, labels) {
  const ends = [0, 1].map((q) => {
    const values = positions.map((place) => place[q]);
    return [Math.min(...values), Math.max(...values)];
  });
  const span = Math.max(...ends.map(([low, high]) => high - low));
  const margin = span ? MARGIN * span : Math.max(MARGIN * Math.max(...ends.flat().map(Math.abs)), MARGIN);
  return ends.map(([low, high], q) => axis(low - margin, high + margin, { label: labels[q] }));
}

/** Diameter of objects on a map in pixels, as credalbench/plots/object_maps.py has it in points. */
const sizeOfObjects = (n) => (Math.min(Math.max(12.4 - 1.35 * Math.log(n), 2.4), 8) * 100) / 72;

/** The map with the objects in the signs of their sets of largest mass, below further marks; and its legend. */
export function mapOfMasses(subject, place, masses, looks, marks, content = "largest mass") {
  const chosen = largestSets(masses);
  const used = [...new Set(chosen)].sort((a, b) => a - b);
  const number = new Map(used.map((j, k) => [j, k]));
  const size = sizeOfObjects(masses.length);
  const signs = used.map((j) => ({ ...looks.objects[j], size: looks.objects[j].size * size }));
  const objects = points(
    subject.positions,
    signs,
    chosen.map((j) => number.get(j)),
    numbers(masses.length),
  );
  const [x, y] = axesAround(subject.positions, subject.labels);
  const title = `${subject.name} (n = ${masses.length}): ${content}`;
  const panel = panelOf("map", place, x, y, [objects, ...marks], { title, equal: true });
  const entries = used.map((j) => looks.entries[j]);
  const legend = used.length > LISTED ? [...entries.slice(0, LISTED), looks.others] : entries;
  return { panel, legend };
}

export function prototypeMarks(prototypes, start, sets, looks) {
  const marks = [];
  const centres = barycentres(prototypes, sets);
  if (start) {
    marks.push(line(between(start.map((place, k) => [place, prototypes[k]])), looks.way));
    marks.push(alike(start, looks.ring));
  }
  if (looks.dotted) {
    const ends = looks.shown.flatMap((j) =>
      numbers(prototypes.length)
        .filter((k) => sets[j][k])
        .map((k) => [centres[j], prototypes[k]]),
    );
    marks.push(line(between(ends), looks.dotted));
  }
  marks.push(
    alike(
      looks.shown.map((j) => centres[j]),
      looks.centre,
    ),
  );
  marks.push(points(prototypes, looks.discs, numbers(prototypes.length)));
  marks.push(points(prototypes, looks.rims, numbers(prototypes.length)));
  return [...marks, ...prototypes.map((place, k) => ({ ...looks.numbers[k], place: [...place] }))];
}

// All orders of some numbers.
const orders = (some) =>
  some.length < 2
    ? [some]
    : some.flatMap((one) => orders(some.filter((k) => k !== one)).map((rest) => [one, ...rest]));

/** The panel of the true classes, in a list that is empty if there are none; a class has the sign of the cluster that
 * it is matched to. */
export function classesPanel({ positions, y, labels }, place, masses, sets) {
  if (!y) return [];
  const contours = masses.map((row) => contour(row, sets));
  const count = Math.max(contours[0].length, 1 + Math.max(...y));
  const overlap = zeros(count, count);
  contours.forEach((row, i) => row.forEach((plausibility, k) => (overlap[y[i]][k] += plausibility)));
  const agreement = (order) => sum(order.map((k, l) => overlap[l][k]));
  const clusters = orders(numbers(count)).reduce((best, order) =>
    agreement(order) > agreement(best) ? order : best,
  );
  const used = [...new Set(y.map((l) => clusters[l]))].sort((a, b) => a - b);
  const lookOf = y.map((l) => used.indexOf(clusters[l]));
  const [x, up] = axesAround(positions, labels).map((one) => ({ ...one, label: "", scale: "none" }));
  const marks = [
    points(
      positions,
      used.map((k) => given.classes[k]),
      lookOf,
      numbers(y.length),
    ),
  ];
  return [panelOf("classes", place, x, up, marks, { title: "True classes", equal: true })];
}

/** The evidence about the objects, with a sentence for each; `remarks` are added to some. */
export function evidenceOf(masses, sets, looks, remarks = {}) {
  const sentences = masses.map((row, i) => sentenceOf(row, sets) + (remarks[i] ? `; ${remarks[i]}` : ""));
  return ofKind("evidence", {
    masses,
    sets: looks.labels,
    colours: looks.colours,
    membership: sets,
    templates: sentences,
    which: numbers(masses.length),
    numbers: masses.map(() => []),
    title: "",
  });
}

export const sceneOf = (panels, evidence, legend, handles = null) =>
  ofKind("scene", { panels, evidence, legend, handles, second: null });

export const handlesAt = (name, positions) => ofKind("handles", { name, panel: "map", positions });

// -- other panels --------------------------------------------------------------------------------------------

export function massesBySize(place, masses, sets, fill) {
  const c = sets[0].length;
  const shares = numbers(c + 1).fill(0);
  sets.forEach((members, j) => (shares[sum(members)] += sum(masses.map((row) => row[j])) / masses.length));
  const boxes = shares.map((share, size) => [size - HALF, 0, size + HALF, share]);
  const bars = ofKind("bars", { boxes, fills: [fill], fill_of: shares.map(() => 0), edge: "none" });
  const [x, y] = [axis(-0.6, c + 0.6, { whole: true }), axis(0, 1, { ticks: UNIT })];
  return panelOf("cardinalities", place, x, y, [bars], { title: "Mass by size of the set", grid: true });
}

function valueAxis(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(0.12 * (high - low), 0.02 * Math.abs(high), 1e-12);
  return axis(Math.max(low - margin, 0), high + margin);
}

export function tracePanel(place, values, shown, { faint, strong, dot }) {
  const last = values.length - 1;
  const path = values.map((value, k) => [k, value]);
  const marks = [line(path, faint), line(path.slice(0, shown + 1), strong), alike([path[shown]], dot)];
  const x = axis(0, 1.03 * Math.max(last, 1), { label: "iteration", whole: true });
  return panelOf("trace", place, x, valueAxis(values), marks, { title: "Objective J", grid: true });
}

/** Degrees of conflict against transformed dissimilarities of all pairs: points, or a heat map of their counts. */
export function shepardPanel(place, delta, kappa) {
  const { look, diagonal, colour } = given.shepard;
  const pairs = [];
  for (let i = 0; i < delta.length; i += 1)
    for (let j = 0; j < i; j += 1) pairs.push([delta[i][j], kappa[i][j]]);
  const mark = pairs.length <= MOST_POINTS ? alike(pairs, look) : heatMap(pairs, colour);
  const x = axis(-0.02, 1.02, { label: "transformed dissimilarity δ", ticks: UNIT });
  const y = axis(-0.02, 1.02, { label: "degree of conflict κ", ticks: UNIT });
  return panelOf("shepard", place, x, y, [mark, diagonal], { title: "Shepard diagram" });
}

// The more pairs in a cell, the denser the colour, "#rrggbb", by logarithm.
function heatMap(pairs, colour) {
  const counts = new Float64Array(CELLS * CELLS);
  const cell = (value) => Math.min(Math.floor(value * CELLS), CELLS - 1);
  for (const [x, y] of pairs) counts[(CELLS - 1 - cell(y)) * CELLS + cell(x)] += 1;
  const most = Math.log(Math.max(...counts, 2));
  const rgb = [1, 3, 5].map((k) => Number.parseInt(colour.slice(k, k + 2), 16));
  const flat = new Uint8Array(4 * counts.length);
  counts.forEach((count, k) => {
    if (count) flat.set([...rgb, 255 * (0.25 + (0.75 * Math.log(count)) / most)], 4 * k);
  });
  return ofKind("raster", { pixels: { shape: [CELLS, CELLS], flat }, box: [0, 0, 1, 1], smooth: false });
}

/** The curve of the transformation with its scale d0. */
export function transformationPanel(place, gamma, d0, most) {
  const right = 1.05 * Math.max(most, d0);
  const phi = (d) => -Math.expm1(-gamma * d * d);
  const { curve, edges, end } = given.transformation;
  const marks = [
    line(
      numbers(120).map((k) => [(k * right) / 119, phi((k * right) / 119)]),
      curve,
    ),
    line(
      [
        [d0, 0],
        [d0, phi(d0)],
        [0, phi(d0)],
      ],
      edges,
    ),
    alike([[d0, phi(d0)]], end),
  ];
  const x = axis(0, right, { label: `dissimilarity d; d₀ = ${d0.toPrecision(3)}` });
  return panelOf("transformation", place, x, axis(0, 1.05, { ticks: UNIT }), marks, {
    title: "Transformation φ(d)",
    grid: true,
  });
}

/** Lines between linked objects, by outcome, with a sign in the middle of those that are not met. */
export function linkMarks(positions, links, outcomes) {
  const { looks, dashes } = given.links;
  return Object.entries(looks).flatMap(([outcome, [colour, sign]]) => {
    const some = links.filter((_, k) => outcomes[k] === outcome);
    const lines = ["must-link", "cannot-link"].map((kind) => {
      const ends = some
        .filter(({ must }) => must === (kind === "must-link"))
        .map(({ i, j }) => [positions[i], positions[j]]);
      return line(
        between(ends),
        ofKind("stroke", { colour, width: 2, dash: dashes[kind], opacity: 1, halo: true }),
      );
    });
    const middles = some.map(({ i, j }) => [0, 1].map((q) => (positions[i][q] + positions[j][q]) / 2));
    return sign ? [...lines, alike(middles, sign)] : lines;
  });
}

/** The plausibility that each constraint is violated. */
export function violationsPanel(place, links, outcomes, values) {
  const tops = values.map((value, k) => [k + 1, value]);
  const marks = Object.entries(given.links.looks).flatMap(([outcome, [colour]]) => {
    const some = tops.filter((_, k) => outcomes[k] === outcome);
    const looks = [
      ["square", colour],
      ["circle", "#ffffff"],
    ].map(([shape, fill]) =>
      ofKind("look", { shape, size: 8, fill, edge: colour, edge_width: 1.7, sectors: [] }),
    );
    const kinds = links.filter((_, k) => outcomes[k] === outcome).map(({ must }) => (must ? 0 : 1));
    const stems = ofKind("stroke", { colour, width: 1.7, dash: [], opacity: 1, halo: false });
    return [line(between(some.map((top) => [[top[0], 0], top])), stems), points(some, looks, kinds)];
  });
  if (!links.length)
    marks.push(
      ofKind("text", {
        words: "no constraints",
        place: [0.5, 0.6],
        colour: "#595959",
        align: "centre",
        size: 1,
        bold: false,
        on_axes: true,
      }),
    );
  const room = 10 * Math.max(Math.ceil(links.length / 10), 1);
  const x = axis(0.3, room + 0.7, { label: "■ must-link, ○ cannot-link", whole: true });
  return panelOf("violations", place, x, axis(-0.1, 1.1, { ticks: UNIT }), marks, {
    title: "Plausibility of violations",
    grid: true,
  });
}
