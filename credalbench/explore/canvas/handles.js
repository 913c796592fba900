// Handles on a picture: dragged by the pointer, or chosen with page keys and moved with arrow keys.
// A report waits until Python has handled the last one, so that the kernel keeps up.

const FEW = 50; // with more handles, a finger drags everywhere on the picture
const STRIDE = 8; // pixels of the picture that an arrow key moves a handle by; with Shift it is one

// `mark` is the group that shows the chosen handle, `touch` that of the places where a finger drags and does not
// scroll; `place` gives an event's pixels, and how many are near.
function draggable(model, box, [touch, mark], spoken, place) {
  let handle = null; // the selected one, { k, x, y }
  let dragging = false;
  let moved = false; // whether the pointer has moved since it was pressed
  let pending = false; // Python has not handled the last report yet
  let late = false; // and the handle has moved since
  const handles = () => model.get("handles");

  function show() {
    mark.replaceChildren();
    if (handle !== null && (dragging || document.activeElement === box))
      outlined("circle", { cx: handle.x, cy: handle.y, r: 14 }, mark, RING);
  }

  function choose(k) {
    const there = handles()[k];
    handle = there ? { k, x: there[0], y: there[1] } : null;
    if (handle) spoken.textContent = `${model.get("handle_name")} ${k + 1}`;
    show();
  }

  function report() {
    [pending, late] = [true, false];
    model.send({ event: "drag", handle: handle.k, x: handle.x, y: handle.y });
  }

  function moveTo(x, y) {
    handle.x = Math.min(Math.max(x, 0), model.get("width"));
    handle.y = Math.min(Math.max(y, 0), model.get("height"));
    show();
    if (pending) late = true;
    else report();
  }

  function press(event) {
    const [x, y, reach] = place(event);
    flush();
    choose(event.button === 0 ? nearest(handles(), x, y, reach) : null);
    [dragging, moved] = [handle !== null, false];
    if (dragging) box.setPointerCapture(event.pointerId);
  }

  // Whether the pointer is on a handle, which follows it while pressed.
  function move(event) {
    const [x, y, reach] = place(event);
    if (dragging) {
      moved = true;
      moveTo(x, y);
    }
    const near = dragging || nearest(handles(), x, y, reach) !== null;
    if (handles().length) box.style.cursor = dragging ? "grabbing" : near ? "grab" : "default";
    return near;
  }

  // Later events, a letter or a button, refer to the present position of the handle.
  function flush() {
    if (late && handle) report();
  }

  function release() {
    flush();
    dragging = false;
    show();
  }

  // Whether a click only ended a drag; the answer is reset.
  function endedDrag() {
    const was = moved;
    moved = false;
    return was;
  }

  // Whether the key is for handles.
  function key(event) {
    const count = handles().length;
    const forward = event.key === "PageDown";
    if (count && (forward || event.key === "PageUp")) {
      const from = handle ? handle.k : forward ? -1 : count;
      choose((from + (forward ? 1 : count - 1)) % count);
    } else if (event.key === "Escape" && handle) choose(null);
    else if (event.key in ARROWS && handle) {
      const stride = event.shiftKey ? 1 : STRIDE;
      const [dx, dy] = ARROWS[event.key];
      moveTo(handle.x + dx * stride, handle.y + dy * stride);
    } else return false;
    return true;
  }

  // The last report has been handled: use the position of Python, unless the handle has moved since.
  function handled() {
    pending = false;
    if (late) flush();
    else settle();
  }

  function settle() {
    const places = handles();
    const few = places.length <= FEW ? places : [];
    box.style.touchAction = places.length > FEW ? "pinch-zoom" : "";
    while (touch.childElementCount > few.length) touch.lastChild.remove();
    while (touch.childElementCount < few.length)
      svg("circle", { r: NEAR, fill: "transparent", style: "pointer-events:auto;touch-action:none" }, touch);
    few.forEach(([cx, cy], k) => {
      touch.children[k].setAttribute("cx", cx);
      touch.children[k].setAttribute("cy", cy);
    });
    if (handle && !dragging && !pending) choose(handle.k);
  }

  return { show, press, move, release, flush, endedDrag, key, handled, settle };
}

// -- tools for drawing on the map: a press or a stroke leaves marks, which Python converts to points ------------
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
