"""The server of a class limits the number of kernels, and pages reach only their own kernel."""

import asyncio
from types import SimpleNamespace

import pytest
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets.config import Config

from credalbench.explore.saving import FOR_CLASS, in_class
from credalbench.learn.server import serving as s
from credalbench.learn.server.page_kernels import LimitedKernels, PagesOnly


@pytest.fixture
def kernels(monkeypatch):
    async def start(self, **options):
        await asyncio.sleep(0)  # as a real start, it lets others in
        self._kernels[str(len(self._kernels))] = object()

    monkeypatch.setattr(AsyncMappingKernelManager, "start_kernel", start)
    return LimitedKernels(max_kernels=2)


def test_kernels_that_are_starting_count(kernels):
    async def three():
        return await asyncio.gather(*(kernels.start_kernel() for _ in range(3)), return_exceptions=True)

    *_, last = asyncio.run(three())
    assert isinstance(last, HTTPError) and last.status_code == 503
    assert "all 2 pages of this class are in use" in last.log_message
    assert len(kernels) == 2
    kernels._kernels.clear()
    asyncio.run(kernels.start_kernel())


def test_a_failed_start_does_not_count(kernels, monkeypatch):
    async def fail(self, **options):
        raise OSError("no memory")

    with monkeypatch.context() as patch:
        patch.setattr(AsyncMappingKernelManager, "start_kernel", fail)
        for _ in range(3):
            with pytest.raises(OSError):
                asyncio.run(kernels.start_kernel())
    asyncio.run(kernels.start_kernel())
    assert len(kernels) == 1


@pytest.mark.parametrize(
    ("resource", "action", "path", "allowed"),
    [
        ("kernels", "execute", {"kernel_id": "1"}, True),
        ("kernels", "read", {"kernel_id": "1"}, True),
        ("kernels", "write", {"kernel_id": "1"}, False),
        ("kernels", "read", {}, False),
        ("contents", "read", {}, False),
        ("server", "write", {}, False),
    ],
)
def test_pages_reach_only_their_own_kernel(resource, action, path, allowed):
    handler = SimpleNamespace(path_kwargs=path)
    assert PagesOnly().is_authorized(handler, None, action, resource) is allowed


def test_a_class_has_limits_and_a_single_user_has_none(tmp_path):
    class_ = s.jupyter_settings(s.ServerConfig(tmp_path, for_class=True, max_pages=7), "token")
    alone = s.jupyter_settings(s.ServerConfig(tmp_path), "token")
    for settings in (class_, alone):
        assert settings["IdentityProvider"]["token"] == "token" and settings["ServerApp"]["ip"] == "127.0.0.1"
    kernels = LimitedKernels(config=Config(class_))
    assert (kernels.max_kernels, kernels.cull_idle_timeout, kernels.cull_connected) == (7, s.IDLE_S, True)
    assert "execute_request" not in kernels.allowed_message_types != []
    assert class_["ServerApp"]["kernel_manager_class"].endswith(".LimitedKernels")
    assert alone["ServerApp"]["kernel_manager_class"].endswith(".PageKernels")
    assert "authorizer_class" not in alone["ServerApp"]
    assert class_["ServerApp"]["jpserver_extensions"]["jupyterlab"] is False


def test_only_the_user_settings_of_jupyterlab_are_kept(tmp_path):
    given = {"JUPYTER_CONFIG_DIR": "/mine", "JUPYTER_PATH": "/more", "JUPYTERLAB_SETTINGS_DIR": "/look"}
    environment = s.environment(tmp_path, given)
    assert environment["JUPYTER_CONFIG_DIR"] == environment["JUPYTER_RUNTIME_DIR"] == str(tmp_path)
    assert environment["JUPYTERLAB_SETTINGS_DIR"] == "/look" and environment["JUPYTER_PATH"].endswith(
        ":/more"
    )


def test_files_of_a_class_are_saved_by_the_browser(tmp_path, monkeypatch):
    for for_class in (True, False):
        monkeypatch.setenv(FOR_CLASS, s.environment(tmp_path, for_class=for_class)[FOR_CLASS])
        assert in_class() is for_class


def test_memory_limits_the_number_of_pages(monkeypatch):
    monkeypatch.setattr(s, "available_memory", lambda: 2.0 * s.WARM_BYTES + 21.0 * s.PAGE_BYTES)
    assert s.default_max_pages() == 10
    monkeypatch.setattr(s, "available_memory", lambda: 0.0)
    assert s.default_max_pages() == 1
