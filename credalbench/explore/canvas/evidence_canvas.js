// A scene in the page: drawn on a canvas, with objects to select and handles to drag.
//
// `mount(el, source)` needs no kernel. A source has `get(name)`, `set(name, value)`, `save_changes()`,
// `send(message)`, `on(event, f)` and `off(event, f)`, like the model of a widget; `held` makes one from values.

const LOWEST = 340;
const EXPLORER = ".credalbench-explorer"; // the picture and its controls, which should be on one screen
const SCROLLED = ".jp-WindowedPanel-outer"; // what JupyterLab scrolls instead of the window
const MARGIN = 20; // pixels of the window below the picture
const COARSE = 20; // heights are multiples of it, so small changes above the picture do not change them
const SMALLEST_RING = 4;
const NARROW = window.matchMedia("(max-width: 900px)"); // the picture is docked above its controls
const DOCKED = { above: 0.5, beside: 0.96 }; // largest height of a docked picture, as a share of the window
const SIDEWAYS = window.matchMedia("(max-width: 900px) and (max-height: 480px) and (orientation: landscape)");
const TALLEST = 320; // pixels of a bare picture
const CUE = `position:sticky;bottom:2px;margin:-16px 0 0 auto;width:max-content;padding:0 6px;font-size:12px;line-height:16px;pointer-events:none;color:${COLOUR.soft};background:${COLOUR.paper}`;

// A source for a page without a kernel: values and their listeners.
function held(values) {
  const watching = {};
  return {
    get: (name) => values[name],
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const f of watching[`change:${name}`] ?? []) f();
    },
    save_changes() {},
    send() {},
    on: (event, f) => (watching[event] ??= new Set()).add(f),
    off: (event, f) => watching[event]?.delete(f),
  };
}

// The height of the content below an element in the same column.
function heightBelow(el) {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  return Math.max(...[...el.parentElement.children].map(bottom)) - bottom(el);
}

// The height by width of a bare picture, which its one panel fills.
const shapeOf = ({ panels: [{ x, y }] }) => (y.high - y.low) / (x.high - x.low);

// The height at which the picture and the text below it end with the window: as the page opens or, if the picture
// is further down, once its explorer is scrolled to the top.
function heightOf(stage, el) {
  const [panel, explorer] = [stage.closest(SCROLLED), stage.closest(EXPLORER)];
  const { top, bottom } = panel?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
  const place = stage.getBoundingClientRect().top;
  const room = Math.min(bottom, window.innerHeight) - top - (explorer ? heightBelow(el) : 0) - MARGIN;
  const fromPage = room - (place - top + (panel?.scrollTop ?? window.scrollY));
  const fromExplorer = room - (place - (explorer ?? stage).getBoundingClientRect().top);
  const free = fromPage >= LOWEST ? fromPage : fromExplorer;
  return Math.max(Math.min(ASPECT * stage.clientWidth, COARSE * Math.floor(free / COARSE)), LOWEST);
}

// The height of a docked picture: what is below it can be scrolled to.
const dockOf = (width) => Math.round(Math.min(ASPECT * width, DOCKED[SIDEWAYS.matches ? "beside" : "above"] * window.innerHeight));

function mount(el, source) {
  const outer = made("div", `display:flex;flex-wrap:wrap;gap:4px 14px;background:${COLOUR.paper};width:100%`, el);
  outer.className = "credalbench-evidence";
  const stage = made("div", "flex:100 1 440px;min-width:0", outer);
  stage.className = "credalbench-stage";
  const side = made("div", "flex:1 1 230px;min-width:0;padding:4px 6px", outer);
  const canvas = document.createElement("canvas");
  const bare = Boolean(source.get("bare"));
  const marks = ["chosen", "selected", "hover", "touch", "handle", "live", "cursor"];
  const name = bare ? "credalbench-paint" : "credalbench-canvas";
  const { box, layer, groups, spoken } = markedBox(stage, name, canvas, marks);
  const [chosenMarks, selectedMark, hoverMark, touchMark, handleMark, ...brushMarks] = groups;
  const cue = made("div", CUE, stage); // a docked picture is scrolled to its other panels
  cue.textContent = "scroll ▾";
  cue.ariaHidden = "true";
  stage.addEventListener("scroll", showCue);
  const details = objectDetails(select);
  if (bare) side.remove();
  else side.append(details.element, downloads(() => ({ layout, scene, nameOf, stem: source.get("stem") || "picture" })));

  let scene = null;
  let objects = { names: [], nearest: [] };
  let layout = null;
  let due = 0; // the frame in which the picture is redrawn
  let gliding = 0; // the frame in which moving objects are drawn next
  let around = null; // the box of the explorer, once it is in the page

  const nameOf = (i) => objects.names[i] ?? `object ${i + 1}`;
  const selected = () => source.get("selected") ?? null;
  const mapFrame = () => layout?.frames.find((frame) => frame.points.length);

  // -- drawing ----------------------------------------------------------------------------------------

  function drawSoon() {
    if (!due) due = requestAnimationFrame(draw);
  }

  function draw() {
    due = 0;
    const width = Math.floor(stage.clientWidth);
    if (!scene || width < 50) return;
    if (!around) {
      around = stage.closest(EXPLORER) ?? stage;
      sized.observe(around); // content above the picture moves it
      around.addEventListener("dragover", onDragOver);
      around.addEventListener("drop", onDrop);
    }
    const task = el.closest(TASK);
    const docked = NARROW.matches && !bare && !task && around !== stage ? dockOf(width) : 0;
    const room = bare ? width * shapeOf(scene) : task ? heightInTask(width) : heightOf(stage, el);
    const high = docked || Math.round(room);
    const stacked = NARROW.matches && !bare && !task && (width < STACKED || (docked && docked < LOWEST));
    const before = layout;
    const shown = task ? sceneOfTask(scene, task, width, high) : scene;
    layout = laidOut(shown, objects.pixels, width, high - (docked && stacked ? PEEK : 0), stacked);
    const height = Math.ceil(layout.height);
    [stage.style.maxHeight, stage.style.overflowY] = docked ? [`${docked}px`, "auto"] : ["", ""];
    showCue();
    const density = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(width * density), Math.round(height * density)];
    canvas.style.height = `${height}px`;
    layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    cancelAnimationFrame(gliding);
    paint(performance.now(), depart(layout, before) ? 0 : GLIDE);
    hoverMark.replaceChildren();
    showChosen();
    showSelected();
    handles.settle();
    handles.show();
    brush.showCursor();
    namePlayers(); // next to the picture
  }

  function showCue() {
    const more = stage.style.maxHeight && stage.scrollTop + stage.clientHeight < layout.height - 1;
    cue.style.display = more ? "" : "none";
  }

  // Draw the picture some milliseconds after objects have begun to move, until they have arrived.
  function paint(began, elapsed) {
    const context = canvas.getContext("2d");
    const density = window.devicePixelRatio || 1;
    context.setTransform(density, 0, 0, density, 0, 0);
    const shades = shadesAt(box);
    context.fillStyle = shades(LIGHT.paper);
    context.fillRect(0, 0, layout.width, layout.height);
    const goesOn = travel(layout, elapsed);
    drawScene(new CanvasPen(context, shades), layout);
    if (goesOn) gliding = requestAnimationFrame((now) => paint(began, now - began));
    else box.dataset.drawn = String(Number(box.dataset.drawn ?? 0) + 1);
  }

  // A ring on every map of the object, smaller on very small ones.
  function ringed(i, parent, radius, colour) {
    for (const { placeOfObject, box: inner } of layout.frames) {
      const place = placeOfObject.get(i);
      const r = Math.min(radius, Math.max(0.08 * Math.min(inner.width, inner.height), SMALLEST_RING));
      if (place) outlined("circle", { cx: place[0], cy: place[1], r }, parent, colour);
    }
  }

  // All pixels of an object on the images.
  function whitened(i, parent) {
    for (const frame of layout.frames)
      for (const mark of frame.images)
        svg("path", { d: pixelsOf(frame, mark, i), fill: "white", stroke: LIGHT.ink, "stroke-width": 0.6 }, parent);
  }

  function showChosen() {
    chosenMarks.replaceChildren();
    const frame = mapFrame();
    if (!frame) return;
    const ends = (source.get("chosen") ?? []).filter((i) => frame.placeOfObject.has(i));
    if (ends.length === 2 && source.get("joined")) {
      const [[x1, y1], [x2, y2]] = ends.map((i) => frame.placeOfObject.get(i));
      outlined("line", { x1, y1, x2, y2, "stroke-dasharray": "1 6", "stroke-linecap": "round" }, chosenMarks, RING);
    }
    for (const i of ends) ringed(i, chosenMarks, 9, RING);
    for (const i of ends) named(nameOf(i), frame.placeOfObject.get(i), roomOf(frame), chosenMarks);
  }

  function showSelected() {
    if (bare) return;
    selectedMark.replaceChildren();
    hoverMark.replaceChildren(); // its name would be written twice
    const i = selected();
    const said = details.show(i, evidencesOf(scene), objects.nearest[i], nameOf);
    if (said !== spoken.textContent) spoken.textContent = said;
    if (i === null || !layout) return;
    whitened(i, selectedMark);
    ringed(i, selectedMark, 10, COLOUR.ink);
    const frame = mapFrame();
    const place = frame?.placeOfObject.get(i);
    if (place && !source.get("chosen")?.includes(i)) named(nameOf(i), place, roomOf(frame), selectedMark);
  }

  // -- what comes from Python -------------------------------------------------------------------------

  function takeScene() {
    scene = unpacked(source.get("scene"));
    if (!scene.panels) scene = null;
    if (bare && scene) stage.style.maxWidth = `${TALLEST / shapeOf(scene)}px`;
    drawSoon();
  }

  function takeObjects() {
    objects = { names: [], nearest: [], ...unpacked(source.get("objects")) };
  }

  function showLabel() {
    const handle = inPixels.handle_name();
    const keys = bare ? PAINT_KEYS : "Arrow keys move from object to object, Enter selects, Escape deselects.";
    const more = handle ? ` Page keys choose a ${handle}, arrow keys then move it, with Shift in small steps.` : "";
    box.setAttribute("aria-label", `${source.get("description")} ${keys}${more}`);
  }

  // -- handles, in pixels ---------------------------------------------------------------------------

  const handleFrame = () => layout?.frames.find((frame) => frame.panel.name === scene.handles?.panel);
  const tools = handTools(source, { at, mapFrame, place, selected });
  const inPixels = {
    handles() {
      if (tools.moves()) return mapFrame()?.points ?? [];
      return handleFrame() && !tools.draws() ? scene.handles.positions.map((at) => placeOf(handleFrame(), at)) : [];
    },
    handle_name: () => (tools.moves() ? "point" : (scene?.handles?.name ?? "")),
    width: () => layout?.width ?? 1,
    height: () => layout?.height ?? 1,
  };
  const dragged = {
    get: (name) => inPixels[name](),
    send({ handle, x, y }) {
      if (tools.moves()) return tools.report(mapFrame().ids[handle], x, y);
      const frame = handleFrame();
      source.send({ event: "drag", handle, x: frame.x.from(x), y: frame.y.from(y) });
    },
  };
  const handles = draggable(dragged, box, [touchMark, handleMark], spoken, place);
  const brush = brushOn(source, box, brushMarks, spoken, () => layout?.frames[0], place);

  function receive({ event, name, contents }) {
    if (event === "download") return saved(name, new Blob([contents], { type: "application/json" }));
    tools.handled();
    handles.handled();
    brush.handled();
  }

  // -- dropped files ----------------------------------------------------------------------------------

  // Without this, the browser leaves the page for the file.
  function onDragOver(event) {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  }

  async function onDrop(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    source.send({ event: "file", name: file.name }, undefined, [await file.arrayBuffer()]);
  }

  function showTool() {
    const brushes = source.get("tool") === "brush";
    box.style.cursor = tools.draws() || brushes ? "crosshair" : "default";
    canvas.style.touchAction = brushes ? "none" : ""; // a finger paints and does not scroll
    handles.settle();
    handles.show();
    showLabel();
  }

  // -- pointer and keys -------------------------------------------------------------------------------

  function place(event) {
    const shown = canvas.getBoundingClientRect();
    const scale = (layout?.width ?? shown.width) / shown.width;
    return [(event.clientX - shown.left) * scale, (event.clientY - shown.top) * scale, NEAR * scale];
  }

  // The object at a position, and its panel.
  function at(x, y, reach) {
    const frame = layout?.frames.find((one) => contains(one, x, y));
    const k = frame ? nearest(frame.points, x, y, reach) : null;
    if (k !== null) return { frame, i: frame.ids[k] };
    return { frame, i: frame ? objectOfPixel(frame, x, y) : null };
  }

  function select(i) {
    if (i === selected()) return;
    source.set("selected", i);
    source.save_changes();
  }

  function report(i, frame, x, y) {
    const where = frame ? { x: frame.x.from(x), y: frame.y.from(y) } : { x: 0, y: 0 };
    source.send({ event: "click", object: i, panel: frame?.panel.name ?? "", ...where });
  }

  function onPress(event) {
    if (brush.paints()) brush.press(event);
    else if (tools.draws()) tools.press(event);
    else handles.press(event);
  }

  function onClick(event) {
    if (handles.endedDrag() || tools.draws() || brush.paints()) return;
    const [x, y, reach] = place(event);
    const { frame, i } = at(x, y, reach);
    select(i);
    report(i, frame, x, y);
  }

  function onMove(event) {
    hoverMark.replaceChildren();
    if (brush.paints()) {
      brush.move(event);
      return;
    }
    if (tools.draws()) {
      tools.move(event);
      return;
    }
    if (handles.move(event) || !layout) return;
    const [x, y, reach] = place(event);
    const { frame, i } = at(x, y, reach);
    box.style.cursor = i === null ? "default" : "pointer";
    if (i === null || i === selected()) return;
    ringed(i, hoverMark, 9, COLOUR.ink);
    const isNamed = source.get("chosen")?.includes(i);
    if (!isNamed) named(nameOf(i), frame.placeOfObject.get(i) ?? [x, y], roomOf(frame), hoverMark);
  }

  function stepped(arrow) {
    const { ids, points, box: inner, placeOfObject } = mapFrame();
    const from = placeOfObject.has(selected()) ? ids.indexOf(selected()) : null;
    const middle = [inner.x + inner.width / 2, inner.y + inner.height / 2];
    return ids[from === null ? nearest(points, ...middle, Infinity) : neighbour(points, from, arrow)];
  }

  // Whether the key moves between objects or is a shortcut.
  function objectKey(event) {
    const [i, n] = [selected(), scene?.evidence?.masses.length ?? 0];
    const letter = event.key.length === 1 && (source.get("shortcuts") ?? "").includes(event.key.toLowerCase());
    if (event.key in ARROWS && mapFrame()) select(stepped(ARROWS[event.key]));
    else if (event.key === "PageDown" && n) select(i === null ? 0 : (i + 1) % n);
    else if (event.key === "PageUp" && n) select(i === null ? n - 1 : (i + n - 1) % n);
    else if ((event.key === "Enter" || event.key === " ") && tools.draws() && mapFrame()) tools.byKey();
    else if ((event.key === "Enter" || event.key === " ") && i !== null && mapFrame())
      report(i, mapFrame(), ...(mapFrame().placeOfObject.get(i) ?? [0, 0]));
    else if (event.key === "Escape") {
      select(null);
      report(null, null, 0, 0);
    } else if (letter) {
      handles.flush();
      source.send({ event: "letter", letter: event.key.toLowerCase() });
    } else return false;
    return true;
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Tab") return;
    if (!brush.key(event) && !handles.key(event) && !objectKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onFocus() {
    handles.flush();
    handles.show();
    brush.showCursor();
  }

  function onBlur() {
    onFocus();
    brush.showCursor(null);
  }

  function onRelease() {
    handles.release();
    brush.release();
  }

  function onLeave() {
    hoverMark.replaceChildren();
    brush.showCursor();
  }

  const listens = {
    click: onClick,
    pointerdown: onPress,
    pointermove: onMove,
    pointerup: onRelease,
    pointercancel: onRelease,
    pointerleave: onLeave,
    keydown: onKey,
    focus: onFocus,
    blur: onBlur,
  };
  for (const [event, f] of Object.entries(listens)) box.addEventListener(event, f);
  const sized = new ResizeObserver(drawSoon);
  sized.observe(stage);
  window.addEventListener("resize", drawSoon);
  dark.addEventListener("change", drawSoon);
  source.on("msg:custom", receive);
  const forget = watch(source, {
    objects: takeObjects,
    scene: takeScene,
    selected: showSelected,
    chosen() {
      showChosen();
      showSelected();
    },
    description: showLabel,
    tool: showTool,
    radius: () => brush.showCursor(),
  });
  takeObjects();
  takeScene();
  showSelected();
  showTool();
  const leaveAddress = keepAddress(source);
  const unmount = () => {
    leaveAddress();
    forget();
    source.off("msg:custom", receive);
    sized.disconnect();
    around?.removeEventListener("dragover", onDragOver);
    around?.removeEventListener("drop", onDrop);
    window.removeEventListener("resize", drawSoon);
    dark.removeEventListener("change", drawSoon);
    cancelAnimationFrame(due);
    cancelAnimationFrame(gliding);
  };
  return { unmount, shown: () => ({ scene, layout, nameOf }) };
}

const render = ({ model, el }) => mount(el, model).unmount;

export { asCsv, asSvg, held, mount };
export default { render };
