"""The command `credalbench explore` and its server, without a browser."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from credalbench.cli import main
from credalbench.explore import list_explorers
from tests.learn.server.served import explore


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Do not follow redirects."""

    def redirect_request(self, *_):
        return None


def answer(address, path="", method="GET"):
    """Return status and text of an answer of the server, by default of the page at `address`."""
    parts = urlsplit(address)
    url = f"{parts.scheme}://{parts.netloc}{path or parts.path}?{parts.query}"
    try:
        with urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({})).open(
            urllib.request.Request(url, method=method)
        ) as found:
            return found.status, found.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Location") or error.read().decode()


@contextmanager
def busy_port():
    """Yield a port that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_the_help_lists_every_explorer():
    words = CliRunner().invoke(main, ["explore", "--help"]).output
    for name, about in list_explorers().items():
        assert f"{name} " in words and about in words


@pytest.fixture
def configs(monkeypatch):
    found = []
    monkeypatch.setattr(
        "credalbench.learn.server.serving.serve", lambda config, echo: found.append(config) or 0
    )
    return found


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ([], "/start"),
        (["evclus"], "/voila/render/originals/explore/evclus.ipynb"),
        (["evclus", "--lab"], "/start/lab/explore/evclus.ipynb"),
        (["--lab"], "/lab"),
        (["ecm", "--class"], "/voila/render/originals/explore/ecm.ipynb"),
    ],
)
def test_the_first_page(configs, words, start):
    assert CliRunner().invoke(main, ["explore", *words]).exit_code == 0
    assert configs[0].start == start and configs[0].ip == "127.0.0.1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evklus"], "no explorer or lesson 'evklus'; did you mean 'evclus'?"),
        (["--lab", "--class"], "expected --lab or --class; got both"),
        (["--ip", "0.0.0.0"], "expected --ip and --most together with --class"),
        (["--most", "5"], "expected --ip and --most together with --class"),
    ],
)
def test_options_that_exclude_each_other_are_rejected(configs, words, message):
    refused = CliRunner().invoke(main, ["explore", *words])
    assert refused.exit_code == 2 and message in " ".join(refused.output.split())
    assert configs == []


@pytest.mark.parametrize(
    ("package", "module", "extra"),
    [("learn.server", "voila", "explore"), ("papers.site", "sphinx_design", "site")],
)
def test_a_missing_package_is_named_with_its_extra(package, module, extra):
    code = f"import sys; sys.modules[{module!r}] = None; import credalbench.{package}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and f"needs {module}: pip install '.[{extra}]'" in run.stderr


@pytest.mark.slow
def test_the_server_shows_the_start_page_and_copies_notebooks_for_jupyterlab(tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with busy_port() as port, explore(tmp_path, f"--port={port}") as (process, address):
        status, page = answer(address)
        assert status == 200 and urlsplit(address).port != port
        assert all(
            f'href="/voila/render/originals/explore/{name}.ipynb"' in page for name in list_explorers()
        )
        words = re.findall(r'class="term" href="(/start/glossary)#([^"]+)" title="([^"]+)"', page)
        assert len(words) > 5 and len({place for _, place, _ in words}) == len(words)
        assert "Begin here" in page and answer(address, "/start/live/none")[0] == 404
        status, board = answer(address, "/start/live/board")
        assert status == 200 and 'href="/start/live/board"' in page and "<script" in board
        assert {*json.loads(answer(address, "/start/state")[1])} == {"done", "of"}
        status, glossary = answer(address, "/start/glossary")
        assert status == 200
        for _, anchor, explanation in words:
            assert f'<dt id="{anchor}">' in glossary and f"<dd>{explanation}</dd>" in glossary
        assert answer(address.partition("?")[0])[0] == 302  # without a token: to the page that asks for it
        assert answer(address, "/start/lab/explore/ecm.ipynb") == (302, "/doc/tree/explore/ecm.ipynb")
        copy = tmp_path / "credalbench_explorations" / "explore" / "ecm.ipynb"
        assert json.loads(copy.read_text())["cells"]
        assert answer(address, "/start/lab/explore/none.ipynb")[0] == 404
        process.terminate()
        assert process.wait(120) == 128 + signal.SIGTERM
        with pytest.raises(OSError):
            answer(address)


@pytest.mark.slow
def test_a_class_can_only_open_pages(tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with explore(tmp_path, "--class") as (_, address):
        status, page = answer(address)
        assert status == 200 and "in JupyterLab" not in page and "originals/explore/ecm.ipynb" in page
        for path in ("/api/kernels", "/api/sessions", "/api/contents", "/files/originals/explore/ecm.ipynb"):
            assert answer(address, path)[0] == 403, path
        for path in ("/api/shutdown", "/api/kernels"):
            assert answer(address, path, "POST")[0] == 403, path
        assert answer(address, "/start/glossary")[0] == 200
        assert answer(address, "/lab")[0] == answer(address, "/api/terminals")[0] == 404
    assert not (tmp_path / "credalbench_explorations" / "originals").exists()
