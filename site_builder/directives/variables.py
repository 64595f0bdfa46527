"""`{variables}`: observed shapes of variables, possibly of several functions."""

from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.directives.shapes import CallShapesView, NamedShape, ShapesView, sizes_note
from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A variable, and its name on the card."""

    name: str
    code: CodePlace
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables(Directive):
    """A card that lists variables."""

    accepts: ClassVar[Accepts] = Accepts(argument="a caption", body="rows: name | anchor")
    rows: tuple[_Row, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the variables."""
        rows = fence.rows(("name", "anchor"), reader.report)
        return cls(
            fence=fence,
            rows=tuple(
                _Row(name=name, code=code, place=line.place)
                for line, (name, anchor) in rows
                if (code := reader.find(anchor, line.place))
            ),
        )

    def view(self, context: Context) -> ShapesView:
        """The card; it links to the first variable, and states the sizes of its study."""
        if not self.rows:
            return ShapesView(sites=())
        found = [
            NamedShape(name=row.name, shape=context.shape(row.code, row.place)) for row in self.rows
        ]
        study = context.facts.observation.runs_of(self.rows[0].code.function)
        site = CallShapesView(
            caption=context.inline(self.fence.argument, self.place),
            link=context.facts.links.span(self.rows[0].code.span),
            arguments=(),
            results=tuple(found),
            note=sizes_note([view.shape.symbolic for view in found], study),
        )
        return ShapesView(sites=(site,))
