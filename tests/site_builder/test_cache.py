"""Entries of the cache: whatever is not as it was put counts as absent."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from site_builder.cache import Cache
from tests.site_builder.projects import Project, tree

VALUE = {"a": [1, 2, {"b": "ü"}], "c": "text"}


def truncate(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def replace_with(text: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.write_text(text)

    return damage


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()
    (file / "inside").write_text("{}")


def damage_bytes(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    file.write_bytes(data)


def empty_lists(file: Path) -> None:
    """The lists and tables inside the value are emptied; it stays valid JSON."""
    try:
        table = json.loads(file.read_text())
    except ValueError:  # the stamp is none
        return
    value = table.pop("value", table)
    emptied = {k: type(v)() for k, v in value.items()} if isinstance(value, dict) else type(value)()
    file.write_text(json.dumps({**table, "value": emptied}))


DAMAGES = {
    "truncated": truncate,
    "empty": replace_with(""),
    "{}": replace_with("{}"),
    "[]": replace_with("[]"),
    "null": replace_with("null"),
    "other keys": replace_with('{"a": 1}'),
    "a value only": replace_with('{"value": {}}'),
    "no UTF-8": lambda file: file.write_bytes(b"\xff\xfe\x00"),
    "another byte": damage_bytes,
    "inner lists emptied": empty_lists,
    "a folder": make_folder,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_entry_is_absent_and_can_be_put_again(name: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("entry", VALUE)
    (file,) = tmp_path.iterdir()
    assert cache.get("entry") == VALUE
    DAMAGES[name](file)
    assert cache.get("entry") is None
    cache.put("entry", VALUE)
    assert cache.get("entry") == VALUE
    assert [*tmp_path.iterdir()] == [file], "nothing else is left"


@pytest.mark.parametrize("value", [None, 5, "text", [], {}, VALUE, "\ud800"])
def test_what_was_put_is_returned(value: object, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("entry", value)
    assert cache.get("entry") == value


def test_what_the_decoder_refuses_is_absent(tmp_path: Path) -> None:
    def decode(value: Any) -> int:  # noqa: ANN401 - any JSON
        return len(value["a"][2]["b"])

    cache = Cache(tmp_path)
    cache.put("entry", VALUE)
    assert cache.get("entry", decode) == 1
    others: tuple[object, ...] = ({}, [], None, 5, "text", {"a": []}, {"a": [0, 0, 0]})
    for other in others:
        cache.put("entry", other)
        assert cache.get("entry", decode) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGES)
def test_a_build_makes_damaged_entries_anew(name: str, tiny: Project) -> None:
    damage_all(tiny, name)


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("name", ["inner lists emptied", "a folder"])
def test_a_build_of_the_real_site_makes_damaged_entries_anew(name: str, site: Project) -> None:
    """It has entries of every kind, but for the browser's."""
    damage_all(site, name)


def damage_all(project: Project, name: str) -> None:
    before = tree(project.root / "dist")
    files = [f for f in (project.root / ".cache/site").rglob("*") if f.is_file()]
    assert {"formulas.json", "bundles.json", "search.json", "stamp"} < {f.name for f in files}
    for file in files:
        DAMAGES[name](file)
    outcome = project.build()
    assert outcome.code == 0, outcome.errors
    assert tree(project.root / "dist") == before
    assert project.build().output == "dist/ is up to date\n"


@pytest.mark.slow
def test_a_build_makes_one_damaged_entry_anew(tiny: Project) -> None:
    """One at a time: the others are still there, and fit what is made anew."""
    before = tree(tiny.root / "dist")
    for file in sorted((tiny.root / ".cache/site").iterdir()):
        if file.is_dir():
            continue
        make_folder(file)
        outcome = tiny.build("--force")
        assert outcome.code == 0, (file.name, outcome.errors)
        assert tree(tiny.root / "dist") == before, file.name
