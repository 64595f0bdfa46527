"""`{code}`: a listing of a function, or of the lines that an anchor names."""

from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.views import ListingLine, ListingView


def code(directive: Directive, context: Context) -> ListingView | None:
    """The listing, with the file's own line numbers."""
    at = directive.place
    place = context.place(directive.argument, at)
    if not place:
        return None
    links = context.facts.links
    module = context.facts.codebase.module_at(place.span.path)
    short = module.name.rpartition(".")[2]
    page = links.source_page(place.span.path)
    whole = place.kind == "function"
    name = place.function.qualname if place.function else place.name
    return ListingView(
        id=context.claim_id(f"fn-{name}", at) if whole else None,
        function=name,
        link=links.span(place.span),
        lines=tuple(
            ListingLine(
                number=number,
                text=module.lines[number - 1],
                id=context.free_id(f"{short}-L{number}", at),
                href=f"{page}#L{number}",
            )
            for number in range(place.span.first, place.span.last + 1)
        ),
    )
