"""Whether a symbol may stand in an equation, told from the LaTeX alone.

It may say so where none stands, as of Y in dY, but never the contrary.
"""

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|[^\s{}]")


def mentions(latex: str, symbol: str) -> bool:
    """Whether a symbol may stand in an equation, with whatever scripts."""
    return tokens(re.split("[_^]", symbol)[0]) in tokens(latex)


def tokens(latex: str) -> str:
    r"""Commands and single characters without braces, a space around each: `" \hat X "`.

    So one text stands in another where its tokens do.
    """
    return f" {' '.join(_TOKEN.findall(latex))} "
