// The bar above a page with its title and buttons for code and JupyterLab. It ends the kernel when the page closes.
const CHECK_INTERVAL_MS = 20000;
const CHECK_OPENING_MS = 2000;
const [base, path] = location.pathname.split("/voila/render/originals/");
const bar = document.getElementById("bar");
document.body.classList.add(path.split("/")[0]); // explore, learn or reproduce
if (path.startsWith("learn/")) {
  document.body.classList.add("reading");
  document.body.dataset.lesson = path.slice("learn/".length).replace(".ipynb", "");
}
document.title = bar.querySelector("h1").textContent;

const lab = document.getElementById("lab");
if (lab) lab.href = `${base}/start/lab/${path}`;

const code = document.getElementById("code");
code.onclick = () => {
  const shown = document.body.classList.toggle("with-code");
  code.setAttribute("aria-pressed", shown);
  code.textContent = shown ? "Hide code" : "Show code";
};

const kernel = () => {
  const config = document.getElementById("jupyter-config-data"); // missing while the kernel starts
  return config && JSON.parse(config.textContent).kernelId;
};

// At the first start on a machine, loops are compiled: say so while the page opens.
const loading = document.getElementById("loading_text");
async function sayWhatHappens() {
  if (document.getElementById("rendered_cells")?.style.display === "") return; // the page is open
  const { done, of } = await fetch(`${base}/start/state`).then((answer) => answer.json(), () => ({}));
  if (done < of)
    loading.textContent = `Opening ... Fast loops are being prepared for this machine, once: ${done} of ${of} are ready.`;
  setTimeout(sayWhatHappens, CHECK_OPENING_MS);
}
setTimeout(sayWhatHappens, CHECK_OPENING_MS);

const ended = document.getElementById("ended");
ended.querySelector("button").onclick = () => location.reload(); // a link would drop the settings in the address
async function check() {
  if (!kernel()) return;
  const found = await fetch(`${base}/api/kernels/${kernel()}`).catch(() => null);
  ended.hidden = Boolean(found?.ok);
  ended.firstChild.data = found ? "This page is no longer running. " : "The server does not answer. ";
}
setInterval(check, CHECK_INTERVAL_MS);
document.addEventListener("visibilitychange", check);

window.addEventListener("pagehide", () => kernel() && navigator.sendBeacon(`${base}/start/leave/${kernel()}`));
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
