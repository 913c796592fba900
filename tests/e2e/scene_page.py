"""A page without a kernel that shows a scene, for the tests of what the browser does with it."""

from credalbench.explore.canvas import script
from credalbench.explore.canvas.evidence_canvas import SCRIPTS
from credalbench.explore.scene.scene import as_json

_PAGE = """<!doctype html><meta charset="utf-8"><title>scene</title>
<body style="margin:8px;font-family:sans-serif"><div id="here"></div>
<script type="module">
{script}
const {{ objects, ...scene }} = {scene};
const shown = {{ scene, objects, description: "Map.", selected: null }};
const source = held({{ ...shown, chosen: [], joined: true, shortcuts: "s" }});
const heard = [];
const on = source.on;
source.on = (event, f) => (event === "msg:custom" ? (window.tell = f) : on(event, f));
source.send = (message) => heard.push(message);
const mounted = mount(document.getElementById("here"), source);
Object.assign(window, {{ source, heard, asCsv, asSvg, mounted }});
</script></body>"""
#: The picture has been drawn at least so often.
DRAWN = "count => Number(document.querySelector('.credalbench-canvas')?.dataset.drawn ?? 0) >= count"

#: The strokes around the object that is selected, two on each map.
RINGS = "() => document.querySelectorAll('.credalbench-canvas .selected circle').length"
#: Where a place of a panel is in the window, in units of its axes, or an object by its row.
IN_WINDOW = """([name, x, y]) => {
  const { left, top } = document.querySelector('.credalbench-canvas canvas').getBoundingClientRect();
  const frame = mounted.shown().layout.frames.find((one) => one.panel.name === name);
  const at = y === undefined ? frame.placeOfObject.get(x) : [frame.x.to(x), frame.y.to(y)];
  return [left + at[0], top + at[1]];
}"""


def open_scene(page, scene):
    """Show a scene in the page; `window.source` holds its values, `window.heard` what was reported."""
    page.set_content(_PAGE.format(script=script(*SCRIPTS), scene=as_json(scene)))
    page.wait_for_function(DRAWN, arg=1)
