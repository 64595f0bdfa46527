"""The cells of a notebook."""

import re
from dataclasses import dataclass

from site_builder.cache import fingerprint

_ID_LENGTH = 12
_NUMBER = re.compile(r"\d+")


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
