import ctypes
import shutil
from pathlib import Path

import pytest

from site_builder.write import folder
from site_builder.write.folder import recover, write_folder
from tests.site_builder.projects import tree
from tests.site_builder.read.modules import write


@pytest.fixture(params=["in one step", "in two steps"])
def target(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "in two steps":
        monkeypatch.setattr(folder, "_exchange", lambda *_: False)
    return tmp_path / "dist"


def test_texts_bytes_and_copies(target: Path, tmp_path: Path) -> None:
    write(tmp_path, "a.bin", b"\0\xff")
    write_folder(target, {"x/y/é.html": "ü\n", "b": b"\r\n", "c.bin": tmp_path / "a.bin"})
    assert tree(target) == {"b": b"\r\n", "c.bin": b"\0\xff", "x/y/é.html": "ü\n".encode()}


def test_only_the_new_files_remain(target: Path) -> None:
    write_folder(target, {"old.html": "old", "same.html": "1"})
    write_folder(target, {"same.html": "2"})
    assert tree(target) == {"same.html": b"2"}
    assert [file.name for file in target.parent.iterdir()] == ["dist"]
    assert target.stat().st_mode & 0o777 == 0o755


def test_a_file_that_cannot_be_copied_leaves_the_old_folder(target: Path, tmp_path: Path) -> None:
    write_folder(target, {"a": "1"})
    with pytest.raises(FileNotFoundError):
        write_folder(target, {"a": "2", "b": tmp_path / "missing"})
    assert tree(target) == {"a": b"1"}
    assert [file.name for file in tmp_path.iterdir()] == ["dist"]


def test_killed_between_the_two_renames(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    write(tmp_path, "dist.previous/a", "old")
    write(tmp_path, "dist.new-abc/a", "new, perhaps not whole")
    recover(target)
    assert tree(tmp_path) == {"dist/a": b"old"}


def test_killed_after_the_two_renames(tmp_path: Path) -> None:
    target = tmp_path / "dist"
    write(tmp_path, "dist.previous/a", "old")
    write(tmp_path, "dist/a", "new")
    recover(target)
    assert tree(tmp_path) == {"dist/a": b"new"}


def test_killed_at_each_rename_of_the_fallback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every rename is a moment; at each of them one folder is whole."""

    class Killed(BaseException):
        pass

    target = tmp_path / "dist"
    monkeypatch.setattr(folder, "_exchange", lambda *_: False)
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)  # a dead process clears up nothing
    write_folder(target, {"a": "old", "b": "old"})
    rename = Path.rename
    for moment in (1, 2):
        calls: list[Path] = []

        def stop(self: Path, to: Path, calls: list[Path] = calls, moment: int = moment) -> Path:
            calls.append(self)
            if len(calls) == moment:
                raise Killed
            return rename(self, to)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", stop)
            with pytest.raises(Killed):
                write_folder(target, {"a": "new", "b": "new"})
        assert len(calls) == moment
        recover(target)
        assert tree(target) == {"a": b"old", "b": b"old"}


def test_a_system_without_exchange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    write_folder(tmp_path / "dist", {"a": "1"})
    write_folder(tmp_path / "dist", {"a": "2"})
    assert tree(tmp_path) == {"dist/a": b"2"}
