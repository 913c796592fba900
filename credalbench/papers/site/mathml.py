"""Sphinx extension: formulas as MathML, which browsers draw without scripts."""

import html

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

_logger = logging.getLogger(__name__)
_converter = LatexToMathML(fancy_error=False)


def visit_math(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(_mathml(node, display=False))
    raise nodes.SkipNode


def visit_displaymath(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(f"{number}{_mathml(node, display=True)}</div>\n")
    raise nodes.SkipNode


def _mathml(node: nodes.Element, display: bool) -> str:
    latex = node.astext()
    if display and r"\\" in latex and r"\begin" not in latex:  # several lines, aligned at &
        latex = rf"\begin{{aligned}}{latex}\end{{aligned}}"
    try:
        return _converter.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        _logger.warning("expected LaTeX, got %s: %s", latex, error, location=node)
        return f"<code>{html.escape(latex)}</code>"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
