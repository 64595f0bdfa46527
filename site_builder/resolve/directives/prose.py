"""`{about}` and `{note}`: Markdown in a frame. `{claim}`: a sentence that the build checks."""

from collections.abc import Sequence

from site_builder.read.page import Directive, Line, Place, read_blocks
from site_builder.resolve.blocks import resolve_blocks
from site_builder.resolve.context import Context
from site_builder.resolve.options import option
from site_builder.resolve.text_views import ClaimView, Reference
from site_builder.resolve.views import AboutView, BlockView, NoteView

_ON_PAGES_ONLY = {"equation", "step", "example", "cell", "exercise"}
STATUSES = {
    "implemented": "Implemented",
    "derived": "Derived from implementation",
    "illustrative": "Illustrative example",
}


def about(directive: Directive, context: Context) -> AboutView | None:
    """What something is. Its badge must be borne out by functions."""
    status = option(directive, "status")
    if status not in STATUSES:
        context.add(
            directive.place, f"unknown status '{status}'", f"use one of {', '.join(STATUSES)}"
        )
        return None
    functions = []
    for name in option(directive, "functions").split():
        function = context.function(name, directive.place)
        if function:
            href = context.facts.links.function(function).href
            functions.append(Reference(text=function.qualname, href=href, code=True))
    if status != "illustrative" and not option(directive, "functions"):
        context.add(
            directive.place, f"'{status}' names no function", "add ':functions: module.function'"
        )
    return AboutView(
        status=status,
        label=STATUSES[status],
        functions=tuple(functions),
        body=resolve_body(directive.body, context),
    )


def claim(directive: Directive, context: Context) -> ClaimView | None:
    """A sentence of its own, if its condition holds."""
    sentence = " ".join(line.text.strip() for line in directive.body)
    return context.claim(sentence, directive.argument, directive.body[0].place)


def note(directive: Directive, context: Context) -> NoteView:
    """An aside."""
    return NoteView(body=resolve_body(directive.body, context))


def resolve_body(body: Sequence[Line], context: Context) -> tuple[BlockView, ...]:
    """The views of Markdown inside a directive."""
    if not body:
        return ()
    first = body[0].place
    before = Place(path=first.path, line=first.line - 1)
    markdown = "\n".join(line.text for line in body)
    blocks = read_blocks(markdown, before, context.report)
    for block in blocks:
        if isinstance(block, Directive) and block.name in _ON_PAGES_ONLY:
            what = f"{{{block.name}}} cannot stand inside another directive"
            context.add(block.place, what, "put it beside it")
    fitting = (b for b in blocks if getattr(b, "name", "") not in _ON_PAGES_ONLY)
    return resolve_blocks(fitting, context)
