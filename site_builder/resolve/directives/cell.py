"""`{cell}`: functions that a reader can edit, and what a program prints that runs them."""

import json

from site_builder.cache import fingerprint
from site_builder.read.code import Function, Span
from site_builder.read.page import Directive
from site_builder.resolve.cell_views import CellView
from site_builder.resolve.context import Context
from site_builder.resolve.directives.code import listing
from site_builder.resolve.options import option
from site_builder.resolve.text_views import Reference

_HASH_LENGTH = 12


def cell(directive: Directive, context: Context) -> CellView | None:
    """The cell with the recorded output: from the first of its functions to the last."""
    at = directive.place
    names = option(directive, "code").split()
    functions = [f for name in names if (f := context.function(name, at))]
    program = context.function(option(directive, "run"), at)
    if len(functions) < len(names) or not program or not _fits(functions, directive, context):
        return None
    recorded = context.facts.observation.printed.get(program.dotted)
    if recorded is None:
        return None
    first = min(function.span.first for function in functions)
    last = max(function.span.last for function in functions)
    span = Span(path=functions[0].span.path, first=first, last=last)
    lines = context.facts.codebase.lines(span.path)[first - 1 : last]
    title = ", ".join(function.qualname for function in functions)
    listing_id = context.free_id(f"fn-{functions[0].qualname}", at)
    return CellView(
        id=context.claim_id(f"cell-{directive.argument}", at),
        listing=listing(span, title, listing_id, at, context),
        program=Reference(
            text=program.qualname, href=context.facts.links.function(program).href, code=True
        ),
        output=recorded["output"].rstrip("\n"),
        environment=context.facts.observation.environment,
        data=json.dumps(
            {
                "cell": directive.argument,
                "name": title,
                "module": functions[0].module,
                "first": first,
                "last": last,
                "text": "\n".join(lines),
                "version": version_of("\n".join(lines)),
                "program": program.dotted,
            }
        ),
    )


def version_of(text: str) -> str:
    """A name for a source text, by which a browser tells whether an edit is one of that text."""
    return fingerprint(text)[:_HASH_LENGTH]


def _fits(functions: list[Function], directive: Directive, context: Context) -> bool:
    """Whether the functions can be edited in one piece."""
    remedy = "name functions of one module"
    if len({function.module for function in functions}) != 1:
        context.add(directive.place, "a cell edits functions of one module", remedy)
        return False
    methods = [f.qualname for f in functions if "." in f.qualname]
    if methods:
        what = f"a cell cannot edit the method {methods[0]}"
        context.add(directive.place, what, remedy)
    return not methods
