"""`{connections}` and `{implemented}`: the equations of a part and their lines of code."""

from collections.abc import Container

from site_builder.read.equations import ROLES
from site_builder.read.equations import connections as connections_of
from site_builder.read.page import Directive
from site_builder.resolve.code_views import (
    ConnectedEquation,
    ConnectionsView,
    ConnectionView,
    ImplementedView,
)
from site_builder.resolve.context import Context
from site_builder.resolve.options import option


def connections(directive: Directive, context: Context) -> ConnectionsView:
    """Every line that computes, calls or tests an equation of this part."""
    equations = _equations(directive, context, ROLES)
    return ConnectionsView(label=option(directive, "label"), equations=equations)


def implemented(directive: Directive, context: Context) -> ImplementedView:
    """File, function and lines of each equation of this part."""
    equations = _equations(directive, context, ("computes",))
    return ImplementedView(label=option(directive, "label"), equations=equations)


def _equations(
    directive: Directive, context: Context, roles: Container[str]
) -> tuple[ConnectedEquation, ...]:
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
                for connection in connections_of(equation, context.facts.codebase)
                if connection.role in roles
            ),
        )
        for equation in context.facts.equations.values()
        if (equation.slug, equation.part) == (context.slug, context.part)
    )
    if not found:
        context.add(
            directive.place, "this part of the page has no equations", "add one, or remove this"
        )
    return found
