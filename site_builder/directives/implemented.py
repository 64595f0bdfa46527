"""`{implemented}`: file, function and lines of each equation of a part."""

from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.directives.connections import ConnectedEquation, connected
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.notebook import Notebook, table
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Implemented(Directive):
    """The equations of a part with the lines that compute them."""

    accepts: ClassVar[Accepts] = Accepts(options={"label": True})
    part: str

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Record the part."""
        return cls(fence=fence, part=reader.part)

    def view(self, context: Context) -> "ImplementedView":
        """The table."""
        equations = connected(self, self.part, ("computes",), context)
        return ImplementedView(label=self.fence.option("label"), equations=equations)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplementedView(View):
    """Which file, function and lines compute each equation of one part of a page."""

    template: ClassVar[str] = "implemented.html"
    label: str
    equations: tuple[ConnectedEquation, ...]

    def markdown(self, notebook: Notebook) -> str:
        """The table."""
        rows = (
            [equation.markdown(notebook), f"`{row.function}`", notebook.lines(row.link)]
            for equation in self.equations
            for row in equation.connections
        )
        return table(["Equation", "Function", "Line"], rows)
