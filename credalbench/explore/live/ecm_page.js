// The page of ECM: prototypes to drag, and the run of the iterations from there.

import { nonspecificity } from "./belief.js";
import { defaultsOf, ecm, massesAt, treeOf } from "./ecm.js";
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
import { squared, sum } from "./numerics.js";
import {
  classesPanel,
  evidenceOf,
  handlesAt,
  mapOfMasses,
  massesBySize,
  outliersOf,
  prototypeMarks,
  sceneOf,
  tracePanel,
} from "./scenes.js";
import { summaryOf } from "./sentences.js";

const PAUSE = 250; // milliseconds between two iterations that are played, and before the run follows a drag
const { sliders, sections, frames, defaults } = given;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let path = null; // the run from the present start, once it is computed
let waiting = 0; // the timer of the run, or of the player

// Objects drawn at random, each as likely as the square of its distance to those before it.
function drawnStart(objects, c) {
  const start = [objects[Math.floor(Math.random() * objects.length)]];
  while (start.length < c) {
    const weights = objects.map((x) => Math.min(...start.map((v) => squared(x, v))));
    let left = Math.random() * sum(weights);
    start.push(
      objects[
        Math.max(
          weights.findIndex((weight) => (left -= weight) < 0),
          0,
        )
      ],
    );
  }
  return start;
}

const problemOf = ({ c, sets, alpha, beta, delta }) => ({ sets: frames[c][sets].sets, alpha, beta, delta });

// The start of an address, if it fits the data, or the start of the data; as the address and the program have it.
function startOf({ data, c, start }) {
  const { objects, starts } = subjectOf(data);
  const p = objects[0].length;
  const places =
    start?.length === c && start[0].length === p ? start : (starts?.[c] ?? drawnStart(objects, c));
  return places.map((place) => [...place].map(rounded));
}

function defaultsFor(found) {
  const data = found.data ?? defaults.data;
  const subject = subjectOf(data);
  const rest = { ...defaults, data, c: subject.c, start: null, iteration: Infinity, ...found };
  if (subject.delta === undefined) {
    const parameters = { sets: frames[rest.c].pairs.sets, alpha: 1, beta: 2 };
    subject.delta = rounded(defaultsOf(treeOf(subject.objects), rest.c, parameters).delta);
  }
  return { ...rest, delta: found.delta ?? subject.delta };
}

const last = () => (path ? path.prototypes.length - 1 : 0);
const shownIteration = ({ iteration }) => Math.min(iteration, last());

function show(state, changed) {
  const subject = subjectOf(state.data);
  if (changed.some((name) => name !== "iteration")) {
    state.start = startOf(state);
    path = null;
  }
  if (state.iteration) path ??= ecm(subject.objects, state.start, problemOf(state));
  const { sets, ...looks } = frames[state.c][state.sets];
  const iteration = shownIteration(state);
  const prototypes = path ? path.prototypes[iteration] : state.start;
  const { masses, objective } = massesAt(subject.objects, prototypes, problemOf(state));
  const trace = path ? path.objective : [objective];
  const [places, start] = [prototypes, iteration ? state.start : null].map(
    (some) => some?.map(subject.onMap) ?? null,
  );
  const map = mapOfMasses(
    subject,
    [0, 0, 0.66, 1],
    masses,
    looks,
    prototypeMarks(places, start, sets, looks.prototypes),
  );
  const panels = [
    map.panel,
    ...classesPanel(subject, [0.67, 0, 0.33, 0.41], masses, sets),
    massesBySize([0.67, 0.42, 0.33, 0.26], masses, sets, looks.bar),
    tracePanel([0.67, 0.7, 0.33, 0.3], trace, iteration, looks.trace),
  ];
  const bar = document.getElementById("iteration");
  bar.max = last();
  const where = places.map(([x, y], k) => `${k + 1} at ${x.toPrecision(3)}, ${y.toPrecision(3)}`).join("; ");
  return {
    scene: sceneOf(
      panels,
      evidenceOf(masses, sets, looks),
      [...map.legend, ...looks.more],
      handlesAt("prototype", places),
    ),
    objects: changed.includes("data") ? objectsOf(subject) : null,
    description:
      `Map of ${masses.length} objects in ${state.c} clusters by ECM after ${iteration} iterations, with ` +
      `${outliersOf(masses, sets)} outliers. Prototypes: ${where}.`,
    sentence:
      `${summaryOf(masses, sets)} Nonspecificity ${nonspecificity(masses, sets).toFixed(2)}, ` +
      `objective J ${objective.toPrecision(4)}.`,
    code: code(state, subject),
    words: { iteration: path ? `${iteration} of ${last()}` : "0" },
  };
}

// The Python program that repeats the picture.
function code({ c, alpha, beta, delta, sets, start, iteration }, subject) {
  const places = `[${start.map((place) => `[${place.join(", ")}]`).join(", ")}]`;
  const iterations = Number.isFinite(iteration) ? `, max_iter=${iteration}` : "";
  const settings = `alpha=${alpha}, beta=${beta}, delta=${rounded(delta)}, focal_sets="${sets}"`;
  return [
    "from credalbench.cluster import ECM",
    ...subject.code,
    `fit = ECM(${c}, ${settings}, init=${places}${iterations}).fit(X)`,
    "fit.partition_.plot(X).show()",
  ];
}

// -- actions -------------------------------------------------------------------------------------------------

function goTo(iteration) {
  clearTimeout(waiting);
  if (!path) page.set({ iteration: Infinity });
  page.set({ iteration: iteration >= last() ? Infinity : iteration });
}

function play() {
  if (still.matches) return goTo(Infinity);
  if (!path) page.set({ iteration: Infinity });
  const now = shownIteration(page.state());
  goTo(now === last() ? 0 : now + 1);
  if (shownIteration(page.state()) < last()) waiting = setTimeout(play, PAUSE);
}

function restart(start) {
  clearTimeout(waiting);
  page.set({ start, iteration: 0 });
  waiting = setTimeout(() => {
    path = ecm(subjectOf(page.state().data).objects, start, problemOf(page.state()));
    page.set({ iteration: 0 });
  }, PAUSE); // a drag may continue
}

const ACTIONS = {
  "New start": { act: () => restart(drawnStart(subjectOf(page.state().data).objects, page.state().c)) },
  Rewind: { bar: true, act: () => goTo(0) },
  Step: { bar: true, act: () => goTo(shownIteration(page.state()) + 1) },
  Play: { bar: true, act: play },
  End: { bar: true, act: () => goTo(Infinity) },
};
const iterations = slider("iteration", "Iteration that is shown", [0, 1, 1], { bar: true });
iterations.read = (text) => (Number.parseInt(text, 10) >= 0 ? Number.parseInt(text, 10) : undefined);

const page = livePage({
  settings: {
    data: dataChoice(),
    c: slider("clusters c", "Number of clusters", sliders.c),
    sets: choice("focal sets", sections),
    alpha: slider("exponent α", "Larger values give less mass to sets of several clusters", sliders.alpha),
    beta: slider("exponent β", "Near 1 the masses become hard", sliders.beta),
    delta: slider(
      "distance δ",
      "Distance to the empty set: smaller values give more outliers",
      sliders.delta,
      { log: true },
    ),
    start: lists(),
    iteration: iterations,
  },
  defaults: defaultsFor,
  show(state, changed) {
    if (changed.length === 1 && ["c", "sets", "alpha", "beta", "delta"].includes(changed[0])) {
      clearTimeout(waiting);
      state.iteration = Infinity;
    }
    return show(state, changed);
  },
  buttons: ACTIONS,
  shortcuts: { n: ACTIONS["New start"].act, r: ACTIONS.Rewind.act, s: ACTIONS.Step.act, e: ACTIONS.End.act },
  on: {
    drag({ handle, x, y }) {
      const { data, start, iteration } = page.state();
      const now = path ? path.prototypes[Math.min(iteration, last())] : start;
      restart(now.map((v, k) => (k === handle ? subjectOf(data).fromMap(v, [x, y]) : [...v])));
    },
  },
  takes({ objects }) {
    if (!objects)
      throw new Error(
        "This is a matrix of dissimilarities; ECM needs attributes. The page of EVCLUS takes it.",
      );
  },
});
