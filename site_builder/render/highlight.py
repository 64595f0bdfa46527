"""Python in colours."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from markupsafe import Markup
from pygments import highlight
from pygments.filter import Filter
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import PythonLexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    Token,
    _TokenType,
    is_token_subtype,
)

_COLOURED = (  # what code.css has a colour for
    Comment,
    Keyword,
    Number,
    String,
    Name.Class,
    Name.Decorator,
    Name.Function,
    Operator.Word,
)


class _Plain(Filter):
    """Leaves what has no colour without an element: that is most of a listing, and of a page."""

    def filter(
        self, _: Lexer | None, stream: Iterable[tuple[_TokenType, str]]
    ) -> Iterator[tuple[_TokenType, str]]:
        for kind, value in stream:
            has_colour = any(is_token_subtype(kind, coloured) for coloured in _COLOURED)
            yield (kind if has_colour else Token.Text), value


_LEXER = PythonLexer(stripnl=False, ensurenl=False, filters=[_Plain()])
_FORMATTER = HtmlFormatter[str](nowrap=True)


def highlight_python(code: str) -> Markup:
    """Coloured Python, without a frame."""
    return Markup("\n".join(highlight_lines(code.split("\n"))))  # noqa: S704 - Pygments escapes


def highlight_lines(lines: Iterable[str]) -> list[Markup]:
    """Coloured Python, line by line; strings that span lines are coloured on each."""
    return [*_highlight("\n".join(lines))]


@lru_cache(maxsize=4096)
def _highlight(code: str) -> tuple[Markup, ...]:
    lines = highlight(code, _LEXER, _FORMATTER).split("\n")  # ends the last line, too
    return tuple(Markup(line) for line in lines[: code.count("\n") + 1])  # noqa: S704 - it escapes
