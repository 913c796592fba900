"""An HTML table of prototypes, with a column per cluster and the attributes that differ most first."""

from html import escape

import pandas as pd

from credalbench.plots.style import colour

#: Signs that look like the markers of the clusters on the map, in their order.
SIGNS = "●■▲◆▼✚✖⬟"
_TABLE = "border-collapse:collapse;font-size:12px;line-height:17px;font-variant-numeric:tabular-nums"
_FRAME = "max-height:min(190px,20vh);overflow:auto;margin:2px 8px;white-space:normal"
_HEAD = "position:sticky;top:0;background:var(--jp-layout-color0,white);text-align:left;padding:0 14px 2px 0"
_REST = "font-size:12px;opacity:.75"
_CELL = "text-align:left;padding:0 14px 0 0;font-weight:normal"


def prototypes_html(prototypes: pd.DataFrame) -> str:
    """Return an HTML table of prototypes (c, p); attributes that agree in all clusters share one line.

    Tuples of values, which share the weight, are joined by "or".
    """
    words = {str(name): [_words(value) for value in prototypes[name]] for name in prototypes}
    kinds = {name: len(set(values)) for name, values in words.items()}
    differing = sorted((name for name in words if kinds[name] > 1), key=lambda name: -kinds[name])
    same = [f"{escape(name)} = {escape(words[name][0])}" for name in words if kinds[name] == 1]
    head = "".join(
        f'<th scope="col" style="{_HEAD}"><span style="color:{colour(k)}">{SIGNS[k % len(SIGNS)]}</span> '
        f"{{{k + 1}}}</th>"
        for k in range(len(prototypes))
    )
    rows = "".join(_row(name, words[name]) for name in differing)
    rest = f'<div style="{_REST}">The same in all: {", ".join(same)}.</div>' if same else ""
    return (
        f'<div tabindex="0" role="region" aria-label="Prototypes" style="{_FRAME}"><table style="{_TABLE}">'
        f'<thead><tr><th scope="col" style="{_HEAD}">prototypes</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{rest}</div>"
    )


def _row(name: str, values: list[str]) -> str:
    cells = "".join(f'<td style="{_CELL}">{escape(value)}</td>' for value in values)
    head = f'<th scope="row" style="{_CELL}">{escape(name)}</th>'
    return f'<tr style="background:transparent">{head}{cells}</tr>'


def _words(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, tuple) else str(value)
