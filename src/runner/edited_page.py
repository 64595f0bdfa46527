"""Check a page's equations and gradients on code that a reader has edited, in the browser.

The builder has packed a `PageCheck` for each page with the code.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from runner.edits import Edit, captured, edited_modules, failure_of
from runner.equations import check_equations
from runner.imports import find_function
from runner.numbers_as_text import distinct_texts
from runner.protocol import EditFailure, EquationAnswer, PageCheck

AGREES = 1e-6  # the largest relative error allowed in a gradient
_Result = TypeVar("_Result")
_Shown = dict[str, str | int | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedPage:
    """Results of checking a page.

    Attributes:
        equations: by id, whether each `holds`; if not, an `error`, or `where` and on which `input`
            it fails, and the values of its sides there, `left` and `right`.
        gradients: the `name`, the `error`, and whether each `holds`.
        failure: what the code raised while the equations were checked.
        gradients_failure: what it raised while the gradients were checked.
    """

    equations: dict[str, _Shown]
    gradients: list[_Shown]
    failure: EditFailure | None
    gradients_failure: EditFailure | None


def check_page(edits: Sequence[Edit], check: PageCheck) -> EditedPage:
    """Check a page on edited code."""
    with captured():
        try:
            with edited_modules(edits):
                answers, failure = _attempt(lambda: check_equations(check["equations"]), edits)
                gradients, gradients_failure = _attempt(lambda: _gradients(check), edits)
        except BaseException as error:  # noqa: BLE001 - readers' code may raise anything
            answers, gradients = None, None
            failure = gradients_failure = failure_of(error, edits)
    return EditedPage(
        equations={id_: _shown(answer) for id_, answer in (answers or {}).items()},
        gradients=gradients or [],
        failure=failure,
        gradients_failure=gradients_failure,
    )


def _attempt(
    run: Callable[[], _Result], edits: Sequence[Edit]
) -> tuple[_Result | None, EditFailure | None]:
    try:
        return run(), None
    except BaseException as error:  # noqa: BLE001 - includes SystemExit from the reader's code
        return None, failure_of(error, edits)


def _gradients(check: PageCheck) -> list[_Shown]:
    if not check["gradients"]:
        return []
    errors: dict[str, float] = find_function(check["gradients"])()
    return [
        {"name": name, "error": f"{error:.1e}", "holds": bool(error <= AGREES)}
        for name, error in errors.items()
    ]


def _shown(answer: EquationAnswer) -> _Shown:
    if "error" in answer:
        return {"holds": False, "error": answer["error"]}
    if "defines" in answer:
        return {"holds": True}
    if answer["holds"]:
        return {"holds": True, "inputs": answer["inputs"]}
    left, right = distinct_texts(float(answer["left"]), float(answer["right"]))
    return {
        "holds": False,
        "where": ", ".join(f"{name} = {index}" for name, index in answer["where"].items()),
        "input": answer["input"],
        "left": left,
        "right": right,
    }
