"""Answer the builder's requests in a separate process, isolated from the builder.

Requests are lines of JSON on standard input; answers are lines of JSON on standard output. What the
subject prints goes to standard error. The process exits at the end of its input, or when the
builder dies.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from runner.equations import check_equations
from runner.exercises import try_checks
from runner.failures import failure
from runner.imports import ProjectModules
from runner.notebooks import run_cells
from runner.protocol import Envelope
from runner.studies import run_studies

_POLL = 0.5  # seconds
_TASKS: dict[str, Callable[[Any, Path], object]] = {
    "equations": lambda request, _root: check_equations(request),
    "exercises": lambda request, _root: try_checks(request),
    "notebooks": run_cells,
    "studies": run_studies,
}


def main() -> None:
    """Answer requests, a line each, until there are no more.

    The argument of the command is the process id of the builder, which may be gone before this
    process has begun.
    """
    threading.Thread(target=_end_with, args=[int(sys.argv[1])], daemon=True).start()
    # Bytecode is cached by modification time in seconds: a second edit within one would be missed.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = os.devnull
    modules = ProjectModules()
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # also for output that bypasses sys.stdout, such as that of child processes
        for line in sys.stdin:
            # One string: far faster than json.dump.
            answers.write(json.dumps(_answer(json.loads(line), modules)) + "\n")
            answers.flush()


def _answer(envelope: Envelope, modules: ProjectModules) -> object:
    root = Path(envelope["root"])
    try:
        with _time_limit(envelope["time_limit"]):
            modules.refresh(root)
            try:
                return _TASKS[envelope["task"]](envelope["request"], root)
            finally:
                modules.remember(root)
    except BaseException as error:  # noqa: BLE001 - includes SystemExit from the subject
        return {"failure": failure(error, root)}


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise TimeoutError(f"was still running after {seconds:g} s")

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _end_with(parent: int) -> None:
    """Kill this process group once its parent is gone, even in mid-request.

    Linux can send a signal then, but it does so as soon as the parent's starting thread ends.
    """
    while os.getppid() == parent:
        time.sleep(_POLL)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
