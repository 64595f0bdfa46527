"""`{about}`: an introduction with a badge that says how real its subject is."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.observe.requests import Request
from site_builder.read.code import Function
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Block, Directive, Reader
from site_builder.resolve.notebook import Notebook, quoted
from site_builder.resolve.search import PageSearch
from site_builder.resolve.text_views import Reference
from site_builder.resolve.view import View

STATUSES = {
    "implemented": "Implemented",
    "derived": "Derived from implementation",
    "illustrative": "Illustrative example",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class About(Directive):
    """Markdown with a badge, and the functions that justify it."""

    accepts: ClassVar[Accepts] = Accepts(
        options={"status": True, "functions": False}, body="Markdown"
    )
    status: str
    functions: tuple[Function, ...]
    body: tuple[Block, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the functions, and read the body."""
        status, names = fence.option("status"), fence.option("functions").split()
        if status not in STATUSES:
            known = ", ".join(STATUSES)
            reader.add(fence.place, f"unknown status '{status}'", f"use one of {known}")
            return None
        if status != "illustrative" and not names:
            what = f"'{status}' names no function"
            reader.add(fence.place, what, "add ':functions: module.function'")
        found = (reader.function(name, fence.place) for name in names)
        return cls(
            fence=fence,
            status=status,
            functions=tuple(function for function in found if function),
            body=reader.nested(fence.body),
        )

    def requests(self) -> Iterator[Request]:
        """The requests of nested directives."""
        for block in self.body:
            if isinstance(block, Directive):
                yield from block.requests()

    def view(self, context: Context) -> "AboutView":
        """The badge with its functions, and the body."""
        return AboutView(
            status=self.status,
            label=STATUSES[self.status],
            functions=tuple(
                Reference(text=f.qualname, href=context.facts.links.function(f).href, code=True)
                for f in self.functions
            ),
            body=context.views(self.body),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutView(View):
    """An introduction with a badge that says how real its subject is."""

    template: ClassVar[str] = "about.html"
    status: str
    label: str
    functions: tuple[Reference, ...]
    body: tuple[View, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A block quote that begins with the badge."""
        functions = ", ".join(map(notebook.reference, self.functions))
        inside = (view.markdown(notebook) for view in self.body)
        return quoted([f"**{self.label}** {functions}".strip(), *filter(None, inside)])

    def prose(self, search: PageSearch) -> Iterable[str]:
        """The prose of nested blocks."""
        for view in self.body:
            yield from view.prose(search)
