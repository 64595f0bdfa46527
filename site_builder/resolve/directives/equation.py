"""`{equation}`, `{step}`: mathematics with an id, lines of code and a verdict; and `{check}`."""

from site_builder.observe.verdicts import Verdict
from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.links import CodeLink
from site_builder.resolve.options import option
from site_builder.resolve.views import CheckView, EquationView, Reference, VerdictView


def equation(directive: Directive, context: Context) -> EquationView | None:
    """An equation, or a numbered step of a derivation."""
    found = context.facts.equations.get(f"eq-{directive.argument}")
    if not found or found.place != directive.place:
        return None
    body = directive.body[0].place
    verdict = context.facts.verdicts.get(found.id)
    return EquationView(
        id=context.claim_id(found.id, directive.place),
        step=found.step,
        caption=context.inline(found.caption, directive.place),
        maths=context.maths(found.latex, body, display=True),
        lines=tuple(context.facts.links.span(place.span) for place in found.computed_by),
        verdict=_view(verdict) if verdict else None,
        unchecked=found.unchecked,
    )


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


def _view(verdict: Verdict) -> VerdictView:
    largest = f"{verdict.largest:.0e}".replace("e-0", "e-").replace("e+0", "e")
    difference = f"largest difference {largest}" if verdict.largest else "no difference"
    derivatives = f" Derivatives were taken by {' and '.join(verdict.methods)}." * bool(
        verdict.methods
    )
    return VerdictView(
        mark=f"runs: {verdict.inputs} inputs, {difference}",
        details=(
            "The build executed this LaTeX and compared it, entry by entry, with what the code"
            f" computed on {verdict.inputs} inputs: every relation in it holds within the rounding"
            f" of 64-bit numbers.{derivatives}"
        ),
    )
