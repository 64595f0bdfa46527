"""Start the process in which the subject runs, ask it one thing, and report how it failed."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


def ask(root: Path, task: str, request: dict[str, Any], time_limit: float) -> Answer:
    """Let a new process do a task of `site_builder.observe.child`."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(_BUILDER / "src"), str(_BUILDER)]),
        "PYTHONHASHSEED": "0",
        "PYTHONSAFEPATH": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "site_builder.observe.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=root,
        env=environment,
        start_new_session=True,  # so that what the subject starts can be ended with it
        text=True,
        encoding="utf-8",
        errors="replace",  # the subject may print any bytes
    )
    question = json.dumps({**request, "task": task, "root": str(root), "time_limit": time_limit})
    try:
        answer, output = process.communicate(question, timeout=time_limit + _GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        answer, output = process.communicate()
    try:
        return Answer(table=json.loads(answer), exit_code=process.returncode, output=output)
    except json.JSONDecodeError:
        return Answer(table=None, exit_code=process.returncode, output=output)


def observing_sources() -> list[bytes]:
    """The code that observes: when it changes, what was kept is no longer good."""
    here, eqcheck = Path(__file__).parent, _BUILDER / "src" / "eqcheck"
    return [
        file.read_bytes() for file in [*sorted(here.glob("*.py")), *sorted(eqcheck.glob("*.py"))]
    ]
