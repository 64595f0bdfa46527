"""Read `{exercise}` directives: a task, a stub to begin from, a solution, and a check of both."""

from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.code import Function
from site_builder.read.page import Directive, Line, Option, Page, Place

_FENCE, _FENCE_END = "```python", "```"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """An exercise on a page.

    Attributes:
        task: the lines of Markdown above the stub.
        stub: the code to begin from; `stub_place` is its first line.
        hints: Markdown, in the order in which they are shown.
        solution: the functions of the worked solution, by the names that the check asks for.
        check: a function that takes the answer's module and yields findings.
    """

    id: str
    title: str
    task: tuple[Line, ...]
    stub: str
    stub_place: Place
    hints: tuple[Option, ...]
    solution: tuple[Function, ...]
    solution_place: Place
    check: Function
    place: Place


def read_exercises(pages: list[Page], anchors: Anchors, report: Report) -> dict[Place, Exercise]:
    """The exercises of all pages, by the place of their directive."""
    exercises = {}
    directives = [b for page in pages for b in page.blocks if isinstance(b, Directive)]
    for directive in directives:
        options = {option.name: option for option in directive.options}
        if directive.name != "exercise" or not {"title", "check", "solution"} <= options.keys():
            continue  # what is missing is reported with the other directives
        try:
            exercise = _read(directive, options, anchors, report)
        except AnchorError as error:
            at = directive.place
            report.add_dependent(at.path, at.line, error.what, error.remedy)
            continue
        if exercise:
            exercises[directive.place] = exercise
    return exercises


def _read(
    directive: Directive, options: dict[str, Option], anchors: Anchors, report: Report
) -> Exercise | None:
    texts = [line.text.strip() for line in directive.body]
    if _FENCE not in texts or texts[-1] != _FENCE_END:
        what = f"the exercise '{directive.argument}' has no stub"
        at = directive.place
        report.add(at.path, at.line, what, f"end it with a block between {_FENCE} and {_FENCE_END}")
        return None
    start = texts.index(_FENCE)
    return Exercise(
        id=directive.argument,
        title=options["title"].value,
        task=directive.body[:start],
        stub="\n".join(line.text for line in directive.body[start + 1 : -1]),
        stub_place=directive.body[start].place,
        hints=tuple(option for option in directive.options if option.name == "hint"),
        solution=tuple(map(anchors.function, options["solution"].value.split())),
        solution_place=options["solution"].place,
        check=anchors.function(options["check"].value),
        place=directive.place,
    )
