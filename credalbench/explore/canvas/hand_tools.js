// Tools that draw on the map by hand: a press or a stroke leaves marks, which Python turns into points.
// A mark waits until Python has handled the last one, so that the kernel never lags behind.

const STROKE = 16; // pixels between two marks of a stroke

// `at` finds the panel and the object at a place; `place` gives an event's pixels, and how many are near.
function handTools(source, { at, mapFrame, place, selected }) {
  let last = null; // where this stroke left its last mark
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

  // At the selected object, or in the middle of the map.
  function byKey() {
    const { box, placeOfObject } = mapFrame();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    report(selected(), ...(placeOfObject.get(selected()) ?? middle));
  }

  // The next mark is made on the picture with the last one in it, which is drawn in the next frame.
  function handled() {
    requestAnimationFrame(() => {
      waits = false;
    });
  }

  return { moves, draws, report, press, move, byKey, handled };
}
