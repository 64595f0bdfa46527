"""Check the page's equations and gradients on code that a reader has edited, in the browser.

What is to be checked was packed with the code, by page: `checks/<page>.json`, as
`site_builder.observe.verdicts` wrote it.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from site_builder.observe.check import check_equations
from site_builder.observe.example import find_function
from site_builder.observe.reader_code import Edit, captured, edited_modules, failure_of

AGREES = 1e-6  # what a gradient's largest relative error may be
_Result = TypeVar("_Result")
_FOLDER = Path(__file__).parent.parent.parent / "checks"


def reader_verdicts_json(request: str) -> str:
    """Check a page on edited code: `{"page": its slug, "edits": […]}`, all as JSON.

    Returns:
        `equations`: for each, by its id, whether it `holds`; if not, an `error`, or `where` and on
        which `input` it fails, and `left` and `right`, the numbers of its two sides there.
        `gradients`: a list with the `name` and the `error` of each, and whether it `holds`.
        `failure` and `gradients_failure`: None, or what `failure_of` says.
    """
    table = json.loads(request)
    check = json.loads((_FOLDER / f"{table['page']}.json").read_text("utf-8"))
    return json.dumps(reader_verdicts([Edit(**edit) for edit in table["edits"]], check))


def reader_verdicts(edits: Sequence[Edit], check: dict[str, Any]) -> dict[str, Any]:
    """The answer to `reader_verdicts_json`, given what to check."""
    with captured():
        try:
            with edited_modules(edits):
                tables, failure = _attempt(lambda: check_equations(check["equations"]), edits)
                gradients, gradients_failure = _attempt(lambda: _gradients(check), edits)
        except BaseException as error:  # noqa: BLE001 - loading what a reader wrote
            tables, gradients = None, None
            failure = gradients_failure = failure_of(error, edits)
    return {
        "equations": {id_: _verdict(found) for id_, found in (tables or {}).items()},
        "gradients": gradients or [],
        "failure": failure,
        "gradients_failure": gradients_failure,
    }


def _attempt(
    run: Callable[[], _Result], edits: Sequence[Edit]
) -> tuple[_Result | None, dict[str, Any] | None]:
    try:
        return run(), None
    except BaseException as error:  # noqa: BLE001 - SystemExit from the reader's code is one, too
        return None, failure_of(error, edits)


def _gradients(check: dict[str, Any]) -> list[dict[str, Any]]:
    if not check["gradients"]:
        return []
    errors: dict[str, float] = find_function(check["gradients"])()
    return [
        {"name": name, "error": f"{error:.1e}", "holds": bool(error <= AGREES)}
        for name, error in errors.items()
    ]


def _verdict(table: dict[str, Any]) -> dict[str, Any]:
    if "error" in table:
        return {"holds": False, "error": table["error"]}
    if table["holds"]:
        return {"holds": True, "inputs": table["inputs"]}
    left, right = _apart(float(table["left"]), float(table["right"]))
    where = ", ".join(f"{name} = {index}" for name, index in table["where"].items())
    return {
        "holds": False,
        "where": where,
        "input": table["input"],
        "left": left,
        "right": right,
    }


def _apart(left: float, right: float) -> tuple[str, str]:
    """Two numbers with as many digits as show that they differ."""
    for digits in (4, 7, 10):
        texts = f"{left:.{digits}g}", f"{right:.{digits}g}"
        if texts[0] != texts[1]:
            return texts
    return repr(left), repr(right)
