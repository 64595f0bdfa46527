"""`{connections}`: each line that computes, calls or tests an equation of a part."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.read.equations import ROLES, connections
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, table
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections(Directive):
    """The equations of a part with all their lines."""

    accepts: ClassVar[Accepts] = Accepts(options={"label": True})
    part: str

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Record the part."""
        return cls(fence=fence, part=reader.part)

    def view(self, context: Context) -> "ConnectionsView":
        """The table."""
        equations = connected(self, self.part, ROLES, context)
        return ConnectionsView(label=self.fence.option("label"), equations=equations)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionView:
    """A line of code and its role: `computes`, `calls` or `tests`."""

    role: str
    link: CodeLink
    function: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedEquation:
    """An equation and the lines that belong to it."""

    id: str
    caption: Text
    connections: tuple[ConnectionView, ...]

    def markdown(self, notebook: Notebook) -> str:
        """A link to the equation."""
        return f"[{notebook.text(self.caption)}](#{self.id})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionsView(View):
    """The equations of one part of a page with their lines of code."""

    template: ClassVar[str] = "connections.html"
    label: str
    equations: tuple[ConnectedEquation, ...]

    def markdown(self, notebook: Notebook) -> str:
        """The table."""
        rows = (
            [equation.markdown(notebook), row.role, notebook.lines(row.link), f"`{row.code}`"]
            for equation in self.equations
            for row in equation.connections
        )
        return table(["Equation", "Role", "Line", "Code"], rows)


def connected(
    directive: Directive, part: str, roles: Collection[str], context: Context
) -> tuple[ConnectedEquation, ...]:
    """The equations of a part of the page, with their lines that have one of the roles."""
    found = tuple(
        ConnectedEquation(
            id=equation.id,
            caption=context.inline(equation.caption, equation.place),
            connections=tuple(
                ConnectionView(
                    role=connection.role,
                    link=context.facts.links.span(connection.span),
                    function=connection.function.qualname if connection.function else "",
                    code=connection.code,
                )
                for connection in connections(equation, context.facts.codebase)
                if connection.role in roles
            ),
        )
        for equation in context.facts.equations.values()
        if (equation.slug, equation.part) == (context.slug, part)
    )
    if not found and not any(fence.name in {"equation", "step"} for fence in context.unreadable):
        what = "this part of the page has no equations"
        context.add(directive.place, what, "add one, or remove this")
    return found
