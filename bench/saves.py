"""How long after a save the page that `build.py serve` serves has the change."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.sites import ROOT, edit_code, edit_prose, page_path

_POLL_EVERY = 0.005
_TIMEOUT = 120.0


def seconds_to_page(project: Path, rounds: int) -> dict[str, list[float]]:
    """Save a line of prose and a line of code in turn; the seconds until the page has each."""
    taken: dict[str, list[float]] = {"prose": [], "code": []}
    edits: dict[str, Callable[[Path, str], None]] = {"prose": edit_prose, "code": edit_code}
    with _serving(project) as address:
        page = f"{address}{page_path(0).stem}.html"
        for number in range(rounds + 1):
            for name, edit in edits.items():
                mark = f"{name}-mark-{number}"
                edit(project, mark)
                waited = _wait_for(page, mark)
                if number:  # the first round warms up
                    taken[name].append(waited)
    return taken


@contextmanager
def _serving(project: Path) -> Iterator[str]:
    """The address of the project's pages, served by a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(ROOT / "build.py"), "serve", "--root", str(project)]
    command += ["--port", str(port), "--without-runtime"]
    address = f"http://127.0.0.1:{port}/"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for(address, "<html")
            yield address
        finally:
            process.terminate()


def _wait_for(address: str, text: str) -> float:
    """The seconds until the page at an address contains a text."""
    started = time.perf_counter()
    while text not in _fetched(address):
        if time.perf_counter() - started > _TIMEOUT:
            sys.exit(f"{address} did not have {text!r} after {_TIMEOUT:.0f} s")
        time.sleep(_POLL_EVERY)
    return time.perf_counter() - started


def _fetched(address: str) -> str:
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT) as answer:  # noqa: S310
            text: str = answer.read().decode()
            return text
    except OSError:
        return ""  # the server has not started
