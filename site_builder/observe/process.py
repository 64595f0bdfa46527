"""The process in which the subject runs: started on demand, used for any number of requests.

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
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from runner.protocol import (
    Envelope,
    EquationsAnswer,
    EquationsRequest,
    ExercisesAnswer,
    ExercisesRequest,
    FailureTable,
    NotebooksAnswer,
    NotebooksRequest,
    StudiesAnswer,
    StudiesRequest,
)

_GRACE = 10.0  # seconds of grace for a process that overruns its own time limit
_SOURCES = Path(__file__).parent.parent.parent / "src"


_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult(Generic[_Answer]):
    """The result of a task.

    Attributes:
        table: the answer; None if the process ended without one, or the whole task failed.
        failure: what the subject raised, and where. There may be a partial answer as well.
    """

    table: _Answer | None
    failure: FailureTable | None
    exit_code: int
    output: str


class SubjectProcess:
    """Performs the tasks of `runner.protocol`, one at a time.

    Use it as a context manager, which ends the process and every process that it started.
    """

    def __init__(self, root: Path, time_limit: float) -> None:
        self._root = root
        self.time_limit = time_limit
        self._process: subprocess.Popen[str] | None = None
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, and any processes that the subject started."""
        self._end()
        self._output.close()

    def studies(self, request: StudiesRequest) -> TaskResult[StudiesAnswer]:
        """Run the subject, the lessons and the examples."""
        return self._ask("studies", request)

    def equations(self, request: EquationsRequest) -> TaskResult[EquationsAnswer]:
        """Compare equations with the code."""
        return self._ask("equations", request)

    def exercises(self, request: ExercisesRequest) -> TaskResult[ExercisesAnswer]:
        """Run the checks of exercises on their stubs and solutions."""
        return self._ask("exercises", request)

    def notebooks(self, request: NotebooksRequest) -> TaskResult[NotebooksAnswer]:
        """Run the cells of notebooks."""
        return self._ask("notebooks", request)

    def _ask(self, task: str, request: object) -> TaskResult[Any]:
        """Perform a task. A process that fails is ended; the next task starts a new one."""
        process = self._process or self._start()
        assert process.stdin  # noqa: S101 - they are pipes
        assert process.stdout  # noqa: S101
        envelope: Envelope = {
            "task": task,
            "root": str(self._root),
            "time_limit": self.time_limit,
            "request": request,
        }
        timer = threading.Timer(self.time_limit + _GRACE, self._kill)
        timer.start()
        try:
            process.stdin.write(json.dumps(envelope) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        table = json.loads(line) if line.endswith("\n") else None
        failure = table.get("failure") if table else None
        if table is None or failure:
            self._end()
        self._output.seek(0)
        return TaskResult(
            table=None if table and table.keys() == {"failure"} else table,
            failure=failure,
            exit_code=process.returncode or 0,
            output=self._output.read(),
        )

    def _start(self) -> subprocess.Popen[str]:
        folders = (self._root / "src", _SOURCES)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, folders)),
            "PYTHONHASHSEED": "0",
            "PYTHONSAFEPATH": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "runner", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            cwd=self._root,
            env=environment,
            start_new_session=True,  # so that processes of the subject can be ended with it
            text=True,
            encoding="utf-8",
        )
        return self._process

    def _kill(self) -> None:
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _end(self) -> None:
        """End the process, and any processes that the subject started."""
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
