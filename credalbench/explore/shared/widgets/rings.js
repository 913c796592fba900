// What marks objects and handles on a picture: rings in two strokes, numbers, and which place is near.

const NEAR = 18; // pixels of the screen within which a click means an object or a handle
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const INK = "#222222";
const RING = "#0050B5";

// A mark in two strokes, so that it is seen on any ground.
function outlined(name, attributes, parent, colour) {
  svg(name, { ...attributes, fill: "none", stroke: "white", "stroke-width": 5 }, parent);
  svg(name, { ...attributes, fill: "none", stroke: colour, "stroke-width": 2.4 }, parent);
}

// The number of the point within so many pixels of a place, or null.
function nearest(points, x, y, reach) {
  let best = null;
  let least = reach * reach;
  points.forEach(([px, py], i) => {
    const square = (px - x) ** 2 + (py - y) ** 2;
    if (square <= least) [best, least] = [i, square];
  });
  return best;
}

// The number of the nearest point within the quarter of the plane that an arrow points to.
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

// A name beside a place.
function named(words, x, y, width, parent) {
  const right = x < width - 60;
  const place = { x: right ? x + 12 : x - 12, y: y - 9, "text-anchor": right ? "start" : "end" };
  const look = { "font-size": 15, "font-family": "sans-serif", "font-weight": 600, fill: INK };
  const halo = { stroke: "white", "stroke-width": 4, "paint-order": "stroke" };
  svg("text", { ...place, ...look, ...halo }, parent).textContent = words;
}
