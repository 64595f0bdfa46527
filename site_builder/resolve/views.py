"""What the templates are given: one complete record for each, with nothing left to decide."""

from dataclasses import dataclass
from typing import ClassVar

from markdown_it.token import Token

from site_builder.observe.sizes import ShapeView
from site_builder.resolve.links import CodeLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Maths:
    """LaTeX to be typeset."""

    latex: str
    display: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A role in running text: a link to code, an equation or a symbol, or a value from the code."""

    template: ClassVar[str] = "reference.html"
    text: str
    href: str | None
    code: bool
    permalink: str | None = None
    maths: Maths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Markdown whose roles and links are resolved; `inline` has no paragraphs."""

    tokens: tuple[Token, ...]
    inline: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A sentence and the condition over the code that the build found to hold."""

    template: ClassVar[str] = "claim.html"
    sentence: Text
    condition: str


RoleView = Reference | ClaimView


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingView:
    """A heading and its id."""

    template: ClassVar[str] = "heading.html"
    level: int
    id: str
    title: Text
    plain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseView:
    """Ordinary Markdown."""

    template: ClassVar[str] = "prose.html"
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutView:
    """What something is, with a badge that says how far it is real."""

    template: ClassVar[str] = "about.html"
    status: str
    label: str
    functions: tuple[Reference, ...]
    body: tuple["BlockView", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """An aside."""

    template: ClassVar[str] = "note.html"
    body: tuple["BlockView", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationView:
    """An equation, its caption, the lines that compute it, and how it was checked.

    Attributes:
        step: its number in a derivation, if it has one.
        unchecked: why it is not executed; None if it is.
    """

    template: ClassVar[str] = "equation.html"
    id: str
    step: int | None
    caption: Text
    maths: Maths
    lines: tuple[CodeLink, ...]
    unchecked: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """On which program and inputs the equations of a page are checked."""

    template: ClassVar[str] = "check.html"
    program: Reference
    source: Reference
    main: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolView:
    """A row of a symbol table; `id` is None where the symbol has one already."""

    id: str | None
    name: str
    maths: Maths
    latex: str
    meaning: Text
    code: str | None
    link: CodeLink | None
    shape: ShapeView


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolsView:
    """A symbol table."""

    template: ClassVar[str] = "symbols.html"
    label: str
    rows: tuple[SymbolView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingLine:
    """A line of code; `id` is None where the page already has an element for that line."""

    number: int
    text: str
    id: str | None
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingView:
    """Lines of a file, with the function that they belong to."""

    template: ClassVar[str] = "listing.html"
    id: str | None
    function: str
    link: CodeLink
    lines: tuple[ListingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionView:
    """A line of code and its role for an equation: `computes`, `calls` or `tests`."""

    role: str
    link: CodeLink
    function: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedEquation:
    """An equation and the lines that belong to it."""

    id: str
    caption: Text
    connections: tuple[ConnectionView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionsView:
    """The code and maths connections of one part of a page."""

    template: ClassVar[str] = "connections.html"
    label: str
    equations: tuple[ConnectedEquation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplementedView:
    """Which file, function and lines compute each equation of one part of a page."""

    template: ClassVar[str] = "implemented.html"
    label: str
    equations: tuple[ConnectedEquation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """A call: where, in which function."""

    link: CodeLink
    function: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageView:
    """Where a function is, who calls it, and which tests do."""

    template: ClassVar[str] = "usage.html"
    function: str
    link: CodeLink
    called_by: tuple[Reference, ...]
    tested_by: tuple[Reference, ...]
    calls: tuple[CallView, ...]
    tests: tuple[CallView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedShape:
    """A variable and its shape."""

    name: str
    shape: ShapeView


@dataclass(frozen=True, slots=True, kw_only=True)
class CallShapesView:
    """One call site: its arguments and results with their shapes."""

    caption: Text
    link: CodeLink
    arguments: tuple[NamedShape, ...]
    results: tuple[NamedShape, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapesView:
    """Shapes at call sites."""

    template: ClassVar[str] = "shapes.html"
    sites: tuple[CallShapesView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterView:
    """A parameter of the model."""

    name: str
    link: CodeLink
    shape: ShapeView
    scalars: str
    count: int
    per_block: bool
    role: Text
    starts: str
    decay: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersView:
    """A table of parameters."""

    template: ClassVar[str] = "parameters.html"
    rows: tuple[ParameterView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentCallView:
    """What one call passes for a parameter; None where it leaves it out."""

    link: CodeLink
    function: str
    passed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentView:
    """What every call passes for one parameter of a function.

    Attributes:
        default: the parameter's own default, and `default_link` its line.
        source, source_link: the dataclass field from which the value comes, with its default.
        constructed: where the dataclass is made, and whether the field is passed there.
        readers: who reads the field.
        defaulted: the tests that leave the argument out.
    """

    template: ClassVar[str] = "argument.html"
    parameter: str
    calls: tuple[ArgumentCallView, ...]
    default: str | None
    default_link: CodeLink
    source: str | None
    source_link: CodeLink | None
    source_default: str | None
    constructed: tuple[ArgumentCallView, ...]
    readers: tuple[Reference, ...]
    defaulted: tuple[Reference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersView:
    """An observed array: its key in the run, its shape, each number as text."""

    key: str
    shape: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """One entry of an observed array, in running text."""

    key: str
    offset: int
    text: str


CellView = NumbersView | tuple[str | SlotView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of results; `link` and `code` where there is one value and so one place."""

    label: str
    cells: tuple[CellView, ...]
    link: CodeLink | None
    code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InputView:
    """An input of an example."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    row_labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """An example: inputs to edit, and what a run of the program gave.

    Attributes:
        program: dotted name of the program; examples with one program share their inputs.
        data: what the browser needs to run the program, as JSON; None where it is on the page.
    """

    template: ClassVar[str] = "example.html"
    id: str
    title: str
    note: Text
    program: str
    source: Reference
    inputs: tuple[InputView, ...]
    presets: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    data: str | None
    environment: str


BlockView = (
    HeadingView
    | ProseView
    | AboutView
    | NoteView
    | CheckView
    | ClaimView
    | EquationView
    | SymbolsView
    | ListingView
    | ConnectionsView
    | ImplementedView
    | UsageView
    | ShapesView
    | ParametersView
    | ArgumentView
    | ExampleView
)
