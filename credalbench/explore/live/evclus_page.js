// The page of EVCLUS: dissimilarities, their transformation to degrees of conflict, and objects to drag.

import {
  cutInto,
  distancesOf,
  gammaOf,
  orderedPairs,
  quantileOfPairs,
  transformed,
  wardMerges,
} from "./dissimilarities.js";
import { conflicts, evclus, startingMasses } from "./evclus.js";
import {
  choice,
  dataChoice,
  given,
  lists,
  livePage,
  objectsOf,
  rounded,
  slider,
  subjectOf,
} from "./frame.js";
import { evidenceOf, mapOfMasses, outliersOf, sceneOf, shepardPanel, transformationPanel } from "./scenes.js";
import { summaryOf } from "./sentences.js";

const TWICE = 400; // milliseconds between the clicks of a double click
const { sliders, sections, frames, defaults } = given;
let present = null; // the objects with those that were moved and added, and their distances
let clicked = -Infinity; // when the map was clicked last

const defaultsFor = (found) => {
  const data = found.data ?? defaults.data;
  return { ...defaults, c: subjectOf(data).c, data, moved: [], added: [] };
};

// The objects of the data as they were moved, and those that were added.
function changedSubject({ data, moved, added }) {
  const subject = subjectOf(data);
  if (!subject.objects) return { ...subject, D: subject.D };
  const objects = [...subject.objects];
  const place = subject.fromMap;
  for (const [i, x, y] of moved) if (objects[i - 1]) objects[i - 1] = place(objects[i - 1], [x, y]);
  for (const at of added) objects.push(place(objects[0], at));
  const positions = objects.map(subject.onMap);
  const names = subject.names.length ? [...subject.names, ...added.map((_, k) => `added ${k + 1}`)] : [];
  return { ...subject, objects, positions, names, D: distancesOf(objects) };
}

function show(state, changed) {
  const others = ["data", "moved", "added"].some((name) => changed.includes(name));
  if (others || !present) {
    const subject = changedSubject(state);
    present = { subject, ordered: orderedPairs(subject.D) };
  }
  const { subject, ordered } = present;
  const { sets, ...looks } = frames[state.c][state.sets];
  const d0 = quantileOfPairs(ordered, state.d0) || ordered.at(-1);
  const gamma = gammaOf(d0, state.alpha);
  const delta = transformed(subject.D, gamma);
  const { masses, stress } = evclus(delta, sets, startingMasses(cutInto(wardMerges(delta), state.c), sets));
  const map = mapOfMasses(subject, [0, 0, 0.6, 1], masses, looks, []);
  const panels = [
    map.panel,
    shepardPanel([0.62, 0, 0.38, 0.58], delta, conflicts(masses, sets)),
    transformationPanel([0.62, 0.6, 0.38, 0.4], gamma, d0, ordered.at(-1)),
  ];
  const outliers = outliersOf(masses, sets);
  return {
    scene: sceneOf(panels, evidenceOf(masses, sets, looks), map.legend),
    objects: others ? objectsOf(subject) : null,
    description:
      `Map of ${masses.length} objects in ${state.c} clusters by EVCLUS, with ${outliers} outliers; ` +
      `Shepard diagram; transformation with d0 = ${d0.toPrecision(3)}.`,
    sentence: `${summaryOf(masses, sets)} Stress ${stress.at(-1).toPrecision(3)} at d₀ = ${d0.toPrecision(3)}.`,
    code: code(state, subject),
  };
}

// The Python program that repeats the picture.
function code({ c, d0, alpha, sets, moved, added }, subject) {
  const place = (i) => `[${[...subject.objects[i]].map(rounded).join(", ")}]`;
  const n = subject.positions.length - added.length;
  const metric = subject.objects ? "" : ', metric="precomputed"';
  return [
    "from credalbench.cluster import EVCLUS",
    ...(added.length ? ["import numpy as np"] : []),
    ...subject.code,
    ...(moved.length ? ["X = X.copy()"] : []),
    ...moved
      .filter(([i]) => i <= n)
      .map(([i]) => `X[${i - 1}] = ${place(i - 1)}  # object ${i}: Python counts from 0`),
    ...(added.length ? [`X = np.vstack([X, ${added.map((_, k) => place(n + k)).join(", ")}])`] : []),
    `fit = EVCLUS(${c}, d0_quantile=${d0}, alpha=${alpha}, focal_sets="${sets}"${metric}).fit(X)`,
    subject.objects ? "fit.partition_.plot(X).show()" : "fit.partition_.plot().show()",
  ];
}

// -- actions -------------------------------------------------------------------------------------------------

function add(place) {
  if (!present.subject.objects) return;
  page.set({ added: [...page.state().added, place.map(rounded)] });
}

function move(i, place) {
  const { moved, added } = page.state();
  const n = present.subject.positions.length - added.length;
  const at = place.map(rounded);
  if (!present.subject.objects) return;
  if (i >= n) page.set({ added: added.map((one, k) => (k === i - n ? at : one)) });
  else page.set({ moved: [...moved.filter(([other]) => other !== i + 1), [i + 1, ...at]] });
}

// Beside the selected object, or in the middle of the map.
function addOne() {
  const { positions } = present.subject;
  const [low, high] = [Math.min, Math.max].map((end) =>
    [0, 1].map((q) => end(...positions.map((at) => at[q]))),
  );
  const at = positions[page.source.get("selected")] ?? low.map((value, q) => (value + high[q]) / 2);
  add(at.map((value, q) => value + 0.05 * (high[q] - low[q])));
  page.source.set("selected", present.subject.positions.length - 1);
}

const page = livePage({
  settings: {
    data: dataChoice(),
    c: slider("clusters c", "Number of clusters", sliders.c),
    sets: choice("focal sets", sections),
    d0: slider(
      "d₀, quantile",
      "d₀ as a quantile of all dissimilarities: smaller values give more outliers",
      sliders.d0,
    ),
    alpha: slider("tail α", "Plausibility that two objects at d₀ are in the same cluster", sliders.tail),
    moved: lists(3),
    added: lists(2),
  },
  defaults: defaultsFor,
  show,
  canvas: { tool: "move" },
  buttons: {
    "Add an object": { act: addOne },
    "Undo all moves": { act: () => page.set({ moved: [], added: [] }) },
  },
  on: {
    draw: ({ object, x, y }) => move(object, [x, y]),
    click({ object, panel, x, y }) {
      const twice = performance.now() - clicked < TWICE;
      clicked = object === null && panel === "map" && !twice ? performance.now() : -Infinity;
      if (object === null && panel === "map" && twice) add([x, y]);
    },
  },
});
