// The frame that all live pages share: controls, the address, a user's table, the sentence, and the canvas.

import { distancesOf, mapOf } from "./dissimilarities.js";
import { eigen, meanOf, numbers } from "./numerics.js";
import { readTable, standardised } from "./tables.js";

const NEAREST = 5; // objects that the details of an object list
const OWN = "own"; // the name of the user's table among the data
const KEPT = "credalbench table"; // the key of the text of this table in the tab of the browser
const MOST_LENGTH = 1900; // characters of an address
const COPY = "Copy the address";
const TOLD_MS = 2000; // how long the button says what it did

/** What Python has written into the page. */
export const given = JSON.parse(document.getElementById("data").textContent);
export const element = (name) => document.getElementById(name);

export function made(tag, parent, text = "", attributes = {}) {
  const one = Object.assign(document.createElement(tag), attributes);
  one.textContent = text;
  parent.append(one);
  return one;
}

export const rounded = (value) => Number(value.toPrecision(6));

// -- settings: how they are read from an address, and the controls that show them -------------------------------

const LINEAR = { to: (value) => value, from: (place) => place };
const POWER = { to: Math.log10, from: (place) => rounded(10 ** place) };

/** A number with a slider; the ends of a logarithmic one are exponents of ten. */
export function slider(label, hint, [low, high, step], { log = false, bar = false } = {}) {
  const scale = log ? POWER : LINEAR;
  const [least, most] = [scale.from(low), scale.from(high)];
  return {
    read(text) {
      const value = Number.parseFloat(text);
      if (!Number.isFinite(value)) return undefined;
      const clipped = Math.min(Math.max(value, least), most);
      return Number.isInteger(step) && !log ? Math.round(clipped) : clipped;
    },
    write: String,
    build(name, change) {
      const line = made("label", element(bar ? "bar" : "controls"), label, { title: hint });
      const input = made("input", line, "", { type: "range", id: name, min: low, max: high, step });
      const output = made("output", line, "", { id: `${name}-value` });
      output.setAttribute("for", name);
      input.addEventListener("input", () => change(scale.from(Number(input.value))));
      return (value, words = String(Number(value.toPrecision(4)))) => {
        input.value = Math.min(scale.to(value), Number(input.max));
        output.textContent = words;
        input.setAttribute("aria-valuetext", words);
      };
    },
  };
}

/** One of some options, { value: words }. */
export function choice(label, options, hint = "") {
  return {
    read: (text) => (text in options ? text : undefined),
    write: String,
    build(name, change) {
      const line = made("label", element("controls"), label, { title: hint });
      const select = made("select", line, "", { id: name });
      for (const [value, words] of Object.entries(options)) made("option", select, words, { value });
      select.addEventListener("change", () => change(select.value));
      return (value) => (select.value = value);
    },
  };
}

/** A setting without a control. */
export const hidden = (read, write = String) => ({ read, write, build: () => () => {} });

const numbersIn = (text) => text.split(",").map(Number);
/** Lists of finite numbers of one length: 1,2;3,4. */
export const lists = (length) =>
  hidden(
    (text) => {
      const rows = text.split(";").map(numbersIn);
      const most = length ?? rows[0].length;
      return rows.every((row) => row.length === most && row.every(Number.isFinite)) ? rows : undefined;
    },
    (rows) => rows.map((row) => row.join(",")).join(";"),
  );

// -- data ----------------------------------------------------------------------------------------------------

/** The choice of data: those of the page, and the user's table. */
export function dataChoice() {
  const words = Object.fromEntries(Object.entries(given.datasets).map(([key, { name }]) => [key, name]));
  return choice("data", { ...words, [OWN]: "your own table" });
}

const kept = new Map(); // subjects by name

/** The objects that a page shows: attributes or dissimilarities, and their places on the map. */
export function subjectOf(name) {
  if (!kept.has(name)) kept.set(name, name === OWN ? ownSubject() : givenSubject(given.datasets[name]));
  return kept.get(name);
}

function givenSubject({ objects, columns, name, y, code, ...more }) {
  const labels = columns.length === 2 ? columns : ["", ""];
  return { name, objects, y, code, labels, names: [], ...onThePlane(objects), ...more };
}

const ownText = () => {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return element("table")?.value ?? ""; // storage is refused
  }
};

function ownSubject() {
  const { rows, columns, names, matrix } = readTable(ownText());
  const common = { name: "your table", names, y: null, c: 3, own: true };
  if (matrix) {
    const code = ["import numpy as np", 'X = np.loadtxt("your_matrix.csv", delimiter=",")'];
    return { ...common, D: rows, objects: null, positions: mapOf(rows), labels: ["", ""], code };
  }
  const objects = standardised(rows);
  if (objects.every((x) => x.every((value) => value === objects[0][0])))
    throw new Error("The numbers differ too little: multiply them.");
  const read = names.length ? "pd.read_csv('your_table.csv', index_col=0)" : "pd.read_csv('your_table.csv')";
  const code = ["import pandas as pd", `X = ${read}`, "X = ((X - X.mean()) / X.std(ddof=0)).to_numpy()"];
  return {
    ...common,
    objects,
    code,
    labels: columns.length === 2 ? columns : ["", ""],
    ...onThePlane(objects),
  };
}

// Places of attributes on the plane of their first two principal components, and back.
function onThePlane(objects) {
  const p = objects[0].length;
  if (p === 2) return { positions: objects, onMap: (x) => [...x], fromMap: (_, place) => [...place] };
  const mean = meanOf(objects);
  const centred = objects.map((x) => x.map((value, q) => value - mean[q]));
  const { values, vectors } = eigen(
    numbers(p).map((q) => numbers(p).map((r) => centred.reduce((total, x) => total + x[q] * x[r], 0))),
  );
  const order = numbers(p).sort((a, b) => values[b] - values[a]);
  const axes = [0, 1].map((k) => numbers(p).map((q) => (k < p ? vectors[q][order[k]] : 0)));
  const onMap = (x) =>
    axes.map((axis) => axis.reduce((total, share, q) => total + share * (x[q] - mean[q]), 0));
  const fromMap = (x, place) => {
    const now = onMap(x);
    return [...x].map(
      (value, q) => value + axes[0][q] * (place[0] - now[0]) + axes[1][q] * (place[1] - now[1]),
    );
  };
  return { positions: objects.map(onMap), onMap, fromMap };
}

/** Names and nearest objects, as the canvas lists them. */
export function objectsOf({ names, objects, D }) {
  const apart = D ?? distancesOf(objects);
  const nearest = apart.map((row, i) => {
    const others = numbers(row.length).filter((j) => j !== i);
    return others.sort((a, b) => row[a] - row[b]).slice(0, NEAREST);
  });
  return { names, nearest };
}

// -- the page ------------------------------------------------------------------------------------------------

/**
 * Build the page. `settings` by name are made by `slider`, `choice` and `hidden`; `defaults(state)` gives the values
 * of those that an address does not give; `show(state, changed)` returns what is shown: { scene, objects, description,
 * sentence, code } and, as `words`, texts of sliders. `on` handles messages of the canvas; `takes` tells whether the
 * page takes a table, and throws an error otherwise.
 */
export function livePage({
  settings,
  defaults,
  show,
  buttons = {},
  on = {},
  shortcuts = {},
  canvas = {},
  takes,
}) {
  let state = {};
  const setters = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [
      name,
      setting.build(name, (value) => set({ [name]: value })),
    ]),
  );
  for (const [words, { act, bar }] of Object.entries(buttons))
    made("button", element(bar ? "bar" : "buttons"), words, { type: "button" }).addEventListener(
      "click",
      act,
    );
  const copy = made("button", element("buttons"), COPY, { type: "button" });
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Copy it from the address bar"; // browsers refuse it on pages without https
    }
    setTimeout(() => (copy.textContent = COPY), TOLD_MS);
  });
  const letters = Object.keys(shortcuts).join("");
  const source = Canvas.held({
    scene: {},
    objects: {},
    description: "",
    stem: given.name,
    selected: null,
    chosen: [],
    joined: false,
    shortcuts: letters,
    tool: "touch",
    ...canvas,
  });
  const listeners = new Set();
  const listen = source.on;
  source.on = (event, f) => (event === "msg:custom" ? listeners.add(f) : listen(event, f));
  source.send = (message, _, [bytes] = []) => {
    if (message.event === "file") useTable(new TextDecoder().decode(bytes));
    else if (message.event === "letter") shortcuts[message.letter]();
    else on[message.event]?.(message);
    for (const f of listeners) f({ event: "handled" });
  };

  function read(text) {
    const address = new URLSearchParams(text);
    const found = {};
    for (const [name, setting] of Object.entries(settings)) {
      const value = address.has(name) ? setting.read(address.get(name)) : undefined;
      if (value !== undefined) found[name] = value;
    }
    if (found.data === OWN && !isReadable()) delete found.data;
    return { ...defaults(found), ...found };
  }

  function isReadable() {
    try {
      const subject = subjectOf(OWN);
      takes?.(subject);
      return true;
    } catch {
      return false;
    }
  }

  function write() {
    const entries = Object.entries(settings)
      .filter(([name]) => state[name] !== null && state[name] !== undefined && state[name] !== Infinity)
      .map(([name, setting]) => [name, setting.write(state[name])])
      .filter(([, text]) => text !== "" && text.length < MOST_LENGTH);
    history.replaceState(null, "", `#${new URLSearchParams(entries)}`);
  }

  function set(changes) {
    state = { ...state, ...changes };
    if ("data" in changes) {
      if (changes.data === OWN && !isReadable()) {
        element("own").open = true;
        element("table").focus();
        setters.data((state.data = shown.data));
        return;
      }
      source.set("selected", null);
      source.set("chosen", []);
      state = { ...state, ...defaults({ data: state.data }), data: state.data };
    }
    draw(Object.keys(changes));
  }

  let shown = {};
  function draw(changed) {
    if (state.data) state.c = Math.min(state.c, subjectOf(state.data).positions.length);
    const { scene, objects, description, sentence, code, words = {} } = show(state, changed);
    if (objects) source.set("objects", objects);
    if (scene) source.set("scene", scene);
    if (description) source.set("description", description);
    element("sentence").textContent = sentence;
    if (code) element("code").textContent = code.join("\n");
    for (const [name, setter] of Object.entries(setters)) setter(state[name], words[name]);
    shown = state;
    if (changed.length) write(); // an address that was just typed is not overwritten by a timer
  }

  function useTable(text) {
    const before = ownText();
    element("refused").textContent = "";
    element("table").value = text;
    try {
      keep(text);
      kept.delete(OWN);
      const subject = subjectOf(OWN);
      takes?.(subject);
    } catch (error) {
      keep(before);
      kept.delete(OWN);
      element("own").open = true;
      element("refused").textContent = error.message;
      element("refused").scrollIntoView({ block: "nearest" });
      return;
    }
    set({ data: OWN });
  }

  function keep(text) {
    try {
      sessionStorage.setItem(KEPT, text);
    } catch {
      // The table lasts as long as the page.
    }
  }

  function begin() {
    state = read(location.hash.slice(1));
    source.set("selected", null);
    draw(Object.keys(settings));
  }

  element("use")?.addEventListener("click", () => useTable(element("table").value));
  element("file")?.addEventListener("change", async ({ target }) => useTable(await target.files[0].text()));
  window.addEventListener("hashchange", begin);
  begin();
  if (source.get("scene").panels) {
    Canvas.mount(element("picture"), source);
    const side = element("picture").querySelector(".credalbench-evidence").lastElementChild;
    element("controls").parentElement.append(side); // below the controls: the picture gets the whole width
  }
  return { set, source, state: () => state };
}
