// Buttons that save the picture as PNG or SVG, and the masses as CSV, created in the browser.

function saved(name, blob) {
  const link = document.createElement("a");
  [link.href, link.download] = [URL.createObjectURL(blob), name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function drawnOn(layout, density) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [layout.width * density, layout.height * density];
  const context = canvas.getContext("2d");
  context.scale(density, density);
  context.fillStyle = "white";
  context.fillRect(0, 0, layout.width, layout.height);
  drawScene(new CanvasPen(context), layout);
  return canvas;
}

function asSvg(layout) {
  const pen = new SvgPen(layout.width, layout.height);
  drawScene(pen, layout);
  return pen.toString();
}

// One row per object: its name and its masses by each partition, in single precision.
function asCsv(evidences, nameOf) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const heads = evidences.flatMap(({ title, sets }) => sets.map((set) => (title ? `${title}: ${set}` : set)));
  const massesOf = (i) => evidences.flatMap(({ masses }) => [...masses[i]].map((mass) => Number(mass.toPrecision(7))));
  const lines = evidences[0].masses.map((_, i) => [nameOf(i), ...massesOf(i)]);
  return [["object", ...heads], ...lines].map((line) => line.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n";
}

// `current` gives { layout, scene, nameOf, stem } of the display.
function downloads(current) {
  const element = made("div", "display:flex;gap:6px;margin-top:10px", null);
  const kinds = {
    PNG: ({ layout, stem }) => drawnOn(layout, 2).toBlob((blob) => saved(`${stem}.png`, blob)),
    SVG: ({ layout, stem }) => saved(`${stem}.svg`, new Blob([asSvg(layout)], { type: "image/svg+xml" })),
    CSV: ({ scene, nameOf, stem }) =>
      saved(`${stem}-masses.csv`, new Blob([asCsv(evidencesOf(scene), nameOf)], { type: "text/csv" })),
  };
  const what = { PNG: "picture", SVG: "picture", CSV: "masses" };
  for (const [kind, save] of Object.entries(kinds)) {
    const look = `${BOXED};padding:2px 10px`;
    const button = made("button", `${look};font-size:13px`, element, kind);
    button.setAttribute("aria-label", `download the ${what[kind]} as ${kind}`);
    button.title = `Download the ${what[kind]} as ${kind}`;
    button.addEventListener("click", () => current().layout && save(current()));
  }
  return element;
}
