"""Find a value in what was recorded of a run: the one way for equations, examples and shapes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from eqcheck.observe import Activation, Assigned, Context

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
        number: which of the statements that assign the name counts, from 0, instead of the line.
        entry: whether the value of a parameter on entry counts, not one assigned to its name.
        call: which of the function's calls counts; None for all of them, where one value is wanted
            for the first.
        iteration: which of the iterations in each call counts, -1 for the last; None for all.
        occurrence: which of the assignments in that call counts, where one value is wanted: 0 is
            the first, -1 the last.
    """

    function: str
    name: str
    line: int | None = None
    path: tuple[int, ...] = ()
    number: int | None = None
    entry: bool = False
    call: int | None = None
    iteration: int | None = None
    occurrence: int = -1


def value_at(run: Sequence[Activation[_Value]], place: ValuePlace) -> _Value:
    """The value at a place in a run.

    Raises:
        LookupError: there is none; the message names the place.
    """
    calls = _calls(run, place)
    activation = calls[0]
    value = activation.result if place.name == RETURN else _variable(activation, place)
    return _element(value, place)


def _calls(run: Sequence[Activation[_Value]], place: ValuePlace) -> list[Activation[_Value]]:
    """The calls that count.

    Raises:
        LookupError: there are none, or not so many.
    """
    calls = [activation for activation in run if activation.function == place.function]
    if len(calls) <= (place.call or 0):
        count = f"called {len(calls)} times" if calls else "not called"
        raise LookupError(f"{place.function} was {count}")
    return calls if place.call is None else [calls[place.call]]


def _element(value: _Value | None, place: ValuePlace) -> _Value:
    found = element(value, place.path)
    if found is None and place.path:
        what = "returned" if place.name == RETURN else f"has in {place.name}"
        raise LookupError(f"{place.function} {what} nothing at {list(place.path)}")
    return cast("_Value", found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(Generic[_Value]):
    """One of the values at a place, and which calls and iterations it is part of."""

    value: _Value
    context: Context


def values_at(run: Sequence[Activation[_Value]], place: ValuePlace) -> list[Recorded[_Value]]:
    """All values at a place in a run: one for each call, and for each iteration of a loop.

    Of a name that is assigned by several statements it is the last one's, unless the place says
    which. An array's value is the one it had in the end, after changes in place.

    Raises:
        LookupError: there are none, or it is not clear which is meant.
    """
    calls = _calls(run, place)
    found = [one for activation in calls for one in _recorded_in(activation, place)]
    if not found:
        raise LookupError(_missing(place))
    return found


def _recorded_in(activation: Activation[_Value], place: ValuePlace) -> Iterator[Recorded[_Value]]:
    recorded = _recorded(activation, place)
    if place.iteration is not None:
        if not -len(recorded) <= place.iteration < len(recorded):
            return
        recorded = [(recorded[place.iteration][0], activation.context)]
    for value, context in recorded:
        yield Recorded(value=_element(value, place), context=_selected(context, place))


def _selected(context: Context, place: ValuePlace) -> Context:
    """The context of a value in a selected call, which may stand beside values of other calls."""
    if place.call is None:
        return context
    return tuple(
        (f"call {place.call} of {key}" if key.split(", line")[0] == place.function else key, number)
        for key, number in context
    )


def _recorded(
    activation: Activation[_Value], place: ValuePlace
) -> list[tuple[_Value | None, Context]]:
    """The values of one call."""
    if place.name == RETURN:
        ran = place.line in (None, activation.returned)
        return [(activation.result, activation.context)] if ran else []
    assigned = [] if place.entry else _assigned(activation, place)
    if assigned:
        last = assigned[-1]
        # Of several statements the last counts, and of those in one iteration.
        by_context = {item.context: item for item in assigned if item.number == last.number}
        return [(item.final, context) for context, item in by_context.items()]
    if place.line is None and place.number is None and place.name in activation.arguments:
        if place.name in activation.changed_arguments:
            message = f"{place.function} changes {place.name} in place: name the line that counts"
            raise LookupError(message)
        return [(activation.arguments[place.name], activation.context)]
    return _evaluations(activation, place)


def _assigned(activation: Activation[_Value], place: ValuePlace) -> list[Assigned[_Value]]:
    return [
        item
        for item in activation.assigned
        if item.name == place.name
        and place.line in (None, item.line)
        and place.number in (None, item.number)
    ]


def _evaluations(
    activation: Activation[_Value], place: ValuePlace
) -> list[tuple[_Value | None, Context]]:
    items = [
        item
        for item in activation.evaluations
        if item.text == place.name and place.line in (None, item.line)
    ]
    places = {(item.line, item.column) for item in items}
    if len(places) > 1:
        lines = " and ".join(str(line) for line, _ in sorted(places))
        message = f"{place.function} computes {place.name} on lines {lines}: name one of them"
        raise LookupError(message)
    # A comprehension evaluates an expression several times in what is one iteration otherwise.
    count = len(items) > len({item.context for item in items})
    return [
        (item.value, (*item.context, (place.name, number)) if count else item.context)
        for number, item in enumerate(items)
    ]


def _missing(place: ValuePlace) -> str:
    if place.name == RETURN:
        return f"the return of {place.function} on line {place.line} never ran"
    if place.number:
        return f"{place.function} does not assign {place.name} so often, or not in this run"
    line = f" on line {place.line}" if place.line else ""
    verb = "assigns no" if place.name.isidentifier() else "did not compute"
    return f"{place.function} {verb} {place.name}{line}"


def element(value: _Value, path: Sequence[int]) -> _Value | None:
    """`value[i][j]` of tuples in tuples, for the path (i, j); None where there is none."""
    found: object = value
    for number in path:
        if not isinstance(found, tuple) or len(found) <= number:
            return None
        found = found[number]
    return cast("_Value", found)


def _variable(activation: Activation[_Value], place: ValuePlace) -> _Value:
    assigned = [] if place.entry else _assigned(activation, place)
    if assigned:
        return assigned[place.occurrence].value
    if place.line is None and place.number is None:
        for values in (activation.arguments, activation.evaluated):
            if place.name in values:
                return values[place.name]
    raise LookupError(_missing(place))
