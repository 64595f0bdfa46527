"""What pages show besides code that runs, as Markdown."""

from collections.abc import Iterable
from functools import singledispatchmethod

from site_builder.observe.sizes import ShapeView
from site_builder.observe.verdicts import Verdict
from site_builder.render.notebook.markdown import MarkdownText, cell_text, inline, table
from site_builder.render.verdicts import verdict_view
from site_builder.resolve.cell_views import ExerciseView, ListingView
from site_builder.resolve.code_views import (
    ArgumentView,
    ConnectedEquation,
    ConnectionsView,
    ImplementedView,
    NamedShape,
    ParametersView,
    ShapesView,
    UsageView,
)
from site_builder.resolve.example_views import ExampleView, FigureView, TraceView
from site_builder.resolve.links import CodeLink
from site_builder.resolve.text_views import ClaimView
from site_builder.resolve.views import (
    AboutView,
    BlockView,
    CheckView,
    EquationView,
    HeadingView,
    NoteView,
    ProseView,
    SymbolsView,
)


class Texts:
    """Writes the blocks of one page."""

    def __init__(self, text: MarkdownText, page: str, verdicts: dict[str, Verdict]) -> None:
        self._text = text
        self._page = page
        self._verdicts = verdicts

    @singledispatchmethod
    def block(self, view: BlockView) -> str:
        """A block as Markdown; nothing for what has no form of its own here."""
        del view
        return ""

    def blocks(self, views: Iterable[BlockView]) -> list[str]:
        """Several, without those that are empty."""
        return [text for view in views if (text := self.block(view))]

    @block.register
    def _(self, view: ProseView) -> str:
        return self._text.text(view.text)

    @block.register
    def _(self, view: HeadingView) -> str:
        return f"{anchor(view.id)}\n\n{'#' * view.level} {self._text.text(view.title)}"

    @block.register
    def _(self, view: AboutView) -> str:
        functions = ", ".join(map(self._text.reference, view.functions))
        return _quoted([f"**{view.label}** {functions}".strip(), *self.blocks(view.body)])

    @block.register
    def _(self, view: NoteView) -> str:
        return _quoted(self.blocks(view.body))

    @block.register
    def _(self, view: ClaimView) -> str:
        return self._text.role(view)

    @block.register
    def _(self, view: CheckView) -> str:
        program, source = map(self._text.reference, (view.program, view.source))
        return (
            "When the page was built its equations were executed and compared with what"
            f" {program} computed: on the numbers of {source}, and on others."
        )

    @block.register
    def _(self, view: EquationView) -> str:
        step = f"Step {view.step}. " if view.step else ""
        tag = "" if "\\tag" in view.maths.latex else f" \\tag{{{view.number}}}"
        lines = ", ".join(map(self._code, view.lines))
        verdict = self._verdicts.get(view.id)
        checked = verdict_view(verdict).mark if verdict else f"not executed: {view.unchecked}"
        return (
            f"{anchor(view.id)}\n\n**{step}{self._text.text(view.caption)}** ({lines})\n\n"
            f"$$\n{view.maths.latex}{tag}\n$$\n\n*{checked}*"
        )

    @block.register
    def _(self, view: SymbolsView) -> str:
        rows = (
            [
                inline(row.maths),
                self._text.text(row.meaning),
                " ".join([f"`{row.code}`" if row.code else "", self._code(row.link)]),
                _shape(row.shape),
            ]
            for row in view.rows
        )
        return _table(["Symbol", "Meaning", "In code", "Shape"], rows)

    @block.register
    def _(self, view: ParametersView) -> str:
        rows = (
            [f"`{p.name}`", _shape(p.shape), p.starts, p.decay, self._text.text(p.role)]
            for p in view.rows
        )
        return _table(["Parameter", "Shape", "Starts as", "Decay", "Role"], rows)

    @block.register
    def _(self, view: UsageView) -> str:
        rows = ([f"`{call.function}`", self._code(call.link)] for call in view.calls)
        return _table([f"What calls `{view.function}`", "Line"], rows)

    @block.register
    def _(self, view: ConnectionsView) -> str:
        rows = (
            [self._caption(equation), row.role, self._code(row.link), f"`{row.code}`"]
            for equation in view.equations
            for row in equation.connections
        )
        return _table(["Equation", "Role", "Line", "Code"], rows)

    @block.register
    def _(self, view: ImplementedView) -> str:
        rows = (
            [self._caption(equation), f"`{row.function}`", self._code(row.link)]
            for equation in view.equations
            for row in equation.connections
        )
        return _table(["Equation", "Function", "Line"], rows)

    @block.register
    def _(self, view: ShapesView) -> str:
        rows = (
            [
                self._text.text(site.caption),
                self._code(site.link),
                _shapes(site.arguments),
                _shapes(site.results),
            ]
            for site in view.sites
        )
        return _table(["Where", "Line", "In", "Out"], rows)

    @block.register
    def _(self, view: ArgumentView) -> str:
        rows = (
            [f"`{c.function}`", self._code(c.link), f"`{c.passed}`" if c.passed else "nothing"]
            for c in view.calls
        )
        return _table(["Call in", "Line", f"Passes for `{view.parameter}`"], rows)

    @block.register
    def _(self, view: FigureView) -> str:
        where = self._text.link("on the page", f"{self._page}#{view.id}")
        return f"*A figure {where}:* {self._text.text(view.caption)}"

    @block.register
    def _(self, view: TraceView) -> str:
        where = self._text.link("on the page", f"{self._page}#{view.id}")
        return f"*Line by line {where}:* {view.title}"

    def listing(self, view: ListingView) -> str:
        """What stands above the code of a listing."""
        return f"`{view.function}`, {self._code(view.link)}:"

    def quoted_listing(self, view: ListingView) -> str:
        """Code that does not run by itself."""
        return f"{self.listing(view)}\n\n{fenced(line.text for line in view.lines)}"

    def example(self, view: ExampleView) -> str:
        """What stands above the code of an example."""
        return f"{anchor(view.id)}\n\n**{view.title}.** {self._text.text(view.note)}"

    def exercise(self, view: ExerciseView) -> str:
        """The task of an exercise."""
        where = self._text.link("the page", f"{self._page}#{view.id}")
        task = [f"**{view.title}.**", *self.blocks(view.task), f"Answers are marked on {where}."]
        return f"{anchor(view.id)}\n\n" + "\n\n".join(task)

    def _caption(self, view: ConnectedEquation) -> str:
        return f"[{self._text.text(view.caption)}](#{view.id})"

    def _code(self, link: CodeLink | None) -> str:
        return self._text.link(link.text, link.permalink or link.href) if link else ""


def anchor(id_: str) -> str:
    """A place that links within the notebook lead to."""
    return f'<a id="{id_}"></a>'


def fenced(lines: Iterable[str]) -> str:
    """Python to read."""
    return "\n".join(["```python", *lines, "```"])


def _quoted(parts: Iterable[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(parts).split("\n"))


def _shape(view: ShapeView) -> str:
    return " ".join(f"`{text}`" for text in (view.symbolic, view.concrete) if text)


def _shapes(shapes: Iterable[NamedShape]) -> str:
    return ", ".join(f"`{named.name}` {_shape(named.shape)}" for named in shapes)


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    return table(head, ([cell_text(cell) for cell in row] for row in rows))
