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


# Which calls and which iterations of loops an event is part of, outermost first: for each function
# or loop that was running, its name and how often it had started before. Two values belong together
# if they agree on everything that both are part of.
Context = tuple[tuple[str, int], ...]


@dataclass(slots=True, kw_only=True)
class Assigned(Generic[_Value]):
    """One variable's value after one statement assigned it.

    Attributes:
        line: the first line of the statement.
        name: the variable's.
        value: its value right after the statement.
        number: which of the statements that assign the name this is, counted from 0.
        context: the calls and iterations that it is part of.
        changed: the value when the variable was assigned again, or the function returned; None
            while it has neither happened. It differs from `value` if an array was changed in place.
    """

    line: int
    name: str
    value: _Value
    number: int = 0
    context: Context = ()
    changed: _Value | None = None

    @property
    def final(self) -> _Value:
        """The value that the variable had in the end, and that its users saw."""
        return self.value if self.changed is None else self.changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated(Generic[_Value]):
    """The value of a subexpression, at one place in the code."""

    line: int
    column: int
    text: str
    value: _Value
    context: Context = ()


@dataclass(slots=True, kw_only=True)
class Activation(Generic[_Value]):
    """One run of one function. It grows while the function runs.

    Attributes:
        function: module and qualified name, such as `tinygpt.ops.layer_norm_forward`.
        caller: the place of the call.
        arguments: each parameter's value on entry.
        assigned: every assignment to a plain name, in the order in which they happened.
        evaluated: the last values of the requested subexpressions, by their `ast.unparse` text.
        evaluations: all of them, in the order in which they happened.
        result: what the function returned; None while it runs and when it raised.
        returned: the line of the `return` that ran; None if it was the end of the function.
        changed_arguments: the names of parameters whose arrays the function changed in place.
        context: the calls and iterations that it is part of, itself the last.
        loops: the loops that are running, and the number of their iteration.
        live: the last assignment to each name, and the object itself, which may still change.
        parameters: the objects that were passed, while the function runs.
    """

    function: str
    caller: Caller
    arguments: dict[str, _Value]
    assigned: list[Assigned[_Value]] = field(default_factory=list)
    evaluated: dict[str, _Value] = field(default_factory=dict)
    result: _Value | None = None
    evaluations: list[Evaluated[_Value]] = field(default_factory=list)
    returned: int | None = None
    changed_arguments: set[str] = field(default_factory=set)
    context: Context = ()
    loops: dict[str, int] = field(default_factory=dict)
    live: dict[str, tuple[Assigned[_Value], object]] = field(default_factory=dict)
    parameters: dict[str, object] = field(default_factory=dict)

    @property
    def current(self) -> Context:
        """The calls and iterations that whatever happens now is part of."""
        return (*self.context, *self.loops.items()) if self.loops else self.context


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


@dataclass(slots=True)
class _Recorder:
    """What the instrumented functions call."""

    activations: list[Activation[Any]]
    snapshot: Callable[[object], object]
    keep: Keep
    _running: list[tuple[FrameType, Activation[Any]]] = field(default_factory=list)

    def enter(self, function: str, parameters: dict[str, object]) -> Activation[Any] | None:
        frame = sys._getframe(1)  # noqa: SLF001 - the public inspect.currentframe is the same
        caller = _position(frame.f_back)
        if not self.keep(function, caller, parameters):
            return None
        arguments = {name: self.snapshot(value) for name, value in parameters.items()}
        activation: Activation[Any] = Activation(
            function=function,
            caller=caller,
            arguments=arguments,
            context=(*self._around(frame), (function, len(self.activations))),
        )
        activation.parameters = parameters
        self.activations.append(activation)
        self._running.append((frame, activation))
        return activation

    def _around(self, frame: FrameType) -> Context:
        """The context of a call; activations that an exception has ended are forgotten."""
        while self._running:
            outer: FrameType | None = frame.f_back
            while outer is not None and outer is not self._running[-1][0]:
                outer = outer.f_back
            if outer is not None:
                return self._running[-1][1].current
            self._running.pop()
        return ()

    def iterate(self, activation: Activation[Any] | None, line: int) -> None:
        if activation is not None:
            loop = f"{activation.function}, line {line}"
            activation.loops[loop] = activation.loops.get(loop, -1) + 1

    def finish(self, activation: Activation[Any] | None, line: int) -> None:
        if activation is not None:
            activation.loops.pop(f"{activation.function}, line {line}", None)

    def assign(
        self, activation: Activation[Any] | None, line: int, number: int, name: str, value: object
    ) -> None:
        if activation is None:
            return
        self.settle(activation, name, value)
        assigned: Assigned[Any] = Assigned(
            line=line,
            name=name,
            value=self.snapshot(value),
            number=number,
            context=activation.current,
        )
        activation.assigned.append(assigned)
        activation.live[name] = assigned, value

    def settle(
        self, activation: Activation[Any] | None, name: str, following: object = None
    ) -> None:
        """Record the value that a variable has before it is assigned again."""
        live = activation.live.pop(name, None) if activation is not None else None
        if live and live[1] is not following and _is_mutable(live[1]):
            live[0].changed = self.snapshot(live[1])

    def evaluate(
        self, activation: Activation[Any] | None, line: int, column: int, text: str, value: object
    ) -> object:
        if activation is not None:
            found = self.snapshot(value)
            activation.evaluated[text] = found
            activation.evaluations.append(
                Evaluated(
                    line=line,
                    column=column,
                    text=text,
                    value=found,
                    context=activation.current,
                )
            )
        return value

    def leave(
        self,
        activation: Activation[Any] | None,
        line: int | None,
        wanted: bool,  # noqa: FBT001 - instrumented code passes a constant
        value: object,
    ) -> object:
        if activation is not None:
            if self._running and self._running[-1][1] is activation:
                self._running.pop()
            activation.result = self.snapshot(value) if wanted else None
            activation.returned = line
            for name in tuple(activation.live):
                self.settle(activation, name)
            for name, argument in activation.parameters.items():
                if _differs(activation.arguments[name], argument):
                    activation.changed_arguments.add(name)
            activation.parameters.clear()
        return value


def _is_mutable(value: object) -> bool:
    return not isinstance(value, float | int | complex | str | np.generic | None)


def _differs(copy: object, array: object) -> bool:
    """Whether an array is no longer equal to a copy of it."""
    if not isinstance(copy, np.ndarray) or not isinstance(array, np.ndarray):
        return False
    return copy.tobytes() != array.tobytes()


def _position(frame: FrameType | None) -> Caller:
    """The call that `frame` is in the middle of."""
    if frame is None:
        return Caller(path="", line=0, column=0)
    return _call_at(frame.f_code, frame.f_code.co_filename, frame.f_lasti // 2)


@lru_cache(maxsize=4096)
def _call_at(code: CodeType, path: str, instruction: int) -> Caller:
    line, _, column, _ = next(islice(code.co_positions(), instruction, None))
    return Caller(path=path, line=line or 0, column=column or 0)
