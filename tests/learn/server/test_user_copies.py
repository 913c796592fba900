"""The user's folder: originals are renewed, copies of the user are kept, other files cannot be copied."""

import pytest

from credalbench.explore import ECMModel
from credalbench.learn.server.catalogue import copy_originals, explorations_root, user_copy
from credalbench.papers.places import notebooks_folder

ECM = "explore/ecm.ipynb"


def test_originals_are_renewed_and_user_copies_are_kept(tmp_path):
    tracked = (notebooks_folder() / ECM).read_bytes()
    originals = copy_originals(tmp_path)
    (originals / ECM).write_text("edited")
    (originals / "explore" / "old.ipynb").write_text("of an older version")
    copy_originals(tmp_path)
    assert (originals / ECM).read_bytes() == tracked and not (originals / "explore" / "old.ipynb").exists()

    copy = tmp_path / user_copy(tmp_path, ECM)
    assert copy.read_bytes() == tracked
    copy.write_text("my own")
    assert user_copy(tmp_path, ECM) == ECM and copy.read_text() == "my own"


def test_a_copy_includes_its_images(tmp_path):
    (tmp_path / "originals" / "learn" / "images").mkdir(parents=True)
    (tmp_path / "originals" / "learn" / "images" / "a.png").write_bytes(b"png")
    (tmp_path / "originals" / "learn" / "one.ipynb").write_text("{}")
    user_copy(tmp_path, "learn/one.ipynb")
    assert (tmp_path / "learn" / "images" / "a.png").read_bytes() == b"png"


@pytest.mark.parametrize("path", ["../secret.ipynb", "/etc/passwd", "explore/none.ipynb", "explore", ""])
def test_nothing_else_is_copied(tmp_path, path):
    (tmp_path / "originals" / "explore").mkdir(parents=True)
    (tmp_path / "secret.ipynb").write_text("{}")
    with pytest.raises(FileNotFoundError, match="expected the path of a notebook; got"):
        user_copy(tmp_path, path)


def test_explorers_save_to_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CREDALBENCH_EXPLORATIONS", str(tmp_path / "mine"))
    assert explorations_root() == tmp_path / "mine"
    model = ECMModel("butterfly", n_clusters=2)
    assert {path.parent for path in model.export()} == {tmp_path / "mine" / "saved"}

    monkeypatch.delenv("CREDALBENCH_EXPLORATIONS")
    monkeypatch.chdir(tmp_path)
    assert all(path.parent.samefile(tmp_path / "explorations" / "saved") for path in model.export())
