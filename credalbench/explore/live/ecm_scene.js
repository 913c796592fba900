// The scene of a run of ECM: what credalbench/explore/explorers/ecm/scene.py draws, from numbers of the browser.
//
// `looks` are the signs that Python has written for the focal sets: see writing.py.

const HALF = 0.35; // half the width of a bar
const GAPS = [NaN, NaN];
const LISTED = 12; // sets in the legend
const TIE = 1e-12; // masses that differ by less are equal; the first set is chosen

const ofKind = (kind, values) => ({ kind, ...values });
const axis = (low, high, more = {}) => ofKind("axis", { low, high, label: "", scale: "linear", whole: false, ticks: [], ...more });
const panelOf = (name, place, x, y, marks, more = {}) =>
  ofKind("panel", { name, place, x, y, marks, title: "", equal: false, grid: false, ...more });
const points = (positions, looks, lookOf, objects = null) =>
  ofKind("points", { positions, looks, look_of: lookOf, objects });
const line = (path, stroke) => ofKind("line", { path, stroke });
const numbers = (count) => Array.from({ length: count }, (_, k) => k);
const between = (ends) => ends.flatMap(([from, to]) => [from, to, GAPS]);

// The set of largest mass of each object.
function largestSets(masses) {
  return masses.map((row) => {
    const most = Math.max(...row);
    return row.findIndex((mass) => mass >= most - TIE);
  });
}

// Objects with the signs of their sets of largest mass, and the numbers of these sets.
function objectMarks(positions, masses, signs) {
  const chosen = largestSets(masses);
  const used = [...new Set(chosen)].sort((a, b) => a - b);
  const place = new Map(used.map((j, k) => [j, k]));
  const marks = points(positions, used.map((j) => signs[j]), chosen.map((j) => place.get(j)), numbers(positions.length));
  return { marks, used };
}

function prototypeMarks(prototypes, start, sets, looks) {
  const marks = [];
  const centres = barycentres(prototypes, sets);
  if (start) {
    marks.push(line(between(start.map((place, k) => [place, prototypes[k]])), looks.way));
    marks.push(points(start, [looks.ring], numbers(start.length).fill(0)));
  }
  if (looks.dotted) {
    const ends = looks.shown.flatMap((j) => numbers(prototypes.length).filter((k) => sets[j][k]).map((k) => [centres[j], prototypes[k]]));
    marks.push(line(between(ends), looks.dotted));
  }
  marks.push(points(looks.shown.map((j) => centres[j]), [looks.centre], looks.shown.map(() => 0)));
  marks.push(points(prototypes, looks.discs, numbers(prototypes.length)));
  marks.push(points(prototypes, looks.rims, numbers(prototypes.length)));
  return [...marks, ...prototypes.map((place, k) => ({ ...looks.numbers[k], place }))];
}

// All orders of some numbers.
const orders = (some) =>
  some.length < 2 ? [some] : some.flatMap((one) => orders(some.filter((k) => k !== one)).map((rest) => [one, ...rest]));

// The panel of the true classes; a class has the sign of the cluster that it is matched to.
function classesPanel({ classes, objects, y }, looks, contours) {
  const count = Math.max(contours[0].length, 1 + Math.max(...y));
  const overlap = zeros(count, count);
  contours.forEach((contour, i) => contour.forEach((plausibility, k) => (overlap[y[i]][k] += plausibility)));
  const agreement = (order) => sum(order.map((k, l) => overlap[l][k]));
  const clusters = orders(numbers(count)).reduce((best, order) => (agreement(order) > agreement(best) ? order : best));
  const used = [...new Set(y.map((l) => clusters[l]))].sort((a, b) => a - b);
  const lookOf = y.map((l) => used.indexOf(clusters[l]));
  return { ...classes, marks: [points(objects, used.map((k) => looks[k]), lookOf, numbers(y.length))] };
}

function massesBySize(masses, sets, fill) {
  const c = sets[0].length;
  const shares = numbers(c + 1).fill(0);
  sets.forEach((members, j) => (shares[sum(members)] += sum(masses.map((row) => row[j])) / masses.length));
  const boxes = shares.map((share, size) => [size - HALF, 0, size + HALF, share]);
  const bars = ofKind("bars", { boxes, fills: [fill], fill_of: shares.map(() => 0), edge: "none" });
  const y = axis(0, 1, { ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]] });
  const x = axis(-0.6, c + 0.6, { whole: true });
  return panelOf("cardinalities", [0.67, 0.42, 0.33, 0.26], x, y, [bars], { title: "Mass by size of the set", grid: true });
}

function tracePanel(values, shown, { faint, strong, dot }) {
  const last = values.length - 1;
  const path = values.map((value, k) => [k, value]);
  const marks = [line(path, faint), line(path.slice(0, shown + 1), strong), points([path[shown]], [dot], [0])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(0.12 * (high - low), 0.02 * Math.abs(high), 1e-12);
  const x = axis(0, 1.03 * Math.max(last, 1), { label: "iteration", whole: true });
  const y = axis(Math.max(low - margin, 0), high + margin);
  return panelOf("trace", [0.67, 0.7, 0.33, 0.3], x, y, marks, { title: "Objective J", grid: true });
}

// The evidence about the objects, with a sentence for each.
function evidenceOf(masses, sets, looks) {
  const sentences = masses.map((row) => sentenceOf(row, sets));
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

// What is shown after an iteration: prototypes, start or null, masses, the objective so far and later.
function ecmScene(data, looks, { prototypes, start, masses, trace, iteration }) {
  const { sets } = looks;
  const signs = looks.objects.map((look) => ({ ...look, size: look.size * data.size }));
  const { marks, used } = objectMarks(data.objects, masses, signs);
  const map = { ...data.map, marks: [marks, ...prototypeMarks(prototypes, start, sets, looks.prototypes)] };
  const entries = used.map((j) => looks.entries[j]);
  const listed = used.length > LISTED ? [...entries.slice(0, LISTED), looks.others] : entries;
  const contours = masses.map((row) => prototypes.map((_, k) => plausibility(row, sets, k)));
  const classes = classesPanel(data, looks.classes, contours);
  return ofKind("scene", {
    panels: [map, classes, massesBySize(masses, sets, looks.bar), tracePanel(trace, iteration, looks.trace)],
    evidence: evidenceOf(masses, sets, looks),
    legend: [...listed, ...looks.more],
    handles: ofKind("handles", { name: "prototype", panel: "map", positions: prototypes }),
    second: null,
  });
}
