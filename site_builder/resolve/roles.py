"""The roles in running text, such as {line}`ops.layer_norm_forward:mu`."""

from collections.abc import Callable

from site_builder.problem import Place
from site_builder.resolve.conditions import ConditionError, evaluate
from site_builder.resolve.context import Context
from site_builder.resolve.text_views import ClaimView, Reference, RoleView


def _line(content: str, context: Context, at: Place) -> Reference | None:
    """`ops.py:43`, linked to that line."""
    place = context.place(content, at)
    if not place:
        return None
    link = context.facts.links.span(place.span)
    return Reference(text=link.text, href=link.href, code=False, permalink=link.permalink)


def _code(content: str, context: Context, at: Place) -> Reference | None:
    """The name of a function, field or variable, linked to where it is defined."""
    place = context.place(content, at)
    if not place:
        return None
    link = context.facts.links.span(place.span)
    return Reference(text=content.partition(":")[2] or content, href=link.href, code=True)


def _default(content: str, context: Context, at: Place) -> Reference | None:
    """A constant, or the default of a dataclass field or parameter, as the code writes it."""
    place = context.place(content, at)
    if not place:
        return None
    codebase = context.facts.codebase
    default = None
    if place.kind == "field":
        default = next(f.default for f in codebase.fields.values() if f.span == place.span)
    elif place.kind == "constant":
        default = next(c.value for c in codebase.constants.values() if c.span == place.span)
    elif place.kind == "parameter" and place.function:
        default = {p.name: p.default for p in place.function.parameters}[place.name]
    if default is None:
        context.add(at, f"'{content}' has no default", "name a field or parameter that has one")
        return None
    return Reference(text=default, href=context.facts.links.span(place.span).href, code=True)


def _shape(content: str, context: Context, at: Place) -> Reference | None:
    """The symbolic shape of a variable, as observed."""
    place = context.place(content, at)
    if not place:
        return None
    return Reference(text=context.shape(place, at).symbolic, href=None, code=True)


def _equation(content: str, context: Context, at: Place) -> Reference | None:
    """The caption of an equation, linked to it."""
    equation = context.facts.equations.get(f"eq-{content}")
    if not equation:
        context.add(at, f"there is no equation '{content}'", "use the id of an {equation}")
        return None
    href = f"{equation.slug}.html#{equation.id}"
    return Reference(text=equation.caption, href=href, code=False)


def _value(content: str, context: Context, at: Place) -> Reference | None:
    """A number that the build measured, to two significant digits unless it is an integer."""
    if not context.facts.observation.runs:
        return None
    try:
        value = evaluate(content, context.facts.namespace)
    except ConditionError as error:
        context.add(at, f"the value '{content}' cannot be computed: {error}", "correct it")
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = f"the value '{content}' is not a number but {value!r}"
        context.add(at, what, "use an expression that is a number")
        return None
    return Reference(text=f"{value:.2g}" if isinstance(value, float) else str(value), href=None,
                     code=True)  # fmt: skip


def _claim(content: str, context: Context, at: Place) -> ClaimView | None:
    """`sentence | condition`: the sentence, if the condition holds."""
    sentence, bar, condition = map(str.strip, content.rpartition(" | "))
    if not bar:
        context.add(at, f"'{content}' has no condition", "write sentence | condition")
        return None
    return context.claim(sentence, condition, at)


ROLES: dict[str, Callable[[str, Context, Place], RoleView | None]] = {
    "claim": _claim,
    "line": _line,
    "code": _code,
    "default": _default,
    "shape": _shape,
    "equation": _equation,
    "value": _value,
}
