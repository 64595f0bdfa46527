"""Ask a script in Node: JSON on its standard input, JSON on its standard output."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def ask_node(script: Path, questions: Sequence[object], *arguments: str) -> list[dict[str, Any]]:
    """The answer to each question; each is an `error` if Node fails.

    Args:
        script: reads a list of questions, and writes a list of as many answers.
        questions: what can be written as JSON.
        arguments: of the script's command line.
    """
    run = subprocess.run(
        ["node", str(script), *arguments],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no output"])[-1]
        return [{"error": f"Node ended with code {run.returncode} ({last})"}] * len(questions)
    answers: list[dict[str, Any]] = json.loads(run.stdout)
    return answers
