"""Results of the runs: shapes of variables, calls, parameters, examples."""

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
"""The sizes of an array; [] for a number; for a tuple or list, the shape of each item; for any
other value, the name of its type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of the subject under one configuration.

    Attributes:
        attributes: symbol -> attribute of the configuration.
        dimensions: symbol -> size.
        activations: the arguments, assignments and result of calls: the first one from each call
            site with each combination of argument shapes.
        parameters: shapes of the model's parameters by name; empty in a lesson's run.
    """

    attributes: dict[str, str]
    dimensions: dict[str, int]
    activations: tuple[Activation[Shape], ...]
    parameters: dict[str, Shape]

    def shape_at(self, place: CodePlace) -> Shape | None:
        """The shape of the value at a place, in the first activation of its function."""
        try:
            return value_at(self.activations, value_place(place))
        except LookupError:
            return None

    def calls(self, call: Call) -> Iterator[Activation[Shape]]:
        """The activations from one call site."""
        caller = Caller(path=call.span.path, line=call.line, column=call.column)
        return (a for a in self.activations if a.caller == caller)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Three runs of each study (as configured, and twice with distinct sizes), and the examples.

    If a run failed, this holds only the functions that did run.

    Attributes:
        version: a fingerprint of everything observed.
        environment: the versions of Python and NumPy.
        studies: the runs of the subject, then those of each lesson with sizes of its own. In each,
            the run as configured comes first. Empty if the code could not be run.
        starts: a description of each parameter's initial values.
        decayed: the parameters with weight decay.
        examples: by run (program and starting values), the values that the pages show.
        printed: the output and the result of each program.
        complete: whether every run succeeded.
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
        """An empty observation, for code that could not be run."""
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
        """Make the record from the answer of the child process."""
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
        """The runs of the subject; empty if the code could not be run."""
        return self.studies[0] if self.studies else ()

    def runs_of(self, function: Function | None) -> tuple[Run, ...]:
        """The runs of the first study that called the function; the subject's if none did."""
        name = function.dotted if function else ""
        for runs in self.studies:
            if any(activation.function == name for activation in runs[0].activations):
                return runs
        return self.runs

    def was_called(self, function: Function) -> bool:
        """Whether any observed run called a function."""
        return any(
            activation.function == function.dotted
            for run in self.runs_of(function)
            for activation in run.activations
        )

    def parameter_shapes(self, function: Function, name: str) -> list[Shape]:
        """The shape of an argument in each run; empty if the function was not called."""
        return [
            activation.arguments[name]
            for run in self.runs_of(function)
            for activation in [
                next((a for a in run.activations if a.function == function.dotted), None)
            ]
            if activation
        ]

    def shapes_at(self, place: CodePlace) -> list[Shape] | None:
        """The shape of the value at a place, in each run; None if it was not computed."""
        runs = self.runs_of(place.function)
        shapes = [shape for run in runs if (shape := run.shape_at(place)) is not None]
        return shapes if runs and len(shapes) == len(runs) else None


def value_place(place: CodePlace) -> ValuePlace:
    """Where eqcheck finds the value that an anchor names; in a loop, the first iteration's."""
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
