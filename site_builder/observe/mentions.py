"""Whether a symbol may stand in an equation, told from the LaTeX alone.

It may say so where none stands, as of Y in dY, but never the contrary.
"""

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|[^\s{}]")


def mentions(latex: str, symbol: str) -> bool:
    """Whether a symbol may stand in an equation, with whatever scripts."""
    return stands_in(tokens(re.split("[_^]", symbol)[0]), tokens(latex))


def tokens(latex: str) -> list[str]:
    """Commands and single characters, without spaces and braces."""
    return _TOKEN.findall(latex)


def stands_in(part: list[str], whole: list[str]) -> bool:
    """Whether tokens stand one after the other in others."""
    return any(whole[start : start + len(part)] == part for start in range(len(whole)))
