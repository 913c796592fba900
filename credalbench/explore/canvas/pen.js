// Two pens with the same interface: one draws on a canvas, for the screen and PNG, the other writes SVG.

const SMALLEST_SHARE = 0.01; // of a pie, to be drawn
const PIE_EDGE = 0.8; // pixels
const FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

function regular(corners, turn = 0) {
  const angle = (k) => ((k + turn) / corners) * 2 * Math.PI - Math.PI / 2;
  return Array.from({ length: corners }, (_, k) => [Math.cos(angle(k)) / 2, Math.sin(angle(k)) / 2]);
}
const turned = (points, x, y) => points.map(([a, b]) => [a * x - b * y, a * y + b * x]);
const [A, B] = [1 / 6, 1 / 2];
const CROSS = [[-A, -B], [A, -B], [A, -A], [B, -A], [B, A], [A, A], [A, B], [-A, B], [-A, A], [-B, A], [-B, -A], [-A, -A]];
const TRIANGLE = [[0, -0.5], [0.5, 0.5], [-0.5, 0.5]];
const STAR = regular(10).map(([x, y], k) => (k % 2 ? [0.42 * x, 0.42 * y] : [x, y]));
// Corners of the shapes in a square of side 1 around the origin; "thin" ones are strokes and have no inside.
const SHAPES = {
  square: [[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]],
  triangle: [TRIANGLE],
  "triangle down": [turned(TRIANGLE, -1, 0)],
  "triangle left": [turned(TRIANGLE, 0, -1)],
  "triangle right": [turned(TRIANGLE, 0, 1)],
  diamond: [[[0, -0.7], [0.7, 0], [0, 0.7], [-0.7, 0]]],
  "narrow diamond": [[[0, -0.7], [0.42, 0], [0, 0.7], [-0.42, 0]]],
  plus: [CROSS],
  cross: [turned(CROSS, Math.SQRT1_2, Math.SQRT1_2)],
  pentagon: [regular(5)],
  hexagon: [regular(6)],
  star: [STAR],
  "thin plus": [[[-0.5, 0], [0.5, 0]], [[0, -0.5], [0, 0.5]]],
  "thin cross": [[[-0.5, -0.5], [0.5, 0.5]], [[-0.5, 0.5], [0.5, -0.5]]],
};
// Angles of sector k of several, clockwise from the top, and the sector as a path.
const arcOf = (k, count) => [k, k + 1].map((place) => (place / count) * 2 * Math.PI - Math.PI / 2);
function sectorPath(x, y, radius, from, to) {
  const at = (angle) => `${fixed(x + radius * Math.cos(angle))} ${fixed(y + radius * Math.sin(angle))}`;
  const large = to - from > Math.PI ? 1 : 0;
  return `M${fixed(x)} ${fixed(y)}L${at(from)}A${radius} ${radius} 0 ${large} 1 ${at(to)}Z`;
}
// The sectors of a pie with these shares, as paths with the number of their colour; a disc lies below them.
function slicesOf(x, y, size, shares) {
  let angle = -Math.PI / 2;
  const slices = [];
  shares.forEach((share, k) => {
    const from = angle;
    angle += 2 * Math.PI * share;
    if (share >= SMALLEST_SHARE && share <= 1 - SMALLEST_SHARE) slices.push([k, sectorPath(x, y, size / 2, from, angle)]);
  });
  return slices;
}
const largestOf = (shares) => shares.indexOf(Math.max(...shares));
const isThin = (shape) => shape.startsWith("thin");

function outline(shape, size) {
  const path = new Path2D();
  if (shape === "circle") path.arc(0, 0, size / 2, 0, 2 * Math.PI);
  for (const corners of SHAPES[shape] ?? []) {
    corners.forEach(([x, y], k) => path[k ? "lineTo" : "moveTo"](x * size, y * size));
    if (!isThin(shape)) path.closePath();
  }
  return path;
}

const stamps = new Map(); // by look and density

// A small canvas with one shape, and the position of its centre.
function stamped({ shape, size, fill, edge, edge_width, sectors = [] }, density, shades) {
  [fill, edge] = [fill, edge].map(shades);
  const key = [shape, size, fill, edge, edge_width, density, ...sectors].join(" ");
  if (stamps.has(key)) return stamps.get(key);
  const stamp = document.createElement("canvas");
  stamp.width = stamp.height = 2 * Math.ceil((0.75 * size + edge_width + 1) * density);
  const middle = stamp.width / 2;
  const context = stamp.getContext("2d");
  context.setTransform(density, 0, 0, density, middle, middle);
  [context.fillStyle, context.strokeStyle, context.lineWidth] = [fill, edge, edge_width];
  const path = outline(shape, size);
  if (fill !== "none" && !isThin(shape)) context.fill(path);
  sectors.forEach((colour, k) => {
    const [from, to] = arcOf(k, sectors.length);
    context.fillStyle = colour;
    context.fill(new Path2D(sectorPath(0, 0, size / 2, from, to)));
  });
  if (edge !== "none" && edge_width > 0) context.stroke(path);
  if (stamps.size > 200) stamps.clear();
  stamps.set(key, { stamp, middle });
  return stamps.get(key);
}

// `shades` turns colours of the scene into those of a theme.
class CanvasPen {
  constructor(context, shades = (colour) => colour) {
    [this.context, this.shades] = [context, shades];
    this.density = context.getTransform().a; // device pixels in a pixel
  }

  clip(x, y, width, height) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
  }

  unclip() {
    this.context.restore();
  }

  // The same shape at many positions: drawn once and stamped on whole device pixels.
  shapes(places, look) {
    if (!places.length) return;
    const { stamp, middle } = stamped(look, this.density, this.shades);
    const { context, density } = this;
    const side = stamp.width / density;
    const snapped = (value) => Math.round(value * density - middle) / density;
    for (const [x, y] of places) context.drawImage(stamp, snapped(x), snapped(y), side, side);
  }

  pie(x, y, size, shares, fills) {
    const { context } = this;
    const disc = new Path2D();
    disc.arc(x, y, size / 2, 0, 2 * Math.PI);
    context.fillStyle = this.shades(fills[largestOf(shares)]);
    context.fill(disc);
    for (const [k, sector] of slicesOf(x, y, size, shares)) {
      context.fillStyle = this.shades(fills[k]);
      context.fill(new Path2D(sector));
    }
    [context.strokeStyle, context.lineWidth] = [this.shades(INK), PIE_EDGE];
    context.stroke(disc);
  }

  path(parts, { stroke = "none", width = 1, dash = [], opacity = 1, fill = "none" }) {
    const context = this.context;
    context.save();
    context.globalAlpha = opacity;
    context.setLineDash(dash);
    [context.strokeStyle, context.lineWidth, context.fillStyle] = [this.shades(stroke), width, this.shades(fill)];
    context.lineJoin = "round";
    context.beginPath();
    for (const part of parts) part.forEach(([x, y], k) => context[k ? "lineTo" : "moveTo"](x, y));
    if (fill !== "none") context.fill();
    if (stroke !== "none") context.stroke();
    context.restore();
  }

  text(words, x, y, { size = 13, bold = false, colour = INK, align = "left", turn = 0, halo = false }) {
    const context = this.context;
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    context.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
    context.textAlign = align === "centre" ? "center" : align;
    if (halo) {
      [context.strokeStyle, context.lineWidth, context.lineJoin] = [this.shades(LIGHT.paper), 4, "round"];
      context.strokeText(words, 0, 0);
    }
    context.fillStyle = this.shades(colour);
    context.fillText(words, 0, 0);
    context.restore();
  }

  image(picture, x, y, width, height, smooth = false) {
    this.context.imageSmoothingEnabled = smooth;
    this.context.drawImage(picture, x, y, width, height);
  }
}

const ANCHORS = { left: "start", centre: "middle", right: "end" };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const fixed = (value) => String(Math.round(100 * value) / 100);

class SvgPen {
  constructor(width, height) {
    this.size = [width, height];
    this.parts = [];
    this.clips = 0;
  }

  clip(x, y, width, height) {
    this.clips += 1;
    const [id, box] = [`frame${this.clips}`, [x, y, width, height].map(fixed)];
    const rectangle = `<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}"/>`;
    this.parts.push(`<clipPath id="${id}">${rectangle}</clipPath><g clip-path="url(#${id})">`);
  }

  unclip() {
    this.parts.push("</g>");
  }

  shapes(places, { shape, size, fill, edge, edge_width, sectors = [] }) {
    const inside = isThin(shape) ? "none" : fill;
    this.parts.push(`<g fill="${inside}" stroke="${edge_width > 0 ? edge : "none"}" stroke-width="${edge_width}">`);
    for (const [x, y] of places) {
      sectors.forEach((colour, k) => {
        const d = sectorPath(x, y, size / 2, ...arcOf(k, sectors.length));
        this.parts.push(`<path d="${d}" fill="${colour}" stroke="none"/>`);
      });
      if (sectors.length)
        this.parts.push(`<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${size / 2}" fill="none"/>`);
      else if (shape === "circle") this.parts.push(`<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${size / 2}"/>`);
      else {
        const end = isThin(shape) ? "" : "Z";
        const corner = ([a, b]) => `${fixed(x + a * size)} ${fixed(y + b * size)}`;
        const outlines = SHAPES[shape].map((corners) => `M${corners.map(corner).join("L")}${end}`);
        this.parts.push(`<path d="${outlines.join("")}"/>`);
      }
    }
    this.parts.push("</g>");
  }

  pie(x, y, size, shares, fills) {
    const disc = (look) => `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${size / 2}" ${look}/>`;
    this.parts.push(disc(`fill="${fills[largestOf(shares)]}"`));
    for (const [k, sector] of slicesOf(x, y, size, shares)) this.parts.push(`<path d="${sector}" fill="${fills[k]}"/>`);
    this.parts.push(disc(`fill="none" stroke="${INK}" stroke-width="${PIE_EDGE}"`));
  }

  path(parts, { stroke = "none", width = 1, dash = [], opacity = 1, fill = "none" }) {
    const place = ([x, y]) => `${fixed(x)} ${fixed(y)}`;
    const d = parts.filter((part) => part.length).map((part) => `M${part.map(place).join("L")}`);
    const look = `fill="${fill}" stroke="${stroke}" stroke-width="${width}" opacity="${opacity}"`;
    this.parts.push(`<path d="${d.join("")}" ${look} stroke-dasharray="${dash.join(" ")}" stroke-linejoin="round"/>`);
  }

  text(words, x, y, { size = 13, bold = false, colour = INK, align = "left", turn = 0, halo = false }) {
    const place = `translate(${fixed(x)} ${fixed(y)}) rotate(${fixed((180 / Math.PI) * turn)})`;
    const look = `font-size="${size}" font-weight="${bold ? "bold" : "normal"}" fill="${colour}"`;
    const rim = halo ? ' stroke="white" stroke-width="4" stroke-linejoin="round" paint-order="stroke"' : "";
    const anchor = `text-anchor="${ANCHORS[align]}"`;
    this.parts.push(`<text transform="${place}" ${look} ${anchor}${rim}>${escaped(words)}</text>`);
  }

  image(picture, x, y, width, height, smooth = false) {
    const place = `x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}"`;
    const look = `preserveAspectRatio="none" style="image-rendering:${smooth ? "auto" : "pixelated"}"`;
    this.parts.push(`<image ${place} ${look} href="${picture.toDataURL("image/png")}"/>`);
  }

  toString() {
    const [width, height] = this.size;
    const head = `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const ground = '<rect width="100%" height="100%" fill="white"/>';
    return `${head} font-family="${escaped(FONT)}">${ground}${this.parts.join("\n")}</svg>\n`;
  }
}
