// The board of one mass function: a slider for each set of clusters, and what the masses say.

import { belief, pignistic, plausibility } from "./belief.js";
import { choice, element, given, hidden, livePage, made } from "./frame.js";
import { numbers, sum } from "./numerics.js";
import { decisionsOf, sentenceOf } from "./sentences.js";

const { frames, colours } = given;
const STEP = 5; // hundredths
const [WIDTH, HEIGHT] = [320, 26]; // pixels of the interval [0, 1]
let lines = []; // a label with its slider for each set but the frame, which has the rest
let built = 0; // for this number of clusters

function buildSliders(c) {
  built = c;
  element("sliders").replaceChildren();
  lines = numbers(frames[c].sets.length - 1).map((j) => {
    const label = frames[c].labels[j];
    const line = made("label", element("sliders"), label);
    if (label === "∅") line.title = "The empty set: none of the clusters";
    const slider = made("input", line, "", { type: "range", min: 0, max: 100, step: STEP });
    made("output", line);
    slider.addEventListener("input", () => {
      const { masses } = page.state();
      const left = 100 - sum(masses) + masses[j];
      const value = Math.min(Number(slider.value), left);
      const refused = Number(slider.value) > left;
      page.set({ masses: masses.map((one, k) => (k === j ? value : one)) });
      if (refused)
        element("message").textContent =
          `${label} gets ${value / 100}: the other sets leave no more. Lower one of them first.`;
    });
    return line;
  });
}

function interval(low, high, colour) {
  const box = (width, opacity) =>
    `<rect x="1" y="1" width="${width}" height="${HEIGHT - 2}" fill="${colour}" opacity="${opacity}"/>`;
  const from = (value) => Math.round(value * WIDTH * 10) / 10;
  return (
    `<svg viewBox="0 0 ${WIDTH + 2} ${HEIGHT}" role="img" aria-label="from ${low.toFixed(2)} to ${high.toFixed(2)}">` +
    `<rect x="1" y="${HEIGHT / 2 - 1}" width="${WIDTH}" height="2" fill="currentColor" opacity="0.25"/>` +
    `${box(from(high) + 1, 0.45)}${box(from(low), 1)}</svg>`
  );
}

function show(state, changed) {
  const { sets, labels } = frames[state.c];
  const fits = state.masses.length === sets.length - 1 && sum(state.masses) <= 100;
  if (!fits || (changed.length === 1 && changed[0] === "c"))
    state.masses = new Array(sets.length - 1).fill(0);
  if (built !== state.c) buildSliders(state.c);
  const masses = [...state.masses, 100 - sum(state.masses)].map((value) => value / 100);
  lines.forEach((line, j) => {
    const [slider, output] = line.children;
    slider.value = state.masses[j];
    output.textContent = masses[j].toFixed(2);
    slider.setAttribute("aria-valuetext", output.textContent);
  });
  element("rest").textContent = `The rest is on Ω: ${masses.at(-1).toFixed(2)}`;
  element("message").textContent = "";
  element("readings").replaceChildren();
  pignistic(masses, sets).forEach((probability, k) => {
    const [low, high] = [belief(masses, sets, k), plausibility(masses, sets, k)];
    const row = made("tr", element("readings"));
    made("th", row, `{${k + 1}}`).scope = "row";
    made("td", row).innerHTML = interval(low, high, colours[k]);
    for (const value of [low, high, probability]) made("td", row, value.toFixed(2));
  });
  element("decisions").replaceChildren();
  for (const decision of decisionsOf(masses, sets, labels)) made("li", element("decisions"), decision);
  return { sentence: `The object is ${sentenceOf(masses, sets).replace(/^outlier/, "an outlier")}.` };
}

element("picture").innerHTML =
  '<table aria-label="Belief and plausibility"><thead><tr><th></th><th scope="col" style="width:50%">belief to ' +
  'plausibility</th><th scope="col">belief</th><th scope="col">plausibility</th><th scope="col">pignistic</th></tr>' +
  '</thead><tbody id="readings"></tbody></table><ul id="decisions"></ul>';
const settings = {
  c: choice("clusters", Object.fromEntries(Object.keys(frames).map((c) => [c, c]))),
  masses: hidden((text) => {
    const values = text.split(",").map((value) => Number.parseInt(value, 10));
    return values.every((value) => value >= 0) ? values : undefined;
  }),
};
settings.c.read = (text) => (text in frames ? Number(text) : undefined);
for (const [tag, id] of [
  ["div", "sliders"],
  ["strong", "rest"],
  ["p", "message"],
])
  element("buttons").before(
    made(tag, element("controls").parentElement, "", { id, role: id === "message" ? "status" : null }),
  );

const page = livePage({
  settings,
  defaults: () => ({ c: 3, masses: [] }),
  show: (state, changed) => show(Object.assign(state, { c: Number(state.c) }), changed),
  buttons: { "All on Ω": { act: () => page.set({ masses: page.state().masses.map(() => 0) }) } },
});
