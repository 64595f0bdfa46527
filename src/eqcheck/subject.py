"""What equations are about: code to run, and where in it each symbol's value is found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType

import numpy as np

from eqcheck.observe import Activation, observing

Inputs = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value is found in the code.

    Attributes:
        function: module and qualified name, such as `tinygpt.ops.layer_norm_forward`.
        name: a variable (as last assigned, else as passed in), `return`, or a subexpression as
            `ast.unparse` writes it.
        line: the line whose assignment counts, if the name is assigned on several.
        path: which element of a tuple it is: (1, 0) for the first element of the second one.
        call: which of the function's calls counts.
    """

    function: str
    name: str
    line: int | None = None
    path: tuple[int, ...] = ()
    call: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    r"""Code that runs, and where in it each symbol's value is found.

    Attributes:
        run: runs the code on one set of inputs, by name.
        functions: those to observe.
        places: for each symbol, by its LaTeX, where its value is found.
        inputs: for each symbol that is an input of `run`, the input's name. Derivatives with
            respect to these symbols run the code; those with respect to others go through the
            definitions.
        definitions: displays whose equations define their left sides. `Y_{ti} = …` says how Y
            depends on what stands there; `L = \sum_{t}\sum_{i} dY_{ti} Y_{ti}` defines an L that
            no code computes.
        expressions: subexpressions among the places, by function, as `observing` takes them.
    """

    run: Callable[[Inputs], object]
    functions: tuple[FunctionType, ...]
    places: Mapping[str, Place]
    inputs: Mapping[str, str]
    definitions: tuple[str, ...] = ()
    expressions: Mapping[FunctionType, frozenset[str]] = field(default_factory=dict)


Run = tuple[Activation, ...]


def observe_each(subject: Subject, many: Sequence[Inputs]) -> list[Run]:
    """Run the code on each of many inputs, and record what its functions computed.

    NumPy's warnings are off: numbers that are none show in the values.
    """
    runs = []
    wanted = {
        function: frozenset(
            place.name
            for place in subject.places.values()
            if place.function == f"{function.__module__}.{function.__qualname__}"
        )
        for function in subject.functions
    }
    observed = observing(
        subject.functions, snapshot=snapshot, expressions=subject.expressions, names=wanted
    )
    with np.errstate(all="ignore"), observed as activations:
        for inputs in many:
            subject.run(inputs)
            runs.append(tuple(activations))
            activations.clear()
    return runs


def snapshot(value: object) -> object:
    """Copy arrays, also inside tuples and lists; keep anything else as it is."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple | list):
        copies = [snapshot(item) for item in value]
        return copies if isinstance(value, list) else tuple(copies)
    return value


def value_at(run: Run, place: Place) -> object:
    """The value at a place in a run.

    Raises:
        LookupError: there is none; the message names the place.
    """
    calls = [item for item in run if item.function == place.function]
    if len(calls) <= place.call:
        raise LookupError(f"{place.function} was called {len(calls)} times")
    activation = calls[place.call]
    value = activation.result if place.name == "return" else _variable(activation, place)
    for number in place.path:
        if not isinstance(value, tuple | list) or len(value) <= number:
            raise LookupError(f"{place.function}:{place.name} has no element {place.path}")
        value = value[number]
    return value


def _variable(activation: Activation, place: Place) -> object:
    for item in reversed(activation.assigned):
        if item.name == place.name and (place.line is None or place.line == item.line):
            return item.value
    if place.line is None:
        for values in (activation.arguments, activation.evaluated):
            if place.name in values:
                return values[place.name]
    line = f" on line {place.line}" if place.line else ""
    raise LookupError(f"{place.function} assigns no {place.name}{line}")
