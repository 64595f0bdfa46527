"""Names under which verdicts are kept, made from all that a verdict depends on and nothing else."""

import ast
import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from site_builder.cache import fingerprint
from site_builder.observe.mentions import stands_in, tokens
from site_builder.observe.process import observing_sources
from site_builder.read.check import Check
from site_builder.read.codebase import Codebase

_BETWEEN = re.compile(r"\\q?quad|\\\\|(?<!\\),")


def verdict_keys(
    request: Mapping[str, Any], equations: Mapping[str, str], code: Sequence[str]
) -> dict[str, str]:
    """The key of each equation, by its id.

    Lines are not in it: a comment moves them. Of the other equations only those are that may
    define, for an equation with derivatives, what they are derivatives of.
    """
    lasting = json.dumps({**request, "definitions": []}, sort_keys=True)
    base = fingerprint("verdict", lasting, *code, *observing_sources())
    return {
        id_: fingerprint(base, latex, *_related(latex, request["definitions"]))
        for id_, latex in equations.items()
    }


def _related(latex: str, definitions: Sequence[str]) -> list[str]:
    """The equations that may define something in this one, or in one of them."""
    if r"\partial" not in latex:
        return []
    heads = {definition: [*_heads(definition)] for definition in definitions}
    found: list[str] = []
    texts = [tokens(latex)]
    for text in texts:  # which grows
        for definition in definitions:
            if definition not in found and any(stands_in(head, text) for head in heads[definition]):
                found.append(definition)
                texts.append(tokens(definition))
    return [definition for definition in definitions if definition in found]


def _heads(definition: str) -> Iterator[list[str]]:
    """What may be a left side in a display, without its scripts."""
    for part in _BETWEEN.split(definition):
        left, equals, _ = part.partition("=")
        head = tokens(re.split("[_^]", left)[0])
        if equals and head:
            yield head


def code_of(check: Check, codebase: Codebase) -> list[str]:
    """The program and all that it calls, but no comments, docstrings and positions.

    The constants of the modules are in it too.
    """
    functions = sorted(codebase.reached_from(check.program), key=lambda f: f.dotted)
    modules = sorted({function.module for function in functions})
    constants = [c for module in modules for c in codebase.modules[module].constants]
    return [
        *(ast.dump(_without_docstrings(function.node)) for function in functions),
        *(f"{constant.dotted} = {constant.value}" for constant in constants),
    ]


def _without_docstrings(function: ast.AST) -> ast.AST:
    kept = copy.deepcopy(function)
    for node in ast.walk(kept):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.copy_location(ast.Pass(), first)
    return kept
