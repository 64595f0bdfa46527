"""Read the list of all ids that the site has ever published."""

import re
from dataclasses import dataclass
from pathlib import Path

from site_builder.problem import Place, Report
from site_builder.read.text import read_text

PUBLISHED_PATH = "content/ids.txt"
_ENTRY = re.compile(r"[^\s#]+(?:#[^\s#]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedId:
    """One line of the list: a page, or an id on it; `id` is empty for a page itself."""

    page: str
    id: str
    line: int

    def __str__(self) -> str:
        """As written in the list."""
        return f"{self.page}#{self.id}" if self.id else self.page


def read_published(root: Path, report: Report) -> tuple[PublishedId, ...]:
    """The list; empty if there is none yet."""
    if not (root / PUBLISHED_PATH).exists():
        return ()
    found = []
    for number, line in enumerate((read_text(root, PUBLISHED_PATH, report) or "").split("\n"), 1):
        page, _, id_ = line.partition("#")
        if _ENTRY.fullmatch(line):
            found.append(PublishedId(page=page, id=id_, line=number))
        elif line:
            what = f"'{line}' is neither a page nor an id on one"
            report.add(
                Place(path=PUBLISHED_PATH, line=number), what, "write page#id, or run 'make ids'"
            )
    return tuple(found)
