"""`{note}`: an aside."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.observe.requests import Request
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Block, Directive, Reader
from site_builder.resolve.notebook import Notebook, quoted
from site_builder.resolve.search import PageSearch
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Directive):
    """Markdown set apart from the main text."""

    accepts: ClassVar[Accepts] = Accepts(body="Markdown")
    body: tuple[Block, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Read the body."""
        return cls(fence=fence, body=reader.nested(fence.body))

    def requests(self) -> Iterator[Request]:
        """The requests of nested directives."""
        for block in self.body:
            if isinstance(block, Directive):
                yield from block.requests()

    def view(self, context: Context) -> "NoteView":
        """The body."""
        return NoteView(body=context.views(self.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView(View):
    """An aside."""

    template: ClassVar[str] = "note.html"
    body: tuple[View, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A block quote."""
        return quoted(filter(None, (view.markdown(notebook) for view in self.body)))

    def prose(self, search: PageSearch) -> Iterable[str]:
        """The prose of nested blocks."""
        for view in self.body:
            yield from view.prose(search)
