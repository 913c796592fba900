// How many clusters: the nonspecificity of ECM for several numbers of clusters, and the map of one of them.

import { fitOf, treeOf } from "./ecm.js";
import { dataChoice, given, livePage, objectsOf, rounded, slider, subjectOf } from "./frame.js";
import {
  alike,
  axis,
  evidenceOf,
  line,
  mapOfMasses,
  outliersOf,
  panelOf,
  prototypeMarks,
  sceneOf,
} from "./scenes.js";
import { listed, summaryOf } from "./sentences.js";

const { sliders, frames, defaults, counts } = given;
const BETA = 2;
let fits = []; // of the present data and alpha, in the order of c
let waiting = 0; // the timer of the next fit

const setsOf = (c) => frames[c].pairs;

function defaultsFor(found) {
  const data = found.data ?? defaults.data;
  return { ...defaults, data, c: subjectOf(data).c };
}

function curvePanel(place, shown) {
  const { strong, dot } = setsOf(2).trace;
  const path = fits.map(({ c, nonspecificity }) => [c, nonspecificity]);
  const ring = { ...dot, size: 18, fill: "none", edge: "#222222", edge_width: 2 };
  const at = path.find(([c]) => c === shown);
  const x = axis(counts[0] - 0.5, counts.at(-1) + 0.5, { label: "clusters c", whole: true });
  const most = Math.max(...path.map(([, value]) => value));
  const y = axis(0, 1.15 * most || 1, { label: "nonspecificity" });
  return panelOf("curve", place, x, y, [line(path, strong), alike(path, dot), alike([at], ring)], {
    title: "Nonspecificity of ECM",
    grid: true,
  });
}

const countsOf = (subject) => counts.filter((c) => c < subject.objects.length);

// Fit the clusters that are shown at once, the others one after another while the page stays responsive.
function fitNext({ c: shown, data, alpha }) {
  clearTimeout(waiting);
  const subject = subjectOf(data);
  subject.tree ??= treeOf(subject.objects);
  const next = [shown, ...countsOf(subject)].find((c) => !fits.some((fit) => fit.c === c));
  if (!next) return;
  fits.push(fitOf(subject.objects, subject.tree, next, { sets: setsOf(next).sets, alpha, beta: BETA }));
  fits.sort((one, other) => one.c - other.c);
  waiting = setTimeout(() => page.set({}), 0);
}

// The number of clusters of least nonspecificity, and those below both neighbours.
function curveSentence(least) {
  const value = ({ c, nonspecificity }) => `${c} clusters (${nonspecificity.toFixed(3)})`;
  const lower = (fit, other) => !other || fit.nonspecificity < other.nonspecificity;
  const dips = fits.filter(
    (fit, k) => k > 0 && k < fits.length - 1 && lower(fit, fits[k - 1]) && lower(fit, fits[k + 1]),
  );
  const found = dips.length ? `The curve has a dip at ${listed(dips.map(value))}` : "The curve has no dip";
  return `${found}; the nonspecificity is least with ${value(least)}.`;
}

function show(state, changed) {
  const subject = subjectOf(state.data);
  if (changed.includes("data") || changed.includes("alpha")) fits = [];
  state.c = Math.min(state.c, countsOf(subject).at(-1));
  fitNext(state);
  const complete = fits.length === countsOf(subject).length;
  const shown = fits.find(({ c }) => c === state.c);
  const { sets, ...looks } = setsOf(state.c);
  const { masses, prototypes } = shown.run;
  const places = prototypes.at(-1).map(subject.onMap);
  const marks = prototypeMarks(places, null, sets, { ...looks.prototypes, shown: [], dotted: null });
  const map = mapOfMasses(subject, [0.42, 0, 0.58, 1], masses, looks, marks);
  const least = fits.reduce((best, fit) => (fit.nonspecificity < best.nonspecificity ? fit : best));
  return {
    scene: sceneOf(
      [curvePanel([0, 0, 0.4, 0.7], state.c), map.panel], // the curve first: a small window shows it
      evidenceOf(masses, sets, looks),
      map.legend,
    ),
    objects: changed.includes("data") ? objectsOf(subject) : null,
    description: `Nonspecificity of ECM for ${counts[0]} to ${fits.at(-1).c} clusters, and a map of ${state.c} clusters with ${outliersOf(masses, sets)} outliers.`,
    sentence: `${complete ? curveSentence(least) : "Fitting …"} ${summaryOf(masses, sets)}`,
    code: [
      "from credalbench.cluster import ECM",
      ...subject.code,
      `for c in range(${counts[0]}, ${fits.at(-1).c + 1}):`,
      `    fit = ECM(c, alpha=${state.alpha}, beta=${BETA}, focal_sets="pairs").fit(X)`,
      "    print(c, fit.partition_.nonspecificity())",
      `# here, delta is ${rounded(shown.delta)} for ${state.c} clusters`,
    ],
  };
}

const page = livePage({
  settings: {
    data: dataChoice(),
    c: slider("clusters c", "Number of clusters on the map", [counts[0], counts.at(-1), 1]),
    alpha: slider("exponent α", "Larger values give less mass to sets of several clusters", sliders.alpha),
  },
  defaults: defaultsFor,
  show,
  on: {
    click: ({ panel, x }) =>
      panel === "curve" && page.set({ c: Math.min(Math.max(Math.round(x), counts[0]), counts.at(-1)) }),
  },
  takes({ objects }) {
    if (!objects)
      throw new Error(
        "This is a matrix of dissimilarities; ECM needs attributes. The page of EVCLUS takes it.",
      );
  },
});
