// Objects between the sets of their masses glide to their new positions, so that the eye can follow.

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

// Set what is left of the way after some milliseconds, fast at first, slow at the end; returns whether any is.
function travel(layout, elapsed) {
  const left = Math.max(1 - elapsed / GLIDE, 0);
  for (const frame of layout.frames) frame.rest = left ** 2;
  return left > 0;
}
