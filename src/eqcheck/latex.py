r"""Cut LaTeX into tokens, each with its place; take layout out of them; read them one by one.

`tokenize` is what TeX would do. `statement_tokens` removes what only says how a display looks:
`\begin{aligned}`, `\boxed`, `\tag`, colours, a full stop at the end. `Cursor` is a position in the
tokens that moves on as they are read.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from eqcheck.errors import LatexError

_T = TypeVar("_T")
Range = tuple[int, int]  # of tokens
_DEEPEST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    r"""One token of LaTeX.

    Attributes:
        text: a number, a letter, a command such as `\frac`, or one other character.
        start: offset of its first character.
        end: offset after its last one.
        apart: a spacing command, such as `\,`, stands before it.
        stretched: a bracket that follows `\left` or `\right`.
    """

    text: str
    start: int
    end: int
    apart: bool = False
    stretched: bool = False


ACCENTS = frozenset(
    [
        r"\hat",
        r"\bar",
        r"\tilde",
        r"\vec",
        r"\dot",
        r"\ddot",
        r"\check",
        r"\widehat",
        r"\widetilde",
        r"\overline",
        r"\underline",
    ]
)
STYLES = frozenset(
    [
        r"\mathbf",
        r"\boldsymbol",
        r"\bm",
        r"\mathrm",
        r"\mathit",
        r"\mathsf",
        r"\mathcal",
        r"\mathbb",
        r"\text",
        r"\textbf",
        r"\operatorname",
    ]
)
_TOKEN = re.compile(
    r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+|\\[A-Za-z]+\*?|\\\\|\\\s|\\[^A-Za-z\s]|\S", re.ASCII
)
_SPACE = frozenset(
    [
        r"\,",
        r"\!",
        r"\;",
        r"\:",
        r"\>",
        r"~",
        r"\thinspace",
        r"\medspace",
        r"\displaystyle",
        r"\textstyle",
    ]
)
_SIZES = frozenset(
    [
        r"\big",
        r"\Big",
        r"\bigg",
        r"\Bigg",
        r"\bigl",
        r"\Bigl",
        r"\bigr",
        r"\Bigr",
        r"\biggl",
        r"\biggr",
    ]
)
_BRACKETS = frozenset(
    [
        *"()[]|",
        *[r"\{", r"\}", r"\|", r"\lvert", r"\rvert", r"\lVert", r"\rVert"],
        *[r"\lfloor", r"\rfloor", r"\lceil", r"\rceil", r"\langle", r"\rangle"],
    ]
)
_MARKS = frozenset("{}()[]|+-/^_=<>,'&.:;")
_ALIASES = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\lt": "<",
    r"\gt": ">",
    r"\ln": r"\log",
    r"\operatorname*": r"\operatorname",
    r"\qquad": r"\quad",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\intercal": r"\top",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\ast": "*",
    r"\mid": "|",
    r"\vert": "|",
    r"\Vert": r"\|",
    r"\gets": r"\leftarrow",
    r"\equiv": "=",
    r"\coloneqq": "=",
    r"\triangleq": "=",
    r"\leqslant": r"\le",
    r"\geqslant": r"\ge",
    r"\mathds": r"\mathbb",
    r"\mathbbm": r"\mathbb",
    r"\textrm": r"\text",
    r"\colon": ":",
    r"\ldots": r"\dots",
    r"\cdots": r"\dots",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\transpose": r"\top",
}
_SIDES = {"|": (r"\lvert", r"\rvert"), r"\|": (r"\lVert", r"\rVert")}  # fmt: skip


def tokenize(latex: str) -> tuple[Token, ...]:
    r"""Cut LaTeX into tokens; space, `\left`, `\right` and their like become flags of the next one.

    Comments are dropped.

    The argument of an accent or a style stands in braces afterwards: `\hat X` is `\hat{X}`.

    Raises:
        LatexError: a character that means nothing here, or a `\left` without a bracket.
    """
    tokens: list[Token] = []
    sizing, sized = "", 0  # the \left, \right or \big before a bracket, and where it begins
    apart = False
    for match in _tokens(latex):
        text = _ALIASES.get(match[0], match[0])
        if text in _SPACE or text[1:].isspace():
            apart = True
            continue
        if sizing and text not in _BRACKETS:
            raise LatexError(f"{sizing} needs a bracket after it", match.start())
        if text in _SIZES or text in {r"\left", r"\right"}:
            sizing, sized = text, match.start()
            continue
        _check(text, match.start())
        stretched = sizing in {r"\left", r"\right"}
        if stretched and text in _SIDES:
            text = _SIDES[text][sizing == r"\right"]
        tokens.append(
            Token(
                text=text,
                start=sized if sizing else match.start(),
                end=match.end(),
                apart=apart,
                stretched=stretched,
            )
        )
        sizing, apart = "", False
    if sizing:
        raise LatexError(f"{sizing} needs a bracket after it", len(latex))
    return tuple(_braced(tokens))


_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_DIGIT = re.compile(r"[0-9]")
_FRACTION = re.compile(r"\\[dt]?frac\s*[0-9]?\s*$")


def _tokens(latex: str) -> Iterator[re.Match[str]]:
    r"""Cut LaTeX; an argument of `\frac` without braces is one digit."""
    latex, at = _COMMENT.sub(lambda match: " " * len(match[0]), latex), 0
    while match := _TOKEN.search(latex, at):
        if match[0].isdigit() and _FRACTION.search(latex, max(0, at - 20), match.start()):
            match = _DIGIT.match(latex, match.start()) or match
        at = match.end()
        yield match


def _check(text: str, position: int) -> None:
    if text[0] == "\\" and len(text) > 1:
        known = text[1].isascii() and (text[1].isalpha() or text in {"\\\\", r"\{", r"\}", r"\|"})
    else:
        known = text in _MARKS or (text.isascii() and (text[0].isalnum() or text[0] == "."))
    if not known:
        raise LatexError(f"{text} means nothing in an equation", position)


def _braced(tokens: list[Token]) -> list[Token]:
    """Put braces around the arguments of accents and styles that have none."""
    result: list[Token] = []
    opened = 0
    for token, before in zip(tokens, [None, *tokens], strict=False):
        wanted = before is not None and before.text in ACCENTS | STYLES and token.text != "{"
        if wanted:
            result.append(replace(token, text="{", end=token.start, apart=False))
            opened += 1
            result.append(replace(token, apart=False))
        else:
            result.append(token)
        nests = token.text in ACCENTS | STYLES
        if wanted and not nests:
            result.extend([replace(token, text="}", start=token.end)] * opened)
            opened = 0
    return result


_DROPPED = frozenset(
    [r"\tag", r"\tag*", r"\label", r"\color", r"\hspace", r"\vspace"]  # with an argument
)
_SILENT = frozenset([r"\notag", r"\nonumber", r"\limits", r"\nolimits", r"\strut", r"\mathstrut"])
_FRAMED = frozenset([r"\boxed", r"\fbox", r"\underbrace", r"\overbrace", r"\smash"])
_STACKED = frozenset([r"\textcolor", r"\colorbox", r"\stackrel", r"\overset", r"\underset"])
_GRIDS = frozenset(
    ["aligned", "align", "split", "gathered", "gather", "multline", "equation", "alignedat"]
)
_RELATED = frozenset(["=", r"\approx", r"\le", r"\ge", "<", ">", r"\leftarrow", r"\in"])
_GOES_ON = frozenset(["+", "-", r"\cdot", r"\times", r"\odot", "/"])
_STOPS = frozenset([".", ",", ";"])
_WORDS = frozenset(["and", "where", "with"])  # that stand between equations


def statement_tokens(latex: str, *, upright: bool = False) -> tuple[Token, ...]:
    r"""The tokens of a display without its layout; `\quad` separates its rows.

    Args:
        latex: the display's LaTeX.
        upright: a symbol is declared with an upright d; else `\mathrm{d}X` is `dX`.

    Raises:
        LatexError: see `tokenize`; or a brace or an environment is not closed.
    """
    tokens = list(tokenize(latex))
    layout = _Layout(tokens, len(latex), upright=upright)
    return tuple(layout.without())


class _Layout:
    """Copies tokens, but for those that only say how a display looks."""

    def __init__(self, tokens: list[Token], length: int, *, upright: bool) -> None:
        self._cursor = Cursor(tuple(tokens), length)
        self._upright = upright
        self._kept: list[Token] = []
        self._environments: list[str] = []

    def without(self) -> list[Token]:
        cursor = self._cursor
        while cursor.text:
            self._step()
        if self._environments:
            raise cursor.error(f"\\end{{{self._environments[-1]}}} is missing")
        while self._kept and self._kept[-1].text in _STOPS | {r"\quad"}:
            self._kept.pop()
        return self._kept

    def _step(self) -> None:
        cursor, text = self._cursor, self._cursor.text
        in_grid = not self._environments or self._environments[-1] in _GRIDS
        if text in {r"\begin", r"\end"}:
            self._environment()
        elif text in _DROPPED:
            cursor.take()
            cursor.skip_group()
        elif text in _SILENT or (text == "&" and in_grid):
            cursor.take()
        elif text in _FRAMED:
            self._framed()
        elif text in _STACKED:
            cursor.take()
            cursor.skip_group()
            self._unbraced(cursor.skip_group())
        elif text == r"\\" and in_grid:
            self._row()
        elif text == ":" and cursor.ahead() == "=":
            self._kept.append(replace(cursor.take(), text="=", end=cursor.take().end))
        elif (text == "^" and self._transposes()) or (
            text in {r"\text", r"\mathrm"} and self._word()
        ):
            pass
        elif text in _STOPS and cursor.ahead() in {r"\quad", r"\\", r"\end"} and in_grid:
            cursor.take()
        else:
            self._kept.append(cursor.take())

    def _environment(self) -> None:
        cursor, at = self._cursor, self._cursor.at
        command = cursor.take()
        first, stop = cursor.skip_group()
        name = "".join(token.text for token in cursor.tokens[first:stop]).removesuffix("*")
        if command.text == r"\begin":
            self._environments.append(name)
        elif not self._environments or self._environments.pop() != name:
            raise cursor.error(f"\\begin{{{name}}} is missing", command.start)
        if name not in _GRIDS:
            self._kept.extend(cursor.tokens[at : cursor.at])

    def _framed(self) -> None:
        r"""Take the frame or brace off; what stands under a brace goes with it."""
        cursor = self._cursor
        braced = cursor.take().text.endswith("brace")
        inside = cursor.skip_group()
        if braced and cursor.text in {"_", "^"}:
            cursor.take()
            cursor.skip_group()
        self._unbraced(inside)

    def _unbraced(self, inside: Range) -> None:
        """Go on with what is in braces, and keep these where they say what belongs together."""
        cursor, (first, stop) = self._cursor, inside
        texts = [token.text for token in cursor.tokens[first:stop]]
        scripted = cursor.text in {"^", "_"} and {"^", "_"} & set(texts)
        relation = bool(_RELATED & set(texts))
        needed = not relation and (scripted or {"+", "-", "/", r"\sum"} & set(texts))
        if needed and first > 0 and cursor.tokens[first - 1].text == "{":
            first, stop = first - 1, stop + 1
        head, tail = cursor.tokens[first:stop], cursor.tokens[cursor.at :]
        cursor.tokens = (*cursor.tokens[: cursor.at], *head, *tail)
        cursor.stop = len(cursor.tokens)

    def _row(self) -> None:
        r"""Make one row go on with the next, or separate them."""
        cursor = self._cursor
        broken = cursor.take()
        if cursor.text == "[" and cursor.ahead().isdigit():  # \\[2pt]
            while cursor.text and cursor.take().text != "]":
                pass
        aligned = cursor.text == "&"
        while cursor.accept("&") or (aligned and cursor.accept(r"\quad")):
            pass
        signed = cursor.text in _GOES_ON and (aligned or not self._row_relates())
        if cursor.text not in _RELATED | {"", r"\end"} and not signed:
            self._kept.append(replace(broken, text=r"\quad"))

    def _row_relates(self) -> bool:
        cursor = self._cursor
        for token in cursor.tokens[cursor.at : cursor.stop]:
            if token.text == r"\\":
                return False
            if token.text in _RELATED:
                return True
        return False

    def _transposes(self) -> bool:
        r"""Write `^T`, `^{\mathsf{T}}` and the like as `^\top` where T is set upright."""
        cursor = self._cursor
        at = cursor.at
        power = cursor.take()
        first, stop = cursor.skip_group()
        if cursor.tokens[first].text in STYLES:  # ^\mathsf{T}, ^{\mathsf{T}}
            if stop == first + 1:
                stop = cursor.skip_group()[1] + 1
            texts = [token.text for token in cursor.tokens[first + 1 : stop]]
            if texts in (["{", "T", "}"], ["{", r"\top", "}"]):
                token = replace(cursor.tokens[first], text=r"\top", end=cursor.end)
                self._kept += [power, token]
                return True
        cursor.at = at
        return False

    def _word(self) -> bool:
        r"""Take `\text{and}` as a separator, and `\mathrm{d}` as the letter."""
        cursor, at = self._cursor, self._cursor.at
        command = cursor.take()
        first, stop = cursor.skip_group()
        word = "".join(token.text for token in cursor.tokens[first:stop]).strip(",;")
        if command.text == r"\mathrm" and word == "d" and not self._upright:
            self._kept.append(replace(cursor.tokens[first], start=command.start))
            return True
        if word in _WORDS or (command.text == r"\text" and not word):
            self._kept.append(replace(command, text=r"\quad", end=cursor.end))
            return True
        cursor.at = at
        return False


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

    def inner(self, tokens: tuple[Token, ...], at: int) -> "Cursor":
        """A cursor for other tokens, which stand for something at an offset of this one's."""
        cursor = Cursor(tokens, at)
        cursor._depth = self._depth
        return cursor

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count how deep expressions nest, and refuse what would exhaust Python's stack."""
        if self._depth >= _DEEPEST:
            raise self.error("nested too deeply")
        self._depth += 1
        yield
        self._depth -= 1

    def scripts(self) -> tuple[Range | None, Range | None]:
        """Skip a subscript and a superscript, in either order: the ranges of their tokens."""
        scripts: dict[str, Range] = {}
        while self.text in {"_", "^"}:
            kind = self.take()
            if kind.text in scripts:
                raise self.error(f"a second {kind.text}", kind.start)
            script = self.token
            if script.text != "{" and len(script.text) > 1 and script.text[0].isdigit():
                raise self.error("put braces around this number", script.start)
            if script.text in STYLES:  # x_\text{max} is x_{\text{max}}
                self.take()
                scripts[kind.text] = (self.at - 1, self.skip_group()[1] + 1)
            else:
                scripts[kind.text] = self.skip_group()
        if self.text == "'":
            raise self.error("a prime stands before the scripts")
        return scripts.get("_"), scripts.get("^")

    def texts(self, tokens: Range | None) -> tuple[str, ...]:
        """The texts of a range of tokens; none of no range."""
        return tuple(token.text for token in self.tokens[slice(*tokens)]) if tokens else ()

    def skip_group(self) -> Range:
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

    def within(self, tokens: Range, read: Callable[[], _T]) -> _T:
        """Read a range of tokens, all of it, and come back."""
        at, stop = self.at, self.stop
        self.at, self.stop = tokens
        result = read()
        if self.text:
            raise self.error(f"{self.text} is not expected here")
        self.at, self.stop = at, stop
        return result
