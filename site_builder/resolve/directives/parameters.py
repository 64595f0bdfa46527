"""`{parameters}`: parameters of the model with their shapes, starting values and decay."""

import math
import re

from site_builder.observe.observation import Shape
from site_builder.read.page import Directive, Place
from site_builder.resolve.code_views import ParametersView, ParameterView
from site_builder.resolve.context import Context
from site_builder.resolve.options import rows


def parameters(directive: Directive, context: Context) -> ParametersView:
    """The table. A name may hold `{l}`, which stands for the number of a block."""
    found = []
    for line, (name, anchor, role) in rows(directive, context, ("name", "anchor", "role")):
        parameter = _parameter(name, anchor, role, context, line.place)
        if parameter:
            found.append(parameter)
    return ParametersView(rows=tuple(found))


def _parameter(
    name: str, anchor: str, role: str, context: Context, at: Place
) -> ParameterView | None:
    place = context.place(anchor, at)
    observation = context.facts.observation
    if not observation.runs:
        return None
    pattern = re.compile(re.escape(name).replace(r"\{l\}", r"\d+"))
    matches = [known for known in observation.runs[0].parameters if pattern.fullmatch(known)]
    if not matches:
        context.add(at, f"the model has no parameter '{name}'", "correct the name")
    if place and name.rpartition(".")[2] not in place.name:
        context.add(at, f"'{anchor}' does not set '{name}'", "name the statement that sets it")
    if not (place and matches):
        return None
    shapes = [_only([run.parameters[known] for known in matches]) for run in observation.runs]
    starts = {observation.starts[known] for known in matches}
    decays = {known in observation.decayed for known in matches}
    known_shapes = [shape for shape in shapes if isinstance(shape, list)]
    if len(known_shapes) < len(shapes) or len(starts) > 1 or len(decays) > 1:
        context.add(at, f"the parameters '{name}' are not alike", "give each its own row")
        return None
    shape = context.named(known_shapes, name, at)
    return ParameterView(
        name=name,
        link=context.facts.links.span(place.span),
        shape=shape,
        scalars=" × ".join(shape.symbolic.strip("(),").split(", ")),
        count=math.prod(known_shapes[0]),
        per_block="{l}" in name,
        role=context.inline(role, at),
        starts=starts.pop(),
        decay="decays" if decays.pop() else "no decay",
    )


def _only(shapes: list[Shape]) -> Shape | None:
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else None
