r"""How a symbol is read aloud: `d\hat{X}` is "d X hat"."""

import re
from collections.abc import Iterator

from eqcheck.errors import LatexError
from eqcheck.latex import ACCENTS, STYLES, Token, tokenize

_ACCENTS = {
    r"\widehat": "hat",
    r"\widetilde": "tilde",
    r"\overline": "bar",
    r"\vec": "vector",
    r"\dot": "dot",
    r"\ddot": "double dot",
    r"\underline": "underlined",
}
_POWERS = {"2": "squared", "3": "cubed", "top": "transposed", "prime": "prime", "*": "star"}
_SIGN = re.compile(
    r"\\(?:var)?(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho"
    r"|sigma|tau|upsilon|phi|chi|psi|omega|top|prime|ell|nabla|partial)",
    re.IGNORECASE,
)


class _UnspeakableError(Exception):
    """LaTeX that cannot be put into words."""


def spoken(latex: str, name: str) -> str:
    """The words for a symbol, or its `name` if its LaTeX is more than a symbol."""
    try:
        tokens = iter(tokenize(latex))
        words = " ".join(_words(tokens))
    except (LatexError, _UnspeakableError):
        return name
    return words.replace(" ,", ",")


def _words(tokens: Iterator[Token], *, one: bool = False) -> Iterator[str]:
    """The words of all tokens up to the end of a group; if `one`, of one symbol only."""
    for token in tokens:
        text = token.text
        if text == "}":
            return
        if text == "{":
            yield from _words(tokens)
        elif text in ACCENTS:
            yield from _argument(tokens)
            yield _ACCENTS.get(text, text[1:])
        elif text in STYLES:
            letters = [*_argument(tokens)]
            yield "".join(letters) if text in {r"\operatorname", r"\text"} else " ".join(letters)
        elif text == "^":
            power = " ".join(_argument(tokens))
            yield _POWERS.get(power, f"to the power {power}")
        elif text == "_":
            yield " ".join(["sub", *_argument(tokens)])
        elif text == "'":
            yield "prime"
        else:
            yield _word(text)
        if one:
            return


def _argument(tokens: Iterator[Token]) -> list[str]:
    words = [*_words(tokens, one=True)]
    if not words:
        raise _UnspeakableError
    return words


def _word(text: str) -> str:
    """The word for a letter, number, comma or command."""
    if text.isalnum() or text in {",", "*"}:
        return text
    if sign := _SIGN.fullmatch(text):
        return sign[1]
    raise _UnspeakableError
