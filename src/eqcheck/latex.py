"""Cut LaTeX into tokens, each with its place."""

import re
from dataclasses import dataclass, replace

from eqcheck.errors import LatexError


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
_BRACKETS = frozenset([r"(", r")", r"[", r"]", r"|", r"\{", r"\}", r"\lvert", r"\rvert"])
_MARKS = frozenset("{}()[]|+-/^_=<>,'&")
_ALIASES = {
    r"\leq": r"\le", r"\geq": r"\ge", r"\neq": r"\ne", r"\lt": "<", r"\gt": ">", r"\ln": r"\log",
    r"\operatorname*": r"\operatorname", r"\qquad": r"\quad", r"\lbrack": "[", r"\rbrack": "]",
    r"\intercal": r"\top", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\ast": "*",
    r"\mid": "|", r"\vert": "|",
}  # fmt: skip


def tokenize(latex: str) -> tuple[Token, ...]:
    r"""Cut LaTeX into tokens; space, `\left`, `\right` and their like become flags of what follows.

    The argument of an accent or a style stands in braces afterwards: `\hat X` is `\hat{X}`.

    Raises:
        LatexError: a character that means nothing here, or a `\left` without a bracket.
    """
    tokens: list[Token] = []
    sizing, sized = "", 0  # the \left, \right or \big before a bracket, and where it begins
    apart = False
    for match in _TOKEN.finditer(latex):
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
        if stretched and text == "|":
            text = r"\lvert" if sizing == r"\left" else r"\rvert"
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


def _check(text: str, position: int) -> None:
    if text[0] == "\\" and len(text) > 1:
        known = text[1].isascii() and (text[1].isalpha() or text in {"\\\\", r"\{", r"\}"})
    else:
        known = text in _MARKS or (text.isascii() and (text[0].isalnum() or text[0] == "."))
        known = known and text != "."
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
