// The page of ECM: controls, a run in the browser, the picture, and the address that keeps the settings.

const PAUSE = 250; // milliseconds between two iterations that are played, and before the run follows a drag
const { datasets, classes, frames, defaults, ranges } = JSON.parse(document.getElementById("data").textContent);
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const control = (name) => document.getElementById(name);

let state = { ...defaults, start: null, iteration: Infinity };
let problem = null; // of the present settings
let path = null; // the run from the present start, once it is computed
let waiting = 0; // the timer of the run, or of the player

// -- settings, as controls and as an address ---------------------------------------------------------

const clipped = (value, [low, high]) => Math.min(Math.max(value, low), high);
const rounded = (value) => Number(value.toPrecision(6));

// The settings of an address; what is missing or wrong has its default.
function fromAddress(text) {
  const given = new URLSearchParams(text);
  const read = { ...defaults, start: null, iteration: Infinity };
  if (given.get("data") in datasets) read.data = given.get("data");
  if (given.get("sets") in frames[defaults.c]) read.sets = given.get("sets");
  for (const [name, range] of Object.entries(ranges)) {
    const value = Number.parseFloat(given.get(name));
    if (Number.isFinite(value)) read[name] = clipped(value, range);
  }
  read.c = Math.round(read.c);
  if (!given.has("delta")) read.delta = datasets[read.data].delta;
  const start = (given.get("start") ?? "").split(";").map((place) => place.split(",").map(Number));
  if (start.length === read.c && start.every((place) => place.length === 2 && place.every(Number.isFinite))) read.start = start;
  const iteration = Number.parseInt(given.get("iteration"), 10);
  if (iteration >= 0) read.iteration = iteration;
  return read;
}

function toAddress() {
  const { start, iteration, ...settings } = state;
  const kept = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
  const places = start.map((place) => place.join(",")).join(";");
  const at = Number.isFinite(iteration) ? { iteration } : {};
  history.replaceState(null, "", `#${new URLSearchParams({ ...kept, start: places, ...at })}`);
}

function showControls() {
  control("data-set").value = state.data;
  for (const name of ["sets", "c", "alpha", "beta"]) control(name).value = state[name];
  control("delta").value = Math.log10(state.delta);
  for (const name of ["c", "alpha", "beta", "delta"]) {
    const words = String(rounded(state[name]));
    control(`${name}-value`).textContent = words;
    control(name).setAttribute("aria-valuetext", words);
  }
}

// -- the run -----------------------------------------------------------------------------------------

// Objects drawn at random, each as likely as the square of its distance to those before it.
function drawnStart(objects, c) {
  const start = [objects[Math.floor(Math.random() * objects.length)]];
  while (start.length < c) {
    const weights = objects.map((x) => Math.min(...start.map((v) => squared(x, v))));
    let left = Math.random() * sum(weights);
    start.push(objects[Math.max(weights.findIndex((weight) => (left -= weight) < 0), 0)]);
  }
  return start;
}

function begin(next) {
  clearTimeout(waiting);
  state = { ...state, ...next };
  const data = datasets[state.data];
  problem = { ...state, objects: data.objects, sets: frames[state.c][state.sets].sets };
  const start = state.start?.length === state.c ? state.start : data.starts[state.c];
  state.start = start.map((place) => place.map(rounded)); // as the address and the program have it
  path = null;
  if (state.iteration) completeRun();
  else waiting = setTimeout(completeRun, PAUSE); // a drag may continue
  show();
}

function completeRun() {
  path = run(state.start, problem);
  show();
}

const last = () => (path ? path.prototypes.length - 1 : 0);
const shownIteration = () => Math.min(state.iteration, last());

function goTo(iteration) {
  clearTimeout(waiting);
  path ??= run(state.start, problem);
  state.iteration = iteration >= last() ? Infinity : iteration;
  show();
}

function play() {
  if (still.matches) return goTo(Infinity);
  goTo(shownIteration() === last() ? 0 : shownIteration() + 1);
  if (shownIteration() < last()) waiting = setTimeout(play, PAUSE);
}

// -- showing -----------------------------------------------------------------------------------------

const listeners = new Set();
const source = held({ scene: {}, objects: {}, description: "", stem: "ecm", selected: null, chosen: [], joined: false, shortcuts: "nrse" });
const listen = source.on;
source.on = (event, f) => (event === "msg:custom" ? listeners.add(f) : listen(event, f));
source.off = (event, f) => listeners.delete(f);
source.send = (message) => {
  if (message.event === "drag") {
    const prototypes = currentPrototypes().map((v, k) => (k === message.handle ? [message.x, message.y] : [...v]));
    begin({ start: prototypes, iteration: 0 });
  }
  if (message.event === "letter") ACTIONS[{ n: "restart", r: "rewind", s: "step", e: "end" }[message.letter]]();
  for (const f of listeners) f({ event: "handled" });
};

const currentPrototypes = () => (path ? path.prototypes[shownIteration()] : state.start);

function show() {
  const data = datasets[state.data];
  const looks = { ...frames[state.c][state.sets], classes };
  const iteration = shownIteration();
  const prototypes = currentPrototypes();
  const { masses, objective } = massStep(prototypes, problem);
  const trace = path ? path.objective : [objective];
  const start = iteration ? state.start : null;
  source.set("objects", data.shown);
  source.set("scene", ecmScene(data, looks, { prototypes, start, masses, trace, iteration }));
  const outliers = masses.filter((row) => isOutlier(row, problem.sets)).length;
  const places = prototypes.map(([x, y], k) => `${k + 1} at ${x.toPrecision(3)}, ${y.toPrecision(3)}`).join("; ");
  source.set("description", `Map of ${masses.length} objects in ${state.c} clusters by ECM after ${iteration} iterations, with ${outliers} outliers. Prototypes: ${places}.`);
  const bar = control("iteration");
  [bar.max, bar.value] = [last(), iteration];
  const words = path ? `${iteration} of ${last()}` : "0";
  bar.setAttribute("aria-valuetext", words);
  control("iteration-value").textContent = words;
  control("readings").textContent =
    `Objective J ${objective.toPrecision(4)}. Nonspecificity ${nonspecificity(masses, problem.sets).toFixed(2)}. ` +
    `${outliers} ${outliers === 1 ? "outlier" : "outliers"} of ${masses.length} objects.`;
  control("code").textContent = code();
  showControls();
  toAddress();
}

// The Python program that repeats the picture.
function code() {
  const start = `[${state.start.map((place) => `[${place.join(", ")}]`).join(", ")}]`;
  const iterations = Number.isFinite(state.iteration) ? `, max_iter=${state.iteration}` : "";
  const settings = `alpha=${state.alpha}, beta=${state.beta}, delta=${rounded(state.delta)}, focal_sets="${state.sets}"`;
  return [
    "from credalbench.cluster import ECM",
    ...datasets[state.data].code,
    `fit = ECM(${state.c}, ${settings}, init=${start}${iterations}).fit(X)`,
    "fit.partition_.plot(X).show()",
  ].join("\n");
}

// -- actions -----------------------------------------------------------------------------------------

const ACTIONS = {
  restart: () => begin({ start: drawnStart(datasets[state.data].objects, state.c), iteration: 0 }),
  rewind: () => goTo(0),
  step: () => goTo(shownIteration() + 1),
  play,
  end: () => goTo(Infinity),
  copy: () => navigator.clipboard.writeText(location.href),
};
for (const [name, act] of Object.entries(ACTIONS))
  control(name).addEventListener("click", () => {
    clearTimeout(waiting);
    act();
  });
control("data-set").addEventListener("change", ({ target }) =>
  begin({ data: target.value, delta: datasets[target.value].delta, c: datasets[target.value].c, start: null, iteration: Infinity }),
);
control("sets").addEventListener("change", ({ target }) => begin({ sets: target.value, iteration: Infinity }));
for (const name of ["c", "alpha", "beta", "delta"])
  control(name).addEventListener("input", ({ target }) => {
    const value = Number(target.value);
    begin({ [name]: name === "delta" ? rounded(10 ** value) : value, iteration: Infinity });
  });
control("iteration").addEventListener("input", ({ target }) => goTo(Number(target.value)));
window.addEventListener("hashchange", () => begin(fromAddress(location.hash.slice(1))));

begin(fromAddress(location.hash.slice(1)));
mount(control("picture"), source);
