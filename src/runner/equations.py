"""Execute the equations of a page, and compare them with what its code computes."""

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from eqcheck import (
    EquationError,
    Sample,
    Subject,
    Symbols,
    ValuePlace,
    check,
    check_chain,
    declare,
    observe_samples,
    parse,
    random_inputs,
    says_something,
    value_at,
    with_functions,
)
from eqcheck.axes import check_sides
from eqcheck.definitions import DefiningEquations
from eqcheck.inputs import DeclaredInput, InputSet, Size, draw_inputs
from eqcheck.subject import observe_each
from runner.imports import find_function
from runner.mentions import mentions
from runner.protocol import (
    CheckTable,
    ComparedTable,
    EquationAnswer,
    EquationsAnswer,
    EquationsRequest,
    RefusedTable,
)

RANDOM_INPUTS = 10
_SEED = 0


def check_equations(request: EquationsRequest) -> EquationsAnswer:
    """The answer for each equation, by id."""
    symbols, samples, unknown = samples_of(request)
    return {
        equation["id"]: _define(equation["latex"], symbols, samples)
        if equation["id"].startswith("definition ")
        else _lacking(equation["latex"], unknown) or _check(equation["latex"], symbols, samples)
        for equation in request["equations"]
    }


def _lacking(latex: str, unknown: dict[str, str]) -> RefusedTable | None:
    """Why an equation cannot be checked, if one of its symbols has no value."""
    for symbol, reason in unknown.items():
        if mentions(latex, symbol):
            return {"error": reason, "position": 0}
    return None


def _define(latex: str, symbols: Symbols, samples: tuple[Sample, ...]) -> EquationAnswer:
    """Why an equation cannot serve as a definition, if it cannot.

    A definition of what the code computes is an equation like any other.
    """
    if with_functions(dataclasses.replace(symbols, functions=()), (latex,)).functions:
        return {"defines": True}
    try:
        for chain in parse(latex, symbols):
            check_sides(chain)
    except EquationError as error:
        return {"error": error.message, "position": error.position}
    if not len(DefiningEquations([latex], symbols)):
        return {"error": "no symbol stands alone on its left side", "position": 0}
    observed = {name for sample in samples for name in sample.runs.values[0]}
    if observed & set(DefiningEquations([latex], symbols)):
        found = _check(latex, symbols, samples)
        if "error" in found:
            return found
        if not found["holds"]:
            message = f"the code computes this symbol, and otherwise: on {found['input']}"
            sides = f"the left side is {found['left']} and the right side {found['right']}"
            return {"error": f"{message}, {sides}", "position": 0}
    return {"defines": True}


def samples_of(
    request: CheckTable,
) -> tuple[Symbols, tuple[Sample, ...], dict[str, str]]:
    """The page's symbols, the computed samples, and why some symbols have no value."""
    subject = _subject(request)
    axes, unknown = _axes(subject, request["shapes"])
    places = {latex: subject.places[latex] for latex in axes}
    declared = {latex: tuple(names) for latex, names in request["symbols"].items()}
    definitions = tuple(request["definitions"])
    symbols = with_functions(declare({**declared, **axes}), definitions)
    subject = dataclasses.replace(subject, places=places, definitions=definitions)
    return symbols, observe_samples(subject, symbols, _inputs(request)), unknown


def _axes(
    subject: Subject, shapes: dict[str, list[str]]
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The dimensions of each symbol, inferred from its sizes in two runs, or why there are none."""
    drawn = random_inputs({name: tuple(axes) for name, axes in shapes.items()}, _SEED, 2)
    runs = observe_each(subject, drawn)
    found: dict[str, tuple[str, ...]] = {}
    unknown: dict[str, str] = {}
    for latex, place in subject.places.items():
        try:
            axes = {
                _dimensions(np.asarray(value_at(run, place)).shape, inputs, shapes)
                for run, inputs in zip(runs, drawn, strict=True)
            }
            (found[latex],) = axes
        except LookupError as error:
            unknown[latex] = str(error.args[0])
        except ValueError:
            unknown[latex] = f"the sizes of {latex} are no dimensions of the inputs"
    return found, unknown


def _dimensions(
    shape: tuple[int, ...], inputs: Mapping[str, NDArray[np.float64]], shapes: dict[str, list[str]]
) -> tuple[str, ...]:
    """The dimension for each size other than 1.

    Raises:
        ValueError: no dimension has that size.
    """
    names = {
        size: name
        for parameter, axes in shapes.items()
        for name, size in zip(axes, inputs[parameter].shape, strict=True)
    }
    sizes = [size for size in shape if size != 1]
    if not set(sizes) <= set(names):
        raise ValueError(shape)
    return tuple(names[size] for size in sizes)


def _inputs(request: CheckTable) -> tuple[InputSet, ...]:
    """The worked example, random inputs, and edge cases."""
    declared = [
        DeclaredInput(
            name=name,
            axes=tuple(Size(factor=1, dimensions=(axis,)) for axis in axes),
            example=request["starts"].get(name),
        )
        for name, axes in request["shapes"].items()
    ]
    return draw_inputs(declared, seed=_SEED, count=RANDOM_INPUTS)


def _subject(request: CheckTable) -> Subject:
    program = find_function(request["program"])
    functions = [find_function(name) for name in request["functions"]]
    expressions = {
        find_function(name): frozenset(texts) for name, texts in request["expressions"].items()
    }
    return Subject(
        run=lambda inputs: program(**inputs),
        functions=tuple(functions),
        places={
            latex: ValuePlace(
                function=place["function"],
                name=place["name"],
                number=place["number"],
                entry=place["number"] is None,
                path=tuple(place["path"]),
            )
            for latex, place in request["places"].items()
        },
        inputs=request["inputs"],
        expressions=expressions,
    )


def _check(
    latex: str, symbols: Symbols, samples: tuple[Sample, ...]
) -> RefusedTable | ComparedTable:
    try:
        chains = check(latex, symbols, samples)
        if all(found.holds for found in chains) and (refused := _refused(latex, symbols, samples)):
            return refused
    except EquationError as error:
        return {"error": error.message, "position": error.position}
    except LookupError as error:
        return {"error": str(error.args[0] if error.args else error), "position": 0}
    worst = min(chains, key=lambda found: (found.holds, -found.largest_relative))
    return {
        "holds": worst.holds,
        "relation": worst.relation,
        "input": worst.occasion.input,
        "where": worst.where,
        "left": repr(worst.left),
        "right": repr(worst.right),
        "reason": worst.reason,
        "call": worst.occasion.call,
        "remarks": sorted(
            {f"{one.occasion.input}: {one.reason}" for found in chains for one in found.remarks}
        ),
        "inputs": worst.inputs,
        "methods": sorted(worst.methods),
        "absolute": repr(max(found.largest_absolute for found in chains)),
        "relative": repr(max(found.largest_relative for found in chains)),
    }


def _refused(latex: str, symbols: Symbols, samples: tuple[Sample, ...]) -> RefusedTable | None:
    """Why an equation that holds is refused, if it is."""
    for chain in parse(latex, symbols):
        if not says_something(chain, samples):
            message = "this holds whatever the code computes, so it says nothing about the code"
            return {"error": message, "position": chain.span[0]}
        approximate = check_chain(chain, samples).approximate
        if approximate:
            message = r"both sides are equal: write = and not \approx"
            return {"error": message, "position": chain.terms[approximate[0] + 1].span[0]}
    return None
