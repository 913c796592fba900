// A scene drawn with a pen: panels with their marks, axes and titles, the legend below.

const TYPES = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array };

// Bytes of an array, as they come from Python or from the text of a page.
function bytesOf(data) {
  if (typeof data === "string") {
    const signs = atob(data);
    const bytes = new Uint8Array(signs.length);
    for (let k = 0; k < signs.length; k += 1) bytes[k] = signs.charCodeAt(k);
    return bytes;
  }
  return new Uint8Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
}

// Unpacked values: arrays of one dimension flat, of two in rows, of three flat with their shape.
function unpacked(value) {
  if (Array.isArray(value)) return value.map(unpacked);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (!("type" in value && "data" in value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unpacked(part)]));
  const flat = new TYPES[value.type](bytesOf(value.data).buffer);
  if (value.shape.length === 3) return { shape: value.shape, flat };
  if (value.shape.length !== 2) return flat;
  const [rows, columns] = value.shape;
  return Array.from({ length: rows }, (_, i) => flat.subarray(i * columns, (i + 1) * columns));
}

// Frames of all panels and the rows of the legend, for a picture of this size; `pixels` are those of images. A
// stacked picture is higher.
function laidOut(scene, pixels, width, height, isStacked = false) {
  const legend = flowed(scene.legend, width);
  const stack = isStacked ? stacked(scene.panels, width, height) : { panels: scene.panels, height: height - legend.height };
  const room = stack.height;
  const frames = stack.panels.map((panel) => framed(panel, width, room));
  for (const frame of frames) {
    const shown = ofObjects(frame);
    frame.ids = shown.flatMap((mark) => [...mark.objects]); // of the objects that can be selected
    frame.points = shown.flatMap((mark) => mark.positions.map((position) => placeOf(frame, position)));
    frame.images = frame.panel.marks.filter((mark) => mark.kind === "image");
    for (const mark of frame.images) mark.objects = pixels;
    frame.placeOfObject = new Map(frame.ids.map((i, k) => [i, frame.points[k]]));
  }
  return { frames, legend, room, width, height: room + legend.height };
}

const placeOf = (frame, [x, y]) => [frame.x.to(x), frame.y.to(y)];
// Where the shapes of a mark are drawn; objects may be on their way.
const placesOf = (frame, { positions, objects }) =>
  positions.map((position, k) => placeOf(frame, onItsWay(frame, objects?.[k], position)));

// A path in pixels, split at its gaps.
function partsOf(frame, path) {
  const parts = [[]];
  for (const [x, y] of path) {
    if (Number.isNaN(x) || Number.isNaN(y)) parts.push([]);
    else parts[parts.length - 1].push([frame.x.to(x), frame.y.to(y)]);
  }
  return parts.filter((part) => part.length);
}

function rectangle(frame, [left, bottom, right, top]) {
  const [x1, x2, y1, y2] = [frame.x.to(left), frame.x.to(right), frame.y.to(bottom), frame.y.to(top)];
  return [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)];
}

const DRAWN = {
  points(pen, frame, mark) {
    const byLook = mark.looks.map(() => []);
    placesOf(frame, mark).forEach((place, k) => byLook[mark.look_of[k]].push(place));
    byLook.forEach((places, k) => pen.shapes(places, mark.looks[k]));
  },
  pies(pen, frame, mark) {
    const { shares, fills, size } = mark;
    placesOf(frame, mark).forEach((place, k) => pen.pie(...place, size, shares[k], fills));
  },
  line(pen, frame, { path, stroke }) {
    const parts = partsOf(frame, path);
    const { colour, width, dash, opacity, halo } = stroke;
    if (halo) pen.path(parts, { stroke: LIGHT.paper, width: width + 3, opacity: 0.8 });
    pen.path(parts, { stroke: colour, width, dash, opacity });
  },
  polygon(pen, frame, { path, fill, opacity }) {
    pen.path(partsOf(frame, path), { fill, opacity });
  },
  bars(pen, frame, { boxes, fills, fill_of, edge }) {
    boxes.forEach((box, k) => {
      const [x, y, width, height] = rectangle(frame, box);
      const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]];
      pen.path([corners], { fill: fills[fill_of[k]], stroke: edge });
    });
  },
  raster(pen, frame, mark) {
    mark.picture ??= pictureOf(mark.pixels);
    pen.image(mark.picture, ...rectangle(frame, mark.box), mark.smooth);
  },
  image(pen, frame, mark) {
    mark.picture ??= pictureOf(colouredPixels(mark));
    pen.image(mark.picture, ...rectangle(frame, mark.box));
  },
  text(pen, frame, { words, place, colour, align, size, bold, on_axes }) {
    const { box } = frame;
    const [x, y] = on_axes ? [box.x + place[0] * box.width, box.y + (1 - place[1]) * box.height] : placeOf(frame, place);
    pen.text(words, x, y + 0.36 * size * TICK, { size: size * TICK, bold, colour, align, halo: true });
  },
};

// Pixels as a separate small canvas.
function pictureOf({ shape: [rows, columns], flat }) {
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [columns, rows];
  picture.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(flat), columns, rows), 0, 0);
  return picture;
}

// The pixels of an image, each in the colour of its object.
function colouredPixels({ objects, colours }) {
  const shape = [objects.length, objects[0].length];
  const whole = colours.map((colour) => new Uint32Array(colour.slice().buffer)[0]);
  const pixels = new Uint32Array(shape[0] * shape[1]);
  objects.forEach((line, row) => pixels.set(line.map((i) => whole[i]), row * shape[1]));
  return { shape, flat: new Uint8Array(pixels.buffer) };
}

// The object at a position of a frame, or null.
function objectOfPixel(frame, x, y) {
  for (const mark of frame.images) {
    const [left, top, width, height] = rectangle(frame, mark.box);
    const row = Math.floor(((y - top) / height) * mark.objects.length);
    const column = Math.floor(((x - left) / width) * mark.objects[0].length);
    const i = mark.objects[row]?.[column];
    if (i !== undefined) return i;
  }
  return null;
}

// The outline of all pixels of an object as path data: a box for each run in a row.
function pixelsOf(frame, { objects, box }, i) {
  const [left, top, width, height] = rectangle(frame, box);
  const [down, across] = [height / objects.length, width / objects[0].length];
  const runs = [];
  objects.forEach((line, row) => {
    for (let from = line.indexOf(i); from >= 0; ) {
      let to = from + 1;
      while (line[to] === i) to += 1;
      const corner = `M${fixed(left + from * across)} ${fixed(top + row * down)}`;
      runs.push(`${corner}h${fixed((to - from) * across)}v${fixed(down)}h${fixed((from - to) * across)}z`);
      from = line.indexOf(i, to);
    }
  });
  return runs.join("");
}

// The text size of labels below each other at these heights.
function sizeOfTicks(places) {
  const gaps = places.slice(1).map((place, k) => Math.abs(place - places[k]));
  return Math.min(TICK, Math.max(Math.min(...gaps), SMALLEST_TICK));
}

function drawAxes(pen, { panel, box, xTicks, yTicks, x, y, left }) {
  const [bottom, right] = [box.y + box.height, box.x + box.width];
  const line = { stroke: LIGHT.muted, width: 1 };
  if (panel.grid) {
    const faint = { stroke: LIGHT.faint, width: 1 };
    if (panel.y.scale !== "none")
      pen.path(yTicks.map(([place]) => [[box.x, y.to(place)], [right, y.to(place)]]), faint);
  }
  if (panel.x.scale !== "none") {
    pen.path([[[box.x, bottom], [right, bottom]]], line);
    pen.path(xTicks.map(([place]) => [[x.to(place), bottom], [x.to(place), bottom + 4]]), line);
    for (const [place, words] of xTicks) pen.text(words, x.to(place), bottom + TICK + 6, { size: TICK, align: "centre" });
    const size = sizeFor(panel.x.label, right - left, LABEL);
    const middle = Math.min(box.x + box.width / 2, right - widthOf(panel.x.label, size) / 2);
    pen.text(panel.x.label, middle, bottom + TICK + LABEL + 11, { size, align: "centre" });
  }
  if (panel.y.scale !== "none") {
    pen.path([[[box.x, box.y], [box.x, bottom]]], line);
    pen.path(yTicks.map(([place]) => [[box.x - 4, y.to(place)], [box.x, y.to(place)]]), line);
    const size = sizeOfTicks(yTicks.map(([place]) => y.to(place)));
    for (const [place, words] of yTicks) pen.text(words, box.x - 7, y.to(place) + 0.36 * size, { size, align: "right" });
    const long = sizeFor(panel.y.label, box.height + BELOW_BOX, LABEL);
    const middle = box.y + Math.max(box.height, widthOf(panel.y.label, long)) / 2; // but never over the title
    pen.text(panel.y.label, left + LABEL, middle, { size: long, align: "centre", turn: -Math.PI / 2 });
  }
}

// The text size at which words fit into a width, between a minimum and their usual size.
function sizeFor(words, width, usual, bold = false) {
  return Math.min(Math.max((usual * width) / widthOf(words, usual, bold), SMALLEST_TEXT), usual);
}

// A title, truncated to the width of its panel.
function shortened(words, width, size) {
  if (widthOf(words, size, true) <= width) return words;
  let length = words.length;
  while (length && widthOf(`${words.slice(0, length)}…`, size, true) > width) length -= 1;
  return `${words.slice(0, length)}…`;
}

function drawPanel(pen, frame) {
  const { panel, box, left, top } = frame;
  drawAxes(pen, frame);
  pen.clip(box.x - 4, box.y - 4, box.width + 8, box.height + 8);
  for (const mark of panel.marks) DRAWN[mark.kind](pen, frame, mark);
  pen.unclip();
  if (!panel.title) return;
  const room = frame.right - left - 2 * GAP;
  const size = sizeFor(panel.title, room, TITLE, true);
  pen.text(shortened(panel.title, room, size), left + GAP, top + TITLE, { size, bold: true });
}

function drawLegend(pen, { legend, room }) {
  for (const { label, sign, x, y } of legend.entries) {
    const middle = room + y;
    if (sign.kind === "look") pen.shapes([[x + 13, middle]], sign);
    else pen.path([[[x, middle], [x + 24, middle]]], { stroke: sign.colour, ...sign });
    pen.text(label, x + 30, middle + 0.36 * TICK, { size: TICK });
  }
}

function drawScene(pen, layout) {
  for (const frame of layout.frames) drawPanel(pen, frame);
  drawLegend(pen, layout);
}
