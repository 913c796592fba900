// The page of a handout: sliders over frames, and questions with feedback on each answer.

const RIGHT = "#009E73";
const NOT_YET = "#D55E00";
const HINT = "#0072B2";
// A number with a comma or a space between its thousands; any other comma is a decimal mark.
const THOUSANDS = /^-?[1-9]\d{0,2}([ ,]\d{3})+$/;
const dataOf = (id) => JSON.parse(document.getElementById(id).textContent);
const { sliders, questions } = dataOf("data");
const arrays = await Promise.all(dataOf("arrays").map(inflated));
const at = sliders.map((one) => one.start); // the frame that each slider shows

// Decompress an array in base 64.
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Replace references to arrays by their bytes.
function complete(value) {
  if (Array.isArray(value)) return value.map(complete);
  if (value === null || typeof value !== "object") return value;
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, complete(part)]));
  return "type" in value && Number.isInteger(value.data) ? { ...parts, data: arrays[value.data] } : parts;
}

// Mount a canvas; return the function that shows a frame.
function onCanvas(el, frame) {
  const source = held({ ...complete(frame), selected: null, shortcuts: "" });
  mount(el, source);
  let objects = JSON.stringify(frame.objects);
  return (next) => {
    const other = JSON.stringify(next.objects) !== objects;
    if (other) source.set("selected", null);
    objects = JSON.stringify(next.objects);
    const shown = complete(next);
    for (const name of ["objects", "description", "stem", "joined", "chosen", "scene"]) source.set(name, shown[name]);
  };
}

function move(el, k) {
  const { frames, words } = sliders[k];
  const [slider, value] = [el.querySelector("input"), el.querySelector("output")];
  const [tiles, message, picture] = ["tiles", "message", "picture"].map((name) => el.querySelector(`.${name}`));
  const view = el.querySelector("select");
  const seen = (frame) => (view ? { ...frame, scene: frame.scenes[view.selectedIndex] } : frame);
  const draw = "scene" in frames[0] ? onCanvas(picture, frames[at[k]]) : (frame) => (picture.innerHTML = frame.html);
  function show() {
    at[k] = Number(slider.value);
    const frame = frames[at[k]];
    value.textContent = words[at[k]];
    slider.setAttribute("aria-valuetext", words[at[k]]);
    tiles.innerHTML = frame.tiles ?? "";
    message.innerHTML = frame.message ?? "";
    draw(seen(frame));
  }
  slider.addEventListener("input", show);
  view?.addEventListener("change", show);
  show();
}

// `answer` is "right", "wrong" or "shown" after an answer.
function showText(el, words, colour, answer = "") {
  if (answer) el.dataset.answer = answer;
  else delete el.dataset.answer;
  el.textContent = words;
  el.style.borderLeft = words ? `3px solid ${colour}` : "none";
}

// Functions that return the feedback on an answer, by kind of exercise; undefined without an answer.
const FEEDBACK = {
  options(question, el) {
    const letters = [...el.querySelectorAll("input:checked")].map((input) => input.value).join("");
    return question.feedback[letters];
  },
  number(question, el) {
    const typed = el.querySelector("input").value.trim();
    if (typed === "") return undefined;
    const text = typed.replace(/\s*%$/, "");
    const plain = THOUSANDS.test(text) ? text.replace(/[ ,]/g, "") : text.replace(",", ".");
    const [above, below = 1] = plain.split("/").map(Number);
    const number = above / below / (typed.endsWith("%") ? 100 : 1);
    if (!Number.isFinite(number)) return [false, `Not yet. Expected a number, got ${typed}.`];
    const known = question.known.find(([value]) => Math.abs(value - number) <= question.tolerance + 1e-12);
    return known ? known[1] : question.otherwise;
  },
  frames: (question) => sliders[question.frames].verdicts[question.name][at[question.frames]],
};

function activate(el, question) {
  const feedback = el.querySelector(".feedback");
  let given = 0;
  el.querySelector(".check")?.addEventListener("click", () => {
    const given = FEEDBACK[question.kind](question, el);
    if (!given) return showText(feedback, "Answer the question first.", NOT_YET);
    showText(feedback, given[1], given[0] ? RIGHT : NOT_YET, given[0] ? "right" : "wrong");
  });
  el.querySelector(".show")?.addEventListener("click", () => showText(feedback, question.solution, HINT, "shown"));
  el.querySelector(".hint")?.addEventListener("click", () => {
    given = Math.min(given + 1, question.hints.length);
    showText(feedback, `Hint ${given} of ${question.hints.length}: ${question.hints[given - 1]}`, HINT);
  });
  el.querySelector("input[type=text]")?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") el.querySelector(".check").click();
  });
}

document.querySelectorAll(".moving").forEach(move);
document.querySelectorAll(".question").forEach((el, k) => activate(el, questions[k]));
