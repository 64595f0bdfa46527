"""Mark the names of symbols in coloured Python."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from site_builder.resolve.symbol_links import SymbolName

_PIECE = re.compile(r"<[^>]*>|&[^;]*;|.", re.DOTALL)  # a tag, or what stands for one character


def mark_names(coloured: Markup, names: Sequence[SymbolName]) -> Markup:
    """Put an element around each name, which may have an element for its colour inside."""
    if not names:
        return coloured
    opening = {name.start: f'<span data-symbol="{escape(name.symbol)}">' for name in names}
    closing = {name.stop for name in names}
    parts: list[str] = []
    at, is_coloured, is_open = 0, False, False
    for piece in [*_PIECE.findall(coloured), ""]:
        if is_open and at in closing and not is_coloured:
            parts.append("</span>")
            is_open = False
        if at in opening and not is_coloured:
            parts.append(opening.pop(at))
            is_open = True
        parts.append(piece)
        if piece.startswith("<"):
            is_coloured = piece != "</span>"
        else:
            at += 1
    return Markup("".join(parts))  # noqa: S704 - Pygments and escape have escaped it
