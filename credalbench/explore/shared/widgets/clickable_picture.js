// The browser's side of ClickablePicture: shows the PNG, rings the chosen objects, reports clicks, drags and keys.

function render({ model, el }) {
  const image = document.createElement("img");
  image.alt = "";
  image.draggable = false;
  const marks = ["chosen", "cursor", "hover", "handle"];
  const { box, layer, groups, spoken } = markedBox(el, "credalbench-picture", image, marks);
  const [chosenMarks, cursorMark, hoverMark, handleMark] = groups;

  let address = null;
  let cursor = null;
  const places = () => model.get("positions");

  function showPicture() {
    const old = address;
    address = URL.createObjectURL(new Blob([model.get("value")], { type: "image/png" }));
    image.src = address;
    if (old) image.decode().catch(() => {}).finally(() => URL.revokeObjectURL(old));
  }

  function showSize() {
    layer.setAttribute("viewBox", `0 0 ${model.get("width")} ${model.get("height")}`);
    box.style.maxWidth = `${model.get("width")}px`;
    box.style.aspectRatio = `${model.get("width")} / ${model.get("height")}`;
  }

  function showChosen() {
    const ends = model.get("chosen").filter((i) => places()[i]).map((i) => [i, ...places()[i]]);
    chosenMarks.replaceChildren();
    if (ends.length === 2 && model.get("joined")) {
      const [[, x1, y1], [, x2, y2]] = ends;
      outlined("line", { x1, y1, x2, y2, "stroke-dasharray": "1 6", "stroke-linecap": "round" }, chosenMarks, RING);
    }
    for (const [i, x, y] of ends) {
      outlined("circle", { cx: x, cy: y, r: 9 }, chosenMarks, RING);
      named(String(i), x, y, model.get("width"), chosenMarks);
    }
  }

  function showCursor() {
    cursorMark.replaceChildren();
    if (cursor === null || !places()[cursor] || document.activeElement !== box) return;
    const [x, y] = places()[cursor];
    outlined("rect", { x: x - 12, y: y - 12, width: 24, height: 24, rx: 3 }, cursorMark, INK);
    named(String(cursor), x + 4, y - 4, model.get("width"), cursorMark);
    spoken.textContent = `object ${cursor}`;
  }

  function showLabel() {
    const handle = model.get("handle_name");
    const keys = [
      places().length ? "Arrow keys move between objects, Enter chooses, Escape drops the choice." : "",
      handle ? `Page keys choose a ${handle}, arrow keys move it, with Shift a little.` : "",
    ];
    box.setAttribute("aria-label", [model.get("description"), ...keys].join(" ").trim());
  }

  function showPositions() {
    cursor = null;
    showChosen();
    showCursor();
    showLabel();
    hoverMark.replaceChildren();
  }

  function place(event) {
    const frame = image.getBoundingClientRect();
    const scale = model.get("width") / frame.width;
    return [(event.clientX - frame.left) * scale, (event.clientY - frame.top) * scale, NEAR * scale];
  }

  const handles = draggable(model, box, handleMark, spoken, place);

  function report(i, x, y) {
    model.send({ event: "click", object: i, x, y });
  }

  function onClick(event) {
    if (handles.endedDrag()) return;
    const [x, y, reach] = place(event);
    const i = nearest(places(), x, y, reach);
    cursor = i;
    cursorMark.replaceChildren(); // the mouse shows its own place
    report(i, x, y);
  }

  function onMove(event) {
    hoverMark.replaceChildren();
    if (handles.move(event)) return;
    const [x, y, reach] = place(event);
    const i = nearest(places(), x, y, reach);
    if (i === null || model.get("chosen").includes(i)) return;
    const [px, py] = places()[i];
    outlined("circle", { cx: px, cy: py, r: 8, opacity: 0.75 }, hoverMark, INK);
    named(String(i), px, py, model.get("width"), hoverMark);
  }

  function step(arrow) {
    if (cursor === null) return nearest(places(), model.get("width") / 2, model.get("height") / 2, Infinity);
    return neighbour(places(), cursor, arrow);
  }

  // Whether the key was one for objects or a shortcut.
  function chosenByKey(event) {
    const n = places().length;
    if (event.key in ARROWS && n) cursor = step(ARROWS[event.key]);
    else if (event.key === "PageDown" && n) cursor = cursor === null ? 0 : (cursor + 1) % n;
    else if (event.key === "PageUp" && n) cursor = cursor === null ? n - 1 : (cursor + n - 1) % n;
    else if ((event.key === "Enter" || event.key === " ") && cursor !== null) report(cursor, ...places()[cursor]);
    else if (event.key === "Escape") report(null, 0, 0);
    else if (event.key.length === 1 && model.get("shortcuts").includes(event.key.toLowerCase())) {
      handles.flush();
      model.send({ event: "letter", letter: event.key.toLowerCase() });
    } else return false;
    return true;
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    if (!handles.key(event) && !chosenByKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    showCursor();
  }

  function onFocus() {
    handles.flush();
    showCursor();
    handles.show();
  }

  box.addEventListener("click", onClick);
  box.addEventListener("pointerdown", handles.press);
  box.addEventListener("pointermove", onMove);
  box.addEventListener("pointerup", handles.release);
  box.addEventListener("pointercancel", handles.release);
  box.addEventListener("pointerleave", () => hoverMark.replaceChildren());
  box.addEventListener("keydown", onKey);
  box.addEventListener("focus", onFocus);
  box.addEventListener("blur", onFocus);
  model.on("msg:custom", handles.heard); // there is no other message
  const forget = watch(model, {
    value: showPicture,
    width: showSize,
    height: showSize,
    chosen: showChosen,
    positions: showPositions,
    handles: handles.settle,
    description: showLabel,
  });
  showSize();
  showPicture();
  handles.settle();
  showChosen();
  showLabel();
  return () => {
    forget();
    model.off("msg:custom", handles.heard);
    if (address) URL.revokeObjectURL(address);
  };
}

export default { render };
