"""Kernels of pages: they end when their page is gone, and a class has a limited number of them.

A page that is closed ends its kernel itself (`LeaveHandler`). A page cannot do this if its browser was
killed, if its network is down, or if the user left while it opened. Its kernel then has no connection, and
ends a minute later. Kernels are forked from one process where the system allows it (:mod:`.forking`).

Usually, a user with the token of a Jupyter server can run any code. In a class, only pages start kernels
(`LimitedKernels`). These kernels execute the code of the page, and then accept only messages of widgets.
Users cannot reach files, other kernels, terminals or the server itself (`PagesOnly`).
"""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from time import monotonic

import traitlets as t
from jupyter_server.auth import Authorizer, User
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager, ServerKernelManager
from tornado.ioloop import PeriodicCallback
from tornado.web import HTTPError

from .forking import CAN_FORK, ForkProvisioner, WarmProcess

#: Seconds without a connection after which the kernel of a page ends, and between two checks.
GONE_S, LOOK_S = 60, 5
#: Seconds that the cells of a page may run before the page connects.
OPENING_S = 600
#: Voila sets this variable for the kernels of its pages. Other kernels belong to notebooks in JupyterLab.
OF_A_PAGE = "VOILA_REQUEST_URL"
#: Compile what estimators call, while the start page is read. Print how many are done.
COMPILE = """import os; os.nice(19)
from credalbench import baselines, cluster
from credalbench.core.kernels import WARM_UPS
for done, warm_up in enumerate([*WARM_UPS, int]):
    print(done, len(WARM_UPS), flush=True)
    warm_up()"""
FULL = (
    "all {max_kernels} pages of this class are in use; close a page that you do not need, or wait: "
    "this page tries again every 10 seconds"
)


@dataclass
class Page:
    """The page of a kernel: when it was requested and last seen, and whether it has connected."""

    requested: float
    seen: float
    connected: bool = False


class PageKernel(ServerKernelManager):
    """Manager of one kernel, which it forks if a page needs it."""

    async def start_kernel(self, **options: object) -> None:
        """Start the kernel."""
        if CAN_FORK and self.provisioner is None and OF_A_PAGE in (options.get("env") or {}):
            self.provisioner = ForkProvisioner(
                kernel_id=options["kernel_id"], kernel_spec=self.kernel_spec, parent=self
            )
        await super().start_kernel(**options)


class PageKernels(AsyncMappingKernelManager):
    """Kernel manager that ends the kernels of pages that are gone."""

    gone_s = t.Float(GONE_S, help="Seconds without a connection after which the kernel of a page ends.").tag(
        config=True
    )

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self._pages: dict[str, Page] = {}
        self._looks: PeriodicCallback | None = None
        self._warm: WarmProcess | None = None
        self._compiling: subprocess.Popen | None = None
        self._compiled = (0, 0)

    @t.default("kernel_manager_class")
    def _default_kernel_manager_class(self) -> str:
        return f"{__name__}.{PageKernel.__name__}"

    def warm_up(self) -> None:
        """Start the process from which kernels of pages are forked, and one that compiles, if possible."""
        if CAN_FORK:
            self.warm_process()
            self._compiling = subprocess.Popen(
                [sys.executable, "-c", COMPILE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            os.set_blocking(self._compiling.stdout.fileno(), False)

    @property
    def compiled(self) -> tuple[int, int]:
        """How many groups of compiled loops are ready, and how many there are; 0 and 0 if it is unknown."""
        lines = (self._compiling.stdout.read() or b"").split(b"\n") if self._compiling else []
        for line in filter(None, lines):
            done, of = map(int, line.split())
            self._compiled = done, of
        return self._compiled

    def warm_process(self) -> WarmProcess:
        """Return the process from which kernels of pages are forked; start it unless it runs."""
        if self._warm is None or self._warm.process.poll() is not None:
            self._warm = WarmProcess()
        return self._warm

    async def start_kernel(self, **options: object) -> str:
        """Start a kernel for a page, or for a notebook in JupyterLab."""
        kernel = await super().start_kernel(**options)
        if OF_A_PAGE in (options.get("env") or {}):
            self._pages[kernel] = Page(monotonic(), monotonic())
            if self._looks is None:
                self._looks = PeriodicCallback(self.end_abandoned, 1e3 * min(LOOK_S, self.gone_s))
                self._looks.start()
        return kernel

    def notify_connect(self, kernel_id: str) -> None:
        """Record a connection to a kernel."""
        super().notify_connect(kernel_id)
        if kernel_id in self._pages:
            self._pages[kernel_id].connected = True

    def notify_disconnect(self, kernel_id: str) -> None:
        """Record the end of a connection to a kernel."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self._pages:
            self._pages[kernel_id].seen = monotonic()

    async def end_abandoned(self) -> None:
        """End the kernels of the pages that have not been seen for `gone_s` seconds."""
        self._pages = {kernel: page for kernel, page in self._pages.items() if kernel in self}
        now = monotonic()
        for kernel, page in self._pages.items():
            if self._is_there(kernel, page, now):
                page.seen = now
        gone = [kernel for kernel, page in self._pages.items() if now - page.seen >= self.gone_s]
        # exceptions: some kernels end by themselves
        await asyncio.gather(*map(self.shutdown_kernel, gone), return_exceptions=True)

    def _is_there(self, kernel: str, page: Page, now: float) -> bool:
        """Return whether a page is connected to its kernel or its cells still run."""
        if page.connected:
            return self._kernel_connections.get(kernel, 0) > 0
        opening = getattr(self.get_kernel(kernel), "execution_state", "") in ("starting", "busy")
        return opening and now - page.requested < OPENING_S


class LimitedKernels(PageKernels):
    """Kernel manager with a limited number of kernels."""

    max_kernels = t.Int(1, help="Largest number of kernels at a time.").tag(config=True)
    _starting = 0

    async def start_kernel(self, **options: object) -> str:
        """Start a kernel; raise an HTTPError with status 503 if the limit is reached."""
        if len(self) + self._starting >= self.max_kernels:
            raise HTTPError(503, FULL.format(max_kernels=self.max_kernels))
        self._starting += 1
        try:
            return await super().start_kernel(**options)
        finally:
            self._starting -= 1


class PagesOnly(Authorizer):
    """An `Authorizer` that lets a page use its own kernel, whose identifier only the page knows."""

    def is_authorized(self, handler: JupyterHandler, user: User, action: str, resource: str) -> bool:
        """Return whether a request comes from the page of an explorer."""
        own = "kernel_id" in handler.path_kwargs
        return resource == "kernels" and own and action in ("read", "execute")
