"""`{code}`: a listing of the lines that an anchor names."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Span
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink, lines_fragment
from site_builder.resolve.notebook import Cell, Notebook, fenced, markdown
from site_builder.resolve.symbol_links import LineLinks
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Code(Directive):
    """Lines of a file."""

    accepts: ClassVar[Accepts] = Accepts(argument="an anchor")
    lines: CodePlace

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the lines."""
        return cls(fence=fence, lines=reader.anchors.find(fence.argument))

    def view(self, context: Context) -> "ListingView":
        """The listing, with the file's own line numbers."""
        function = self.lines.function
        name = function.qualname if function else self.lines.name
        is_whole = self.lines.kind == "function"
        id_ = context.claim_id(f"fn-{name}", self.place) if is_whole else None
        return listing(self.lines.span, name, id_, self.place, context)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingLine:
    """A line of code; `id` is None if an earlier element of the page has the line's id.

    Attributes:
        href: this line here; on the source page if it has no id here.
    """

    number: int
    text: str
    id: str | None
    href: str
    links: LineLinks


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingView(View):
    """Lines of a file, and the function that they belong to.

    Attributes:
        anchor: the fragment of links to the listing; None if its lines were listed before.
    """

    template: ClassVar[str] = "listing.html"
    id: str | None
    anchor: str | None
    function: str
    link: CodeLink
    span: Span
    lines: tuple[ListingLine, ...]

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """The code, after what it depends on; code that defines nothing is quoted."""
        cells = notebook.listed(self.span)
        if cells:
            *needed, shown = cells
            yield from needed
            yield markdown(self._above(notebook))
            yield shown
        else:
            yield markdown(self.markdown(notebook))

    def markdown(self, notebook: Notebook) -> str:
        """The code as text, where it is not run."""
        return f"{self._above(notebook)}\n\n{fenced(line.text for line in self.lines)}"

    def _above(self, notebook: Notebook) -> str:
        return f"`{self.function}`, {notebook.lines(self.link)}:"

    @property
    def listed(self) -> tuple[tuple[str, CodeLink], ...]:
        """The function, if all of it is listed."""
        return ((self.id, self.link),) if self.id else ()


def listing(span: Span, title: str, id_: str | None, at: Place, context: Context) -> ListingView:
    """Lines of a file. Each gets an id unless the page already has that line."""
    links = context.facts.links
    module = context.facts.codebase.module_at(span.path)
    short = module.name.rpartition(".")[2]
    page = links.source_page(span.path)
    numbers = range(span.first, span.last + 1)
    ids = {number: context.free_id(f"{short}-L{number}", at) for number in numbers}
    own = lines_fragment(f"{short}-", span.first, span.last) if all(ids.values()) else None
    if own and not id_ and span.first < span.last:
        context.ranges.add(own)
    return ListingView(
        id=id_,
        anchor=id_ or own,
        function=title,
        link=links.span(span),
        span=span,
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
