"""The templates of the pages that the server writes itself."""

from jinja2 import Environment, PackageLoader, Template


def template(name: str) -> Template:
    """Return the template of a page, which escapes what it is given."""
    pages = Environment(autoescape=True, loader=PackageLoader(__package__, "pages"))
    return pages.get_template(f"{name}.html.j2")
