"""A Jupyter server for a class: a limited number of kernels, and no access to anything but explorers.

A user with the token of a Jupyter server can usually run any code. Here kernels are started only by pages,
execute the code of these pages, and then accept only messages of widgets. Files, other kernels, terminals and
the server itself cannot be reached.
"""

import traitlets as t
from jupyter_server.auth import Authorizer, User
from jupyter_server.base.handlers import JupyterHandler
from tornado.web import HTTPError

from .page_kernels import PageKernels

FULL = (
    "all {max_kernels} pages of this class are in use; close a page that is not needed. "
    "This page tries again every 10 seconds"
)


class LimitedKernels(PageKernels):
    """Kernel manager with a limited number of kernels."""

    max_kernels = t.Int(1, help="Largest number of kernels at a time.").tag(config=True)
    _starting = 0

    async def start_kernel(self, **options: object) -> str:
        """Start a kernel.

        Raises
        ------
        tornado.web.HTTPError
            Status 503, if the limit is reached.
        """
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
