"""The requests that the builder sends to the runner's process, and the answers, as JSON types.

A task has a request and an answer: `studies`, `equations`, `exercises`, `notebooks`.
If the task fails, the answer is, or contains, a `Failed`.
"""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, final

Numbers = float | Sequence["Numbers"]


class FailureTable(TypedDict):
    """What code raised, and the innermost line of the project in the traceback.

    `key` is the key of a requested value that was not computed.
    """

    path: str
    line: int
    what: str
    key: str


class Failed(TypedDict):
    """The answer to a task that failed."""

    failure: FailureTable


class PlaceTable(TypedDict):
    """Where a value is found: see `eqcheck.ValuePlace`."""

    function: str
    name: str
    line: int | None
    path: list[int]


class RequestedValueTable(PlaceTable):
    """A value to show, and its key on the page."""

    key: str


class ValueTable(TypedDict):
    """An array: its shape, each number exactly (`repr`), and each as the page shows it."""

    shape: list[int]
    numbers: list[str]
    texts: list[str]


class PrintedTable(TypedDict):
    """The output and the result of a program."""

    output: str
    result: object


class ExampleRequest(TypedDict):
    """A program to call with inputs by name, and the values to show.

    An input is a number or nested lists of numbers, possibly as strings for `float`.
    """

    program: str
    inputs: Mapping[str, Numbers]
    wanted: list[RequestedValueTable]


class StudyTable(TypedDict):
    """Code that is run under several configurations: see `site_builder.read.settings.Study`."""

    configuration: str
    runs: list[str]
    sizes: list[dict[str, int]]
    dimensions: dict[str, str]


class StudiesRequest(TypedDict):
    """What to run and to observe.

    The first study is the subject's. `functions` are the dotted names of the functions to observe,
    and `expressions` the subexpressions to observe, by function. `examples` are keyed by run;
    `printed` are programs without inputs.
    """

    studies: list[StudyTable]
    parameters: str
    decayed: str
    functions: list[str]
    expressions: dict[str, list[str]]
    examples: dict[str, ExampleRequest]
    printed: list[str]


@final
class ItemsTable(TypedDict):
    """The shapes of the items of a tuple or list."""

    items: list["ShapeTable"]


@final
class TypeTable(TypedDict):
    """The type of a value that has no shape."""

    type: str


ShapeTable = list[int] | ItemsTable | TypeTable


class CallerTable(TypedDict):
    """A call site; see `eqcheck.Caller`."""

    path: str
    line: int
    column: int


class AssignedTable(TypedDict):
    """The shape of a value assigned to a name."""

    line: int
    name: str
    value: ShapeTable


class ActivationTable(TypedDict):
    """An `eqcheck.Activation` with shapes in place of values."""

    function: str
    caller: CallerTable
    arguments: dict[str, ShapeTable]
    assigned: list[AssignedTable]
    evaluated: dict[str, ShapeTable]
    result: ShapeTable | None


class RunTable(TypedDict):
    """One run of a study: see `site_builder.observe.observation.Run`."""

    attributes: dict[str, str]
    dimensions: dict[str, int]
    activations: list[ActivationTable]
    parameters: dict[str, ShapeTable]


class StudiesAnswer(TypedDict):
    """Results of the runs. If one raised, only `studies`, `environment` and a `failure`."""

    environment: str
    studies: list[list[RunTable]]
    starts: NotRequired[dict[str, str]]
    decayed: NotRequired[list[str]]
    examples: NotRequired[dict[str, dict[str, ValueTable]]]
    printed: NotRequired[dict[str, PrintedTable]]
    failure: NotRequired[FailureTable]


class SymbolPlaceTable(TypedDict):
    """Where a symbol's value is found.

    `number` is the index, from 0, of an assignment to the name: unlike a line number, it is still
    valid in code that a reader has edited.
    """

    function: str
    name: str
    number: int | None
    path: list[int]


class EquationTable(TypedDict):
    """An equation; the id of a definition begins with `definition `."""

    id: str
    latex: str


class CheckTable(TypedDict):
    """How the equations of a page are compared with its code.

    Attributes:
        program, functions: what to run, and what to observe meanwhile.
        expressions: subexpressions to observe, by function.
        symbols: the dimensions of symbols that have no place.
        places: where the values of the other symbols are found.
        inputs: for each symbol that is an input of the program, its name.
        definitions: equations that define their left sides.
        starts: the inputs of the worked example.
        shapes: the dimensions of each input.
        main: the input to replace by edge cases.
    """

    program: str
    functions: list[str]
    expressions: dict[str, list[str]]
    symbols: dict[str, list[str]]
    places: dict[str, SymbolPlaceTable]
    inputs: dict[str, str]
    definitions: list[str]
    starts: Mapping[str, Numbers]
    shapes: dict[str, list[str]]
    main: str


class EquationsRequest(CheckTable):
    """Equations to check."""

    equations: list[EquationTable]


class PageCheck(TypedDict):
    """What the browser needs to check a page again: its equations, and a gradient check or ""."""

    equations: EquationsRequest
    gradients: str


@final
class RefusedTable(TypedDict):
    """Why an equation cannot be checked, and at which offset in its LaTeX."""

    error: str
    position: int


@final
class ComparedTable(TypedDict):
    """An `eqcheck.Comparison`, with the worst numbers as texts and the input by its name.

    `remarks` say on which hard inputs the formula breaks, where the code does not.
    """

    holds: bool
    relation: int
    input: str
    where: dict[str, int]
    left: str
    right: str
    reason: str
    call: str
    remarks: list[str]
    inputs: int
    methods: list[str]
    absolute: str
    relative: str


@final
class DefinedTable(TypedDict):
    """A definition that can be used."""

    defines: bool


EquationAnswer = RefusedTable | ComparedTable | DefinedTable
EquationsAnswer = dict[str, EquationAnswer]


class ExerciseTable(TypedDict):
    """An exercise: the stub's text, the check, and the functions of the solution."""

    id: str
    stub: str
    check: str
    solution: list[str]


class ExercisesRequest(TypedDict):
    """Exercises whose checks to run."""

    exercises: list[ExerciseTable]


class FindingTable(TypedDict):
    """One property of an answer, and whether the answer has it."""

    property: str
    holds: bool
    where: str
    expected: str
    got: str
    hint: str


class LineTable(TypedDict):
    """A line of a cell that an error went through."""

    cell: str
    line: int
    text: str
    function: str


class EditFailure(TypedDict):
    """An error of a reader's code: see `runner.edits.failure_of`."""

    kind: str
    message: str
    lines: list[LineTable]
    place: str


class CheckedAnswer(TypedDict):
    """The findings of a check for an answer, and what the answer printed or raised."""

    output: str
    findings: list[FindingTable]
    failure: EditFailure | None


class TriedExercise(TypedDict):
    """The findings of a check for the stub and for the solution."""

    stub: CheckedAnswer
    solution: list[FindingTable]


class ExercisesAnswer(TypedDict):
    """Results of the checks, in the order of the request."""

    answers: list[TriedExercise]


class NotebooksRequest(TypedDict):
    """The code of each notebook's cells, by its name."""

    notebooks: dict[str, list[str]]


class FailedCell(TypedDict):
    """The index of a cell that failed, from 0, and what it raised."""

    cell: int
    what: str


class NotebooksAnswer(TypedDict):
    """The output of each cell, by notebook, and the cells that failed."""

    outputs: dict[str, list[str]]
    failed: dict[str, FailedCell]


class Envelope(TypedDict):
    """One line of the process's standard input."""

    task: str
    root: str
    time_limit: float
    request: object
