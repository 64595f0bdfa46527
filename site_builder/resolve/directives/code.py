"""`{code}`: a listing of a function, or of the lines that an anchor names."""

from site_builder.read.code import Span
from site_builder.read.page import Directive, Place
from site_builder.resolve.cell_views import ListingLine, ListingView
from site_builder.resolve.context import Context
from site_builder.resolve.links import lines_fragment


def code(directive: Directive, context: Context) -> ListingView | None:
    """The listing, with the file's own line numbers."""
    at = directive.place
    place = context.place(directive.argument, at)
    if not place:
        return None
    whole = place.kind == "function"
    name = place.function.qualname if place.function else place.name
    id_ = context.claim_id(f"fn-{name}", at) if whole else None
    return listing(place.span, name, id_, at, context)


def listing(span: Span, title: str, id_: str | None, at: Place, context: Context) -> ListingView:
    """Lines of a file. Those that have no id on the page yet get one."""
    links = context.facts.links
    module = context.facts.codebase.module_at(span.path)
    short = module.name.rpartition(".")[2]
    page = links.source_page(span.path)
    numbers = range(span.first, span.last + 1)
    ids = {number: context.free_id(f"{short}-L{number}", at) for number in numbers}
    own = lines_fragment(f"{short}-", span.first, span.last) if all(ids.values()) else None
    return ListingView(
        id=id_,
        anchor=id_ or own,
        function=title,
        link=links.span(span),
        lines=tuple(
            ListingLine(
                number=number,
                text=module.lines[number - 1],
                id=ids[number],
                href=f"#{ids[number]}" if ids[number] else f"{page}#L{number}",
                links=context.links.of_line(span.path, number),
            )
            for number in numbers
        ),
    )
