"""`{printed}`: the output of a program that the build ran."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.observe.requests import ProgramRun, Request
from site_builder.read.code import Function
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Cell, Notebook, code
from site_builder.resolve.search import PageSearch
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed(Directive):
    """A program: a function without parameters."""

    accepts: ClassVar[Accepts] = Accepts(argument="a function without parameters")
    program: Function

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the program."""
        program = reader.program(fence.argument, fence.place)
        return cls(fence=fence, program=program) if program else None

    def requests(self) -> Iterator[Request]:
        """Its output."""
        yield ProgramRun(program=self.program)

    def view(self, context: Context) -> "PrintedView | None":
        """The recorded output; a program that prints nothing is reported."""
        record = context.facts.observation.printed.get(self.program.dotted)
        if not record:
            return None
        if not record["output"]:
            what = f"{self.program.dotted} prints nothing"
            context.add(self.place, what, "make it print, or name a program that does")
            return None
        return PrintedView(
            program=self.program,
            function=self.program.qualname,
            link=context.facts.links.function(self.program),
            output=record["output"].rstrip("\n"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedView(View):
    """The output of a function that the build ran."""

    template: ClassVar[str] = "printed.html"
    program: Function
    function: str
    link: CodeLink
    output: str

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """A call of the function, after what it depends on."""
        return printing_cells(self.program, self.output, notebook)

    def markdown(self, notebook: Notebook) -> str:
        """The output as text, where it is not run."""
        return f"{notebook.lines(self.link)}\n\n```\n{self.output}\n```"

    def prose(self, search: PageSearch) -> Iterable[str]:
        """The output."""
        del search
        yield self.output


def printing_cells(program: Function, output: str, notebook: Notebook) -> Iterator[Cell]:
    """A call of a program, after what it depends on; it must print what the page shows."""
    yield from notebook.needed(program.module, program.name)
    yield code(f"{program.name}()", expected=output)
