"""Call a reader's functions; whatever they do becomes a finding."""

import copy
import functools
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from exercises.finding import Finding

Answer = ModuleType | SimpleNamespace  # its attributes are what the reader's code defined
Check = Callable[[Answer], Iterator[Finding]]


class WrongAnswerError(Exception):
    """The check cannot go on; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.property)
        self.finding = finding


def check_of(findings: Check) -> Check:
    """Make a check end with the finding that made it impossible to go on, if there is one."""

    @functools.wraps(findings)
    def check(answer: Answer) -> Iterator[Finding]:
        try:
            yield from findings(answer)
        except WrongAnswerError as error:
            yield error.finding

    return check


def call(answer: Answer, name: str, *inputs: object, shared: tuple[object, ...] = ()) -> Any:  # noqa: ANN401
    """Call one of the reader's functions with copies of the inputs, then `shared` as it is.

    Raises:
        WrongAnswerError: there is no such function, or it raised an error.
    """
    function = getattr(answer, name, None)
    runs = f"{name} runs"
    if not callable(function):
        got = "nothing of that name" if function is None else f"a {type(function).__name__}"
        raise WrongAnswerError(
            Finding(property=runs, holds=False, expected=f"a function {name}", got=got)
        )
    try:
        with np.errstate(all="ignore"):  # what comes of it is compared
            return function(*copy.deepcopy(inputs), *shared)
    except (Exception, SystemExit) as error:
        raise WrongAnswerError(
            Finding(
                property=runs,
                holds=False,
                where=_line(function, error),
                expected="a result",
                got=f"{type(error).__name__}: {error}",
            )
        ) from error


def unpack(name: str, value: object, parts: tuple[str, ...]) -> tuple[Any, ...]:
    """The parts of what a function returned.

    Raises:
        WrongAnswerError: it is no tuple of that many.
    """
    if isinstance(value, tuple | list) and len(value) == len(parts):
        return tuple(value)
    many = len(value) if isinstance(value, tuple | list) else None
    got = f"a tuple of {many}" if many is not None else f"a {type(value).__name__}"
    raise WrongAnswerError(
        Finding(
            property=f"what {name} returns",
            holds=False,
            expected=f"{len(parts)} values: {', '.join(parts)}",
            got="nothing (None)" if value is None else got,
        )
    )


def _line(function: Callable[..., object], error: BaseException) -> str:
    """The deepest line of the reader's own file that the error went through."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if code and frame.filename == code.co_filename]
    return f"line {own[-1]} of your code" if own else "the call"
