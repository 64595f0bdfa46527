"""`{figure}`: a drawing of values from an example's run."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.directives.example import Example
from site_builder.directives.run_directive import RunDirective, read_rows
from site_builder.read.anchors import AnchorError, CodePlace
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Reader
from site_builder.resolve.drawing import Drawing
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import View

# The values that static/js/figures draws, by kind of figure.
KINDS = {
    "row": ("X", "mean", "variance", "Xhat", "Y"),
    "matrix": ("matrix",),
    "curve": ("step", "float64", "float32", "used"),
    "block": ("layer", "batch", "layer_edited", "batch_edited"),
    "terms": ("direct", "mean", "variance", "sum"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure(RunDirective):
    """A drawing of values from a run; the label of each row is the drawing's name for the value."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"kind": True, "example": True, "caption": True},
        body="rows: name | anchor",
    )

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the example, and the values of its run."""
        example = example_of(fence, reader)
        return cls(
            fence=fence,
            program=example.program,
            source=example.source,
            starts=example.starts,
            rows=read_rows(fence.body, reader),
        )

    def view(self, context: Context) -> "FigureView | None":
        """The figure, drawn from the recorded values."""
        values = self.recorded(context) if self._is_complete(context) else None
        if values is None:
            return None
        keys = {row.label: place.anchor for row in self.rows for place in row.observed()}
        kind = self.fence.option("kind")
        drawing = Drawing(
            kind=kind, values=json.dumps({name: values[key] for name, key in keys.items()})
        )
        context.drawings.setdefault(drawing, self.place)
        return FigureView(
            id=context.claim_id(f"fig-{self.fence.argument}", self.place),
            kind=kind,
            run=self.run,
            keys=json.dumps(keys),
            drawing=drawing,
            caption=context.inline(self.fence.option("caption"), self.place),
            data=self.run_data(context),
        )

    def _is_complete(self, context: Context) -> bool:
        """Whether the rows are exactly the values that the drawing needs; reports it if not."""
        kind = self.fence.option("kind")
        names = KINDS.get(kind)
        if names is None:
            what = f"there is no kind '{kind}' of {{figure}}"
            context.add(self.place, what, f"use one of {', '.join(KINDS)}")
            return False
        fits = True
        for row in self.rows:
            if row.label not in names:
                what = f"a {{figure}} of kind '{kind}' has no value '{row.label}'"
                context.add(row.place, what, f"use {', '.join(names)}")
                fits = False
            elif len(row.items) != 1 or not isinstance(row.items[0], CodePlace):
                context.add(row.place, "this row is incomplete", "write name | anchor")
                fits = False
        missing = [name for name in names if name not in {row.label for row in self.rows}]
        if missing:
            what = f"a {{figure}} of kind '{kind}' needs {', '.join(missing)}"
            context.report.add_if_complete(self.place, what, "add a row 'name | anchor' for each")
        return fits and not missing


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView(View):
    """A drawing of values from a run; `keys` maps its names to the run's values, as JSON."""

    template: ClassVar[str] = "figure.html"
    id: str
    kind: str
    run: str
    keys: str
    drawing: Drawing
    caption: Text
    data: str | None

    def markdown(self, notebook: Notebook) -> str:
        """The caption, with a link to the drawing on the page."""
        return f"*A figure {notebook.on_page(self.id)}:* {notebook.text(self.caption)}"

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record, titled with the first sentence of the caption."""
        title, _, text = search.plain(self.caption).partition(". ")
        yield search.record("Figure", self.id, title.removesuffix("."), text=text, words=self.kind)


def example_of(fence: Fence, reader: Reader) -> Example:
    """The example whose run a directive shows.

    Raises:
        AnchorError: the page has no such example, or its names are not in the code.
    """
    name = fence.option("example")
    example = reader.fence("example", name)
    if example is None:
        raise AnchorError(f"the page has no example '{name}'", "name an example of this page")
    return Example.read(example, reader)
