"""Links to code on the site, and at the repository's host."""

from dataclasses import dataclass

from site_builder.read.code import Function, Span
from site_builder.read.codebase import Codebase
from site_builder.read.revision import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLink:
    """A link to lines of code.

    Attributes:
        text: such as `ops.py:43`.
        lines: `43` or `52-53`.
        href: the site's own source page, relative to the top of the site.
        permalink: the lines at the repository's host; None if the commit is unknown.
    """

    text: str
    lines: str
    file: str
    href: str
    permalink: str | None


def lines_fragment(prefix: str, first: int, last: int) -> str:
    """The fragment for lines: `L43`, `L43-L45`; with the prefix `ops-`, `ops-L43-L45`."""
    return f"{prefix}L{first}" + (f"-L{last}" if last > first else "")


class Links:
    """Makes links into the code, and collects the lines that they lead to in `linked`."""

    def __init__(self, codebase: Codebase, revision: Revision) -> None:
        self.linked: set[Span] = set()
        self._codebase = codebase
        self._revision = revision

    def span(self, span: Span) -> CodeLink:
        """A link to lines."""
        self.linked.add(span)
        lines = str(span.first) if span.first == span.last else f"{span.first}-{span.last}"
        return CodeLink(
            text=f"{self.file(span.path)}:{lines}",
            lines=lines,
            file=self.file(span.path),
            href=f"{self.source_page(span.path)}#{lines_fragment('', span.first, span.last)}",
            permalink=self._revision.permalink(span.path, span.first, span.last),
        )

    def function(self, function: Function) -> CodeLink:
        """A link to the whole function."""
        return self.span(function.span)

    def file(self, path: str) -> str:
        """The name of a file on pages: `ops.py`, `tests/tinygpt/test_ops.py`."""
        module = self._codebase.module_at(path).name
        if self._codebase.is_subject(module):
            return path.partition(f"{self._codebase.subject}/")[2]
        return path.removeprefix("src/")

    def source_page(self, path: str) -> str:
        """The page that shows a file, relative to the top of the site."""
        return f"source/{self.file(path).removesuffix('.py')}.html"
