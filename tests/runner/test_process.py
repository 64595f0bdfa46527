"""The runner as a process: it serves many builds, and does not outlive the builder."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from site_builder.observe.process import SubjectProcess
from tests.site_builder.projects import REPOSITORY

if TYPE_CHECKING:
    from runner.protocol import ExerciseTable

HANGING = """\
import time


def hang(_answer):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass
"""
PARENT = """\
import os, subprocess, sys, time
runner = subprocess.Popen([sys.executable, "-m", "runner", str(os.getpid())], stdin=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True,
                          start_new_session=True)
runner.stdin.write(sys.argv[1] + "\\n")
runner.stdin.flush()
print(runner.pid, flush=True)
time.sleep(60)
"""


def result_of(process: SubjectProcess, program: str) -> object:
    """What a program returns, as the check of an exercise sees it."""
    exercise: ExerciseTable = {"id": "one", "stub": "", "check": program, "solution": []}
    answer = process.exercises({"exercises": [exercise]})
    assert answer.table, answer
    return answer.table["answers"][0]["solution"][0]["property"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "sums"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", "utf-8")
    (package / "terms.py").write_text("TERM = 1\n", "utf-8")
    (package / "total.py").write_text(
        "from dataclasses import dataclass\n\nfrom sums.terms import TERM\n\n\n"
        "@dataclass\nclass Found:\n    property: int\n    holds: bool = True\n\n\n"
        "def check(_answer):\n    yield Found(property=1 + TERM)\n",
        "utf-8",
    )
    return tmp_path


def test_a_process_that_goes_on_runs_the_code_as_it_is_now(project: Path) -> None:
    with SubjectProcess(project, 30) as process:
        assert result_of(process, "sums.total.check") == 2
        (project / "src/sums/terms.py").write_text("TERM = 41\n", "utf-8")  # of which total is made
        assert result_of(process, "sums.total.check") == 42
        (project / "src/sums/more.py").write_text("from sums.total import check\n", "utf-8")
        assert result_of(process, "sums.more.check") == 42


def test_the_runner_ends_with_a_builder_that_is_killed(tmp_path: Path) -> None:
    package = tmp_path / "src" / "hanging"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(HANGING, "utf-8")
    exercise = {"id": "", "stub": "", "check": "hanging.hang", "solution": []}
    envelope = json.dumps(
        {"task": "exercises", "root": str(tmp_path), "time_limit": 300,
         "request": {"exercises": [exercise]}}
    )  # fmt: skip
    path = os.pathsep.join([str(tmp_path / "src"), str(REPOSITORY / "src")])
    builder = subprocess.Popen(
        [sys.executable, "-c", PARENT, envelope],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    with builder:
        assert builder.stdout
        runner = int(builder.stdout.readline())
        time.sleep(1)  # until it hangs
        assert _is_alive(runner)
        builder.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while _is_alive(runner) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _is_alive(runner)


def _is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended may wait for its parent to notice."""
    found = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()[:1] not in ("", "Z")
