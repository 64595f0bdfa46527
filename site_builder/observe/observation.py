"""What the runs showed: the shape of every variable, the calls, the parameters, the examples."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from eqcheck import Activation, Assigned, Caller, ValuePlace, value_at
from eqcheck import element as element_of
from runner.protocol import (
    ActivationTable,
    PrintedTable,
    RunTable,
    ShapeTable,
    StudiesAnswer,
    ValueTable,
)
from site_builder.cache import fingerprint
from site_builder.read.anchors import CodePlace
from site_builder.read.calls import Call
from site_builder.read.code import Function

Shape = Union[list[int], str, tuple["Shape", ...]]  # noqa: UP007 - `|` takes no forward reference
"""The sizes of an array, [] for a number; the name of another value's type; of a tuple or list, the
shape of each item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the subject under one configuration.

    Attributes:
        attributes: the attribute of the configuration behind each symbol.
        dimensions: the size behind each symbol.
        activations: what each function was given, assigned and returned, the first run from each
            place with each combination of argument shapes.
        parameters: shape of each parameter of the model by name; none in a lesson's run.
    """

    attributes: dict[str, str]
    dimensions: dict[str, int]
    activations: tuple[Activation[Shape], ...]
    parameters: dict[str, Shape]

    def shape_at(self, place: CodePlace) -> Shape | None:
        """The shape of what an anchor names, in the first run of its function."""
        try:
            return value_at(self.activations, value_place(place))
        except LookupError:
            return None

    def calls(self, call: Call) -> Iterator[Activation[Shape]]:
        """The activations that came from one call in the code."""
        caller = Caller(path=call.span.path, line=call.line, column=call.column)
        return (a for a in self.activations if a.caller == caller)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Three runs of each study (as configured, and twice with distinct sizes) and the examples.

    Where the code could not be run to the end there are only those functions that could.

    Attributes:
        version: a name for all that was observed.
        environment: which Python and NumPy ran.
        studies: the runs of the subject, then those of each lesson with sizes of its own. Of each,
            the run as configured comes first. None where the code could not be run.
        starts: how each parameter starts.
        decayed: the parameters with weight decay.
        examples: by program and starting numbers, the value of everything that the pages show.
        printed: by program, its output and its result.
        complete: whether all ran to the end.
    """

    version: str
    environment: str
    studies: tuple[tuple[Run, ...], ...]
    starts: dict[str, str]
    decayed: frozenset[str]
    examples: dict[str, dict[str, ValueTable]]
    printed: dict[str, PrintedTable]
    complete: bool

    @classmethod
    def nothing(cls) -> "Observation":
        """What is known when the code could not be run."""
        return cls(
            version="",
            environment="",
            studies=(),
            starts={},
            decayed=frozenset(),
            examples={},
            printed={},
            complete=False,
        )

    @classmethod
    def from_table(cls, table: StudiesAnswer) -> "Observation":
        """Make the record from what the child process answered."""
        return cls(
            version=fingerprint(json.dumps(table, sort_keys=True)),
            environment=table["environment"],
            studies=tuple(tuple(_run(run) for run in runs) for runs in table["studies"]),
            starts=table.get("starts", {}),
            decayed=frozenset(table.get("decayed", ())),
            examples=table.get("examples", {}),
            printed=table.get("printed", {}),
            complete="failure" not in table,
        )

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of the subject; none where the code could not be run."""
        return self.studies[0] if self.studies else ()

    def runs_of(self, function: Function | None) -> tuple[Run, ...]:
        """The runs of the first study that called the function; the subject's if none did."""
        name = function.dotted if function else ""
        for runs in self.studies:
            if any(activation.function == name for activation in runs[0].activations):
                return runs
        return self.runs

    def was_called(self, function: Function) -> bool:
        """Whether any of the runs called a function, as far as it can be observed."""
        return any(
            activation.function == function.dotted
            for run in self.runs_of(function)
            for activation in run.activations
        )

    def parameter_shapes(self, function: Function, name: str) -> list[Shape]:
        """The shape of an argument in each run; empty where the function was not called."""
        return [
            activation.arguments[name]
            for run in self.runs_of(function)
            for activation in [
                next((a for a in run.activations if a.function == function.dotted), None)
            ]
            if activation
        ]

    def shapes_at(self, place: CodePlace) -> list[Shape] | None:
        """The shape of what an anchor names, in each run; None where it was not computed."""
        runs = self.runs_of(place.function)
        shapes = [shape for run in runs if (shape := run.shape_at(place)) is not None]
        return shapes if runs and len(shapes) == len(runs) else None


def value_place(place: CodePlace) -> ValuePlace:
    """Where the value is found that an anchor names: in a loop, the first that it had."""
    return ValuePlace(
        function=place.function.dotted if place.function else "",
        name="return" if place.kind == "return" else place.name,
        line=place.span.first if place.kind == "assignment" else None,
        path=place.index,
        occurrence=0,
    )


def element(shape: Shape | None, index: tuple[int, ...]) -> Shape | None:
    """The shape of `value[i][j]`, given that of a tuple `value`."""
    return element_of(shape, index)


def _run(table: RunTable) -> Run:
    return Run(
        attributes=table["attributes"],
        dimensions=table["dimensions"],
        activations=tuple(_activation(activation) for activation in table["activations"]),
        parameters=_shapes(table["parameters"]),
    )


def _activation(table: ActivationTable) -> Activation[Shape]:
    return Activation(
        function=table["function"],
        caller=Caller(**table["caller"]),
        arguments=_shapes(table["arguments"]),
        assigned=[
            Assigned(line=item["line"], name=item["name"], value=_shape(item["value"]))
            for item in table["assigned"]
        ],
        evaluated=_shapes(table["evaluated"]),
        result=None if table["result"] is None else _shape(table["result"]),
    )


def _shapes(tables: dict[str, ShapeTable]) -> dict[str, Shape]:
    return {name: _shape(table) for name, table in tables.items()}


def _shape(table: ShapeTable) -> Shape:
    if isinstance(table, list):
        return table
    return table["type"] if "type" in table else tuple(_shape(item) for item in table["items"])
