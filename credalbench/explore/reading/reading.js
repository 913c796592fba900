// The page of a lesson: exercises are cards beside the picture that they are about; an explanation opens after an
// answer; the browser stores which exercises were answered correctly. Nothing is sent.

const KEPT = "credalbench lesson "; // start of the key, which the start page reads as well
const lessonName = document.body.dataset.lesson;
const ofExercise = (card) => [...card.classList].find((one) => one.startsWith("exercise-")).slice("exercise-".length);

function keptAnswers() {
  try {
    return JSON.parse(localStorage.getItem(KEPT + lessonName))?.answered ?? [];
  } catch {
    return []; // storage is refused or damaged
  }
}

function keepAnswers(answered, of) {
  try {
    localStorage.setItem(KEPT + lessonName, JSON.stringify({ answered, of }));
  } catch {
    // The browser keeps nothing: progress lasts as long as the page.
  }
}

// In a notebook, question and form are two cells: put them into one card.
function makeCards() {
  for (const form of document.querySelectorAll("[id^='cell-id=exercise-']")) {
    const cell = form.closest("[cell-index]");
    const card = document.createElement("section");
    card.className = `question ${form.id.slice("cell-id=".length)}`;
    cell.before(card);
    card.append(card.previousElementSibling, cell);
  }
  for (const [k, card] of document.querySelectorAll(".question").entries()) card.setAttribute("aria-label", `Exercise ${k + 1}`);
  for (const one of document.querySelectorAll(".celltag_experiment")) one.closest("[cell-index]").classList.add("experiment");
}

// Put each experiment beside its task: what leads to it in its section, and the questions after it.
function dock() {
  const heading = (one) => one.matches("h2") || one.querySelector("h2");
  const WIDE = "h1, table, img, pre, .wide, .jp-CodeCell";
  const barred = (one) =>
    !one.matches(".question") && (one.matches(`.experiment, .docked, section[id], ${WIDE}`) || one.querySelector(WIDE));
  const asks = (one) => one.matches(".question, details") || one.querySelector("details");
  for (const experiment of document.querySelectorAll(".experiment")) {
    const [before, after] = [[], []];
    for (let one = experiment.previousElementSibling; one && !barred(one); one = one.previousElementSibling) {
      before.unshift(one);
      if (heading(one)) break;
    }
    let next = experiment.nextElementSibling;
    for (; next && !heading(next) && !barred(next); next = next.nextElementSibling) after.push(next);
    while (next?.matches(".experiment") && after.length && !asks(after.at(-1))) after.pop(); // leads to the next one
    if (![...before, ...after].some((one) => one.matches(".question"))) continue;
    const [docked, lead, tasks] = ["docked", "task", "task"].map((name) => {
      const box = document.createElement("div");
      box.className = name;
      return box;
    });
    experiment.before(docked);
    lead.append(...before);
    tasks.append(...after);
    docked.append(lead, experiment, tasks);
  }
}

function keepProgress() {
  const cards = [...document.querySelectorAll(".question:not(.unchecked)")];
  const line = document.getElementById("progress");
  const answered = new Set(keptAnswers());

  function show() {
    for (const card of cards) card.classList.toggle("answered", answered.has(ofExercise(card)));
    const count = cards.filter((card) => card.classList.contains("answered")).length;
    line.textContent = `${count} of ${cards.length} exercises answered correctly`;
  }

  function explain(card) {
    const next = card.nextElementSibling;
    const details = next?.matches("details") ? next : next?.querySelector("details.explanation");
    if (details?.matches(".explanation")) details.open = true;
  }

  function look(card) {
    const given = card.querySelector("[data-answer]")?.dataset.answer;
    if (!given) return;
    explain(card);
    if (given !== "right" || answered.has(ofExercise(card))) return;
    answered.add(ofExercise(card));
    keepAnswers([...answered], cards.length);
    show();
  }

  for (const card of cards) {
    const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-answer"] };
    new MutationObserver(() => look(card)).observe(card, changes);
    if (answered.has(ofExercise(card))) explain(card);
  }
  show();
}

// Widgets come after the text, one by one.
function nameControls() {
  let due = 0;
  const soon = () => (due ||= requestAnimationFrame(() => {
    due = 0;
    namePlayers(); // of the scripts of the canvas
  }));
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
}

function beginReading() {
  nameControls();
  makeCards();
  keepProgress();
  dock();
}

if (lessonName) beginReading(); // a module runs after the whole page is loaded
