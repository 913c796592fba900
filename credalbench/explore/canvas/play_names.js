// Names for tooltips and screen readers that ipywidgets does not set or sets badly: buttons of players, handles of
// sliders, fields without a label of their own, buttons that open files, which it names "Open (0)".

const PLAYER = { "fa-play": "Play or pause", "fa-pause": "Play or pause", "fa-stop": "Stop: back to the start" };

function namePlayers() {
  for (const [icon, name] of Object.entries(PLAYER))
    for (const sign of document.querySelectorAll(`.widget-play button:not([title]) .${icon}`)) {
      const button = sign.closest("button");
      button.title = name;
      button.setAttribute("aria-label", name);
    }
  for (const handle of document.querySelectorAll(".jupyter-widgets .noUi-handle:not([aria-label])")) {
    const slider = handle.closest(".jupyter-widgets");
    const label = slider.querySelector(".widget-label")?.textContent.trim();
    handle.setAttribute("aria-label", label || "slider");
    // The tooltip of a focused slider would cover the picture that the keys change.
    handle.addEventListener("keydown", ({ key }) => slider.classList.toggle("credalbench-moved", key !== "Tab"));
    handle.addEventListener("blur", () => slider.classList.remove("credalbench-moved"));
  }
  for (const label of document.querySelectorAll(".jupyter-widgets > .widget-label[title]"))
    if (label.style.display === "none")
      label.parentElement.querySelector("input, select")?.setAttribute("aria-label", label.title.split("\n")[0]);
  for (const button of document.querySelectorAll(".widget-upload"))
    for (const part of button.childNodes)
      if (part.nodeType === Node.TEXT_NODE) part.data = part.data.replace(/ \(\d+\)$/, "");
}
