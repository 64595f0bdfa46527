"""A page as a notebook: how views write their cells."""

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
Address = Callable[[str], str | None]  # from a path on the site to its full address, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of Markdown or code.

    Attributes:
        expected: the output that the page shows; None if it shows none.
        folded: whether its code is collapsed.
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
    """An id for each cell, made from its content, so that it does not depend on other cells.

    Numbers are ignored, since line numbers change while the content stays the same.
    """
    ids: list[str] = []
    for cell in cells:
        id_ = fingerprint(cell.kind, _NUMBER.sub("", cell.text))[:_ID_LENGTH]
        repeated = sum(other.startswith(id_) for other in ids)
        ids.append(f"{id_}-{repeated}" if repeated else id_)
    return ids


class Notebook:
    """Writes text as Markdown, and keeps track of what the code cells so far have defined.

    A notebook has one namespace, while each file of the code is a module of its own. Before a cell
    runs code, `needed` adds a cell with the definitions that it depends on and that are still
    missing. If two modules use one name for different things, the page cannot be a notebook.
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
            definitions: finds the definitions that a name depends on.
            links: makes links to code.
            verdicts: the verdicts of the equations, by id.
            address: gives the address of a path on the site.
            helpers: code that observes functions, for the cells that need it.
        """
        self._page = page
        self._links = links
        self.verdicts = verdicts
        self._address = address
        self._helpers = helpers
        self._definitions = definitions
        self._bound: dict[str, Definition | None] = {}
        self._reserved: set[str] = set()
        # The interface of an mdformat extension.
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
        """A link to a page of the site; just the text if that has no address."""
        address = self._whole(href) if href else None
        return f"[{text}]({address})" if address else text

    def lines(self, link: CodeLink | None) -> str:
        """A link to lines of code."""
        return self.link(link.text, link.permalink or link.href) if link else ""

    def on_page(self, id_: str, text: str = "on the page") -> str:
        """A link to something that only the page can show."""
        return self.link(text, f"{self._page}#{id_}")

    def role(self, view: RoleView) -> str:
        """A role as Markdown."""
        if isinstance(view, ClaimView):
            return f"{self.text(view.sentence)} {self.link('✓', 'freshness.html#claims')}"
        return self.reference(view)

    def reference(self, view: Reference) -> str:
        """A reference as Markdown: a link, or a value."""
        if view.maths:
            return inline(view.maths)
        text = f"`{view.text}`" if view.code else view.text
        return self.link(text, view.permalink or view.href)

    def _whole(self, href: str) -> str | None:
        """An absolute address if known; links within the page are unchanged."""
        return href if href.startswith(("#", "http:", "https:")) else self._address(href)

    def _linked(self, tokens: Iterable[Token]) -> Iterator[Token]:
        """The tokens, with absolute links; links without an address are removed."""
        dropped: list[bool] = []  # for each open link, whether it is removed
        for token in tokens:
            if token.type == "link_open":
                address = self._whole(str(token.attrs["href"]))
                dropped.append(address is None)
                token = copy.copy(token)  # noqa: PLW2901 - the page's tokens are shared
                token.attrs = {**token.attrs, "href": address or ""}
            elif token.children:
                token = copy.copy(token)  # noqa: PLW2901 - as above
                token.children = [*self._linked(token.children or ())]
            gone = token.type in ("link_open", "link_close") and dropped[-1]
            if token.type == "link_close":
                dropped.pop()
            if not gone:
                yield token

    def _role(self, node: RenderTreeNode, _: RenderContext) -> str:
        view: RoleView = node.meta["view"]
        return self.role(view)

    # Code

    def needed(self, module: str, name: str) -> list[Cell]:
        """A cell with a function and all that it depends on, except what is already defined.

        Raises:
            NotSelfContainedError: the code cannot run in one namespace.
        """
        return self._cell(self._definitions.of(module, name))

    def listed(self, span: Span) -> list[Cell]:
        """Cells with lines of a module, after their dependencies; none if they define nothing."""
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
        """A cell of other code; if `reserved`, later code must not redefine its names."""
        table = symtable.symtable(text, "", "exec")
        names = {s.get_name() for s in table.get_symbols() if s.is_assigned()}
        imported = {s.get_name() for s in table.get_symbols() if s.is_imported()}
        self._bound |= dict.fromkeys(names | imported, None)
        if reserved:
            self._reserved |= names
        return code(text, folded=folded)

    def helpers(self) -> list[Cell]:
        """The cell with the helpers, unless it was already added."""
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
    """An inline formula."""
    return f"${maths.latex}$"


def anchor(id_: str) -> str:
    """A target for links within the notebook."""
    return f'<a id="{id_}"></a>'


def fenced(lines: Iterable[str]) -> str:
    """A fenced block of Python."""
    return "\n".join(["```python", *lines, "```"])


def quoted(parts: Iterable[str]) -> str:
    """Paragraphs as a block quote."""
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(parts).split("\n"))


def shape_text(view: ShapeView) -> str:
    """A shape with its symbols and its numbers."""
    return " ".join(f"`{text}`" for text in (view.symbolic, view.concrete) if text)


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table; its cells are Markdown."""
    lines = [head, ["---"] * len(head), *([_cell_text(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell_text(text: str) -> str:
    """Markdown escaped for a table cell; in formulas, a bar becomes a LaTeX command."""
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
