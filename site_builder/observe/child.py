"""Runs inside a process of its own, where the subject can be imported and may do what it likes.

Requests come as JSON on standard input, a line each, and so do the answers on standard output. What
the subject prints goes to standard error.
"""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from site_builder.observe.answers import check_exercises
from site_builder.observe.check import check_equations, check_mutants
from site_builder.observe.failure import failure
from site_builder.observe.notebook_cells import run_notebooks
from site_builder.observe.watch import watch_subject

TASKS = {
    "check": check_equations,
    "exercises": check_exercises,
    "mutate": check_mutants,
    "notebooks": run_notebooks,
    "watch": watch_subject,
}


def main() -> None:
    """Answer requests, a line each, until there are no more."""
    # Bytecode is kept by the second: code edited twice within one would be run as it was before.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = os.devnull
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # also what the subject writes past sys.stdout, or lets others write
        for line in sys.stdin:
            # In one piece: far faster than json.dump.
            answers.write(json.dumps(_answer(json.loads(line))) + "\n")
            answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        with _time_limit(request["time_limit"]):
            return TASKS[request["task"]](request)
    except BaseException as error:  # noqa: BLE001 - SystemExit from the subject is one, too
        return {"failure": failure(error, Path(request["root"]))}


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


if __name__ == "__main__":
    main()
