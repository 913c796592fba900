// Names for tooltips and screen readers that ipywidgets does not set: buttons of players, handles of sliders.

const PLAYER = { "fa-play": "Play or pause", "fa-pause": "Play or pause", "fa-stop": "Stop: back to the start" };

function namePlayers() {
  for (const [icon, name] of Object.entries(PLAYER))
    for (const sign of document.querySelectorAll(`.widget-play button:not([title]) .${icon}`)) {
      const button = sign.closest("button");
      button.title = name;
      button.setAttribute("aria-label", name);
    }
  for (const handle of document.querySelectorAll(".jupyter-widgets .noUi-handle:not([aria-label])")) {
    const label = handle.closest(".jupyter-widgets")?.querySelector(".widget-label")?.textContent.trim();
    handle.setAttribute("aria-label", label || "slider");
  }
}
