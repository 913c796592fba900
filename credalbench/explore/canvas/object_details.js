// Details of the selected object: the reason for its assignment, masses, intervals, nearest objects.

const SMALLEST = 0.005; // smaller masses, printed as 0.00, are not listed
const MOST_SETS = 7;
const BOXED = `border:1px solid ${COLOUR.line};border-radius:4px;background:${COLOUR.paper};color:${COLOUR.ink};cursor:pointer`;
const UNTOUCHED = "Select an object: click it, or enter the picture with Tab and use the arrow keys.";

function made(tag, style, parent, text = "") {
  const element = document.createElement(tag);
  element.style.cssText = style;
  element.textContent = text;
  parent?.append(element);
  return element;
}

// The reason: a template from Python with its numbers.
function reasonOf({ templates, which, numbers }, i) {
  let k = 0;
  return templates[which[i]].replace(/%\.2f/g, () => numbers[i][k++].toFixed(2));
}

const asSentence = (reason) => `${reason[0].toUpperCase()}${reason.slice(1)}.`;

// Belief and plausibility of each cluster.
function intervals({ masses, membership }, i) {
  const sizes = membership.map((members) => members.reduce((sum, one) => sum + one, 0));
  return Array.from({ length: membership[0].length }, (_, k) => {
    const total = (counts) => masses[i].reduce((sum, mass, j) => sum + (counts(j) ? mass : 0), 0);
    const belief = total((j) => membership[j][k] && sizes[j] === 1);
    return [Math.min(belief, 1), Math.min(total((j) => membership[j][k]), 1)];
  });
}

// Focal sets of an object, those of largest mass first.
function heaviest({ masses }, i) {
  const order = [...masses[i].keys()].sort((a, b) => masses[i][b] - masses[i][a] || a - b);
  return order.filter((j) => masses[i][j] >= SMALLEST).slice(0, MOST_SETS);
}

function row(parent, label, value, from, to, colour) {
  const line = made("div", "display:grid;grid-template-columns:54px 1fr 94px;gap:6px;align-items:center", parent);
  made("span", "overflow:hidden;text-overflow:ellipsis;white-space:nowrap", line, label);
  const track = made("span", `position:relative;height:11px;background:${COLOUR.field};border-radius:2px`, line);
  const place = `left:${100 * from}%;width:max(2px, ${100 * (to - from)}%)`;
  made("span", `position:absolute;top:0;bottom:0;${place};background:${themed(colour)};border-radius:2px`, track);
  made("span", "font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap", line, value);
}

// The evidence of a scene: of one partition, or of two that are compared.
const evidencesOf = (scene) => [scene?.evidence, scene?.second].filter(Boolean);

const headed = (parent, words) => made("div", `margin-top:8px;font-size:12px;color:${COLOUR.soft}`, parent, words);

// The panel of details. `select` selects another object; `show` fills the panel.
function objectDetails(select) {
  const element = made("section", `font-size:14px;line-height:1.45;color:${COLOUR.ink};min-height:60px`, null);
  element.setAttribute("aria-label", "the selected object");
  element.className = "credalbench-details";

  function title(words) {
    const head = made("div", "display:flex;align-items:start;gap:6px", element);
    made("strong", "flex:1;font-size:16px;overflow-wrap:anywhere", head, words);
    const close = made("button", "border:none;background:none;color:inherit;font-size:16px;cursor:pointer;padding:0 6px", head, "×");
    close.setAttribute("aria-label", "deselect the object");
    close.addEventListener("click", () => select(null));
  }

  function neighbours(near, nameOf) {
    if (!near?.length) return;
    headed(element, "nearest objects");
    const line = made("div", "display:flex;flex-wrap:wrap;gap:4px;margin-top:2px", element);
    for (const k of near) {
      const look = `${BOXED};padding:3px 9px`;
      made("button", `${look};font:inherit;max-width:100%;overflow:hidden;text-overflow:ellipsis`, line, nameOf(k))
        .addEventListener("click", () => select(k));
    }
  }

  // Show reason, masses and intervals by one partition; return the reason.
  function showEvidence(i, evidence) {
    const head = `margin-top:8px;padding-top:4px;border-top:1px solid ${COLOUR.line};font-weight:600`;
    if (evidence.title) made("div", head, element, evidence.title);
    const sentence = asSentence(reasonOf(evidence, i));
    made("p", "margin:2px 0 0", element, sentence).className = "credalbench-reason";
    headed(element, "mass on");
    for (const j of heaviest(evidence, i)) {
      const mass = evidence.masses[i][j];
      row(element, evidence.sets[j], mass.toFixed(2), 0, mass, evidence.colours[j]);
    }
    const ranges = intervals(evidence, i);
    const repeated = evidence.title && ranges.every(([low, high]) => high - low < SMALLEST); // the same as the masses
    if (!repeated) headed(element, "belief to plausibility of cluster");
    (repeated ? [] : ranges).forEach(([low, high], k) => {
      const j = evidence.sets.indexOf(`{${k + 1}}`);
      row(element, String(k + 1), `${low.toFixed(2)} to ${high.toFixed(2)}`, low, high, evidence.colours[j] ?? LIGHT.muted);
    });
    return evidence.title ? `${evidence.title}: ${sentence}` : sentence;
  }

  function show(i, evidences, near, nameOf) {
    element.replaceChildren();
    if (i === null || !evidences.some(({ masses }) => masses[i])) {
      made("p", `margin:0;color:${COLOUR.soft}`, element, UNTOUCHED);
      return "";
    }
    title(nameOf(i));
    const reasons = evidences.map((evidence) => showEvidence(i, evidence));
    neighbours(near, nameOf);
    return `${nameOf(i)}: ${reasons.join(" ")}`;
  }

  return { element, show };
}
