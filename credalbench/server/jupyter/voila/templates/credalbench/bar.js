// The bar above a page: its title, its code, its way to JupyterLab; and the life of its kernel, which ends with it.
const LOOK_EVERY_MS = 20000;
const [base, path] = location.pathname.split("/voila/render/originals/");
const bar = document.getElementById("bar");
document.body.classList.add(path.split("/")[0]); // explore, learn or reproduce
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
  const config = document.getElementById("jupyter-config-data"); // not there while the kernel is started
  return config && JSON.parse(config.textContent).kernelId;
};

const ended = document.getElementById("ended");
async function look() {
  if (!kernel()) return;
  const found = await fetch(`${base}/api/kernels/${kernel()}`).catch(() => null);
  ended.hidden = Boolean(found?.ok);
  const why = found ? "This page is no longer running." : "The server does not answer.";
  ended.innerHTML = `${why} <a href="">Open it again</a>`;
}
setInterval(look, LOOK_EVERY_MS);
document.addEventListener("visibilitychange", look);

window.addEventListener("pagehide", () => kernel() && navigator.sendBeacon(`${base}/start/leave/${kernel()}`));
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
