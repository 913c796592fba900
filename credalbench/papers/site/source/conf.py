"""Sphinx configuration of the site."""

import html
import json
import re
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.application import Sphinx

import credalbench

project = "credalbench"
author = copyright = "the credalbench developers"
release = credalbench.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "credalbench.papers.site.mathml",
]
exclude_patterns = ["_templates"]
templates_path = ["_templates"]

# API: one page for each public name, with the sections of its docstring and no links to other projects.
autosummary_generate = True
smartquotes = False  # quotation marks in docstrings are code
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
add_module_names = False

# Notebooks are shown as they were executed, and widgets without scripts from the network.
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
myst_enable_extensions = ["attrs_block", "colon_fence", "dollarmath"]
myst_heading_anchors = 2  # links to sections work as on the code host
suppress_warnings = ["myst.header"]  # prose in notebooks may begin below the second level

# HTML loads nothing from the network.
html_theme = "pydata_sphinx_theme"
html_title = "credalbench"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["filters.js"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # would read other pages, which a browser refuses from a disk: excerpts.js
html_use_index = False
html_domain_indices = False
html_sidebars = {page: [] for page in ("index", "learn", "gallery", "[A-Z]*", "results/**", "notebooks/**")}
html_context = {"default_mode": "auto"}  # light or dark, like the reader's system
html_theme_options = {
    "logo": {"text": "credalbench"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
    "show_prev_next": False,
    "show_toc_level": 2,
}
POLICY = (
    "default-src 'none'",
    "script-src 'self' file: 'unsafe-inline'",
    "style-src 'self' file: 'unsafe-inline'",
    "img-src 'self' file: data:",
    "font-src 'self' file: data:",
    "connect-src 'self'",
    "frame-src 'self' file:",
    "form-action 'self' file:",
    "base-uri 'none'",
)

_environments: list[SandboxedEnvironment] = []


def _one_environment(loader: BaseLoader) -> SandboxedEnvironment:
    """Return the same environment each time, so numpydoc compiles its template only once."""
    if not _environments:
        _environments.append(SandboxedEnvironment(loader=loader))
    return _environments[0]


def _skip_foreign(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Skip members that a class inherits from other projects, whose docstrings link to their manuals."""
    module = getattr(member, "__module__", None) or getattr(getattr(member, "fget", None), "__module__", None)
    return True if module and not module.startswith("credalbench") else None


def _keep_text(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Keep the words of each page for the excerpts on the search page."""
    if page == "search":
        for name in ("texts.js", "excerpts.js"):
            app.add_js_file(name, loading_method="defer")
    elif doctree is not None:
        body = re.sub(r"</?(?:span|em|strong|code|a)\b[^>]*>", "", context.get("body", ""))
        body = re.sub(r"<(script|style|math)\b.*?</\1>|<[^>]*>", " ", body, flags=re.DOTALL)
        app.texts[page] = " ".join(html.unescape(body).replace("#", " ").split())


def _write_texts(app: Sphinx, error: Exception | None) -> None:
    if not error:
        texts = json.dumps(app.texts, ensure_ascii=False)
        Path(app.outdir, "_static", "texts.js").write_text(f"const pageTexts = {texts};\n", "utf-8")


def _allow_no_host(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Let the browser refuse files outside this folder; ``file:`` is for a site read from a disk."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(POLICY)}">'
    context["metatags"] = policy + context.get("metatags", "")


def setup(app: Sphinx) -> None:
    """Connect to the events of Sphinx, which calls this function."""
    docscrape_sphinx.SandboxedEnvironment = _one_environment
    app.connect("autodoc-skip-member", _skip_foreign)
    app.texts = {}
    app.connect("html-page-context", _allow_no_host)
    app.connect("html-page-context", _keep_text)
    app.connect("build-finished", _write_texts)
