"""`{equation}` and `{step}`: mathematics with an id and the lines that compute it."""

from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.views import EquationView


def equation(directive: Directive, context: Context) -> EquationView:
    """An equation, or a numbered step of a derivation."""
    found = context.facts.equations[f"eq-{directive.argument}"]
    body = directive.body[0].place
    return EquationView(
        id=context.claim_id(found.id, directive.place),
        step=found.step,
        caption=context.inline(found.caption, directive.place),
        maths=context.maths(found.latex, body, display=True),
        lines=tuple(context.facts.links.span(place.span) for place in found.computed_by),
    )
