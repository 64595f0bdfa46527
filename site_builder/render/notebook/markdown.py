"""Resolved text as plain Markdown, in which roles are what they stand for."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from markdown_it.token import Token
from mdformat.renderer import MDRenderer, RenderContext, RenderTreeNode

from site_builder.resolve.text_views import ClaimView, Maths, Reference, RoleView, Text

Address = Callable[[str], str | None]  # from a path on the site to its whole address, if known


class MarkdownText:
    """Writes text as Markdown; links that lead nowhere outside the site lose their address."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._options: Mapping[str, Any] = {
            "mdformat": {},
            "codeformatters": {},
            "parser_extension": [self],
        }
        # What mdformat asks of an extension.
        self.RENDERERS = {"maths": _maths, "role": self._role, "table": _table}
        self.POSTPROCESSORS: dict[str, Any] = {}

    def text(self, text: Text) -> str:
        """Paragraphs, lists and tables, or one line."""
        tokens = [*self._linked(text.tokens)]
        written: str = MDRenderer().render(tokens, self._options, {})
        return written.strip()

    def link(self, text: str, href: str | None) -> str:
        """A link to a page of the site, or just its text."""
        address = self.whole(href) if href else None
        return f"[{text}]({address})" if address else text

    def whole(self, href: str) -> str | None:
        """An address that also works elsewhere; links within the page stay as they are."""
        return href if href.startswith(("#", "http:", "https:")) else self._address(href)

    def _linked(self, tokens: Iterable[Token]) -> Iterator[Token]:
        lost: list[bool] = []  # of each link that is open, whether it leads nowhere
        for token in tokens:
            if token.type == "link_open":
                address = self.whole(str(token.attrs["href"]))
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


def inline(maths: Maths) -> str:
    """A formula in running text."""
    return f"${maths.latex}$"


def _maths(node: RenderTreeNode, _: RenderContext) -> str:
    return inline(node.meta["view"])


def _table(node: RenderTreeNode, context: RenderContext) -> str:
    rows = [
        [cell_text("".join(c.render(context) for c in cell.children)) for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    return table(rows[0], rows[1:])


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table whose cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def cell_text(markdown: str) -> str:
    """Markdown that can stand in a table's cell; a bar in a formula becomes the same in LaTeX."""
    parts = " ".join(markdown.split()).replace("\\|", "\\Vert ").split("$")
    bars = ("\\|", "\\vert ")  # outside of formulas, and inside
    return "$".join(part.replace("|", bars[i % 2]) for i, part in enumerate(parts))
