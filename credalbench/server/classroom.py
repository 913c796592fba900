"""A server for a class: so many explorers and no more, and nothing in it that runs or changes anything else.

Whoever has the token of a Jupyter server may, as a rule, run any code as the user who started it. Here
kernels are started by pages alone, execute what these bring along, and then hear messages of widgets only;
files, other kernels, terminals and the server itself are out of reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import traitlets as t
from jupyter_server.auth import Authorizer, User
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError

if TYPE_CHECKING:
    from jupyter_server.base.handlers import JupyterHandler

FULL = (
    "this room has places for {most} open pages, and all are taken: close one that nobody looks at; "
    "this page tries again every 10 seconds"
)


class LimitedKernels(AsyncMappingKernelManager):
    """Starts no kernel beyond a number."""

    most = t.Int(1, help="How many kernels there may be at a time.").tag(config=True)
    _starting = 0

    async def start_kernel(self, **options: object) -> str:
        """Start a kernel.

        Raises
        ------
        tornado.web.HTTPError
            Status 503: there are as many as there may be.
        """
        if len(self) + self._starting >= self.most:
            raise HTTPError(503, FULL.format(most=self.most))
        self._starting += 1
        try:
            return await super().start_kernel(**options)
        finally:
            self._starting -= 1


class PagesOnly(Authorizer):
    """Lets a page speak with its own kernel, whose number only the page knows; nothing else."""

    def is_authorized(self, handler: JupyterHandler, user: User, action: str, resource: str) -> bool:
        """Whether it is the page of an explorer that asks."""
        own = "kernel_id" in handler.path_kwargs
        return resource == "kernels" and own and action in ("read", "execute")
