"""What one HTML page has, loads and links to, read without a browser."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser asks for or sends to by itself, or at a button; and href, where it is not a link to click on.
LOADED = {"src", "poster", "data", "background", "manifest", "ping", "action", "formaction"}
CANDIDATES = {"srcset", "imagesrcset"}
CSS_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
NAME_OF_SVG = "http://www.w3.org/2000/svg"  # a name by which browsers know SVG: nothing is asked there
REFRESH = re.compile(r"[\s\d.;,]*(?:url\s*=\s*)?", re.IGNORECASE)


def css_addresses(text: str) -> list[str]:
    """What a style sheet makes a browser load."""
    return [url or imported for url, imported in CSS_ADDRESS.findall(text)]


def is_elsewhere(address: str) -> bool:
    """Does the address lie outside the folder of the site?"""
    parts = urlsplit(address.strip())
    return bool(parts.netloc) or parts.scheme not in ("", "data")


class Page(HTMLParser):
    """The ids, links and loaded addresses of a page, and the text of its content policy."""

    def __init__(self, path: Path):
        super().__init__()
        self.path = path
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.policy = ""
        self._inside = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        self._inside = tag
        values = {name: value or "" for name, value in attrs}
        order = values.get("http-equiv", "").lower()
        if order == "content-security-policy":
            self.policy = values["content"]
        elif order == "refresh":  # after so many seconds, another page
            self.loaded.append(REFRESH.sub("", values.get("content", ""), count=1).strip("'\""))
        for name, value in values.items():
            if name == "id":
                self.ids.append(value)
            elif name == "style":
                self.loaded += css_addresses(value)
            elif name in CANDIDATES:
                self.loaded += [part.split()[0] for part in value.split(",") if part.split()]
            elif name.endswith("href") and tag in ("a", "area"):
                self.links.append(value)
            elif name in LOADED or name.endswith("href"):
                self.loaded.append(value)

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside == "style":
            self.loaded += css_addresses(data)
        if self._inside == "script":  # a script in the page has no reason to name any host
            named = re.findall(r"https?://[^\s\"'`]+", data)
            self.loaded += [address for address in named if address != NAME_OF_SVG]

    def place(self, address: str) -> tuple[Path, str]:
        """File and anchor that an address of this page points to."""
        parts = urlsplit(address)
        file = (self.path.parent / unquote(parts.path)).resolve() if parts.path else self.path
        return file, unquote(parts.fragment)
