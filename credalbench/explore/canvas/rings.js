// Marks of objects and handles on a picture: rings, numbers, and the search for near positions.

const NEAR = 18; // distance in pixels up to which a click selects an object or a handle
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const INK = LIGHT.ink;
const RING = COLOUR.ring;
// Offsets of a name from its position in pixels; whether it is to the right, whether below; best corner first.
const [BESIDE, BELOW] = [12, 5];
const CORNERS = [[true, false], [false, false], [true, true], [false, true]];

// A mark in two strokes, visible on any background.
function outlined(name, attributes, parent, colour) {
  svg(name, { ...attributes, fill: "none", stroke: COLOUR.paper, "stroke-width": 5 }, parent);
  svg(name, { ...attributes, fill: "none", stroke: colour, "stroke-width": 2.4 }, parent);
}

// The index of the nearest point within some pixels of a position, or null.
function nearest(points, x, y, reach) {
  let best = null;
  let least = reach * reach;
  points.forEach(([px, py], i) => {
    const square = (px - x) ** 2 + (py - y) ** 2;
    if (square <= least) [best, least] = [i, square];
  });
  return best;
}

// The index of the nearest point in the quadrant that an arrow key points to.
function neighbour(points, from, [dx, dy]) {
  const [x, y] = points[from];
  let best = from;
  let least = Infinity;
  points.forEach(([px, py], i) => {
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    const square = (px - x) ** 2 + (py - y) ** 2;
    if (along > 0 && across <= along && square < least) [best, least] = [i, square];
  });
  return best;
}

// The intersection area of two boxes.
function common(one, other) {
  const along = (from, length) =>
    Math.min(one[from] + one[length], other[from] + other[length]) - Math.max(one[from], other[from]);
  return Math.max(along("x", "width"), 0) * Math.max(along("y", "height"), 0);
}

// A name at the corner of a position where it overlaps rings, names and the edge of the panel least.
function named(words, [x, y], panel, parent) {
  const marks = [...parent.ownerSVGElement.querySelectorAll("circle, text")].map((mark) => mark.getBBox());
  const look = { "font-size": 15, "font-family": "sans-serif", "font-weight": 600, fill: COLOUR.ink };
  const halo = { stroke: COLOUR.paper, "stroke-width": 4, "paint-order": "stroke" };
  const text = svg("text", { ...look, ...halo }, parent);
  text.textContent = words;
  const size = text.getBBox(); // around the beginning of its line
  const hidden = (box) => {
    const outside = box.width * box.height - common(box, panel);
    return marks.reduce((area, mark) => area + common(box, mark), outside);
  };
  const boxes = CORNERS.map(([right, below]) => ({
    x: right ? x + BESIDE : x - BESIDE - size.width,
    y: below ? y + BELOW : y - BELOW - size.height,
    width: size.width,
    height: size.height,
  }));
  const best = boxes.reduce((least, box) => (hidden(box) < hidden(least) ? box : least));
  text.setAttribute("x", best.x);
  text.setAttribute("y", best.y - size.y);
}
