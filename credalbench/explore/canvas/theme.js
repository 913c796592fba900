// Colours by name: as CSS, which follows the theme of the page by itself, and as values for a canvas.

const LIGHT = {
  ink: "#222222",
  paper: "#ffffff",
  soft: "#595959",
  muted: "#6b6b6b",
  line: "#8a8a8a",
  faint: "#dadada",
  field: "#f4f4f4",
  ring: "#0050b5",
  red: "#b3123f",
};
const NAMES = Object.fromEntries(Object.entries(LIGHT).map(([name, colour]) => [colour, name]));
const COLOUR = Object.fromEntries(Object.entries(LIGHT).map(([name, colour]) => [name, `var(--cb-${name}, ${colour})`]));
const dark = window.matchMedia("(prefers-color-scheme: dark)");

// A colour of a scene as CSS: ink, paper and greys follow the theme; colours of clusters are the same in both.
const themed = (colour) => COLOUR[NAMES[colour.toLowerCase()]] ?? colour;

// A function that turns colours of a scene into those of the theme at an element; without one, the theme is light.
function shadesAt(element) {
  const style = element && getComputedStyle(element);
  const known = new Map();
  return (colour) => {
    if (!known.has(colour)) {
      const name = NAMES[colour.toLowerCase()];
      known.set(colour, (name && style?.getPropertyValue(`--cb-${name}`).trim()) || colour);
    }
    return known.get(colour);
  };
}
