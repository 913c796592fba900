// Tools for drawing on the map: a press or a stroke leaves marks, which Python converts to points.
// A mark waits until Python has handled the last one, so that the kernel keeps up.

const STROKE = 16; // pixels between two marks of a stroke

// `at` finds the panel and the object at a place; `place` gives an event's pixels, and how many are near.
function handTools(source, { at, mapFrame, place, selected }) {
  let last = null; // position of the last mark of this stroke
  let waits = false;
  const moves = () => source.get("tool") === "move"; // every point can be dragged
  const draws = () => ["add", "delete", "paint"].includes(source.get("tool"));

  function report(i, x, y) {
    const { x: across, y: up } = mapFrame();
    source.send({ event: "draw", object: i, x: across.from(x), y: up.from(y) });
  }

  function mark(event) {
    const [x, y, reach] = place(event);
    const near = last && Math.hypot(x - last[0], y - last[1]) < STROKE;
    const { frame, i } = at(x, y, reach);
    if (near || waits || !frame || frame !== mapFrame()) return;
    [last, waits] = [[x, y], true];
    report(i, x, y);
  }

  function press(event) {
    last = null;
    if (event.button === 0) mark(event);
  }

  function move(event) {
    if (event.buttons & 1) mark(event);
  }

  // At the selected object, or in the centre of the map.
  function byKey() {
    const { box, placeOfObject } = mapFrame();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    report(selected(), ...(placeOfObject.get(selected()) ?? middle));
  }

  // The next mark waits until the picture with the last one is drawn, in the next frame.
  function handled() {
    requestAnimationFrame(() => {
      waits = false;
    });
  }

  return { moves, draws, report, press, move, byKey, handled };
}
