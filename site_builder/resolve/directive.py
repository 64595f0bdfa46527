"""The base of all directives, and how a page becomes a document of directives.

A directive is a record of what its author wrote. It is defined in one module of
`site_builder/directives`, together with its view. The build takes it through these steps, whose
defaults are defined here:

1. `read` makes the record from a fence, and looks up the names in the code that it mentions.
2. `requests` lists what must run, so that the build can show the results.
3. `view` combines the record with the observation.
4. The view has a template, notebook cells, search records, and entries in `explain.json`. Its form
   in a notebook has no default, so that it cannot be omitted by mistake.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from site_builder.observe.requests import EquationCheck, Request
from site_builder.observe.verdicts import EquationsOfPage
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.equations import Equation
from site_builder.read.page import PART_LEVEL, Fence, Heading, Line, Page, Prose, read_blocks
from site_builder.resolve.context import Context
from site_builder.resolve.symbol_links import SymbolRow
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepts:
    """What the fence of a directive may contain.

    Attributes:
        argument: a description of the argument; empty if there must be none.
        options: name -> whether it is required.
        body: a description of the body; empty if there must be none.
        on_pages_only: whether it must not be inside another directive.
    """

    argument: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    body: str = ""
    on_pages_only: bool = False

    def problems(self, fence: Fence) -> Iterator[tuple[Place, str, str]]:
        """Invalid and missing parts of a fence, each as place, what and remedy."""
        for option in fence.options:
            if option.name not in self.options:
                known = ", ".join(sorted(self.options)) or "none"
                what = f"unknown option '{option.name}' of {{{fence.name}}}"
                yield option.place, what, f"it accepts {known}"
        for name, required in self.options.items():
            if required and not fence.options_named(name):
                what = f"{{{fence.name}}} lacks :{name}:"
                yield fence.place, what, f"add a line ':{name}: …'"
        for what, present, accepted in (
            ("an argument", fence.argument, self.argument),
            ("a body", fence.body, self.body),
        ):
            if bool(present) != bool(accepted):
                has = "has" if present else "lacks"
                remedy = f"give it {accepted}" if accepted else "remove it"
                yield fence.place, f"{{{fence.name}}} {has} {what}", remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive(ABC):
    """A directive of a page; `fence` is what its author wrote."""

    accepts: ClassVar[Accepts]
    fence: Fence

    @property
    def place(self) -> Place:
        """Where its fence begins."""
        return self.fence.place

    @classmethod
    @abstractmethod
    def read(cls, fence: Fence, reader: "Reader") -> Self | None:
        """Make the record; None after a report.

        Raises:
            AnchorError: a name is not in the code. The caller reports it at the fence.
        """

    def requests(self) -> Iterator[Request]:
        """What must run for it; by default nothing."""
        return iter(())

    @property
    def equation(self) -> Equation | None:
        """The equation that it displays; by default none."""
        return None

    @property
    def symbols(self) -> tuple[SymbolRow, ...]:
        """The symbols that it introduces; by default none."""
        return ()

    @abstractmethod
    def view(self, context: Context) -> View | None:
        """Combine it with the observation; None after a report."""


Directives = Mapping[str, type[Directive]]
Block = Prose | Heading | Directive


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page with its directives, without those that were reported.

    Attributes:
        unreadable: the fences of those. Links to ids that they would have had are not reported.
        used: the lines of code that were looked up.
    """

    page: Page
    blocks: tuple[Block, ...]
    unreadable: tuple[Fence, ...]
    used: frozenset[Span]

    def requests(self) -> Iterator[Request]:
        """What must run for the page."""
        for directive in self._directives:
            yield from directive.requests()

    @property
    def equations(self) -> tuple[Equation, ...]:
        """Its equations."""
        return tuple(d.equation for d in self._directives if d.equation)

    @property
    def symbols(self) -> tuple[SymbolRow, ...]:
        """The rows of all its symbol tables."""
        return tuple(row for directive in self._directives for row in directive.symbols)

    @property
    def _directives(self) -> Iterator[Directive]:
        return (block for block in self.blocks if isinstance(block, Directive))


class Reader:
    """Reads the directives of a page, in order.

    Attributes:
        anchors: looks up names in the code.
        part: id of the last heading of level 2; empty before the first.
        steps: the number of derivation steps in the part so far.
    """

    def __init__(
        self, page: Page, anchors: Anchors, directives: Directives, report: Report
    ) -> None:
        self._used: set[Span] = set()
        self.page = page
        self.anchors = anchors.noting(self._used)
        self.report = report
        self.part = ""
        self.steps = 0
        self._directives = directives
        self._unreadable: list[Fence] = []

    def document(self) -> Document:
        """Read the page."""
        blocks = tuple(self._read(self.page.blocks, nested=False))
        return Document(
            page=self.page,
            blocks=blocks,
            unreadable=tuple(self._unreadable),
            used=frozenset(self._used),
        )

    def add(self, at: Place, what: str, remedy: str) -> None:
        """Report a problem."""
        self.report.add(at, what, remedy)

    def add_missing(self, at: Place, error: AnchorError) -> None:
        """Report a name that is not in the code."""
        self.report.add_if_complete(at, error.what, error.remedy)

    def find(self, anchor: str, at: Place) -> CodePlace | None:
        """The place that an anchor names; None after a report."""
        try:
            return self.anchors.find(anchor)
        except AnchorError as error:
            self.add_missing(at, error)
            return None

    def function(self, name: str, at: Place) -> Function | None:
        """The function of that name; None after a report."""
        try:
            return self.anchors.function(name)
        except AnchorError as error:
            self.add_missing(at, error)
            return None

    def program(self, name: str, at: Place) -> Function | None:
        """A function without required parameters; None after a report."""
        function = self.function(name, at)
        if function and function.required:
            needed = ", ".join(function.required)
            what = f"{function.dotted} cannot run on its own: it needs {needed}"
            self.add(at, what, "name a function without parameters")
            return None
        return function

    def fence(self, name: str, argument: str | None = None) -> Fence | None:
        """The first fence of a name on the page; if given, with that argument."""
        fences = (block for block in self.page.blocks if isinstance(block, Fence))
        return next((f for f in fences if f.name == name and argument in {None, f.argument}), None)

    def nested(self, body: tuple[Line, ...]) -> tuple[Block, ...]:
        """The blocks of Markdown inside a directive."""
        if not body:
            return ()
        first = body[0].place
        before = Place(path=first.path, line=first.line - 1)
        markdown = "\n".join(line.text for line in body)
        return tuple(self._read(read_blocks(markdown, before, self.report), nested=True))

    def _read(self, blocks: Iterable[Prose | Heading | Fence], *, nested: bool) -> Iterator[Block]:
        for block in blocks:
            if not isinstance(block, Fence):
                if isinstance(block, Heading) and block.level == PART_LEVEL and not nested:
                    self.part, self.steps = block.id, 0
                yield block
            elif directive := self._directive(block, nested=nested):
                yield directive
            else:
                self._unreadable.append(block)

    def _directive(self, fence: Fence, *, nested: bool) -> Directive | None:
        kind = self._directives.get(fence.name)
        if kind is None:
            known = ", ".join(sorted(self._directives))
            self.add(fence.place, f"unknown directive '{{{fence.name}}}'", f"use one of {known}")
            return None
        if nested and kind.accepts.on_pages_only:
            what = f"{{{fence.name}}} cannot be inside another directive"
            self.add(fence.place, what, "move it out")
            return None
        problems = [*kind.accepts.problems(fence)]
        for problem in problems:
            self.add(*problem)
        try:
            return None if problems else kind.read(fence, self)
        except AnchorError as error:
            self.add_missing(fence.place, error)
            return None


def read_documents(
    pages: Iterable[Page], anchors: Anchors, directives: Directives, report: Report
) -> tuple[Document, ...]:
    """Read the directives of all pages.

    Args:
        pages: the pages as written.
        anchors: looks up names in the code.
        directives: the directive classes, by name.
        report: receives problems.
    """
    return tuple(Reader(page, anchors, directives, report).document() for page in pages)


def equations_of(documents: Iterable[Document], report: Report) -> dict[str, Equation]:
    """The equations of all pages by id; duplicate ids are reported."""
    equations: dict[str, Equation] = {}
    for equation in (equation for document in documents for equation in document.equations):
        first = equations.setdefault(equation.id, equation)
        if first is not equation:
            what = f"the id '{equation.id}' is taken by {first.place.path}:{first.place.line}"
            report.add(equation.place, what, "choose another")
    return equations


def checked_equations(documents: Iterable[Document]) -> tuple[EquationsOfPage, ...]:
    """The equations to check on each page. For each symbol, its first row counts."""
    return tuple(
        EquationsOfPage(
            slug=document.page.slug,
            version=document.page.version,
            check=next((r for r in document.requests() if isinstance(r, EquationCheck)), None),
            has_check=any(
                isinstance(block, Fence) and block.name == "check" for block in document.page.blocks
            ),
            equations=document.equations,
            symbols={
                row.latex: row.code
                for row in reversed(document.symbols)
                if row.code and not row.latex.startswith("\\operatorname")
            },
        )
        for document in documents
    )
