// The browser's side of PaintCanvas: shows the image and the regions, reports strokes and keys.

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FAR = 10; // pixels that an arrow key moves with Shift
const COLOURS = { 1: [170, 50, 200], 2: [86, 180, 233] }; // not used by clusters
const LIVE = { 0: "rgba(255,255,255,.6)", 1: "rgba(170,50,200,.6)", 2: "rgba(86,180,233,.7)" };
const TALLEST = 320; // pixels of the window
const TOOLS = { 0: "eraser", 1: "region 1", 2: "region 2" };
const MOST_POINTS = 5000;

function bytes(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function render({ model, el }) {
  const canvas = document.createElement("canvas");
  const { box, layer, groups, spoken } = markedBox(el, "credalbench-paint", canvas, ["live", "numbers", "cursor"]);
  const [liveMark, numbers, cursorMark] = groups;
  canvas.style.imageRendering = "pixelated";
  box.style.touchAction = "none";

  let cursor = null; // [row, column] of the keyboard
  let path = null; // of the present stroke
  let byKeys = false; // whether Enter put the brush down
  const rows = () => model.get("rows");
  const columns = () => model.get("columns");

  // Image and regions combined: colour and direction of the hatching show the region of a pixel.
  function showImage() {
    const rgb = bytes(model.get("pixels"));
    const regions = bytes(model.get("regions"));
    const size = rows() * columns();
    if (rgb.length !== 3 * size || regions.length !== size) return; // the other half has not arrived yet
    canvas.width = columns();
    canvas.height = rows();
    box.style.maxWidth = `${(TALLEST * columns()) / rows()}px`;
    layer.setAttribute("viewBox", `0 0 ${columns()} ${rows()}`);
    const data = new ImageData(columns(), rows());
    for (let i = 0; i < size; i++) {
      const tint = COLOURS[regions[i]];
      const row = Math.floor(i / columns());
      const column = i % columns();
      const line = regions[i] === 1 ? (row + column) % 5 === 0 : (row - column + 5 * rows()) % 5 === 0;
      const share = tint ? (line ? 0.95 : 0.38) : 0;
      for (let q = 0; q < 3; q++) data.data[4 * i + q] = (1 - share) * rgb[3 * i + q] + share * (tint ? tint[q] : 0);
      data.data[4 * i + 3] = 255;
    }
    canvas.getContext("2d").putImageData(data, 0, 0);
    showNumbers(regions);
    liveMark.replaceChildren();
  }

  // The number is drawn on the pixel of the region nearest to its centre.
  function showNumbers(regions) {
    numbers.replaceChildren();
    for (const region of [1, 2]) {
      const places = [];
      regions.forEach((value, i) => {
        if (value === region) places.push([Math.floor(i / columns()), i % columns()]);
      });
      if (!places.length) continue;
      const middle = [0, 1].map((q) => places.reduce((sum, place) => sum + place[q], 0) / places.length);
      const gap = (place) => (place[0] - middle[0]) ** 2 + (place[1] - middle[1]) ** 2;
      const [row, column] = places.reduce((best, place) => (gap(place) < gap(best) ? place : best));
      const size = columns() / 20;
      const look = { "font-size": size, "font-family": "sans-serif", "font-weight": 700, fill: "#222", "text-anchor": "middle" };
      const halo = { stroke: "white", "stroke-width": size / 4, "paint-order": "stroke" };
      const place = { x: column + 0.5, y: row + 0.5 + size / 3 };
      svg("text", { ...place, ...look, ...halo }, numbers).textContent = String(region);
    }
  }

  function showLive() {
    liveMark.replaceChildren();
    if (!path) return;
    const points = path.map(([row, column]) => `${column + 0.5},${row + 0.5}`);
    if (points.length === 1) points.push(points[0]);
    const width = 2 * model.get("radius") + 1;
    const look = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", "stroke-width": width };
    svg("polyline", { points: points.join(" "), stroke: LIVE[model.get("tool")], ...look }, liveMark);
  }

  function showCursor(place) {
    cursorMark.replaceChildren();
    if (!place) return;
    const circle = { cx: place[1] + 0.5, cy: place[0] + 0.5, r: model.get("radius") + 0.5, fill: "none" };
    const solid = byKeys ? {} : { "stroke-dasharray": "2 1" };
    svg("circle", { ...circle, stroke: "white", "stroke-width": 1.6 }, cursorMark);
    svg("circle", { ...circle, ...solid, stroke: "#222", "stroke-width": 0.7 }, cursorMark);
  }

  function announce(text) {
    spoken.textContent = text;
  }

  function showLabel() {
    const keys = "Arrow keys move, Space paints, Enter puts the brush down or lifts it, 1, 2 and 0 choose region 1, region 2, eraser.";
    box.setAttribute("aria-label", `${model.get("description")} ${keys}`);
  }

  function place(event) {
    const frame = canvas.getBoundingClientRect();
    const scale = columns() / frame.width;
    return [(event.clientY - frame.top) * scale - 0.5, (event.clientX - frame.left) * scale - 0.5];
  }

  function extend(point) {
    const last = path[path.length - 1];
    const far = Math.hypot(point[0] - last[0], point[1] - last[1]) >= 0.5;
    if (far && path.length < MOST_POINTS) path.push(point.map((value) => Math.round(100 * value) / 100));
    showLive();
  }

  function finish() {
    if (!path) return;
    model.send({ event: "stroke", tool: model.get("tool"), radius: model.get("radius"), path });
    path = null; // the drawn stroke stays until the regions are updated
  }

  function onDown(event) {
    if (event.button !== 0) return;
    byKeys = false;
    cursor = null;
    box.setPointerCapture(event.pointerId);
    path = [place(event)];
    showLive();
  }

  function onMove(event) {
    const point = place(event);
    showCursor(point);
    if (path && !byKeys) extend(point);
  }

  function onUp() {
    if (!byKeys) finish();
  }

  function move([down, right], far) {
    if (cursor === null) cursor = [Math.floor(rows() / 2), Math.floor(columns() / 2)];
    else {
      const step = far ? FAR : 1;
      cursor = [cursor[0] + step * down, cursor[1] + step * right];
      cursor = [Math.min(Math.max(cursor[0], 0), rows() - 1), Math.min(Math.max(cursor[1], 0), columns() - 1)];
    }
    if (path && byKeys) extend(cursor);
    announce(`row ${cursor[0]}, column ${cursor[1]}`);
  }

  function setTrait(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    const key = event.key;
    if (key in ARROWS) move(ARROWS[key], event.shiftKey);
    else if (key === " " && cursor && !path) {
      path = [cursor];
      showLive();
      finish();
      announce(`painted ${TOOLS[model.get("tool")]} at row ${cursor[0]}, column ${cursor[1]}`);
    } else if (key === "Enter" && cursor) {
      if (byKeys) finish();
      else path = [cursor];
      byKeys = !byKeys;
      showLive();
      announce(byKeys ? "brush down" : "brush up");
    } else if (key === "Escape") {
      path = null;
      byKeys = false;
      showLive();
    } else if (key in TOOLS) {
      setTrait("tool", Number(key));
      announce(TOOLS[key]);
    } else if (key === "+" || key === "-") {
      const radius = Math.min(Math.max(model.get("radius") + (key === "+" ? 1 : -1), 0), 30);
      setTrait("radius", radius);
      announce(`brush ${radius}`);
    } else if (key.toLowerCase() === "u") model.send({ event: "command", name: "undo" });
    else return;
    event.preventDefault();
    event.stopPropagation();
    showCursor(cursor);
  }

  const listeners = {
    pointerdown: onDown,
    pointermove: onMove,
    pointerup: onUp,
    pointercancel: onUp,
    pointerleave: () => showCursor(cursor),
    keydown: onKey,
    focus: () => showCursor(cursor),
    blur: () => showCursor(null),
  };
  for (const [name, listener] of Object.entries(listeners)) box.addEventListener(name, listener);
  const forget = watch(model, {
    pixels: showImage,
    regions: showImage,
    rows: showImage,
    columns: showImage,
    description: showLabel,
    radius: () => showCursor(cursor),
  });
  showImage();
  showLabel();
  return forget;
}

export default { render };
