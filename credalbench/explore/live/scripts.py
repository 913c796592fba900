"""The scripts of live pages: modules of this folder, joined into one script without imports."""

import re
from pathlib import Path

HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([a-z_]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)


def joined(*names: str) -> str:
    """Return modules of this folder and all that they import as one script, each after what it imports.

    A module becomes a constant of its name, an object of its exports. `names` are without ".js".
    """
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        text = (HERE / f"{name}.js").read_text("utf-8")
        for _, imported in _IMPORT.findall(text):
            if imported not in parts:
                add(imported)
        exported = ", ".join(found for _, found in _EXPORT.findall(text))
        body = _EXPORT.sub(r"\1", _IMPORT.sub(r"const \1 = \2_module;", text))
        parts[name] = f"const {name}_module = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"

    for name in names:
        add(name)
    return "\n".join(parts.values())
