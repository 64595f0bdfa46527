"""`{parameters}`: parameters of the model with their shapes, initial values and weight decay."""

import math
import re
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.observe.observation import Shape
from site_builder.observe.sizes import ShapeView
from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, shape_text, table
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A parameter, the statement that initialises it, and its purpose."""

    name: str
    code: CodePlace
    role: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters(Directive):
    """A table. `{l}` in a name stands for the index of a block."""

    accepts: ClassVar[Accepts] = Accepts(body="rows: name | anchor | role")
    rows: tuple[_Row, ...]

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the statements that initialise them."""
        rows = fence.rows(("name", "anchor", "role"), reader.report)
        found = (_row(cells, line.place, reader) for line, cells in rows)
        return cls(fence=fence, rows=tuple(row for row in found if row))

    def view(self, context: Context) -> "ParametersView":
        """The table."""
        found = (_view(row, context) for row in self.rows)
        return ParametersView(rows=tuple(view for view in found if view))


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterView:
    """A parameter of the model."""

    name: str
    link: CodeLink
    shape: ShapeView
    scalars: str
    count: int
    per_block: bool
    role: Text
    starts: str
    decay: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParametersView(View):
    """A table of parameters."""

    template: ClassVar[str] = "parameters.html"
    rows: tuple[ParameterView, ...]

    def markdown(self, notebook: Notebook) -> str:
        """The table."""
        rows = (
            [f"`{p.name}`", shape_text(p.shape), p.starts, p.decay, notebook.text(p.role)]
            for p in self.rows
        )
        return table(["Parameter", "Shape", "Starts as", "Decay", "Role"], rows)


def _row(cells: list[str], at: Place, reader: Reader) -> _Row | None:
    name, anchor, role = cells
    code = reader.find(anchor, at)
    if code and name.rpartition(".")[2] not in code.name:
        reader.add(at, f"'{anchor}' does not set '{name}'", "name the statement that sets it")
    return _Row(name=name, code=code, role=role, place=at) if code else None


def _view(row: _Row, context: Context) -> ParameterView | None:
    observation = context.facts.observation
    if not observation.runs:
        return None
    pattern = re.compile(re.escape(row.name).replace(r"\{l\}", r"\d+"))
    matches = [known for known in observation.runs[0].parameters if pattern.fullmatch(known)]
    if not matches:
        context.add(row.place, f"the model has no parameter '{row.name}'", "correct the name")
        return None
    shapes = [_only([run.parameters[known] for known in matches]) for run in observation.runs]
    starts = {observation.starts[known] for known in matches}
    decays = {known in observation.decayed for known in matches}
    known_shapes = [shape for shape in shapes if isinstance(shape, list)]
    if len(known_shapes) < len(shapes) or len(starts) > 1 or len(decays) > 1:
        what = f"the parameters '{row.name}' differ in shape, initial values or decay"
        context.add(row.place, what, "give each its own row")
        return None
    shape = context.named(known_shapes, row.name, row.place)
    return ParameterView(
        name=row.name,
        link=context.facts.links.span(row.code.span),
        shape=shape,
        scalars=" × ".join(shape.symbolic.strip("(),").split(", ")),
        count=math.prod(known_shapes[0]),
        per_block="{l}" in row.name,
        role=context.inline(row.role, row.place),
        starts=starts.pop(),
        decay="decays" if decays.pop() else "no decay",
    )


def _only(shapes: list[Shape]) -> Shape | None:
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else None
