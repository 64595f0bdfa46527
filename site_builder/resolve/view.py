"""Views: the blocks of a page once resolved, with nothing left to decide."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from site_builder.observe.sizes import ShapeView
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Cell, Notebook, anchor, markdown
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.text_views import Maths, Text


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolView:
    """A row of a symbol table; `id` is None if an earlier row has the symbol's id."""

    id: str | None
    name: str
    spoken: str
    maths: Maths
    latex: str
    meaning: Text
    code: str | None
    link: CodeLink | None
    shape: ShapeView


@dataclass(frozen=True, slots=True, kw_only=True)
class View(ABC):
    """A block of a page. Its template renders it as HTML, its methods in the other forms."""

    template: ClassVar[str]

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """Its cells in the page's notebook; by default one with its Markdown."""
        if text := self.markdown(notebook):
            yield markdown(text)

    @abstractmethod
    def markdown(self, notebook: Notebook) -> str:
        """Its content as Markdown; empty only if a notebook has no use for it."""

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """Its search records; a test requires one for every view with an id."""
        del search
        return ()

    def prose(self, search: PageSearch) -> Iterable[str]:
        """Its running text, which is indexed with its section."""
        del search
        return ()

    def entries(self) -> Mapping[str, list[dict[str, Any]]]:
        """Its entries in `explain.json`, by the key of their list."""
        return {}

    @property
    def symbols(self) -> tuple[SymbolView, ...]:
        """The symbols whose shapes it shows."""
        return ()

    @property
    def listed(self) -> tuple[tuple[str, CodeLink], ...]:
        """The complete functions that it lists: the id on the page, and the lines."""
        return ()

    @property
    def equation(self) -> "EquationView | None":
        """Itself if it is an equation, else None."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationView(View):
    """The part of an equation's view that does not depend on its directive."""

    id: str
    maths: Maths
    caption: Text

    @property
    def equation(self) -> "EquationView":
        """Itself."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingView(View):
    """A heading, its id, and its number in print."""

    template: ClassVar[str] = "heading.html"
    level: int
    id: str
    number: str
    title: Text
    plain: str

    def markdown(self, notebook: Notebook) -> str:
        """The heading, with its id above it."""
        return f"{anchor(self.id)}\n\n{'#' * self.level} {notebook.text(self.title)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseView(View):
    """Ordinary Markdown."""

    template: ClassVar[str] = "prose.html"
    text: Text

    def markdown(self, notebook: Notebook) -> str:
        """The text."""
        return notebook.text(self.text)

    def prose(self, search: PageSearch) -> Iterable[str]:
        """The text."""
        yield search.plain(self.text)
