// Positions of panels in pixels, and scales of their axes: limits, ticks, numbers.

const TICK = 13; // sizes of text in pixels
const LABEL = 14;
const TITLE = 15;
const SMALLEST_TEXT = 12; // for a title or a label that would be truncated otherwise
const SMALLEST_TICK = 10; // for words that would overlap otherwise
const BELOW_BOX = 20; // pixels below the axes that a vertical label may use
const GAP = 8;
const ASPECT = 0.76; // height by width of a picture, if the window is high enough

let ruler = null; // a context that measures text
function widthOf(words, size, bold = false) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
  return ruler.measureText(words).width;
}

function written(value, digits) {
  if (!value && digits > 5) return "0";
  if (Math.abs(value) >= 1e5 || digits > 5) return value.toPrecision(3).replace(/\.?0+(e|$)/, "$1").replace("e+", "e");
  return value.toFixed(digits).replace("-", "−");
}

// Multiples of a step with their labels.
function ticksAt(step, low, high) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1)
    ticks.push([k * step, written(k ? k * step : 0, digits)]);
  return ticks;
}

// Positions and labels of ticks at 1, 2 or 5 times a power of ten: about as many as requested, but at least two,
// since one number is not a scale.
function tidyTicks(low, high, count, whole) {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1].map((factor) => factor * power);
  const largest = steps.findLastIndex((size) => size >= rough);
  const allowed = (size) => (whole ? Math.max(Math.round(size), 1) : size);
  const found = steps.slice(largest).map((size) => ticksAt(allowed(size), low, high));
  return found.find((ticks) => ticks.length > 1) ?? found[0];
}

// As many of them as fit, but at least two.
function logTicks(low, high, count) {
  const ticksOf = (factors) => {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1)
      for (const factor of factors) {
        const value = factor * 10 ** power;
        if (value >= low && value <= high) ticks.push([value, String(Number(value.toPrecision(6)))]);
      }
    return ticks;
  };
  const decades = Math.log10(high / low);
  const factors = [[1, 2, 5], [1, 3]].find((some) => decades * some.length <= count) ?? [1];
  const found = [factors, [1, 3], [1, 2, 5]].map(ticksOf).find((ticks) => ticks.length > 1);
  return found ?? tidyTicks(low, high, count, false);
}

function ticksOf(axis, [low, high], pixels, room) {
  if (axis.scale === "none") return [];
  if (axis.ticks.length) return axis.ticks.filter(([place]) => place >= low && place <= high);
  return axis.scale === "log" ? logTicks(low, high, pixels / room) : tidyTicks(low, high, pixels / room, axis.whole);
}

// Limits of both axes with equal scales.
function equalised(x, y, width, height) {
  const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const around = ([low, high], length) => [(low + high - unit * length) / 2, (low + high + unit * length) / 2];
  return [around(x, width), around(y, height)];
}

// -- a small picture: the first panel fills what is docked, the others are below, in columns as wide as the picture --

const STACKED = 560; // pixels: pictures that are narrower are stacked
const PEEK = 30; // pixels of the panels below that a docked picture shows
const ROW = 0.62; // largest height of a row of panels, as a share of the width

// Panels of the same size beside the first one, which are shown together with it.
const isMain = ([, top, across, down]) => ([, y, width, height]) => y === top && width === across && height === down;

// Columns of panels: none overlaps another horizontally.
function columnsOf(panels) {
  const columns = [];
  for (const panel of [...panels].sort((one, other) => one.place[0] - other.place[0])) {
    const last = columns.at(-1);
    const [left, , across] = panel.place;
    if (last && left < last.right - 0.005) {
      last.panels.push(panel);
      last.right = Math.max(last.right, left + across);
    } else columns.push({ left, right: left + across, panels: [panel] });
  }
  return columns;
}

// The panels at their new places in pixels, and the height of all.
function stacked(panels, width, docked) {
  const first = isMain(panels[0].place);
  const main = panels.filter(({ place }) => first(place));
  const moved = main.map((panel, k) => ({ ...panel, place: [(k * width) / main.length, 0, width / main.length, docked] }));
  let height = docked;
  for (const { left, right, panels: column } of columnsOf(panels.filter((panel) => !main.includes(panel)))) {
    const tops = column.map(({ place }) => place[1]);
    const top = Math.min(...tops);
    const down = Math.max(...column.map(({ place }) => place[1] + place[3])) - top;
    const rows = new Set(tops).size;
    const [x, y] = [width / (right - left), Math.min((ASPECT * width) / (right - left), (ROW * rows * width) / down)];
    for (const panel of column) {
      const [a, b, across, up] = panel.place;
      moved.push({ ...panel, place: [(a - left) * x, height + GAP + (b - top) * y, across * x, up * y] });
    }
    height += GAP + down * y;
  }
  const share = ({ place: [a, b, c, d] }) => [a / width, b / height, c / width, d / height];
  return { panels: moved.map((panel) => ({ ...panel, place: share(panel) })), height };
}

// A panel with its inner box in pixels and its scales, for a picture of this size.
function framed(panel, width, height) {
  const [left, top, across, down] = [0, 1, 2, 3].map((k) => panel.place[k] * (k % 2 ? height : width));
  const bare = { x: panel.x.scale === "none", y: panel.y.scale === "none" };
  const edge = bare.x && bare.y && !panel.title ? 0 : 4; // a picture alone fills its place
  const above = panel.title ? TITLE + 9 : edge;
  const below = bare.x ? edge : TICK + 8 + (panel.x.label ? LABEL + 5 : 0);
  const y0 = [panel.y.low, panel.y.high];
  const inner = Math.max(down - above - below, 20);
  const longest = Math.max(0, ...ticksOf(panel.y, y0, inner, 42).map(([, words]) => widthOf(words, TICK)));
  const beside = bare.y ? edge : longest + 12 + (panel.y.label ? LABEL + 6 : 0);
  const box = { x: left + beside, y: top + above, width: Math.max(across - beside - (edge ? GAP : 0), 20), height: inner };
  let limits = [[panel.x.low, panel.x.high], y0];
  if (panel.equal) limits = equalised(...limits, box.width, box.height);
  const scale = (axis, [low, high], from, to) => {
    const along = axis.scale === "log" ? Math.log : (value) => value;
    const back = axis.scale === "log" ? Math.exp : (value) => value;
    const unit = (to - from) / (along(high) - along(low) || 1);
    return {
      to: (value) => from + (along(value) - along(low)) * unit,
      from: (pixel) => Math.min(Math.max(back(along(low) + (pixel - from) / unit), low), high),
    };
  };
  return {
    panel,
    box,
    left,
    right: left + across,
    top,
    x: scale(panel.x, limits[0], box.x, box.x + box.width),
    y: scale(panel.y, limits[1], box.y + box.height, box.y),
    xTicks: ticksOf(panel.x, limits[0], box.width, panel.x.whole ? 26 : 64),
    yTicks: ticksOf(panel.y, limits[1], box.height, 42),
  };
}

// What belongs to a panel above its axes, title and all.
function roomOf({ left, right, top, box }) {
  return { x: left, y: top, width: right - left, height: box.y + box.height - top };
}

function contains({ box }, x, y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

// Entries of a legend in rows, with their places; the height of all.
function flowed(legend, width) {
  const [rowHeight, sign, gap] = [22, 30, 20];
  let [x, y] = [GAP, 0];
  const entries = legend.map((entry) => {
    const needed = sign + widthOf(entry.label, TICK) + gap;
    if (x > GAP && x + needed - gap > width - GAP) [x, y] = [GAP, y + rowHeight];
    const placed = { ...entry, x, y: y + rowHeight / 2 };
    x += needed;
    return placed;
  });
  return { entries, height: legend.length ? y + rowHeight + 4 : 0 };
}

// -- objects between the sets of their masses glide to their new positions, so that the eye can follow ----------

const GLIDE = 300; // milliseconds
const MASSES_AS_PLACES = "corners"; // the name of the panel; others are redrawn at once
const fewMoves = window.matchMedia("(prefers-reduced-motion: reduce)");

// Where an object is on its way to a position: the share `frame.rest` of the way from `frame.from` is left.
function onItsWay({ from, rest }, i, position) {
  const start = from?.get(i);
  return start ? Array.from(position, (end, k) => end + rest * (start[k] - end)) : position;
}

const ofObjects = (frame) => frame.panel.marks.filter((mark) => mark.positions && mark.objects);

function shownPositions(frame) {
  const pairs = ofObjects(frame).flatMap(({ positions, objects }) => positions.map((at, k) => [objects[k], at]));
  return new Map(pairs.map(([i, position]) => [i, onItsWay(frame, i, position)]));
}

// Let objects start where they are shown; returns whether any has to move.
function depart(layout, before) {
  const [frame, old] = [layout, before].map((one) => one?.frames.find(({ panel }) => panel.name === MASSES_AS_PLACES));
  if (!frame || !old || fewMoves.matches) return false;
  frame.from = shownPositions(old);
  return [...frame.from].some(([i, [x, y]]) => {
    const end = frame.placeOfObject.get(i);
    return end && Math.hypot(frame.x.to(x) - end[0], frame.y.to(y) - end[1]) > 1;
  });
}

// Set what is left of the way after some milliseconds, fast at the beginning, slow at the end; returns whether any is left.
function travel(layout, elapsed) {
  const left = Math.max(1 - elapsed / GLIDE, 0);
  for (const frame of layout.frames) frame.rest = left ** 2;
  return left > 0;
}
