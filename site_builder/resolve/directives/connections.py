"""`{connections}` and `{implemented}`: the equations of a part and their lines of code."""

from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.equations import connections as connections_of
from site_builder.resolve.options import option
from site_builder.resolve.views import ConnectionsView, ConnectionView, ImplementedView


def connections(directive: Directive, context: Context) -> ConnectionsView:
    """Every line that computes, calls or tests an equation of this part."""
    return ConnectionsView(label=option(directive, "label"), rows=_rows(directive, context))


def implemented(directive: Directive, context: Context) -> ImplementedView:
    """File, function and lines of each equation of this part."""
    rows = tuple(row for row in _rows(directive, context) if row.role == "computes")
    return ImplementedView(label=option(directive, "label"), rows=rows)


def _rows(directive: Directive, context: Context) -> tuple[ConnectionView, ...]:
    equations = [
        equation
        for equation in context.facts.equations.values()
        if (equation.slug, equation.part) == (context.slug, context.part)
    ]
    if not equations:
        context.add(
            directive.place, "this part of the page has no equations", "add one, or remove this"
        )
    return tuple(
        ConnectionView(
            equation=equation.id,
            caption=context.inline(equation.caption, equation.place),
            role=connection.role,
            link=context.facts.links.span(connection.span),
            function=connection.function.qualname if connection.function else "",
            code=connection.code,
        )
        for equation in equations
        for connection in connections_of(equation, context.facts.codebase)
    )
