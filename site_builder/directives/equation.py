"""`{equation}` and `{step}`: mathematics with an id, and the lines of code that compute it."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.equations import Equation
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook, anchor
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.verdicts import verdict_view
from site_builder.resolve.view import EquationView


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayedEquation(Directive):
    """An equation, or a numbered step of a derivation."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"caption": True, "computed-by": True, "result-of": False, "unchecked": False},
        body="LaTeX",
        on_pages_only=True,
    )
    displayed: Equation

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Find the lines that compute it, and the functions whose result it is."""
        is_step = fence.name == "step"
        reader.steps += is_step
        return cls(
            fence=fence,
            displayed=Equation(
                id=f"eq-{fence.argument}",
                slug=reader.page.slug,
                part=reader.part,
                step=reader.steps if is_step else None,
                caption=fence.option("caption"),
                latex="\n".join(line.text for line in fence.body),
                computed_by=_computed_by(fence, reader),
                result_of=_result_of(fence, reader),
                unchecked=_unchecked(fence, reader),
                body_line=fence.body[0].place.line,
                place=fence.place,
            ),
        )

    @property
    def equation(self) -> Equation:
        """The equation."""
        return self.displayed

    def view(self, context: Context) -> "CheckedEquationView | None":
        """The equation with its lines; None if its id was already used."""
        equation = self.displayed
        if context.facts.equations[equation.id] is not equation:
            return None
        spans = [place.span for place in equation.computed_by]
        return CheckedEquationView(
            id=context.claim_id(equation.id, self.place),
            number=context.facts.numbers[equation.slug, equation.id],
            step=equation.step,
            caption=context.inline(equation.caption, self.place),
            maths=context.maths(equation.latex, self.fence.body[0].place, display=True),
            lines=tuple(map(context.facts.links.span, spans)),
            code="\n".join(_code(span, context) for span in dict.fromkeys(spans)),
            unchecked=equation.unchecked,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedEquationView(EquationView):
    """An equation, its caption, the lines that compute it, and how it was checked.

    Attributes:
        number: its number in print.
        step: its number in a derivation, if it has one.
        code: the lines that compute it, dedented.
        unchecked: the reason why it is not executed; None if it is.
    """

    template: ClassVar[str] = "equation.html"
    number: str
    step: int | None
    lines: tuple[CodeLink, ...]
    code: str
    unchecked: str | None

    def markdown(self, notebook: Notebook) -> str:
        """The formula, with its caption above and its verdict below."""
        step = f"Step {self.step}. " if self.step else ""
        tag = "" if "\\tag" in self.maths.latex else f" \\tag{{{self.number}}}"
        lines = ", ".join(map(notebook.lines, self.lines))
        verdict = notebook.verdicts.get(self.id)
        checked = verdict_view(verdict).mark if verdict else f"not executed: {self.unchecked}"
        return (
            f"{anchor(self.id)}\n\n**{step}{notebook.text(self.caption)}** ({lines})\n\n"
            f"$$\n{self.maths.latex}{tag}\n$$\n\n*{checked}*"
        )

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record, also found by id, LaTeX and lines."""
        lines = " ".join(link.text for link in self.lines)
        yield search.record(
            "Equation",
            self.id,
            search.plain(self.caption),
            words=f"{self.id.removeprefix('eq-')} {self.maths.latex} {lines}",
            maths=search.mathml(self.maths),
        )


def _computed_by(fence: Fence, reader: Reader) -> tuple[CodePlace, ...]:
    options = fence.options_named("computed-by")
    return tuple(p for option in options if (p := reader.find(option.value, option.place)))


def _result_of(fence: Fence, reader: Reader) -> tuple[Function, ...]:
    options = fence.options_named("result-of")
    return tuple(f for option in options if (f := reader.function(option.value, option.place)))


def _unchecked(fence: Fence, reader: Reader) -> str | None:
    """The reason; None if the equation is executed."""
    reason = None
    for option in fence.options_named("unchecked"):
        reason = option.value or None
        if not option.value:
            reader.add(option.place, "':unchecked:' gives no reason", "say why, in a few words")
    return reason


def _code(span: Span, context: Context) -> str:
    """Lines without their common indentation."""
    lines = context.facts.codebase.lines(span.path)[span.first - 1 : span.last]
    return textwrap.dedent("\n".join(lines))
