"""A place in a list of tokens that moves on as they are read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from eqcheck.errors import LatexError
from eqcheck.latex import Token

_T = TypeVar("_T")
_DEEPEST = 60


class Cursor:
    """Reads tokens one after another, up to a stop."""

    def __init__(self, tokens: tuple[Token, ...], length: int) -> None:
        self.tokens = tokens
        self.at = 0
        self.stop = len(tokens)
        self._length = length
        self._depth = 0

    @property
    def text(self) -> str:
        """The next token's text; empty at the end."""
        return self.tokens[self.at].text if self.at < self.stop else ""

    def ahead(self, count: int = 1) -> str:
        """The text of the token that comes `count` after the next."""
        return self.tokens[self.at + count].text if self.at + count < self.stop else ""

    @property
    def token(self) -> Token:
        """The next token, without taking it."""
        if self.at >= self.stop:
            raise self.error("something is missing here")
        return self.tokens[self.at]

    @property
    def start(self) -> int:
        """Offset of the next token, or of the end."""
        return self.tokens[self.at].start if self.at < len(self.tokens) else self._length

    @property
    def end(self) -> int:
        """Offset after the last token taken."""
        return self.tokens[self.at - 1].end if self.at else 0

    def take(self) -> Token:
        """Take the next token."""
        token = self.token
        self.at += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the next token if it is one of these."""
        return self.take() if self.text in texts and self.text else None

    def expect(self, text: str) -> Token:
        """Take the next token, which must be this."""
        if self.text != text:
            raise self.error(f"{text} expected" + (f", not {self.text}" if self.text else ""))
        return self.take()

    def error(self, message: str, position: int | None = None) -> LatexError:
        """An error here, or at another offset."""
        return LatexError(message, self.start if position is None else position)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count how deep expressions nest, and refuse what would exhaust Python's stack."""
        if self._depth >= _DEEPEST:
            raise self.error("nested too deeply")
        self._depth += 1
        yield
        self._depth -= 1

    def skip_group(self) -> tuple[int, int]:
        """Skip a script's `{…}` or single token: the range of the tokens inside."""
        if self.text != "{":
            self.take()
            return self.at - 1, self.at
        opening = self.take()
        first, depth = self.at, 1
        while depth:
            if not self.text:
                raise self.error("this brace is not closed", opening.start)
            depth += (self.text == "{") - (self.text == "}")
            self.at += 1
        return first, self.at - 1

    def within(self, tokens: tuple[int, int], read: Callable[[], _T]) -> _T:
        """Read a range of tokens, all of it, and come back."""
        at, stop = self.at, self.stop
        self.at, self.stop = tokens
        result = read()
        if self.text:
            raise self.error(f"{self.text} is not expected here")
        self.at, self.stop = at, stop
        return result
