"""Files are found, downloaded, and refused if they are not the published ones. No test uses the network."""

import hashlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from credalbench.datasets import CorruptFile, DataUnavailable, catalogue, download, fetch, load, verify

GOOD = b"1,2,a\r\n3,4,b\r\n"
ENTRY = {
    "file": "toy.csv",
    "sha256": hashlib.sha256(GOOD).hexdigest(),
    "url": "https://nowhere.invalid/toy.csv",
    "title": "Toy.",
    "role": "paper",
    "used_by": {},
    "licence": "-",
    "citation": "-",
    "source": "-",
    "n": 2,
    "p": 2,
    "n_clusters": 2,
    "classes": {"a": "a", "b": "b"},
    "format": {
        "reader": "table",
        "delimiter": ",",
        "header_lines": 0,
        "feature_columns": [0, 1],
        "label_column": 2,
    },
}


class Network:
    """Stands in for the downloader of pooch: serves given contents and records the addresses."""

    def __init__(self, served):
        self.served, self.urls = served, []

    def __call__(self, url, output_file, pooch):
        self.urls.append(url)
        content = self.served(url) if callable(self.served) else self.served
        if isinstance(content, Exception):
            raise content
        with open(output_file, "wb") as file:
            file.write(content)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, a registry of one toy entry, no data folder, and no silent host."""
    folder = tmp_path / "cache"
    monkeypatch.delenv(download.FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr(download, "cache_folder", lambda: folder)
    monkeypatch.setattr(download, "_retry_at", {})
    for module in (download, catalogue):
        monkeypatch.setattr(module, "registry", lambda: {"toy": dict(ENTRY)})
    return folder


@pytest.fixture
def serve(monkeypatch):
    """A function that replaces the network by given contents."""

    def replace(served):
        network = Network(served)
        monkeypatch.setattr(download, "http_downloader", lambda meter: network)
        return network

    return replace


@pytest.fixture
def silence(monkeypatch):
    """A call that does not return before the test ends; the timeout of a server is 0.2 s."""
    monkeypatch.setattr(download, "TIMEOUT_S", 0.2)
    end = threading.Event()
    yield lambda: end.wait(30)
    end.set()


@pytest.fixture
def offline(serve):
    return serve(ConnectionError("network is unreachable"))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def test_download_is_verified_cached_and_read(cache, serve):
    network = serve(GOOD)
    data = load("toy")
    assert data.X.tolist() == [[1, 2], [3, 4]] and data.y.tolist() == [0, 1]
    load("toy")
    assert len(network.urls) == 1
    assert contents(cache) == {"toy.csv": GOOD}


def test_offline_error_names_both_ways_out(cache, offline):
    with pytest.raises(DataUnavailable) as caught:
        load("toy")
    message = str(caught.value)
    assert "CREDALBENCH_DATA" in message and "folder that holds toy.csv" in message
    assert "credalbench data fetch toy" in message
    assert "network is unreachable" in message and ENTRY["sha256"] in message
    assert len(offline.urls) == 1  # no long series of attempts
    assert contents(cache) == {}


def test_a_machine_without_network_gets_its_error_within_ten_seconds():
    assert download.TIMEOUT_S < 10


def test_all_addresses_share_one_timeout(cache, serve, silence):
    network = serve(lambda url: silence() and GOOD)
    with pytest.raises(DataUnavailable):
        download.get_file("toy", ENTRY | {"mirrors": ["https://mirror.invalid/toy.csv"]})
    assert network.urls == [ENTRY["url"]]  # the first address used up the time


def test_a_silent_host_is_left_alone_for_a_minute_and_others_are_not(cache, serve, silence, monkeypatch):
    over = False
    network = serve(lambda url: GOOD if "mirror" in url or over else silence() and GOOD)
    with pytest.raises(DataUnavailable, match="no data for"):
        load("toy")
    with pytest.raises(DataUnavailable, match="did not answer; the next attempt is possible in"):
        load("toy")
    assert network.urls == [ENTRY["url"]]
    monkeypatch.setattr(download, "TIMEOUT_S", 60.0)  # enough for a host that answers
    mirror = "https://mirror.invalid/toy.csv"
    assert download.get_file("toy", ENTRY | {"mirrors": [mirror]}).read_bytes() == GOOD
    over = True
    monkeypatch.setitem(download._retry_at, "nowhere.invalid", time.monotonic())  # the minute is over
    fetch("toy", refresh=True)
    assert network.urls == [ENTRY["url"], mirror, ENTRY["url"]]


@pytest.fixture
def loopback(monkeypatch):
    """A web server on this machine that serves GOOD; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/toy.csv" else 404)
            self.send_header("Content-Length", str(len(GOOD)))
            self.end_headers()
            self.wfile.write(GOOD)

        def log_message(self, *args):
            pass

    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_pooch_downloads_over_http_and_reports_its_bytes(cache, loopback, monkeypatch):
    meters = []

    class Meter(download.ProgressMeter):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            meters.append(self)

    monkeypatch.setattr(download, "ProgressMeter", Meter)
    entry = ENTRY | {"url": f"{loopback}/gone", "mirrors": [f"{loopback}/toy.csv"]}
    assert download.get_file("toy", entry) == cache / "toy.csv"
    assert contents(cache) == {"toy.csv": GOOD}
    assert [meter.last_byte is not None for meter in meters] == [False, True]
    assert meters[1].total == len(GOOD)


def test_mirror_helps_when_the_first_address_fails(cache, serve, monkeypatch):
    entry = ENTRY | {"mirrors": ["https://mirror.invalid/toy.csv"]}
    network = serve(lambda url: GOOD if "mirror" in url else OSError("404"))
    path = download.get_file("toy", entry)
    assert path.read_bytes() == GOOD and len(network.urls) == 2


def test_corrupt_download_is_refused(cache, serve):
    serve(b"not the file")
    with pytest.raises(DataUnavailable, match="hash"):
        load("toy")
    assert contents(cache) == {}


@pytest.mark.parametrize("bad", [b"not the file", ConnectionError("broken off")])
def test_good_copy_survives_a_bad_refresh(cache, serve, bad):
    serve(GOOD)
    fetch("toy")
    serve(bad)
    with pytest.raises(DataUnavailable, match="keeps its copy"):
        fetch("toy", refresh=True)
    assert contents(cache) == {"toy.csv": GOOD}
    assert load("toy").n_objects == 2


def test_corrupt_cache_is_repaired_by_a_download(cache, serve):
    cache.mkdir()
    (cache / "toy.csv").write_bytes(b"damaged")
    assert verify("toy")["status"].item() == "corrupt"
    serve(GOOD)
    assert load("toy").n_objects == 2
    assert contents(cache) == {"toy.csv": GOOD}


def test_corrupt_cache_is_never_read_offline(cache, offline):
    cache.mkdir()
    (cache / "toy.csv").write_bytes(b"damaged")
    with pytest.raises(DataUnavailable, match="holds a corrupt copy"):
        load("toy")


def test_local_folder_comes_first(cache, offline, tmp_path, monkeypatch):
    monkeypatch.setenv(download.FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "toy.csv").write_bytes(GOOD)
    assert load("toy").n_objects == 2
    assert fetch("toy") == [tmp_path / "toy.csv"]
    assert offline.urls == [] and contents(cache) == {}


def test_corrupt_local_file_names_file_expected_and_got(cache, offline, tmp_path, monkeypatch):
    monkeypatch.setenv(download.FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / "toy.csv").write_bytes(b"other")
    with pytest.raises(CorruptFile) as caught:
        load("toy")
    message = str(caught.value)
    assert str(tmp_path / "toy.csv") in message
    assert ENTRY["sha256"] in message and hashlib.sha256(b"other").hexdigest() in message
    assert offline.urls == []
    assert (tmp_path / "toy.csv").read_bytes() == b"other"


def test_misspelt_local_folder_is_named(cache, offline, tmp_path, monkeypatch):
    monkeypatch.setenv(download.FOLDER_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(DataUnavailable, match="is not a folder"):
        load("toy")


def test_unwritable_cache_is_reported_as_unavailable(cache, serve):
    serve(GOOD)
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataUnavailable, match="cache cannot be written"):
        load("toy")


def test_verify_reports_ok_missing_and_corrupt_without_a_download(cache, offline):
    def row():
        return verify(["toy"]).iloc[0].tolist()

    assert row() == ["toy", "toy.csv", "missing", ""]
    cache.mkdir()
    (cache / "toy.csv").write_bytes(b"damaged")
    assert row() == ["toy", "toy.csv", "corrupt", str(cache / "toy.csv")]
    (cache / "toy.csv").write_bytes(GOOD)
    assert row()[2] == "ok"
    assert offline.urls == []


def test_sets_without_a_file_need_no_fetch(cache, offline):
    assert fetch(["iris", "butterfly"]) == []
    assert verify(["iris"])["status"].tolist() == ["ok"]
    assert load("iris").n_objects == 150 and load("wine").n_objects == 178


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_bar_only_on_a_terminal(monkeypatch, capsys, terminal):
    meter = download.ProgressMeter("toy.csv", show=terminal)
    meter.total = 10
    meter.update(10)
    meter.close()
    assert ("toy.csv" in capsys.readouterr().err) == terminal
    assert meter.last_byte is not None
