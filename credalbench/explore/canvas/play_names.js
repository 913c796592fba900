// Names of the buttons of players for tooltips and screen readers, which ipywidgets does not set.

const PLAYER = { "fa-play": "Play or pause", "fa-pause": "Play or pause", "fa-stop": "Stop: back to the start" };

function namePlayers() {
  for (const [icon, name] of Object.entries(PLAYER))
    for (const sign of document.querySelectorAll(`.widget-play button:not([title]) .${icon}`)) {
      const button = sign.closest("button");
      button.title = name;
      button.setAttribute("aria-label", name);
    }
}
