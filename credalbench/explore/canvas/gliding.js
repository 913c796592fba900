// Objects that move within a panel glide to their new positions, so that the eye can follow.

const GLIDE = 300; // milliseconds
const fewMoves = window.matchMedia("(prefers-reduced-motion: reduce)");

// Where an object is on its way to a position: the share `frame.rest` of the way from `frame.from` is left.
function onItsWay({ from, rest }, i, position) {
  const start = from?.get(i);
  return start ? Array.from(position, (end, k) => end + rest * (start[k] - end)) : position;
}

const axesOf = ({ panel: { name, x, y } }) => JSON.stringify([name, x.low, x.high, y.low, y.high]);
const ofObjects = (frame) => frame.panel.marks.filter((mark) => mark.positions && mark.objects);

function shownPositions(frame) {
  const pairs = ofObjects(frame).flatMap(({ positions, objects }) => positions.map((at, k) => [objects[k], at]));
  return new Map(pairs.map(([i, position]) => [i, onItsWay(frame, i, position)]));
}

// In panels that have kept their axes, objects start where they are shown; returns whether any has to move.
function depart(layout, before) {
  if (!before || fewMoves.matches) return false;
  const shown = new Map(before.frames.map((frame) => [axesOf(frame), frame]));
  const isApart = (frame, i, [x, y]) => {
    const end = frame.placeOfObject.get(i);
    return end && Math.hypot(frame.x.to(x) - end[0], frame.y.to(y) - end[1]) > 1;
  };
  for (const frame of layout.frames) {
    const old = shown.get(axesOf(frame));
    const from = old ? shownPositions(old) : new Map();
    if ([...from].some(([i, position]) => isApart(frame, i, position))) frame.from = from;
  }
  return layout.frames.some((frame) => frame.from);
}

// Set what is left of the way after some milliseconds, fast at first, slow at the end; returns whether any is.
function travel(layout, elapsed) {
  const left = Math.max(1 - elapsed / GLIDE, 0);
  for (const frame of layout.frames) frame.rest = left ** 2;
  return left > 0;
}
