// The picture of a task (`view/task.py`): some panels of a scene, lower than an explorer's, so that it is on the
// screen together with the controls and the question.

const TASK = ".credalbench-task";
const SHOWS = "credalbench-shows-"; // start of the classes of a task that name its panels, the large one first
const ONE_PANEL = 560; // pixels of a picture with one panel
const LOW = 340; // pixels of a picture without a legend
const BROADEST = 1.6; // width by height of one panel
const LEAST = 240; // pixels of height
const SHARE = { wide: 0.58, narrow: 0.42 }; // of the height of the window

function panelsShown(task) {
  return [...task.classList].filter((one) => one.startsWith(SHOWS)).map((one) => one.slice(SHOWS.length));
}

// The scene with the panels of a task: the large one, and the others below each other beside it.
function sceneOfTask(scene, task, width, height) {
  const named = panelsShown(task).map((name) => scene.panels.find((panel) => panel.name === name));
  const [large, ...others] = named.filter(Boolean);
  if (!large) return scene;
  const beside = width < ONE_PANEL ? [] : others;
  const across = beside.length ? 0.62 : Math.min(1, (BROADEST * height) / width);
  const total = beside.reduce((sum, { place }) => sum + place[3], 0);
  let top = 0;
  const placed = beside.map((panel) => {
    const high = panel.place[3] / total;
    top += high;
    return { ...panel, place: [across + 0.01, top - high, 0.99 - across, high - 0.01] };
  });
  const legend = width < ONE_PANEL || height < LOW ? [] : scene.legend;
  return { ...scene, legend, panels: [{ ...large, place: [0, 0, across, 1] }, ...placed] };
}

// Its height for a width in pixels.
function heightInTask(width) {
  const share = SHARE[width < ONE_PANEL ? "narrow" : "wide"];
  return Math.max(LEAST, Math.min(ASPECT * width, share * window.innerHeight));
}
