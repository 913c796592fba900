"""Fork the kernels of pages from one warm process, which saves memory and the time of imports.

A provisioner of Jupyter starts and ends the process of a kernel. It starts kernels as usual on systems other
than Linux, with another Python, and if the warm process does not run.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from jupyter_client.provisioning import LocalProvisioner

from .warm_process import READY

#: Whether kernels can be forked. macOS can also fork, but its own libraries may fail in the new process.
CAN_FORK = sys.platform == "linux"
LAUNCHER = "ipykernel_launcher"
NUMBER_BYTES = 32
#: Environment of the warm process: the backend of notebooks, and no threads. Explorers always fit with one
#: thread of BLAS, and Arrow's allocator does not need its background thread.
WARM = {
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "OPENBLAS_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}


class ForkedProcess:
    """A forked process with the methods of `subprocess.Popen` that provisioners call.

    The socket `own` receives the exit code. The process ends when this socket is closed.
    """

    stdin = stdout = stderr = None

    def __init__(self, own: socket.socket, pid: int) -> None:
        self.pid, self.returncode, self._own = pid, None, own

    def poll(self) -> int | None:
        """Return the exit code; None while the process runs."""
        if self.returncode is None:
            with suppress(BlockingIOError):
                code = self._own.recv(NUMBER_BYTES)
                self._own.close()
                self.returncode = int(code or -signal.SIGKILL)  # unknown if the warm process has also ended
        return self.returncode

    wait = poll  # provisioners call it after the process has ended

    def send_signal(self, number: int) -> None:
        """Send a signal to the process and its group."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)


class WarmProcess:
    """The process from which kernels are forked; it starts at once and is ready after its imports."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.warm_process", str(theirs.fileno())],
                env={**WARM, **os.environ},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._socket.setblocking(False)
        self._ready: asyncio.Future | None = None

    async def fork(self, arguments: Sequence[str], env: Mapping[str, str], cwd: str) -> ForkedProcess:
        """Fork a kernel with its arguments, its environment and its folder.

        Raises
        ------
        OSError
            If the warm process has ended or cannot fork.
        """
        loop = asyncio.get_running_loop()
        if self._ready is None:
            self._ready = asyncio.ensure_future(loop.sock_recv(self._socket, len(READY)))
        if await asyncio.shield(self._ready) != READY:
            raise ConnectionError("the warm process has ended")
        own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own.setblocking(False)
        request = json.dumps({"arguments": arguments, "env": dict(env), "cwd": cwd})
        with theirs:
            socket.send_fds(self._socket, [request.encode()], [theirs.fileno()])
        pid = await loop.sock_recv(own, NUMBER_BYTES)
        if not pid:
            raise ConnectionError("the warm process has ended")
        return ForkedProcess(own, int(pid))


class ForkProvisioner(LocalProvisioner):
    """A provisioner that forks the kernel of a page, or starts it as usual if it cannot be forked."""

    async def launch_kernel(self, cmd: list[str], **options: object) -> dict[str, object]:
        """Start the kernel of a command."""
        if cmd[0] == sys.executable and LAUNCHER in cmd:
            arguments = cmd[cmd.index(LAUNCHER) + 1 :]
            cwd = str(options.get("cwd") or os.getcwd())
            with suppress(OSError):
                self.process = await self.parent.parent.warm_process().fork(arguments, options["env"], cwd)
                self.pid, self.pgid, self.cwd = self.process.pid, None, cwd
                return self.connection_info
        return await super().launch_kernel(cmd, **options)
