"""A page as a notebook: what its views write their cells with."""

import copy
import re
import symtable
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markdown_it.token import Token
from mdformat.renderer import MDRenderer, RenderContext, RenderTreeNode

from site_builder.cache import fingerprint
from site_builder.observe.sizes import ShapeView
from site_builder.observe.verdicts import Verdict
from site_builder.read.code import Span
from site_builder.read.definitions import Definition, Definitions, NotSelfContainedError
from site_builder.resolve.links import CodeLink, Links
from site_builder.resolve.text_views import ClaimView, Maths, Reference, RoleView, Text

_ID_LENGTH = 12
_NUMBER = re.compile(r"\d+")
Address = Callable[[str], str | None]  # from a path on the site to its whole address, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of Markdown or code.

    Attributes:
        expected: what the page shows that the code prints; None where it shows nothing of it.
        folded: whether a reader has to open it to see its code.
    """

    kind: str
    text: str
    expected: str | None = None
    folded: bool = False


def markdown(text: str) -> Cell:
    """Text."""
    return Cell(kind="markdown", text=text)


def code(text: str, *, expected: str | None = None, folded: bool = False) -> Cell:
    """Code that runs."""
    return Cell(kind="code", text=text, expected=expected, folded=folded)


def cell_ids(cells: list[Cell]) -> list[str]:
    """An id for each cell: that of its content, so that it stays when others come and go.

    Numbers do not count: those of lines change without a change of what is meant.
    """
    ids: list[str] = []
    for cell in cells:
        id_ = fingerprint(cell.kind, _NUMBER.sub("", cell.text))[:_ID_LENGTH]
        repeated = sum(other.startswith(id_) for other in ids)
        ids.append(f"{id_}-{repeated}" if repeated else id_)
    return ids


class Notebook:
    """Writes text as Markdown, and keeps track of what the code cells so far have defined.

    A notebook has one namespace, while the code has a module for each file. Before a cell runs
    something, `needed` adds a cell with all definitions that it depends on and that are not there
    yet. Two modules may use one name for two things: then the page cannot be a notebook.
    """

    def __init__(  # noqa: PLR0913 - each is a different fact
        self,
        page: str,
        definitions: Definitions,
        links: Links,
        verdicts: Mapping[str, Verdict],
        address: Address,
        helpers: str,
    ) -> None:
        """Begin a notebook.

        Args:
            page: the path of the page on the site.
            definitions: finds what a name in the code needs.
            links: where lines of code are shown.
            verdicts: those of the equations, by id.
            address: where a path of the site is served.
            helpers: code that looks into functions, for the cells that need it.
        """
        self._page = page
        self._links = links
        self.verdicts = verdicts
        self._address = address
        self._helpers = helpers
        self._definitions = definitions
        self._bound: dict[str, Definition | None] = {}
        self._reserved: set[str] = set()
        # What mdformat asks of an extension.
        self.RENDERERS = {"maths": _maths, "role": self._role, "table": _table}
        self.POSTPROCESSORS: dict[str, Any] = {}
        self._options: Mapping[str, Any] = {
            "mdformat": {},
            "codeformatters": {},
            "parser_extension": [self],
        }

    # Text

    def text(self, text: Text) -> str:
        """Paragraphs, lists and tables, or one line."""
        written: str = MDRenderer().render([*self._linked(text.tokens)], self._options, {})
        return written.strip()

    def link(self, text: str, href: str | None) -> str:
        """A link to a page of the site; just its text where that has no address."""
        address = self._whole(href) if href else None
        return f"[{text}]({address})" if address else text

    def lines(self, link: CodeLink | None) -> str:
        """A link to lines of code."""
        return self.link(link.text, link.permalink or link.href) if link else ""

    def on_page(self, id_: str, text: str = "on the page") -> str:
        """A link to something that only the page itself can show."""
        return self.link(text, f"{self._page}#{id_}")

    def role(self, view: RoleView) -> str:
        """What a role stands for."""
        if isinstance(view, ClaimView):
            return f"{self.text(view.sentence)} {self.link('✓', 'freshness.html#claims')}"
        return self.reference(view)

    def reference(self, view: Reference) -> str:
        """A link to code, an equation or a symbol, or a value."""
        if view.maths:
            return inline(view.maths)
        text = f"`{view.text}`" if view.code else view.text
        return self.link(text, view.permalink or view.href)

    def _whole(self, href: str) -> str | None:
        """An address that also works elsewhere; links within the page stay as they are."""
        return href if href.startswith(("#", "http:", "https:")) else self._address(href)

    def _linked(self, tokens: Iterable[Token]) -> Iterator[Token]:
        """Tokens without the links that lead nowhere outside the site."""
        lost: list[bool] = []  # of each link that is open, whether it has no target
        for token in tokens:
            if token.type == "link_open":
                address = self._whole(str(token.attrs["href"]))
                lost.append(address is None)
                token = copy.copy(token)  # noqa: PLW2901 - the page's own tokens stay
                token.attrs = {**token.attrs, "href": address or ""}
            elif token.children:
                token = copy.copy(token)  # noqa: PLW2901 - likewise
                token.children = [*self._linked(token.children or ())]
            gone = token.type in ("link_open", "link_close") and lost[-1]
            if token.type == "link_close":
                lost.pop()
            if not gone:
                yield token

    def _role(self, node: RenderTreeNode, _: RenderContext) -> str:
        view: RoleView = node.meta["view"]
        return self.role(view)

    # Code

    def needed(self, module: str, name: str) -> list[Cell]:
        """A cell with all that a function needs and that is not there, the function included.

        Raises:
            NotSelfContainedError: it cannot stand in one namespace.
        """
        return self._cell(self._definitions.of(module, name))

    def listed(self, span: Span) -> list[Cell]:
        """Cells with lines of a module, after what they need; none if they define nothing."""
        module = self._definitions.codebase.module_at(span.path)
        shown = [
            definition
            for definition in self._definitions.in_module(module)
            if definition.span and span.first <= definition.span.first
            and definition.span.last <= span.last
        ]  # fmt: skip
        if not shown or module.name.startswith("tests"):
            return []
        try:
            needed = {
                definition: None
                for one in shown
                for name in sorted(one.names)
                for definition in self._definitions.of(module.name, name)
            }
        except NotSelfContainedError:
            return []
        rest = sorted(needed.keys() - set(shown), key=lambda d: (d.order, d.code))
        cells = self._cell(rest)
        text = "\n\n\n".join(definition.code for definition in shown)
        self._bind(shown)
        return [*cells, code(f"{self._place(span)}\n{text}")]

    def run(self, text: str, *, reserved: bool = False, folded: bool = False) -> Cell:
        """A cell of other code; names that are reserved must not be defined again."""
        table = symtable.symtable(text, "", "exec")
        names = {s.get_name() for s in table.get_symbols() if s.is_assigned()}
        imported = {s.get_name() for s in table.get_symbols() if s.is_imported()}
        self._bound |= dict.fromkeys(names | imported, None)
        if reserved:
            self._reserved |= names
        return code(text, folded=folded)

    def helpers(self) -> list[Cell]:
        """The cell with the helpers, before the first that needs them."""
        helpers, self._helpers = self._helpers, ""
        return [self.run(helpers, reserved=True, folded=True)] if helpers else []

    def _cell(self, definitions: Iterable[Definition]) -> list[Cell]:
        missing = [d for d in definitions if any(self._bound.get(n) != d for n in d.names)]
        if not missing:
            return []
        self._bind(missing)
        imports = [d.code for d in missing if not d.span and d.code.startswith(("import", "from"))]
        rest = [d for d in missing if d.code not in imports]
        parts = ["\n".join(imports)] if imports else []
        parts += [f"{self._place(d.span)}\n{d.code}" if d.span else d.code for d in rest]
        return [code("\n\n".join(parts))]

    def _bind(self, definitions: Iterable[Definition]) -> None:
        for definition in definitions:
            taken = sorted(definition.names & self._reserved)
            if taken:
                raise NotSelfContainedError(f"'{taken[0]}' is a name that the notebook itself uses")
            self._bound |= dict.fromkeys(definition.names, definition)

    def _place(self, span: Span) -> str:
        lines = f"line {span.first}" if span.first == span.last else (
            f"lines {span.first} to {span.last}")  # fmt: skip
        permalink = self._links.span(span).permalink
        return f"# {span.path}, {lines}" + (f": {permalink}" if permalink else "")


def inline(maths: Maths) -> str:
    """A formula in running text."""
    return f"${maths.latex}$"


def anchor(id_: str) -> str:
    """A place that links within the notebook lead to."""
    return f'<a id="{id_}"></a>'


def fenced(lines: Iterable[str]) -> str:
    """Python to read."""
    return "\n".join(["```python", *lines, "```"])


def quoted(parts: Iterable[str]) -> str:
    """Paragraphs as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(parts).split("\n"))


def shape_text(view: ShapeView) -> str:
    """A shape with its symbols and its numbers."""
    return " ".join(f"`{text}`" for text in (view.symbolic, view.concrete) if text)


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table; its cells are Markdown."""
    lines = [head, ["---"] * len(head), *([_cell_text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell_text(text: str) -> str:
    """Markdown that can stand in a table's cell; a bar in a formula becomes the same in LaTeX."""
    parts = " ".join(text.split()).replace("\\|", "\\Vert ").split("$")
    bars = ("\\|", "\\vert ")  # outside of formulas, and inside
    return "$".join(part.replace("|", bars[i % 2]) for i, part in enumerate(parts))


def _maths(node: RenderTreeNode, _: RenderContext) -> str:
    return inline(node.meta["view"])


def _table(node: RenderTreeNode, context: RenderContext) -> str:
    rows = [
        ["".join(child.render(context) for child in cell.children) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    return table([_cell_text(cell) for cell in rows[0]], rows[1:])
