"""The functions that a page calls in the reader's browser; each takes and returns JSON.

`static/js/python-worker.js` calls them by name.
"""

import json
from dataclasses import asdict
from pathlib import Path

from runner.edited_page import check_page
from runner.edits import Edit, check_answer, run_edited
from runner.examples import environment, run_example
from runner.numbers_as_text import largest_difference

__all__ = [
    "check_answer_json",
    "environment",
    "largest_difference_json",
    "reader_verdicts_json",
    "run_json",
    "run_reader_code_json",
]

_CHECKS = Path(__file__).parent.parent / "checks"  # packed with the code, one file for each page


def run_json(request: str) -> str:
    """Run an example: the arguments of `run_example`.

    Returns:
        `{"values": …}`, or `{"error": …}` with what the program raised.
    """
    try:
        answer: dict[str, object] = {"values": run_example(json.loads(request))}
    except Exception as error:  # noqa: BLE001 - any exception is shown to the reader
        answer = {"error": f"{type(error).__name__}: {error}"}
    return json.dumps(answer)


def largest_difference_json(request: str) -> str:
    """The largest difference between two results of `run_json`, given as a list."""
    first, second = json.loads(request)
    return largest_difference(first, second)


def run_reader_code_json(request: str) -> str:
    """Run a program on edited code: `{"edits": […], "program": dotted}`.

    Returns:
        `{"output": what it printed, "failure": null, or what `failure_of` says}`.
    """
    table = json.loads(request)
    output, failure = run_edited(_edits(table["edits"]), table["program"])
    return json.dumps({"output": output, "failure": failure})


def check_answer_json(request: str) -> str:
    """Check the answer to an exercise: `{"cell": …, "text": …, "check": dotted}`.

    Returns:
        A `CheckedAnswer`.
    """
    table = json.loads(request)
    return json.dumps(check_answer(table["cell"], table["text"], table["check"]))


def reader_verdicts_json(request: str) -> str:
    """Check the equations and gradients of a page on edited code: `{"page": slug, "edits": […]}`.

    Returns:
        An `EditedPage`.
    """
    table = json.loads(request)
    check = json.loads((_CHECKS / f"{table['page']}.json").read_text("utf-8"))
    return json.dumps(asdict(check_page(_edits(table["edits"]), check)))


def _edits(tables: list[dict[str, object]]) -> list[Edit]:
    return [Edit(**edit) for edit in tables]  # type: ignore[arg-type]
