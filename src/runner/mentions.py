"""Whether a symbol may occur in an equation, judging by the LaTeX alone.

There may be false positives, such as Y in dY, but no false negatives.
"""

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|[^\s{}]")


def mentions(latex: str, symbol: str) -> bool:
    """Whether a symbol may occur in an equation, with any scripts."""
    return tokens(re.split("[_^]", symbol)[0]) in tokens(latex)


def tokens(latex: str) -> str:
    r"""Commands and single characters without braces, surrounded by spaces: `" \hat X "`.

    So one text contains another if and only if its tokens do.
    """
    return f" {' '.join(_TOKEN.findall(latex))} "
