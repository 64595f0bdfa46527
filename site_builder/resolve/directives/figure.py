"""`{figure}`: a drawing of the values of an example's run."""

import json

from site_builder.read.anchors import CodePlace
from site_builder.read.figure import Figure
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.example_views import Drawing, FigureView
from site_builder.resolve.live_data import recorded, run_data

# By kind, the values that static/js/figures draws.
KINDS = {
    "row": ("X", "mean", "variance", "Xhat", "Y"),
    "matrix": ("matrix",),
    "curve": ("step", "float64", "float32", "used"),
    "block": ("layer", "batch", "layer_edited", "batch_edited"),
    "terms": ("direct", "mean", "variance", "sum"),
}


def figure(directive: Directive, context: Context) -> FigureView | None:
    """The figure as the build draws it."""
    found = context.facts.live.get(directive.place)
    if not isinstance(found, Figure) or not _is_complete(found, context):
        return None
    values = recorded(found, context)
    if values is None:
        return None
    keys = {row.label: place.anchor for row in found.rows for place in row.observed()}
    drawing = Drawing(
        kind=found.kind, values=json.dumps({name: values[key] for name, key in keys.items()})
    )
    context.drawings.setdefault(drawing, directive.place)
    return FigureView(
        id=context.claim_id(f"fig-{found.id}", directive.place),
        kind=found.kind,
        run=found.run,
        keys=json.dumps(keys),
        drawing=drawing,
        caption=context.inline(found.caption, directive.place),
        data=run_data(found, context),
    )


def _is_complete(found: Figure, context: Context) -> bool:
    """Whether the drawing gets just the values that it needs; what is wrong is reported."""
    names = KINDS.get(found.kind)
    if names is None:
        what = f"there is no kind '{found.kind}' of {{figure}}"
        context.add(found.place, what, f"use one of {', '.join(KINDS)}")
        return False
    fits = True
    for row in found.rows:
        if row.label not in names:
            what = f"a {{figure}} of kind '{found.kind}' has no value '{row.label}'"
            context.add(row.place, what, f"use {', '.join(names)}")
            fits = False
        elif len(row.cells) != 1 or not isinstance(row.cells[0], CodePlace):
            context.add(row.place, "this row is not complete", "write name | anchor")
            fits = False
    missing = [name for name in names if name not in {row.label for row in found.rows}]
    if missing:
        what = f"a {{figure}} of kind '{found.kind}' needs {', '.join(missing)}"
        context.report.add_dependent(
            found.place.path, found.place.line, what, "add a row 'name | anchor' for each"
        )
    return fits and not missing
