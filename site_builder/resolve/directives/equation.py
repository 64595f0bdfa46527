"""`{equation}`, `{step}`: mathematics with an id, and lines of code; and `{check}`."""

import textwrap

from site_builder.read.code import Span
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.links import CodeLink
from site_builder.resolve.options import option
from site_builder.resolve.text_views import Reference
from site_builder.resolve.views import CheckView, EquationView


def equation(directive: Directive, context: Context) -> EquationView | None:
    """An equation, or a numbered step of a derivation."""
    found = context.facts.equations.get(f"eq-{directive.argument}")
    if not found or found.place != directive.place:
        return None
    body = directive.body[0].place
    spans = [place.span for place in found.computed_by]
    return EquationView(
        id=context.claim_id(found.id, directive.place),
        number=context.facts.numbers[found.slug, found.id],
        step=found.step,
        caption=context.inline(found.caption, directive.place),
        maths=context.maths(found.latex, body, display=True),
        lines=tuple(map(context.facts.links.span, spans)),
        code="\n".join(_code(span, context) for span in dict.fromkeys(spans)),
        unchecked=found.unchecked,
    )


def _code(span: Span, context: Context) -> str:
    """Lines without the indentation that they have in common."""
    lines = context.facts.codebase.lines(span.path)[span.first - 1 : span.last]
    return textwrap.dedent("\n".join(lines))


def check(directive: Directive, context: Context) -> CheckView | None:
    """Says on what the equations of the page are checked."""
    found = context.facts.checks.get(context.slug)
    if not found:
        return None
    test = context.function(option(directive, "values"), directive.place)
    if not test:
        return None
    return CheckView(
        program=_reference(found.program.qualname, context.facts.links.function(found.program)),
        source=_reference(test.qualname, context.facts.links.function(test)),
        main=found.main,
    )


def _reference(text: str, link: CodeLink) -> Reference:
    return Reference(text=text, href=link.href, code=True)
