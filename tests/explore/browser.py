"""What a browser sends to the widgets of an explorer, and what it gets."""

from datetime import UTC, datetime

from credalbench.explore.scene.scene import packed

#: An own table of two classes.
CSV = b"u,v,class\n0,0,a\n0,1,a\n1,0,a\n9,9,b\n9,8,b\n8,9,b\n"


def upload(explorer, name, contents, control="upload"):
    """Choose a file of these contents."""
    file = {"name": name, "type": "", "size": len(contents), "content": memoryview(contents)}
    explorer.controls[control].value = (file | {"last_modified": datetime(2020, 1, 1, tzinfo=UTC)},)


def slide(control, value):
    """Report a place of a slider."""
    control.set_state({"value": value})


def shown(explorer):
    """What the picture of an explorer shows, to be compared."""
    return explorer.image.scene


def drawn(picture, fitted):
    """What is shown of a fit by a picture that has shown others."""
    return {name: part for name, part in packed(picture.scene(fitted)).items() if name != "objects"}


def drawn_anew(explorer, fitted):
    """What is shown of a fit whatever was shown before: scenes remember nothing."""
    return drawn(explorer.picture, fitted)
