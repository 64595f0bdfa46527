"""Cache keys of verdicts: everything that a verdict depends on, and nothing else."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runner.mentions import tokens
from runner.protocol import CheckTable
from site_builder.cache import fingerprint
from site_builder.observe.requests import EquationCheck
from site_builder.read.codebase import Codebase
from site_builder.version import builder_version

_BETWEEN = re.compile(r"\\q?quad|\\\\|(?<!\\),")


@dataclass(frozen=True, slots=True, kw_only=True)
class _EquationTokens:
    """An equation's tokens, and the possible left sides in it, without their scripts."""

    text: str
    heads: tuple[str, ...]


def verdict_keys(
    request: CheckTable, equations: Mapping[str, str], code: Sequence[str]
) -> dict[str, str]:
    """The key of each equation, by its id.

    Line numbers are excluded, since a comment shifts them. An equation with derivatives also
    depends on the equations that may define what is differentiated.
    """
    lasting = json.dumps({**request, "definitions": []}, sort_keys=True)
    base = fingerprint("verdict", lasting, *code, builder_version())
    definitions = {latex: _equation_tokens(latex) for latex in request["definitions"]}
    return {
        id_: fingerprint(base, latex, *_related(latex, definitions))
        for id_, latex in equations.items()
    }


def _related(latex: str, definitions: Mapping[str, _EquationTokens]) -> list[str]:
    """The equations that may define a symbol of this one, directly or through others."""
    if r"\partial" not in latex:
        return []
    found: set[str] = set()
    texts = [tokens(latex)]
    for text in texts:  # the list grows meanwhile
        for latex_of, definition in definitions.items():
            if latex_of not in found and any(head in text for head in definition.heads):
                found.add(latex_of)
                texts.append(definition.text)
    return [latex_of for latex_of in definitions if latex_of in found]


def _equation_tokens(latex: str) -> _EquationTokens:
    parts = (part.partition("=") for part in _BETWEEN.split(latex))
    heads = [tokens(re.split("[_^]", left)[0]) for left, equals, _ in parts if equals]
    return _EquationTokens(text=tokens(latex), heads=tuple(head for head in heads if head.strip()))


def program_code(check: EquationCheck, codebase: Codebase) -> list[str]:
    """The modules that the program may use, without comments, docstrings and positions.

    Names do not show which of their functions a run reaches: an alias, a method or a constant
    may lead to anything that is imported.
    """
    return [
        f"{module.name} {_dumped(module.text)}"
        for module in codebase.imported_by(check.program.module)
    ]


@lru_cache(maxsize=512)
def _dumped(text: str) -> str:
    return fingerprint(ast.dump(_WithoutDocstrings().visit(ast.parse(text))))


class _WithoutDocstrings(ast.NodeTransformer):
    """Removes string literals that are statements."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if is_text else node
