"""The equations of all pages, and the lines of code that belong to them."""

from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.codebase import Codebase
from site_builder.read.page import Directive, Heading, Page, Place

PART_LEVEL = 2  # a heading of this level begins a part of a page
ROLES = ("computes", "calls", "tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """An equation or a step of a derivation.

    Attributes:
        id: with its prefix, such as `eq-ln-mean`; unique over all pages.
        part: id of the heading of level 2 above it.
        step: its number in the derivation, or None.
        computed_by: the places that compute it.
        unchecked: why it is not executed; None if it is.
        body_line: the line of the page where the LaTeX begins.
        result_of: the functions whose result it is; their callers and tests belong to it.
    """

    id: str
    slug: str
    part: str
    step: int | None
    caption: str
    latex: str
    computed_by: tuple[CodePlace, ...]
    result_of: tuple[Function, ...]
    unchecked: str | None
    place: Place
    body_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A line of code that computes an equation, calls the function that does, or tests it."""

    role: str
    span: Span
    function: Function | None
    code: str


def read_equations(pages: list[Page], anchors: Anchors, report: Report) -> dict[str, Equation]:
    """Collect the equations of all pages by id."""
    equations: dict[str, Equation] = {}
    for page in pages:
        part, step = "", 0
        for block in page.blocks:
            if isinstance(block, Heading) and block.level == PART_LEVEL:
                part, step = block.id, 0
            elif isinstance(block, Directive) and block.name in ("equation", "step"):
                step += block.name == "step"
                number = step if block.name == "step" else None
                equation = _equation(block, page, part, number, anchors, report)
                first = equations.setdefault(equation.id, equation)
                if first is not equation:
                    what = (
                        f"the id '{equation.id}' is taken by {first.place.path}:{first.place.line}"
                    )
                    report.add(block.place.path, block.place.line, what, "choose another")
    return equations


def _equation(  # noqa: PLR0913 - each is a different fact
    block: Directive, page: Page, part: str, step: int | None, anchors: Anchors, report: Report
) -> Equation:
    computed_by: list[CodePlace] = []
    result_of: list[Function] = []
    caption = ""
    unchecked = None
    for option in block.options:
        try:
            if option.name == "computed-by":
                computed_by.append(anchors.find(option.value))
            elif option.name == "result-of":
                result_of.append(anchors.function(option.value))
            elif option.name == "caption":
                caption = option.value
            elif option.name == "unchecked":
                unchecked = option.value or None
                if not option.value:
                    what, remedy = "':unchecked:' gives no reason", "say why, in a few words"
                    report.add(option.place.path, option.place.line, what, remedy)
        except AnchorError as error:
            report.add_dependent(option.place.path, option.place.line, error.what, error.remedy)
    if not any(option.name == "computed-by" for option in block.options):
        what = f"the equation '{block.argument}' names no line that computes it"
        report.add(
            block.place.path, block.place.line, what, "add ':computed-by: module.function:name'"
        )
    return Equation(
        id=f"eq-{block.argument}",
        slug=page.slug,
        part=part,
        step=step,
        caption=caption,
        latex="\n".join(line.text for line in block.body),
        computed_by=tuple(computed_by),
        result_of=tuple(result_of),
        unchecked=unchecked,
        body_line=block.body[0].place.line if block.body else block.place.line,
        place=block.place,
    )


def connections(equation: Equation, codebase: Codebase) -> Iterator[Connection]:
    """The lines that compute the equation, one by one, then the calls and the tests."""
    for place in equation.computed_by:
        lines = codebase.lines(place.span.path)
        for number in range(place.span.first, place.span.last + 1):
            yield Connection(
                role="computes",
                span=Span(path=place.span.path, first=number, last=number),
                function=place.function,
                code=lines[number - 1].strip(),
            )
    for function in equation.result_of:
        for role, calls in (
            ("calls", codebase.source_calls_of(function.dotted)),
            ("tests", codebase.test_calls_of(function.dotted)),
        ):
            for call in calls:
                yield Connection(role=role, span=call.span, function=call.caller, code=call.code)
