"""Mark the names of symbols in coloured Python."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from site_builder.resolve.symbol_links import SymbolName

_PIECE = re.compile(r"<[^>]*>|&[^;]*;|.", re.DOTALL)  # a tag, or what stands for one character


def mark_names(coloured: Markup, names: Sequence[SymbolName]) -> Markup:
    """Put an element around each name; Pygments has given it one of its own already."""
    if not names:
        return coloured
    opening = {name.start: f'<span data-symbol="{escape(name.symbol)}">' for name in names}
    closing = {name.stop for name in names}
    parts: list[str] = []
    at, is_open = 0, False
    for piece in _PIECE.findall(coloured):
        if piece.startswith("<span") and at in opening:
            parts.append(opening[at])
            is_open = True
        parts.append(piece)
        at += not piece.startswith("<")
        if piece == "</span>" and is_open and at in closing:
            parts.append("</span>")
            is_open = False
    return Markup("".join(parts))  # noqa: S704 - Pygments and escape have escaped it
