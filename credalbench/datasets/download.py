"""Find or download a file of the registry: a local folder first, then the cache, then a download.

A file is valid only if its SHA-256 checksum is that of the registry. A download goes to a temporary folder,
is verified there and only then moved into place, so that a bad or incomplete download never replaces a good
copy. Without a network, an error is raised within ten seconds (:data:`TIMEOUT_S`): a separate thread waits,
so that neither name resolution nor a silent server can block the caller. A host that did not answer is not
contacted again for a minute, since other files often come from the same host.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from credalbench.core.extras import require

if TYPE_CHECKING:
    import pooch

FOLDER_VARIABLE = "CREDALBENCH_DATA"
TIMEOUT_S = 8.0  # longest wait for the first or the next byte of a file, over all its addresses
CONNECT_READ_S = (4.0, 6.0)  # timeouts of one HTTP request, which also end an abandoned thread
CHUNK_BYTES = 1 << 14
RETRY_AFTER_S = 60.0
#: Host that did not answer -> when it may be asked again, on the clock of `time.monotonic`.
_retry_at: dict[str, float] = {}


class DataUnavailable(RuntimeError):
    """A data set needs a file that is missing and cannot be downloaded."""

    #: The runner reports a study without its data as left out instead of failed.
    leaves_out = True


class CorruptFile(DataUnavailable):
    """A file in the local data folder differs from the published one."""

    leaves_out = False


@cache
def registry() -> dict[str, dict]:
    """Return the entries of registry.json by name; see :mod:`credalbench.datasets.readers` for ``format``."""
    return json.loads(files(__package__).joinpath("registry.json").read_text(encoding="utf-8"))


def data_folder() -> Path | None:
    """Return the folder of the user's data files, or None."""
    value = os.environ.get(FOLDER_VARIABLE)
    return Path(value).expanduser() if value else None


def cache_folder() -> Path:
    """Return the folder that keeps downloads."""
    require("pooch", "tqdm", extra="papers", purpose="Downloading data sets")
    import pooch

    return Path(pooch.os_cache("credalbench"))


def sha256(path: Path) -> str:
    """Return the SHA-256 checksum of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_file(entry: dict) -> tuple[Path | None, str]:
    """Return the local file of a registry entry, or None, and its status: "ok", "corrupt" or "missing".

    The user's folder takes precedence over the cache. A file is corrupt if its checksum is not that of the
    registry.
    """
    for place in (data_folder, cache_folder):  # pooch is needed only if the first has no such file
        folder = place()
        path = folder / entry["file"] if folder else None
        if path and path.is_file():
            return path, "ok" if sha256(path) == entry["sha256"] else "corrupt"
    return None, "missing"


def get_file(name: str, entry: dict, *, progress: bool = True, refresh: bool = False) -> Path:
    """Return the path of the verified file of a data set and its registry entry, downloaded if needed.

    If the output is a terminal, `progress` shows a progress bar. With `refresh` the file is downloaded again
    even if the cache holds a good copy; that copy stays if the download fails.

    Raises
    ------
    CorruptFile
        If the user's folder holds a file with this name but other contents.
    DataUnavailable
        If the file is missing and cannot be downloaded. The message explains both ways to get it.
    """
    folder = data_folder()
    path, status = find_file(entry)
    if folder and path and path.parent == folder:
        if status == "corrupt":
            raise CorruptFile(
                f"data set {name!r}: {path} is not the published file: expected sha256 {entry['sha256']}, "
                f"got {sha256(path)}. Replace it, or remove it from {FOLDER_VARIABLE} and run "
                f"`credalbench data fetch {name}`."
            )
        return path
    if status == "ok" and not refresh:
        return path
    return _download(name, entry, progress)


def _download(name: str, entry: dict, progress: bool) -> Path:
    """Try the address of the entry, then its mirrors; move the first verified copy into the cache."""
    failures, deadline = [], time.monotonic() + TIMEOUT_S
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=".partial-", dir=folder, ignore_cleanup_errors=True
        ) as partial:
            for url in (entry["url"], *entry.get("mirrors", ())):
                try:
                    path = _retrieve(url, entry, partial, progress, deadline)
                except Exception as error:  # all errors of the network go into one message
                    failures.append(f"{url}: {_reason(error)}")
                    if time.monotonic() >= deadline:
                        break
                else:
                    target = folder / entry["file"]
                    os.replace(path, target)
                    return target
    except OSError as error:
        failures.append(f"the cache cannot be written: {error}")
    raise DataUnavailable(_advice(name, entry, failures))


def _retrieve(url: str, entry: dict, folder: str, progress: bool, deadline: float) -> str:
    """Download one address with pooch into ``folder`` and verify it; give up when nothing arrives."""
    import pooch

    host, begun = urlsplit(url).netloc, time.monotonic()
    if (wait := _retry_at.get(host, begun) - begun) > 0:
        raise TimeoutError(f"{host} did not answer; the next attempt is possible in {wait:.0f} s")
    meter = ProgressMeter(entry["file"], show=progress and sys.stderr.isatty())
    outcome = {}

    def work() -> None:
        try:
            outcome["path"] = pooch.retrieve(
                url,
                known_hash=f"sha256:{entry['sha256']}",
                fname=entry["file"],
                path=folder,
                downloader=http_downloader(meter),
            )
        except BaseException as error:
            outcome["error"] = error

    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")  # pooch would print the name of the temporary folder
    thread = threading.Thread(target=work, daemon=True, name=f"download {entry['file']}")
    try:
        thread.start()
        while thread.is_alive():
            thread.join(0.05)
            last_byte = meter.last_byte
            if time.monotonic() >= (deadline if last_byte is None else last_byte + TIMEOUT_S):
                raise TimeoutError(f"no data for {TIMEOUT_S:g} s")
    finally:
        logger.setLevel(level)
        meter.close()
        if meter.last_byte is None and time.monotonic() - begun >= min(TIMEOUT_S, CONNECT_READ_S[0]):
            _retry_at[host] = time.monotonic() + RETRY_AFTER_S
    if "error" in outcome:
        raise outcome["error"]
    return outcome["path"]


def http_downloader(meter: ProgressMeter) -> pooch.HTTPDownloader:
    """Return the downloader of pooch (url, output file, pooch), which reports its bytes to ``meter``."""
    import pooch

    return pooch.HTTPDownloader(progressbar=meter, chunk_size=CHUNK_BYTES, timeout=CONNECT_READ_S)


class ProgressMeter:
    """Progress bar with the members that pooch requires; it also records when the last bytes arrived."""

    def __init__(self, label: str, show: bool) -> None:
        from tqdm import tqdm

        self.last_byte = None
        self.total = 0
        self._bar = tqdm(desc=label, unit="B", unit_scale=True, leave=False, ncols=79, disable=not show)

    def update(self, n_bytes: int) -> None:
        self.last_byte = time.monotonic()
        self._bar.total = self.total or None
        self._bar.update(n_bytes)

    def reset(self) -> None:
        self._bar.reset(total=self.total or None)

    def close(self) -> None:
        self._bar.close()


def _reason(error: Exception) -> str:
    """Return the reason of a failed download on one line, without the address that requests adds to it."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.partition("(Caused by ")[2].removesuffix(")") or text


def _advice(name: str, entry: dict, failures: list[str]) -> str:
    """Return the message of DataUnavailable: the missing file, failed attempts, and how to get the file."""
    folder, cached = data_folder(), cache_folder() / entry["file"]
    if folder is None:
        own = f"{FOLDER_VARIABLE} is not set"
    elif not folder.is_dir():
        own = f"{FOLDER_VARIABLE}={folder} is not a folder"
    else:
        own = f"{FOLDER_VARIABLE}={folder} does not hold it"
    copies = {"corrupt": "holds a corrupt copy", "ok": "keeps its copy", "missing": "does not hold it"}
    cached_copy = copies[find_file(entry)[1]]
    tried = "\n".join(f"  {line}" for line in failures)
    return (
        f"data set {name!r} needs the file {entry['file']}, which is missing and cannot be downloaded:\n"
        f"  {own}; the cache {cached.parent} {cached_copy}\n{tried}\n"
        f"To get it:\n"
        f"  1. set {FOLDER_VARIABLE} to a folder that holds {entry['file']}\n"
        f"     (sha256 {entry['sha256']});\n"
        f"  2. connect to the network and run `credalbench data fetch {name}`."
    )
