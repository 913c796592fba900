"""A class's server starts so many kernels and no more, and lets pages speak with their own kernel alone."""

import asyncio
from types import SimpleNamespace

import pytest
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets.config import Config

from credalbench.explore.shared.saving import FOR_CLASS, in_class
from credalbench.server import settings as s
from credalbench.server.classroom import LimitedKernels, PagesOnly


@pytest.fixture
def kernels(monkeypatch):
    async def start(self, **options):
        await asyncio.sleep(0)  # as a real start, it lets others in
        self._kernels[str(len(self._kernels))] = object()

    monkeypatch.setattr(AsyncMappingKernelManager, "start_kernel", start)
    return LimitedKernels(most=2)


def test_kernels_that_start_at_the_same_time_count(kernels):
    async def three():
        return await asyncio.gather(*(kernels.start_kernel() for _ in range(3)), return_exceptions=True)

    *_, last = asyncio.run(three())
    assert isinstance(last, HTTPError) and last.status_code == 503
    assert "places for 2 open pages" in last.log_message
    assert len(kernels) == 2
    kernels._kernels.clear()
    asyncio.run(kernels.start_kernel())


def test_a_start_that_fails_takes_no_place(kernels, monkeypatch):
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
def test_pages_speak_with_their_own_kernel_alone(resource, action, path, allowed):
    handler = SimpleNamespace(path_kwargs=path)
    assert PagesOnly().is_authorized(handler, None, action, resource) is allowed


def test_a_class_is_told_its_limits_and_one_person_has_none(tmp_path):
    class_ = s.settings(s.Visit(tmp_path, for_class=True, most=7), "token")
    alone = s.settings(s.Visit(tmp_path), "token")
    for told in (class_, alone):
        assert told["IdentityProvider"]["token"] == "token" and told["ServerApp"]["ip"] == "127.0.0.1"
    kernels = LimitedKernels(config=Config(class_))
    assert (kernels.most, kernels.cull_idle_timeout, kernels.cull_connected) == (7, s.IDLE_S, True)
    assert "execute_request" not in kernels.allowed_message_types != []
    assert class_["ServerApp"]["kernel_manager_class"].endswith(".LimitedKernels")
    assert not {"kernel_manager_class", "authorizer_class"} & set(alone["ServerApp"])
    assert class_["ServerApp"]["jpserver_extensions"]["jupyterlab"] is False


def test_the_users_own_server_has_no_say_but_the_look_of_jupyterlab_stays(tmp_path):
    given = {"JUPYTER_CONFIG_DIR": "/mine", "JUPYTER_PATH": "/more", "JUPYTERLAB_SETTINGS_DIR": "/look"}
    told = s.environment(tmp_path, given)
    assert told["JUPYTER_CONFIG_DIR"] == told["JUPYTER_RUNTIME_DIR"] == str(tmp_path)
    assert told["JUPYTERLAB_SETTINGS_DIR"] == "/look" and told["JUPYTER_PATH"].endswith(":/more")


def test_what_a_class_saves_goes_to_browsers(tmp_path, monkeypatch):
    for for_class in (True, False):
        monkeypatch.setenv(FOR_CLASS, s.environment(tmp_path, for_class=for_class)[FOR_CLASS])
        assert in_class() is for_class


def test_memory_decides_how_many_pages_there_is_room_for(monkeypatch):
    monkeypatch.setattr(s, "available_memory", lambda: (s.KERNEL_BYTES * 21.0, "the machine has"))
    assert s.room_for() == 10
    monkeypatch.setattr(s, "available_memory", lambda: (float("inf"), "nobody has"))
    assert 1 <= s.room_for() < 10_000
    monkeypatch.setattr(s, "available_memory", lambda: (0.0, "the machine has"))
    assert s.room_for() == 1
