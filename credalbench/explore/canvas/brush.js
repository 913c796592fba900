// The tool "brush": strokes on the pixels of the first panel, by pointer or by keys. Python paints what they mark.

const FAR = 10; // pixels of the image that an arrow key moves with Shift
const LIVE = { 0: "rgba(255,255,255,.6)", 1: "rgba(170,50,200,.6)", 2: "rgba(86,180,233,.7)" };
const REGIONS = { 0: "eraser", 1: "region 1", 2: "region 2" };
const MOST_POINTS = 5000; // of one stroke
const LARGEST = 30; // radius

const PAINT_KEYS =
  "Arrow keys move, Space paints, Enter puts the brush down or lifts it, 1, 2 and 0 choose region 1, region 2, eraser.";

// `frameOf` gives the panel, in which a pixel of the image has side 1, and `place` an event's pixels of the picture.
function brushOn(source, box, [liveMark, cursorMark], spoken, frameOf, place) {
  let cursor = null; // [row, column] of the keyboard
  let path = null; // of the present stroke
  let byKeys = false; // whether Enter put the brush down
  const paints = () => source.get("tool") === "brush" && Boolean(frameOf());
  const size = () => [frameOf().panel.y.high, frameOf().panel.x.high]; // rows, columns
  const scale = () => frameOf().box.width / size()[1];
  const middleOf = ([row, column]) => placeOf(frameOf(), [column + 0.5, size()[0] - row - 0.5]);

  function pixelAt(event) {
    const [x, y] = place(event);
    const { box: inner } = frameOf();
    return [(y - inner.y) / scale() - 0.5, (x - inner.x) / scale() - 0.5];
  }

  function showLive() {
    liveMark.replaceChildren();
    if (!path) return;
    const points = path.map(middleOf);
    if (points.length === 1) points.push(points[0]);
    const width = (2 * source.get("radius") + 1) * scale();
    const look = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", "stroke-width": width };
    svg("polyline", { points: points.join(" "), stroke: LIVE[source.get("region")], ...look }, liveMark);
  }

  function showCursor(pixel = cursor) {
    cursorMark.replaceChildren();
    if (!pixel || !paints()) return;
    const [cx, cy] = middleOf(pixel);
    const circle = { cx, cy, r: (source.get("radius") + 0.5) * scale(), fill: "none" };
    const dashes = byKeys ? {} : { "stroke-dasharray": "4 2" };
    svg("circle", { ...circle, stroke: COLOUR.paper, "stroke-width": 3.2 }, cursorMark);
    svg("circle", { ...circle, ...dashes, stroke: COLOUR.ink, "stroke-width": 1.4 }, cursorMark);
  }

  function announce(text) {
    spoken.textContent = text;
  }

  function extend(pixel) {
    const last = path[path.length - 1];
    const far = Math.hypot(pixel[0] - last[0], pixel[1] - last[1]) >= 0.5;
    if (far && path.length < MOST_POINTS) path.push(pixel.map((value) => Math.round(100 * value) / 100));
    showLive();
  }

  function finish() {
    if (!path) return;
    source.send({ event: "stroke", tool: source.get("region"), radius: source.get("radius"), path });
    path = null; // the drawn stroke stays until Python has handled it
  }

  function press(event) {
    if (event.button !== 0) return;
    byKeys = false;
    cursor = null;
    box.setPointerCapture(event.pointerId);
    path = [pixelAt(event)];
    showLive();
  }

  function move(event) {
    const pixel = pixelAt(event);
    showCursor(pixel);
    if (path && !byKeys) extend(pixel);
  }

  function release() {
    if (!byKeys) finish();
  }

  function moveCursor([right, down], far) {
    const most = size();
    if (cursor === null) cursor = most.map((length) => Math.floor(length / 2));
    else {
      const step = far ? FAR : 1;
      const moved = [cursor[0] + step * down, cursor[1] + step * right];
      cursor = moved.map((value, k) => Math.min(Math.max(value, 0), most[k] - 1));
    }
    if (path && byKeys) extend(cursor);
    announce(`row ${cursor[0]}, column ${cursor[1]}`);
  }

  function setTrait(name, value) {
    source.set(name, value);
    source.save_changes();
  }

  // Whether the key is for the brush.
  function key(event) {
    if (!paints()) return false;
    const pressed = event.key;
    if (pressed in ARROWS) moveCursor(ARROWS[pressed], event.shiftKey);
    else if (pressed === " " && cursor && !path) {
      path = [cursor];
      showLive();
      finish();
      announce(`painted ${REGIONS[source.get("region")]} at row ${cursor[0]}, column ${cursor[1]}`);
    } else if (pressed === "Enter" && cursor) {
      if (byKeys) finish();
      else path = [cursor];
      byKeys = !byKeys;
      if (byKeys) showLive();
      announce(byKeys ? "brush down" : "brush up");
    } else if (pressed === "Escape") {
      path = null;
      byKeys = false;
      showLive();
    } else if (pressed in REGIONS) {
      setTrait("region", Number(pressed));
      announce(REGIONS[pressed]);
    } else if (pressed === "+" || pressed === "-") {
      const radius = Math.min(Math.max(source.get("radius") + (pressed === "+" ? 1 : -1), 0), LARGEST);
      setTrait("radius", radius);
      announce(`brush ${radius}`);
    } else return false;
    showCursor();
    return true;
  }

  // The region of the last stroke, if it was valid, is drawn in the next frame.
  function handled() {
    requestAnimationFrame(showLive);
  }

  return { paints, press, move, release, key, handled, showCursor };
}
