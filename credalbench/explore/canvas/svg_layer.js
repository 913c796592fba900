// Common functions of the scripts: a box that receives keys, with an SVG layer over its content.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

// `content` is what the box shows; the layer has a group for each of `marks`; `spoken` is read aloud.
function markedBox(el, className, content, marks) {
  const box = document.createElement("div");
  box.className = className;
  box.tabIndex = 0;
  box.setAttribute("role", "application");
  box.setAttribute("data-lm-suppress-shortcuts", "true"); // arrow keys are for the picture, not the notebook
  box.style.cssText = "position:relative;width:100%;line-height:0;cursor:crosshair;outline-offset:-2px";
  content.style.cssText = "width:100%;height:auto;user-select:none";
  const layer = svg("svg", { "aria-hidden": "true" }, box);
  layer.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:hidden";
  const groups = marks.map((name) => svg("g", { class: name }, layer));
  const spoken = document.createElement("div");
  spoken.setAttribute("aria-live", "polite");
  spoken.style.cssText = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  box.prepend(content);
  box.append(spoken);
  el.append(box);
  return { box, layer, groups, spoken };
}

// Calls `show` whenever a trait changes; returns a function that stops it.
function watch(model, watched) {
  for (const [name, show] of Object.entries(watched)) model.on(`change:${name}`, show);
  return () => {
    for (const [name, show] of Object.entries(watched)) model.off(`change:${name}`, show);
  };
}
