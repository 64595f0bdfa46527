"""What pages show of the code: connections, use, shapes, parameters, arguments."""

from dataclasses import dataclass
from typing import ClassVar

from site_builder.observe.sizes import ShapeView
from site_builder.resolve.links import CodeLink
from site_builder.resolve.text_views import Reference, Text


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
class PrintedView:
    """What a function printed when the build ran it."""

    template: ClassVar[str] = "printed.html"
    function: str
    link: CodeLink
    output: str


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
    name: str
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
