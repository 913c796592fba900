"""What a browser sends to the widgets of an explorer, and what it gets."""

import asyncio
import time
from datetime import UTC, datetime
from functools import wraps
from threading import Event

from credalbench.core.progress import check_cancelled
from credalbench.explore.scene.scene import packed

SOON = 60  # s; until something must have happened, on a machine that does other things, too


def on_a_page(act):
    """Run a test in an event loop, as a kernel does with a page."""

    @wraps(act)
    def run(*args, **kwargs):
        asyncio.run(asyncio.wait_for(act(*args, **kwargs), SOON))

    return run


def held(model):
    """Make the fits of a model go on in the background until its `let` is set."""
    model.begun, model.let, model.left = Event(), Event(), []
    refit, model.page = model._refit, asyncio.get_running_loop

    def wait_then_refit(changed):
        model.begun.set()
        try:
            while not model.let.is_set():
                check_cancelled()
                time.sleep(1e-3)
        except BaseException as error:
            model.left.append(type(error))
            raise
        return refit(changed)

    model._refit = wait_then_refit
    return model


async def until(condition):
    while not condition():
        await asyncio.sleep(2e-3)


def upload(explorer, name, contents, control="upload"):
    """Choose a file of these contents."""
    file = {"name": name, "type": "", "size": len(contents), "content": memoryview(contents)}
    explorer.controls[control].value = (file | {"last_modified": datetime(2020, 1, 1, tzinfo=UTC)},)


def slide(control, value):
    """Report a place of a slider."""
    control.set_state({"value": value})


def send(canvas, **message):
    """Handle a message of the browser as the kernel does."""
    canvas._handle_custom_msg(message, [])


def click(explorer, i, panel="map", x=0.0, y=0.0):
    """Report a click on object `i`, or off all objects."""
    send(explorer.image, event="click", object=i, panel=panel, x=x, y=y)


def press(explorer, letter):
    """Report a letter typed in the picture."""
    send(explorer.image, event="letter", letter=letter)


def panel_of(scene, name):
    """Return a panel of a scene."""
    return next(panel for panel in scene.panels if panel.name == name)


def shown(explorer):
    """Return what the picture of an explorer shows."""
    return explorer.image.scene


def drawn(explorer, fitted):
    """Return what an explorer that has shown other fits shows of a fit."""
    return {name: part for name, part in packed(explorer.scene(fitted)).items() if name != "objects"}


def drawn_anew(explorer, fitted):
    """Return what is shown of a fit whatever was shown before."""
    return drawn(explorer, fitted)
