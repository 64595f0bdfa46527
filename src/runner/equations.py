"""Runs the equations of a page and compares them with what its code computed."""

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
    hard_inputs,
    observe_samples,
    parse,
    random_inputs,
    value_at,
)
from eqcheck.axes import check_sides
from eqcheck.definitions import DefiningEquations
from eqcheck.inputs import WORKED_EXAMPLE, InputSet
from eqcheck.mutate import mutants
from eqcheck.subject import observe_each
from eqcheck.tree import Chain
from runner.imports import find_function
from runner.mentions import mentions
from runner.protocol import (
    CheckTable,
    ComparedTable,
    EquationAnswer,
    EquationsAnswer,
    EquationsRequest,
    MutantsAnswer,
    RefusedTable,
)

RANDOM_INPUTS = 20
_SEED = 0


def check_equations(request: EquationsRequest) -> EquationsAnswer:
    """What is found for each equation, by its id."""
    symbols, samples, unknown = _samples(request)
    return {
        equation["id"]: _define(equation["latex"], symbols)
        if equation["id"].startswith("definition ")
        else _lacking(equation["latex"], unknown) or _check(equation["latex"], symbols, samples)
        for equation in request["equations"]
    }


def _lacking(latex: str, unknown: dict[str, str]) -> RefusedTable | None:
    """Why an equation cannot be checked in which a symbol stands that has no value."""
    for symbol, reason in unknown.items():
        if mentions(latex, symbol):
            return {"error": reason, "position": 0}
    return None


def _define(latex: str, symbols: Symbols) -> EquationAnswer:
    """Why an equation cannot serve as a definition, if it cannot."""
    try:
        for chain in parse(latex, symbols):
            check_sides(chain)
    except EquationError as error:
        return {"error": error.message, "position": error.position}
    if not len(DefiningEquations([latex], symbols)):
        return {"error": "no symbol stands alone on its left side", "position": 0}
    return {"defines": True}


def check_mutants(request: EquationsRequest) -> MutantsAnswer:
    """Make each small mistake in each equation: by equation, which of them are caught."""
    symbols, samples, _ = _samples(request)
    return {
        equation["id"]: [
            (mutant.description, _is_caught(mutant.chain, samples))
            for chain in parse(equation["latex"], symbols)
            for mutant in mutants(chain, symbols)
        ]
        for equation in request["equations"]
    }


def _is_caught(chain: Chain, samples: tuple[Sample, ...]) -> bool:
    try:
        return not all(check_chain(chain, [sample]).holds for sample in samples)
    except EquationError:
        return True


def _samples(
    request: CheckTable,
) -> tuple[Symbols, tuple[Sample, ...], dict[str, str]]:
    """What the page declares, what the code computed, and why symbols have no value."""
    subject = _subject(request)
    axes, unknown = _axes(subject, request["shapes"])
    places = {latex: subject.places[latex] for latex in axes}
    declared = {latex: tuple(names) for latex, names in request["symbols"].items()}
    symbols = declare({**declared, **axes})
    definitions = tuple(request["definitions"])
    subject = dataclasses.replace(subject, places=places, definitions=definitions)
    return symbols, observe_samples(subject, symbols, _inputs(request)), unknown


def _axes(
    subject: Subject, shapes: dict[str, list[str]]
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The dimensions of each symbol's array, told by their sizes in two runs, or why not."""
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
    """The dimension behind each size but 1.

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


def _inputs(request: CheckTable) -> list[InputSet]:
    """The worked example, random inputs, and hard ones."""
    shapes = {name: tuple(axes) for name, axes in request["shapes"].items()}
    drawn = random_inputs(shapes, _SEED, RANDOM_INPUTS)
    worked = {name: np.array(value, float) for name, value in request["starts"].items()}
    hard = hard_inputs(shapes, request["main"], _SEED)
    return [
        InputSet(name=WORKED_EXAMPLE, values=worked),
        *(
            InputSet(name=f"random input {number}", values=values)
            for number, values in enumerate(drawn, start=1)
        ),
        *(
            InputSet(name=f"the hard input “{name}”", values=values, hard=True)
            for name, values in hard.items()
        ),
    ]


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
        "inputs": worst.inputs,
        "methods": sorted(worst.methods),
        "absolute": repr(max(found.largest_absolute for found in chains)),
        "relative": repr(max(found.largest_relative for found in chains)),
    }
