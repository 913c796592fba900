"""Run the JavaScript library of live pages: by node if there is one, otherwise in Chromium."""

import json
import shutil
import subprocess

import pytest

from credalbench.explore.live.scripts import joined

MODULES = (
    "numerics",
    "simplex",
    "dissimilarities",
    "prototypes",
    "ecm",
    "cecm",
    "evclus",
    "belief",
    "sentences",
    "tables",
)
#: All functions of the library.
LIBRARY = f"{joined(*MODULES)}\nObject.assign(globalThis, {', '.join(f'{name}_module' for name in MODULES)});"
#: Arrays of numbers of any type become lists.
PLAIN = "(_, value) => (ArrayBuffer.isView(value) ? [...value] : value)"


@pytest.fixture(scope="session")
def javascript(request, tmp_path_factory):
    """A function that returns the value of a JavaScript function of one argument."""
    node, folder = shutil.which("node"), tmp_path_factory.mktemp("javascript")

    def by_node(function, argument=None):
        script, values = folder / "script.mjs", folder / "argument.json"
        values.write_text(json.dumps(argument))
        script.write_text(
            f"{LIBRARY}\nimport {{ readFileSync }} from 'node:fs';\n"
            f"const given = JSON.parse(readFileSync({json.dumps(str(values))}, 'utf8'));\n"
            f"process.stdout.write(JSON.stringify(({function})(given) ?? null, {PLAIN}));\n"
        )
        run = subprocess.run([node, str(script)], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    def by_browser(function, argument=None):
        page = request.getfixturevalue("browser").new_page()
        page.set_content(f"<script>{LIBRARY}\nwindow.run = ({function});</script>")
        text = page.evaluate(f"given => JSON.stringify(run(given) ?? null, {PLAIN})", argument)
        page.close()
        return json.loads(text)

    return by_node if node else by_browser
