"""`build.py serve`: right MIME types, rebuilds on change, tells browsers, survives broken input."""

import itertools
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path

import pytest

from site_builder.serve import Builds, build_and_watch
from tests.site_builder.projects import PAGE, Project, build_command

pytestmark = pytest.mark.site

TIMEOUT = 60


def _heed_interrupts() -> None:
    """Shells start what is in the background with interrupts ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Served:
    """A running server."""

    def __init__(self, project: Project, log: Path) -> None:
        self._log = log
        self.project = project
        with log.open("w") as output:
            self.process = subprocess.Popen(
                build_command(project.root, "serve", "--port", "0"),
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                preexec_fn=_heed_interrupts,  # noqa: PLW1509 - no thread is under way
            )
        self.address = self.wait_for(r"(http://localhost:\d+)")

    def wait_for(self, pattern: str) -> str:
        for _ in range(TIMEOUT * 20):
            found = re.search(pattern, self._log.read_text())
            if found:
                return found[1]
            try:
                self.process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            break
        raise AssertionError(f"no {pattern} in {self._log.read_text()}")

    def get(self, path: str) -> tuple[int, str, str]:
        try:
            with open_address(self.address + path) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Content-Type"], error.read().decode()


def open_address(address: str) -> HTTPResponse:
    assert address.startswith("http://localhost:")
    answer: HTTPResponse = urllib.request.urlopen(address, timeout=TIMEOUT)  # noqa: S310 - just so
    return answer


@pytest.fixture
def served(tiny: Project, tmp_path: Path) -> Iterator[Served]:
    server = Served(tiny, tmp_path / "log")
    yield server
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(TIMEOUT) == 0


def test_types_pages_and_missing_pages(served: Served) -> None:
    dist = served.project.root / "dist"
    (dist / "module.mjs").write_text("export {}")
    (dist / "code.wasm").write_text("x")
    for path, expected in (
        ("/", "text/html; charset=utf-8"),
        ("/small.html", "text/html; charset=utf-8"),
        ("/static/styles.css", "text/css"),
        ("/static/js/page.js", "text/javascript"),
        ("/explain.json", "application/json"),
        ("/module.mjs", "text/javascript"),
        ("/code.wasm", "application/wasm"),
    ):
        assert served.get(path)[:2] == (200, expected), path
    status, _, body = served.get("/nothing/here.html")
    assert status == 404
    assert "Page not found" in body
    assert "/-/reload.js" in served.get("/small.html")[2]
    assert "/-/" not in (dist / "small.html").read_text("utf-8")
    assert served.get("/../content/site.toml")[0] == 404


def test_a_change_is_built_and_announced(served: Served) -> None:
    with open_address(f"{served.address}/-/reload") as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        served.project.append(PAGE, "\nA new sentence.\n")
        end = time.monotonic() + TIMEOUT
        lines = itertools.takewhile(lambda _: time.monotonic() < end, stream)
        assert any(line.startswith(b"data:") for line in lines)
    assert "A new sentence." in served.get("/small.html")[2]


class _OneBuild(Builds):
    def announce(self) -> None:
        raise KeyboardInterrupt


@pytest.mark.timeout(30)
def test_a_change_during_the_first_build_is_built(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    built = []

    def build(*, quick: bool) -> bool:
        built.append(quick)
        (tmp_path / "content/page.md").touch()
        return True

    with pytest.raises(KeyboardInterrupt):
        build_and_watch(tmp_path, build, _OneBuild(), 0)
    assert built == [False, True]


@pytest.mark.timeout(30)
def test_what_a_quick_build_leaves_out_is_made_in_a_pause(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    built = []

    def build(*, quick: bool) -> bool:
        built.append(quick)
        if len(built) == 1:
            (tmp_path / "content/page.md").touch()
        if len(built) == 3:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt):
        build_and_watch(tmp_path, build, Builds(), 0)
    assert built == [False, True, False]


def test_a_build_between_two_waits_is_announced() -> None:
    builds = Builds()
    seen = builds.count
    assert builds.wait(seen, 0.01) == seen
    builds.announce()
    assert builds.wait(seen, 0) == seen + 1


def test_broken_input_is_printed_and_the_last_good_site_stays(served: Served) -> None:
    line = served.project.append(PAGE, "\n:::{nonsense}\n:::\n") + 1
    served.wait_for(rf"({PAGE}:{line}: unknown directive)")
    assert served.get("/small.html")[0] == 200


def test_a_port_in_use_is_named(tiny: Project) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = subprocess.run(
            build_command(tiny.root, "serve", "--port", str(port)),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
    assert run.returncode == 1
    assert f"port {port} cannot be used" in run.stderr


def test_pages_reload_by_a_script_that_their_policy_allows(served: Served) -> None:
    assert '<script src="/-/reload.js"></script>' in served.get("/small.html")[2]
    status, kind, script = served.get("/-/reload.js")
    assert (status, kind) == (200, "text/javascript")
    assert "/-/reload" in script
