"""The process in which the subject runs: started when first needed, asked any number of times.

The subject is never imported into the builder's own process.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

_GRACE = 10.0  # seconds for a process that does not heed its own time limit
_BUILDER = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the process said. `table` is None if it ended without an answer."""

    table: dict[str, Any] | None
    exit_code: int
    output: str

    @property
    def failure(self) -> dict[str, Any] | None:
        """What the subject raised, and where."""
        return (self.table or {}).get("failure")


class SubjectProcess:
    """Does the tasks of `site_builder.observe.child`, one after the other.

    Use it as a context manager: at the end the process and all that it started are ended.
    """

    def __init__(self, root: Path, time_limit: float) -> None:
        self._root = root
        self._time_limit = time_limit
        self._process: subprocess.Popen[str] | None = None
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._output.close()

    def ask(self, task: str, request: dict[str, Any]) -> Answer:
        """Have a task done. A process that fails is ended; the next task gets a new one."""
        process = self._process or self._start()
        assert process.stdin  # noqa: S101 - they are pipes
        assert process.stdout  # noqa: S101
        limits = {"root": str(self._root), "time_limit": self._time_limit}
        timer = threading.Timer(self._time_limit + _GRACE, self._kill)
        timer.start()
        try:
            process.stdin.write(json.dumps({**request, **limits, "task": task}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        table: dict[str, Any] | None = json.loads(line) if line.endswith("\n") else None
        if table is None or "failure" in table:
            self._end()
        self._output.seek(0)
        return Answer(table=table, exit_code=process.returncode or 0, output=self._output.read())

    def _start(self) -> subprocess.Popen[str]:
        folders = (self._root / "src", _BUILDER / "src", _BUILDER)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, folders)),
            "PYTHONHASHSEED": "0",
            "PYTHONSAFEPATH": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "site_builder.observe.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=self._root,
            env=environment,
            start_new_session=True,  # so that what the subject starts can be ended with it
            text=True,
            encoding="utf-8",
        )
        return self._process

    def _kill(self) -> None:
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _end(self) -> None:
        """End the process, and whatever the subject has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0 if process.poll() is None else _GRACE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]


def observing_sources() -> list[bytes]:
    """What observes: when it changes, what was kept is no longer good."""
    here, eqcheck = Path(__file__).parent, _BUILDER / "src" / "eqcheck"
    files = [*sorted(here.glob("*.py")), *sorted(eqcheck.glob("*.py"))]
    versions = f"Python {sys.version}, NumPy {version('numpy')}"
    return [versions.encode(), *(file.read_bytes() for file in files)]
