"""Find a value in what was recorded of a run: the one way for equations, examples and shapes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from eqcheck.observe import Activation

RETURN = "return"
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePlace:
    """Where a value is found in the code.

    Attributes:
        function: module and qualified name, such as `tinygpt.ops.layer_norm_forward`.
        name: a variable (as assigned, else as passed in), `return`, or a subexpression as
            `ast.unparse` writes it.
        line: the line whose assignment counts, if the name is assigned on several.
        path: which element of a tuple it is: (1, 0) for the first element of the second one.
        call: which of the function's calls counts.
        occurrence: which of the assignments in that call counts: 0 is the first, -1 the last.
    """

    function: str
    name: str
    line: int | None = None
    path: tuple[int, ...] = ()
    call: int = 0
    occurrence: int = -1


def value_at(run: Sequence[Activation[_Value]], place: ValuePlace) -> _Value:
    """The value at a place in a run.

    Raises:
        LookupError: there is none; the message names the place.
    """
    calls = [activation for activation in run if activation.function == place.function]
    if len(calls) <= place.call:
        count = f"called {len(calls)} times" if calls else "not called"
        raise LookupError(f"{place.function} was {count}")
    activation = calls[place.call]
    value = activation.result if place.name == RETURN else _variable(activation, place)
    found = element(value, place.path)
    if found is None and place.path:
        what = "returned" if place.name == RETURN else f"has in {place.name}"
        raise LookupError(f"{place.function} {what} nothing at {list(place.path)}")
    return cast("_Value", found)


def element(value: _Value, path: Sequence[int]) -> _Value | None:
    """`value[i][j]` of tuples in tuples, for the path (i, j); None where there is none."""
    found: object = value
    for number in path:
        if not isinstance(found, tuple) or len(found) <= number:
            return None
        found = found[number]
    return cast("_Value", found)


def _variable(activation: Activation[_Value], place: ValuePlace) -> _Value:
    assigned = [
        item.value
        for item in activation.assigned
        if item.name == place.name and place.line in (None, item.line)
    ]
    if assigned:
        return assigned[place.occurrence]
    if place.line is None:
        for values in (activation.arguments, activation.evaluated):
            if place.name in values:
                return values[place.name]
    line = f" on line {place.line}" if place.line else ""
    verb = "assigns no" if place.name.isidentifier() else "did not compute"
    raise LookupError(f"{place.function} {verb} {place.name}{line}")
