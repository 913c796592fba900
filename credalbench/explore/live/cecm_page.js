// The page of CECM: two clicks link two objects by a must-link or a cannot-link.

import { cecm, outcomesOf, violations } from "./cecm.js";
import { cutInto } from "./dissimilarities.js";
import { defaultsOf, treeOf } from "./ecm.js";
import {
  choice,
  dataChoice,
  given,
  hidden,
  livePage,
  objectsOf,
  rounded,
  slider,
  subjectOf,
} from "./frame.js";
import { meanOf, numbers, squared } from "./numerics.js";
import {
  classesPanel,
  evidenceOf,
  linkMarks,
  mapOfMasses,
  outliersOf,
  prototypeMarks,
  sceneOf,
  violationsPanel,
} from "./scenes.js";
import { counted, summaryOf } from "./sentences.js";

const { sliders, frames, defaults, sections } = given;
const METRICS = { euclidean: "Euclidean", mahalanobis: "adaptive" };
const KINDS = { must: "must-link", cannot: "cannot-link" };
const OUTCOMES = ["met", "violated", "met by an outlier"];

// Links as in an address: 3-17m;4-9c, objects counted from 1.
const links = hidden(
  (text) => {
    const read = text.split(";").map((part) => /^(\d+)-(\d+)([mc])$/.exec(part));
    if (!read.every(Boolean)) return undefined;
    return read.map(([, i, j, kind]) => ({ i: Number(i) - 1, j: Number(j) - 1, must: kind === "m" }));
  },
  (some) => some.map(({ i, j, must }) => `${i + 1}-${j + 1}${must ? "m" : "c"}`).join(";"),
);

// The default start of ECM, and two others that constraints may favour: means of smaller groups, each far from those
// before it.
function startsOf(subject, c, sets) {
  subject.tree ??= treeOf(subject.objects);
  const { merges, near } = subject.tree;
  const { start, delta } = defaultsOf(subject.tree, c, { sets, alpha: 1, beta: 2 });
  const count = Math.min(2 * c, near.length);
  const labels = cutInto(merges, count);
  const means = numbers(count).map((k) => meanOf(near.filter((_, i) => labels[i] === k)));
  const others = means.slice(0, 2).map((first) => {
    const chosen = [first];
    while (chosen.length < c) {
      const apart = means.map((mean) => Math.min(...chosen.map((place) => squared(mean, place))));
      chosen.push(means[apart.indexOf(Math.max(...apart))]);
    }
    return chosen;
  });
  const starts = [start, ...others].map((places) => places.map((place) => [...place].map(rounded)));
  return { starts, delta: rounded(2 * delta) };
}

// The run of least objective; without constraints, that from the default start.
function runOf({ alpha, delta, xi, links: some, metric }, objects, starts, sets) {
  const parameters = { sets, alpha, delta, xi, adaptive: metric === "mahalanobis" };
  const runs = starts
    .slice(0, some.length ? starts.length : 1)
    .map((start) => ({ start, ...cecm(objects, start, some, parameters) }));
  return runs.reduce((best, run) => (run.objective.at(-1) < best.objective.at(-1) ? run : best));
}

function defaultsFor(found) {
  const data = found.data ?? defaults.data;
  const subject = subjectOf(data);
  const c = found.c ?? subject.c;
  const delta = subject.delta ?? startsOf(subject, c, frames[c].pairs.sets).delta;
  return { ...defaults, c, data, delta, links: [] };
}

function show(state, changed) {
  const subject = subjectOf(state.data);
  const n = subject.objects.length;
  state.links = state.links.filter(({ i, j }) => i >= 0 && j >= 0 && i < n && j < n && i !== j);
  const { sets, ...looks } = frames[state.c][state.sets];
  const run = runOf(state, subject.objects, startsOf(subject, state.c, sets).starts, sets);
  const { masses } = run;
  const outcomes = outcomesOf(masses, state.links, sets);
  const marks = [
    ...linkMarks(subject.positions, state.links, outcomes),
    ...prototypeMarks(run.prototypes.at(-1).map(subject.onMap), null, sets, {
      ...looks.prototypes,
      shown: [],
      dotted: null,
    }),
  ];
  const map = mapOfMasses(subject, [0, 0, 0.66, 1], masses, looks, marks);
  const panels = [
    map.panel,
    ...classesPanel(subject, [0.67, 0, 0.33, 0.48], masses, sets),
    violationsPanel(
      [0.67, subject.y ? 0.5 : 0, 0.33, subject.y ? 0.5 : 1],
      state.links,
      outcomes,
      violations(masses, state.links, sets),
    ),
  ];
  const remarks = {};
  const nameOf = (i) => subject.names[i] ?? `object ${i + 1}`;
  state.links.forEach(({ i, j, must }, k) => {
    for (const [one, other] of [
      [i, j],
      [j, i],
    ])
      remarks[one] = [
        remarks[one],
        `${must ? "must-link" : "cannot-link"} with ${nameOf(other)}${outcomes[k] === "met" ? "" : ` (${outcomes[k]})`}`,
      ]
        .filter(Boolean)
        .join(", ");
  });
  return {
    scene: sceneOf(panels, evidenceOf(masses, sets, looks, remarks), [
      ...map.legend,
      looks.more[0],
      ...given.links.entries,
    ]),
    objects: changed.includes("data") ? objectsOf(subject) : null,
    description: `Map of ${n} objects in ${state.c} clusters by CECM, with ${outliersOf(masses, sets)} outliers. ${outcomeSentence(outcomes)}`,
    sentence: `${summaryOf(masses, sets)} ${outcomeSentence(outcomes)}`,
    code: code(state, subject, run.start),
  };
}

function outcomeSentence(outcomes) {
  if (!outcomes.length) return "There are no constraints yet, so CECM is ECM with β = 2.";
  const [met, violated, byOutliers] = OUTCOMES.map(
    (outcome) => outcomes.filter((one) => one === outcome).length,
  );
  return `Of ${counted(outcomes.length, "constraint")}, ${met} ${met === 1 ? "is" : "are"} met, ${violated} violated, and ${byOutliers} met by an outlier.`;
}

// The Python program that repeats the picture.
function code({ c, alpha, delta, xi, metric, sets, links: some }, subject, start) {
  const pairs = (must) =>
    `[${some
      .filter((link) => link.must === must)
      .map(({ i, j }) => `(${i}, ${j})`)
      .join(", ")}]`;
  const places = `[${start.map((place) => `[${place.join(", ")}]`).join(", ")}]`;
  return [
    "from credalbench.cluster import CECM",
    ...subject.code,
    `fit = CECM(${c}, xi=${xi}, alpha=${alpha}, delta=${delta}, metric="${metric}", focal_sets="${sets}", init=${places})`,
    `fit.fit(X, must_link=${pairs(true)}, cannot_link=${pairs(false)})  # Python counts objects from 0`,
    "fit.partition_.plot(X).show()",
  ];
}

// The first click chooses an object; a click on a second one links both, or removes their link.
function choose(i) {
  const { source } = page;
  const [first] = source.get("chosen");
  if (i === null || i === first) return source.set("chosen", []);
  if (first === undefined) return source.set("chosen", [i]);
  const { links: some, kind } = page.state();
  const others = some.filter(
    (link) => !((link.i === first && link.j === i) || (link.i === i && link.j === first)),
  );
  source.set("chosen", []);
  const link = { i: Math.min(first, i), j: Math.max(first, i), must: kind === "must" };
  page.set({ links: others.length < some.length ? others : [...some, link] });
}

const page = livePage({
  settings: {
    data: dataChoice(),
    c: slider("clusters c", "Number of clusters", sliders.c),
    kind: choice(
      "two clicks",
      KINDS,
      "Link that two clicks on objects add; two clicks on linked objects remove their link",
    ),
    xi: slider("weight ξ", "Weight of the constraints relative to the data", sliders.xi),
    metric: choice("metric", METRICS, "Euclidean: round clusters; adaptive: each cluster has its own shape"),
    sets: choice("focal sets", sections),
    alpha: slider("exponent α", "Larger values give less mass to sets of several clusters", sliders.alpha),
    delta: slider(
      "distance δ",
      "Distance to the empty set: smaller values give more outliers",
      sliders.delta,
      { log: true },
    ),
    links,
  },
  defaults: defaultsFor,
  show,
  buttons: { "Remove all links": { act: () => page.set({ links: [] }) } },
  on: { click: ({ object, panel }) => (panel === "map" || object === null) && choose(object) },
  takes({ objects }) {
    if (!objects)
      throw new Error(
        "This is a matrix of dissimilarities; CECM needs attributes. The page of EVCLUS takes it.",
      );
  },
});
