// The page of the board: a slider for each set of clusters, and what the masses say.

const { frames, colours } = JSON.parse(document.getElementById("data").textContent);
const element = (name) => document.getElementById(name);
const WIDTH = 150; // pixels of the interval [0, 1]
const STEP = 5; // hundredths

let c = 3;
let hundredths = []; // of each set but the frame, which has the rest

const made = (tag, parent, text = "") => {
  const one = document.createElement(tag);
  one.textContent = text;
  parent.append(one);
  return one;
};

function fromAddress(text) {
  const given = new URLSearchParams(text);
  c = given.get("c") in frames ? Number(given.get("c")) : 3;
  const values = (given.get("masses") ?? "").split(",").map((value) => Number.parseInt(value, 10));
  const count = frames[c].sets.length - 1;
  const total = values.reduce((sum, value) => sum + value, 0);
  const right = values.length === count && values.every((value) => value >= 0) && total <= 100;
  hundredths = right ? values : new Array(count).fill(0);
}

const allMasses = () => [...hundredths, leftFor(hundredths, -1)].map((value) => value / 100);

function build() {
  element("clusters").value = c;
  const { labels } = frames[c];
  element("sliders").replaceChildren();
  hundredths.forEach((_, j) => {
    const line = made("label", element("sliders"), labels[j]);
    if (labels[j] === "∅") line.title = "The empty set: none of the clusters";
    const slider = made("input", line);
    Object.assign(slider, { type: "range", min: 0, max: 100, step: STEP });
    made("output", line);
    slider.addEventListener("input", () => {
      const left = leftFor(hundredths, j);
      hundredths[j] = Math.min(Number(slider.value), left);
      const refused = Number(slider.value) > left;
      show(refused ? `${labels[j]} gets ${hundredths[j] / 100}: the other sets leave no more. Lower one of them first.` : "");
    });
  });
  show();
}

function show(message = "") {
  const { sets, labels } = frames[c];
  const masses = allMasses();
  [...element("sliders").children].forEach((line, j) => {
    const [slider, output] = line.children;
    slider.value = hundredths[j];
    output.textContent = masses[j].toFixed(2);
    slider.setAttribute("aria-valuetext", output.textContent);
  });
  element("rest").textContent = `The rest is on Ω: ${masses.at(-1).toFixed(2)}`;
  element("message").textContent = message;
  const rows = element("readings");
  rows.replaceChildren();
  const probabilities = pignistic(masses, sets);
  probabilities.forEach((probability, k) => {
    const [low, high] = [belief(masses, sets, k), plausibility(masses, sets, k)];
    const row = made("tr", rows);
    made("th", row, `{${k + 1}}`).scope = "row";
    made("td", row).innerHTML = interval(low, high, colours[k]);
    for (const value of [low, high, probability]) made("td", row, value.toFixed(2));
  });
  element("decisions").replaceChildren();
  for (const line of decisionsOf(masses, sets, labels)) made("li", element("decisions"), line);
  history.replaceState(null, "", `#${new URLSearchParams({ c, masses: hundredths.join(",") })}`);
}

function interval(low, high, colour) {
  const box = (width, opacity) => `<rect x="1" y="1" width="${width}" height="12" fill="${colour}" opacity="${opacity}"/>`;
  const from = (value) => Math.round(value * WIDTH * 10) / 10;
  return (
    `<svg width="${WIDTH + 2}" height="14" role="img" aria-label="from ${low.toFixed(2)} to ${high.toFixed(2)}">` +
    `<rect x="1" y="6" width="${WIDTH}" height="2" fill="#222" opacity="0.25"/>${box(from(high) + 1, 0.45)}${box(from(low), 1)}</svg>`
  );
}

element("clusters").addEventListener("change", ({ target }) => {
  [c, hundredths] = [Number(target.value), new Array(frames[target.value].sets.length - 1).fill(0)];
  build();
});
element("clear").addEventListener("click", () => {
  hundredths.fill(0);
  show();
});
element("copy").addEventListener("click", () => navigator.clipboard.writeText(location.href));
window.addEventListener("hashchange", () => {
  fromAddress(location.hash.slice(1));
  build();
});
fromAddress(location.hash.slice(1));
build();
