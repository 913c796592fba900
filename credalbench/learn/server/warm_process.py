"""The process from which kernels of pages are forked: it has imported what pages import.

:mod:`.forking` runs ``python -m credalbench.learn.server.warm_process NUMBER`` with the number of a socket of
the server. A request on this socket contains the arguments, the environment and the folder of a kernel, and a
socket for this kernel. On that socket, this process announces the number of the new process, and later its
exit code.

A kernel shares the memory of this process until one of the two writes to it. This process only imports: it
has one thread, no event loop and no socket of a kernel, so no lock is held when it forks. It ends with the
server. Kernels also end with the server, because their sockets are then closed; they outlive this process.
"""

import ast
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread

import numba

from credalbench.papers.places import notebooks_folder

from .catalogue import EXPLORERS, LESSONS

LARGEST = 2**20  # bytes of a request; the system cannot send longer ones
READY = b"ready"


def main() -> None:
    """Import what pages import, and fork a kernel for each request until the server has ended."""
    server = socket.socket(fileno=int(sys.argv[1]))
    import_module("ipykernel.kernelapp")
    import_for(notebooks_folder())
    numba.njit("f8(f8)")(lambda x: x)  # numba completes its imports when it first compiles
    gc.collect()
    gc.freeze()  # otherwise the collector writes to each object that it visits
    kernels: dict[int, socket.socket] = {}
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    server.send(READY)
    while True:
        ready, _, _ = select.select([server, ended], [], [])
        if ended in ready:
            os.read(ended, LARGEST)
            announce_ended(kernels)
        if server in ready:
            request, numbers, _, _ = socket.recv_fds(server, LARGEST, 1)
            if not request:
                return
            own = socket.socket(fileno=numbers[0])
            try:
                number = os.fork()
            except OSError:  # too many processes, or no memory
                own.close()
                continue
            if number == 0:
                for other in (server, *kernels.values()):
                    other.close()
                return run_kernel(own, **json.loads(request))
            kernels[number] = own
            announce(own, number)


def import_for(folder: Path) -> None:
    """Import what the explorers and lessons of a folder import."""
    for kind in (EXPLORERS, LESSONS):
        for path in sorted((folder / kind).glob("*.ipynb")):
            for module, names in imports(json.loads(path.read_text("utf-8"))):
                imported = import_module(module)
                for name in names:  # some modules import a name when it is first used
                    getattr(imported, name)


def imports(notebook: dict) -> Iterator[tuple[str, list[str]]]:
    """Yield the modules that a notebook imports, and the names that it imports from each."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            for node in ast.walk(ast.parse("".join(cell["source"]))):
                if isinstance(node, ast.ImportFrom):
                    yield node.module, [alias.name for alias in node.names]
                elif isinstance(node, ast.Import):
                    yield from ((alias.name, []) for alias in node.names)


def announce_ended(kernels: dict[int, socket.socket]) -> None:
    """Announce the exit codes of the kernels that have ended."""
    while kernels:
        number, status = os.waitpid(-1, os.WNOHANG)
        if number == 0:
            return
        with kernels.pop(number) as own:
            announce(own, os.waitstatus_to_exitcode(status))


def announce(own: socket.socket, number: int) -> None:
    with suppress(OSError):  # the server no longer waits for it
        own.send(str(number).encode())


def run_kernel(own: socket.socket, arguments: list[str], env: dict[str, str], cwd: str) -> None:
    """Run a kernel in this process, which has just been forked."""
    import ipywidgets
    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # interrupts are sent to the group of a kernel
    if sys.path[0] == os.getcwd():  # added by `python -m`
        del sys.path[0]
    sys.argv[1:] = arguments
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    np.random.seed()  # noqa: NPY002  (inherited; the generators of Python and numba detect a fork)
    app = IPKernelApp.instance(parent_handle=os.getppid())
    app.initialize(arguments)
    ipywidgets.load_ipython_extension(app.shell)  # as its import does in a kernel
    app.poller = Thread(target=end_with_server, args=[own], daemon=True)
    app.start()


def end_with_server(own: socket.socket) -> None:
    """End this process when the server has closed its socket or has ended."""
    own.recv(1)
    os._exit(1)


if __name__ == "__main__":
    main()
