"""The directives: what each accepts, and the function that turns it into a view.

To add one, write a module like those beside this file, enter it here, and add its template.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.directives import (
    alias,
    argument,
    cell,
    code,
    connections,
    dataflow,
    equation,
    example,
    exercise,
    figure,
    parameters,
    printed,
    prose,
    shapes,
    symbols,
    trace,
    usage,
)
from site_builder.resolve.views import BlockView


@dataclass(frozen=True, slots=True, kw_only=True)
class Specification:
    """What a directive accepts.

    Attributes:
        argument: what stands after its name, in words; empty if nothing may.
        options: name -> whether it must be given.
        body: what its body holds, in words; empty if it has none.
    """

    resolve: Callable[[Directive, Context], BlockView | None]
    argument: str = ""
    options: dict[str, bool] = field(default_factory=dict)
    body: str = ""


_EQUATION_OPTIONS = {
    "caption": True,
    "computed-by": True,
    "result-of": False,
    "unchecked": False,
}

DIRECTIVES = {
    "about": Specification(
        resolve=prose.about, options={"status": True, "functions": False}, body="Markdown"
    ),
    "note": Specification(resolve=prose.note, body="Markdown"),
    "alias": Specification(resolve=alias.alias, argument="an old id", options={"for": True}),
    "claim": Specification(resolve=prose.claim, argument="a condition", body="a sentence"),
    "check": Specification(
        resolve=equation.check,
        argument="a function",
        options={"values": True, "main": True, "define": False, "gradients": False},
    ),
    "equation": Specification(
        resolve=equation.equation, argument="an id", options=_EQUATION_OPTIONS, body="LaTeX"
    ),
    "step": Specification(
        resolve=equation.equation, argument="an id", options=_EQUATION_OPTIONS, body="LaTeX"
    ),
    "symbols": Specification(
        resolve=symbols.symbols, options={"label": True}, body="rows: id | LaTeX | anchor | meaning"
    ),
    "code": Specification(resolve=code.code, argument="an anchor"),
    "printed": Specification(resolve=printed.printed, argument="a function without parameters"),
    "connections": Specification(resolve=connections.connections, options={"label": True}),
    "implemented": Specification(resolve=connections.implemented, options={"label": True}),
    "usage": Specification(resolve=usage.usage, argument="a function"),
    "shapes": Specification(
        resolve=shapes.shapes, argument="a function", body="rows: anchor of a call | caption"
    ),
    "variables": Specification(
        resolve=shapes.variables, argument="a caption", body="rows: name | anchor"
    ),
    "parameters": Specification(resolve=parameters.parameters, body="rows: name | anchor | role"),
    "argument": Specification(resolve=argument.argument, argument="an anchor of a parameter"),
    "example": Specification(
        resolve=example.example,
        argument="an id",
        options={
            "title": True,
            "note": False,
            "program": True,
            "values": True,
            "edit": False,
            "resize": False,
            "preset": False,
            "columns": False,
        },
        body="rows: label | anchor, …",
    ),
    "figure": Specification(
        resolve=figure.figure,
        argument="an id",
        options={"kind": True, "example": True, "caption": True},
        body="rows: name | anchor",
    ),
    "dataflow": Specification(
        resolve=dataflow.dataflow,
        argument="an id",
        options={"function": True, "backward": False, "without": False, "caption": True},
    ),
    "trace": Specification(
        resolve=trace.trace,
        argument="an id",
        options={"title": True, "example": True},
        body="rows: function | parameters",
    ),
    "cell": Specification(resolve=cell.cell, argument="an id", options={"code": True, "run": True}),
    "exercise": Specification(
        resolve=exercise.exercise,
        argument="an id",
        options={"title": True, "check": True, "solution": True, "hint": False},
        body="Markdown and a stub",
    ),
}


def resolve_directive(directive: Directive, context: Context) -> BlockView | None:
    """Check a directive against its specification and make its view; None after a report."""
    at = directive.place
    specification = DIRECTIVES.get(directive.name)
    if specification is None:
        known = ", ".join(sorted(DIRECTIVES))
        context.add(at, f"unknown directive '{{{directive.name}}}'", f"use one of {known}")
        return None
    fits = True
    for option in directive.options:
        if option.name not in specification.options:
            known = ", ".join(sorted(specification.options)) or "none"
            what = f"unknown option '{option.name}' of {{{directive.name}}}"
            context.add(option.place, what, f"it accepts {known}")
            fits = False
    given = {option.name for option in directive.options}
    for name, required in specification.options.items():
        if required and name not in given:
            context.add(at, f"{{{directive.name}}} lacks :{name}:", f"add a line ':{name}: …'")
            fits = False
    for what, present, wanted in (
        ("an argument", directive.argument, specification.argument),
        ("a body", directive.body, specification.body),
    ):
        if bool(present) != bool(wanted):
            has = "has" if present else "lacks"
            remedy = f"give it {wanted}" if wanted else "remove it"
            context.add(at, f"{{{directive.name}}} {has} {what}", remedy)
            fits = False
    return specification.resolve(directive, context) if fits else None
