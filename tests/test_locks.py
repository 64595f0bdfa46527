"""The locks pin everything, with hashes, and name no host that packages come from."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYTHON_LOCKS = ("requirements", "bench/requirements")
_PIN = re.compile(r"([A-Za-z0-9_.-]+)==(\S+)")


def _pins(text: str) -> dict[str, str]:
    lines = (line.strip() for line in text.splitlines() if not line.lstrip().startswith("#"))
    return {match[1].lower(): match[2] for line in lines if (match := _PIN.match(line))}


@pytest.mark.parametrize("name", PYTHON_LOCKS)
def test_python_lock_holds_what_was_asked_for(name: str) -> None:
    asked = _pins((ROOT / f"{name}.in").read_text("utf-8"))
    locked = _pins((ROOT / f"{name}.lock").read_text("utf-8"))
    assert asked
    assert asked.items() <= locked.items(), "run `make lock`"


@pytest.mark.parametrize("name", PYTHON_LOCKS)
def test_python_lock_is_pins_with_hashes_and_nothing_else(name: str) -> None:
    text = (ROOT / f"{name}.lock").read_text("utf-8")
    entries = re.sub(r"\s*#.*", "", text).replace("\\\n", " ").strip().splitlines()
    hashed = re.compile(r"[a-z0-9_.-]+==\S+( +--hash=sha256:[0-9a-f]{64})+ *", re.IGNORECASE)
    wrong = [entry for entry in entries if not hashed.fullmatch(entry)]
    assert not wrong


@pytest.mark.parametrize("name", [f"{name}.lock" for name in PYTHON_LOCKS])
def test_python_lock_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text


def test_npm_lock_holds_what_was_asked_for() -> None:
    asked = json.loads((ROOT / "package.json").read_text("utf-8"))
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for kind in ("dependencies", "devDependencies"):
        assert locked[""][kind] == asked[kind], "run `make lock`"
        for name, version in asked[kind].items():
            assert locked[f"node_modules/{name}"]["version"] == version


def test_npm_lock_has_a_hash_and_no_host_for_every_package() -> None:
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for name, package in locked.items():
        assert name == "" or package["integrity"].startswith("sha512-")
        assert "resolved" not in package


def test_the_whole_npm_tree_runs_on_the_oldest_node() -> None:
    """Every `engines.node` leaves room for Node 20, so npm has nothing to warn of."""
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    for name, package in locked.items():
        engines = package.get("engines", {}).get("node", ">=0")
        lowest = [int(number) for number in re.findall(r"(?:>=?|\^|\b)\s*v?(\d+)[\d.]*", engines)]
        assert min(lowest, default=0) <= 20, f"{name or 'package.json'} wants Node {engines}"
