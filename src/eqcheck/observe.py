"""Record what functions compute while they run: arguments, each assignment, the result.

For the length of a `with observing(...)` block the functions' code objects are swapped for
instrumented ones. The function objects stay the same, so every module that has imported them is
observed too, and afterwards they run at full speed again.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType, FunctionType, MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np

from eqcheck.instrument import RECORDER, instrumented_code

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Where a call stands: file, 1-based line, 0-based column of the call expression."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned(Generic[_Value]):
    """One variable's value after one line assigned it."""

    line: int
    name: str
    value: _Value


@dataclass(slots=True, kw_only=True)
class Activation(Generic[_Value]):
    """One run of one function. It grows while the function runs.

    Attributes:
        function: module and qualified name, such as `tinygpt.ops.layer_norm_forward`.
        caller: the place of the call.
        arguments: each parameter's value on entry.
        assigned: every assignment to a plain name, in the order in which they happened.
        evaluated: the values of the subexpressions asked for, by their `ast.unparse` text.
        result: what the function returned; None while it runs and when it raised.
    """

    function: str
    caller: Caller
    arguments: dict[str, _Value]
    assigned: list[Assigned[_Value]] = field(default_factory=list)
    evaluated: dict[str, _Value] = field(default_factory=dict)
    result: _Value | None = None


Keep = Callable[[str, Caller, dict[str, object]], bool]


def _keep_all(_function: str, _caller: Caller, _arguments: dict[str, object]) -> bool:
    return True


@contextmanager
def observing(
    functions: Sequence[FunctionType],
    *,
    snapshot: Callable[[object], object] = deepcopy,
    keep: Keep = _keep_all,
    expressions: Mapping[FunctionType, frozenset[str]] = MappingProxyType({}),
    names: Mapping[FunctionType, frozenset[str]] = MappingProxyType({}),
) -> Iterator[list[Activation[Any]]]:
    """Observe `functions` for the length of the block.

    Args:
        functions: plain functions and methods; they may call one another.
        snapshot: what to keep of each value. The default copies it, since code may change an
            array in place later on.
        keep: whether to record the activation that is about to start, from the function's name,
            the caller and the arguments. Of one that is not recorded nothing is copied.
        expressions: by function, subexpressions to record as well, as `ast.unparse` writes them.
        names: by function, which parameters and variables to record, and `return` for the result;
            everything where it says nothing.

    Yields:
        The activations, in the order in which they started.

    Raises:
        ValueError: one of the functions cannot be observed (see `instrumented_code`).
    """
    activations: list[Activation[Any]] = []
    recorder = _Recorder(activations, snapshot, keep)
    originals = [(function, function.__code__) for function in functions]
    replaced = [
        instrumented_code(function, expressions.get(function, frozenset()), names.get(function))
        for function in functions
    ]
    for function, code in zip(functions, replaced, strict=True):
        function.__globals__[RECORDER] = recorder
        function.__code__ = code
    try:
        yield activations
    finally:
        for function, code in originals:
            function.__code__ = code
            function.__globals__.pop(RECORDER, None)


def snapshot(value: object) -> object:
    """Copy arrays, also inside tuples and lists, which become tuples; keep anything else."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple | list):
        return tuple(snapshot(item) for item in value)
    return value


@dataclass(frozen=True, slots=True)
class _Recorder:
    """What the instrumented functions call."""

    activations: list[Activation[Any]]
    snapshot: Callable[[object], object]
    keep: Keep

    def enter(self, function: str, parameters: dict[str, object]) -> Activation[Any] | None:
        frame = sys._getframe(1)  # noqa: SLF001 - the public inspect.currentframe is the same
        caller = _position(frame.f_back)
        if not self.keep(function, caller, parameters):
            return None
        arguments = {name: self.snapshot(value) for name, value in parameters.items()}
        activation = Activation[Any](function=function, caller=caller, arguments=arguments)
        self.activations.append(activation)
        return activation

    def assign(
        self, activation: Activation[Any] | None, line: int, name: str, value: object
    ) -> None:
        if activation is not None:
            activation.assigned.append(Assigned(line=line, name=name, value=self.snapshot(value)))

    def evaluate(self, activation: Activation[Any] | None, text: str, value: object) -> object:
        if activation is not None:
            activation.evaluated[text] = self.snapshot(value)
        return value

    def leave(self, activation: Activation[Any] | None, value: object) -> object:
        if activation is not None:
            activation.result = self.snapshot(value)
        return value


def _position(frame: FrameType | None) -> Caller:
    """The call that `frame` is in the middle of."""
    if frame is None:
        return Caller(path="", line=0, column=0)
    return _call_at(frame.f_code, frame.f_code.co_filename, frame.f_lasti // 2)


@lru_cache(maxsize=4096)
def _call_at(code: CodeType, path: str, instruction: int) -> Caller:
    line, _, column, _ = next(islice(code.co_positions(), instruction, None))
    return Caller(path=path, line=line or 0, column=column or 0)
