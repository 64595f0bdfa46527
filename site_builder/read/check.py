"""Read `{check}` directives: which program the equations of a page are checked on."""

from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function
from site_builder.read.page import Directive, Option, Page, Place
from site_builder.read.starts import Numbers, read_starts
from site_builder.read.symbols import symbol_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How the equations of a page are checked.

    Attributes:
        program: a function of arrays that runs what the equations are about.
        starts: its inputs in the worked example.
        main: the input that is made hard (a constant row, one feature, a huge offset).
        definitions: LaTeX equations that define symbols which no code computes.
        gradients: a function without arguments that compares gradients with differences: the
            largest relative error of each, by its name.
        symbols: for each symbol of the page, by its LaTeX, where its value is found.
    """

    program: Function
    starts: dict[str, Numbers]
    main: str
    definitions: tuple[Option, ...]
    gradients: Function | None
    symbols: dict[str, CodePlace]
    place: Place


def read_checks(pages: list[Page], anchors: Anchors, report: Report) -> dict[str, Check]:
    """The check of each page that has one, by the page's slug."""
    checks: dict[str, Check] = {}
    for page in pages:
        for block in page.blocks:
            if isinstance(block, Directive) and block.name == "check":
                place = block.place
                if page.slug in checks:
                    what = "the page has a {check} already"
                    report.add(place.path, place.line, what, "keep one of them")
                if not {"main", "values"} <= {option.name for option in block.options}:
                    continue  # the directive is reported for what it lacks
                try:
                    checks[page.slug] = _check(block, page, anchors)
                except AnchorError as error:
                    report.add_dependent(place.path, place.line, error.what, error.remedy)
    return checks


def _check(directive: Directive, page: Page, anchors: Anchors) -> Check:
    options = {option.name: option.value for option in reversed(directive.options)}
    program = anchors.function(directive.argument)
    names = [parameter.name for parameter in program.parameters]
    main = options.get("main", "")
    if main not in names:
        raise AnchorError(
            f"{program.dotted} has no input '{main}'",
            f"write ':main:' and one of {', '.join(names)}",
        )
    test = anchors.function(options.get("values", ""))
    return Check(
        program=program,
        starts=read_starts(anchors, test, names),
        main=main,
        definitions=tuple(o for o in directive.options if o.name == "define"),
        gradients=anchors.function(options["gradients"]) if "gradients" in options else None,
        symbols=dict(_symbols(page, anchors)),
        place=directive.place,
    )


def _symbols(page: Page, anchors: Anchors) -> Iterator[tuple[str, CodePlace]]:
    """Rows of the symbol tables, the first of each symbol last, so that it counts."""
    for row in reversed(symbol_rows(page, anchors)):
        if row.place and not row.latex.startswith("\\operatorname"):
            yield row.latex, row.place
