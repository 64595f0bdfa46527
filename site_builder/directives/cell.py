"""`{cell}`: functions that a reader can edit, and the output of a program that runs them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.cache import fingerprint
from site_builder.directives.code import ListingView, listing
from site_builder.directives.printed import printing_cells
from site_builder.observe.requests import ProgramRun, Request
from site_builder.read.code import Function, Span
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Cell, Notebook
from site_builder.resolve.text_views import Reference
from site_builder.resolve.view import View

_HASH_LENGTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class EditableCode(Directive):
    """Consecutive functions of one module, and a program that runs them."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id", options={"code": True, "run": True}, on_pages_only=True
    )
    functions: tuple[Function, ...]
    program: Function

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the functions and the program."""
        names = fence.option("code").split()
        functions = [f for name in names if (f := reader.function(name, fence.place))]
        (run, *_) = fence.options_named("run")
        program = reader.program(run.value, run.place)
        if len(functions) < len(names) or not program or not _fits(functions, fence, reader):
            return None
        return cls(fence=fence, functions=tuple(functions), program=program)

    def requests(self) -> Iterator[Request]:
        """The program's output."""
        yield ProgramRun(program=self.program)

    def view(self, context: Context) -> "EditableCodeView | None":
        """The cell with the recorded output."""
        recorded = context.facts.observation.printed.get(self.program.dotted)
        if recorded is None:
            return None
        first = min(function.span.first for function in self.functions)
        last = max(function.span.last for function in self.functions)
        span = Span(path=self.functions[0].span.path, first=first, last=last)
        text = "\n".join(context.facts.codebase.lines(span.path)[first - 1 : last])
        title = ", ".join(function.qualname for function in self.functions)
        listing_id = context.free_id(f"fn-{self.functions[0].qualname}", self.place)
        name = self.fence.argument
        return EditableCodeView(
            id=context.claim_id(f"cell-{name}", self.place),
            listing=listing(span, title, listing_id, self.place, context),
            runs=self.program,
            program=Reference(
                text=self.program.qualname,
                href=context.facts.links.function(self.program).href,
                code=True,
            ),
            output=recorded["output"].rstrip("\n"),
            environment=context.facts.observation.environment,
            data=json.dumps(
                {
                    "cell": name,
                    "name": title,
                    "module": self.functions[0].module,
                    "first": first,
                    "last": last,
                    "text": text,
                    "version": version_of(text),
                    "program": self.program.dotted,
                }
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EditableCodeView(View):
    """Functions to edit, and the output of a program that runs them.

    Attributes:
        data: what the browser needs to edit and run them, as JSON.
    """

    template: ClassVar[str] = "cell.html"
    id: str
    listing: ListingView
    runs: Function
    program: Reference
    output: str
    environment: str
    data: str

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """The functions, and a call of the program."""
        yield from self.listing.cells(notebook)
        yield from printing_cells(self.runs, self.output, notebook)

    def markdown(self, notebook: Notebook) -> str:
        """The functions as text, where they are not run."""
        return self.listing.markdown(notebook)

    @property
    def listed(self) -> tuple[tuple[str, CodeLink], ...]:
        """The functions in the listing."""
        return self.listing.listed


def version_of(text: str) -> str:
    """A digest of a source text, by which the browser knows whether a saved edit applies to it."""
    return fingerprint(text)[:_HASH_LENGTH]


def _fits(functions: Iterable[Function], fence: Fence, reader: Reader) -> bool:
    """Whether the functions can be edited as one block."""
    remedy = "name functions of one module"
    if len({function.module for function in functions}) != 1:
        reader.add(fence.place, "a cell edits functions of one module", remedy)
        return False
    methods = [f.qualname for f in functions if "." in f.qualname]
    if methods:
        reader.add(fence.place, f"a cell cannot edit the method {methods[0]}", remedy)
    return not methods
