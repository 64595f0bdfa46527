"""Find the lines that an anchor names.

An anchor is `function`, `function:expression`, `Class.field`, `module.CONSTANT` or `module`. Names
may be shortened from the left as long as they stay unique: `ops.layer_norm_forward`. The
expression is

- a variable or other assignment target (`mu`, `grads["lnf_g"]`): the statement that assigns it,
- a parameter: the line that declares it,
- `return`, or `return[0]` for the first element of a returned tuple,
- any other expression: the place where the function computes it.

If a target is assigned several times, `mu#2` names the second assignment.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from eqcheck.syntax import own_statements, targets
from site_builder.read.code import (
    Constant,
    Field,
    Function,
    Module,
    Span,
    head_code,
    head_span,
)
from site_builder.read.codebase import Codebase

_Named = TypeVar("_Named")

_RETURN = re.compile(r"return((?:\[\d+\])*)")
_NUMBERED = re.compile(r"(.+?)#(\d+)")


class AnchorError(Exception):
    """An anchor that is not found, or is ambiguous."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePlace:
    """What an anchor names.

    Attributes:
        kind: function, parameter, assignment, return, expression, field, constant or module.
        name: the variable, parameter or expression text; the function's or field's own name.
        code: its source text; for assignments and returns, the whole statement.
        index: for `return[1][0]`, (1, 0).
    """

    anchor: str
    kind: str
    name: str
    function: Function | None
    span: Span
    code: str
    index: tuple[int, ...] = ()


class Anchors:
    """Finds anchors in a codebase."""

    def __init__(self, codebase: Codebase) -> None:
        self._codebase = codebase
        self._used: set[Span] = set()
        self._found: dict[str, tuple[Span, CodePlace]] = {}

    def noting(self, used: set[Span]) -> "Anchors":
        """A copy that adds the lines of each function, field or constant found to `used`."""
        other = Anchors(self._codebase)
        other._used, other._found = used, self._found
        return other

    def find(self, anchor: str) -> CodePlace:
        """Find what `anchor` names.

        Raises:
            AnchorError: it is not found, or is ambiguous.
        """
        if anchor not in self._found:
            self._found[anchor] = self._find(anchor)
        owner, place = self._found[anchor]
        self._used.add(owner)
        return place

    def _find(self, anchor: str) -> tuple[Span, CodePlace]:
        """The lines of the definition that an anchor begins with, and the place."""
        head, colon, tail = anchor.partition(":")
        if not colon:
            place = self._find_head(anchor)
            return place.span, place
        function = self.function(head)
        module = self._codebase.modules[function.module]
        return function.span, _in_function(function, tail.strip(), module)

    def function(self, name: str) -> Function:
        """Find a function by its dotted name or the end of it."""
        found = _unique(name, self._codebase.functions, "function")
        self._used.add(found.span)
        return found

    def field(self, name: str) -> Field:
        """Find a dataclass field by its dotted name or the end of it."""
        found = _unique(name, self._codebase.fields, "dataclass field")
        self._used.add(found.span)
        return found

    def _find_head(self, anchor: str) -> CodePlace:
        named: dict[str, Function | Field | Constant | Module] = {
            **self._codebase.functions,
            **self._codebase.fields,
            **self._codebase.constants,
            **self._codebase.modules,
        }
        found = _unique(anchor, named, "function, field, constant or module")
        if isinstance(found, Module):
            span = Span(path=found.path, first=1, last=len(found.lines))
            return CodePlace(
                anchor=anchor, kind="module", name=found.name, function=None, span=span, code=""
            )
        kind = type(found).__name__.lower()
        lines = self._codebase.lines(found.span.path)
        return CodePlace(
            anchor=anchor,
            kind=kind,
            name=found.name,
            function=found if isinstance(found, Function) else None,
            span=found.span,
            code=lines[found.span.first - 1].strip(),
        )


def _unique(name: str, named: Mapping[str, _Named], kind: str) -> _Named:
    if name in named:
        return named[name]
    matches = [dotted for dotted in named if dotted.endswith(f".{name}")]
    if len(matches) == 1:
        return named[matches[0]]
    if matches:
        raise AnchorError(f"'{name}' is ambiguous: {', '.join(matches)}", "write more of the name")
    raise AnchorError(f"there is no {kind} '{name}' in the code", _suggestion(name, named))


def _suggestion(name: str, named: Mapping[str, object]) -> str:
    last = name.rpartition(".")[2]
    near = [dotted for dotted in named if dotted.rpartition(".")[2] == last]
    return f"did you mean {near[0]}?" if near else "correct the name, or remove what refers to it"


def _in_function(function: Function, tail: str, module: Module) -> CodePlace:
    anchor = f"{function.dotted}:{tail}"
    numbered = _NUMBERED.fullmatch(tail)
    text = numbered[1] if numbered else tail
    returned = _RETURN.fullmatch(text)
    target = "" if returned else _normalised(text)
    found: Sequence[ast.stmt | ast.expr]
    if returned:
        found = [n for n in own_statements(function.node) if isinstance(n, ast.Return)]
        kind = "return"
    else:
        found = [s for s in own_statements(function.node) if target in _targets(s)]
        kind = "assignment"
    if not found and target.isidentifier():
        for parameter in function.parameters:
            if parameter.name == target:
                span = Span(path=module.path, first=parameter.line, last=parameter.line)
                code = module.lines[parameter.line - 1].strip()
                return CodePlace(
                    anchor=anchor,
                    kind="parameter",
                    name=target,
                    function=function,
                    span=span,
                    code=code,
                )
    if not found:
        found = [n for n in _expressions(function.node) if _unparse(n) == target]
        kind = "expression"
    node = _choose(found, int(numbered[2]) if numbered else None, tail, function)
    return CodePlace(
        anchor=anchor,
        kind=kind,
        name=text if returned else target,
        function=function,
        span=head_span(node, module),
        code=head_code(node, module),
        index=tuple(map(int, re.findall(r"\d+", returned[1]))) if returned else (),
    )


def _choose(
    found: Sequence[ast.stmt | ast.expr], number: int | None, tail: str, function: Function
) -> ast.stmt | ast.expr:
    if not found:
        raise AnchorError(
            f"{function.dotted} has no '{tail}'", "name a value that the function computes"
        )
    if number is not None:
        if 1 <= number <= len(found):
            return found[number - 1]
        what = f"{function.dotted} has only {len(found)} of '{tail}'"
        raise AnchorError(what, f"write a number from 1 to {len(found)}")
    if len(found) > 1:
        lines = ", ".join(str(node.lineno) for node in found)
        raise AnchorError(
            f"'{tail}' is ambiguous in {function.dotted}: lines {lines}",
            f"write {tail}#1 for the first, {tail}#2 for the second",
        )
    return found[0]


def _normalised(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text, mode="eval")) if text else ""
    except SyntaxError:
        raise AnchorError(
            f"'{text}' is not a valid Python expression", "write it as the code does"
        ) from None


def _expressions(function: ast.FunctionDef) -> list[ast.expr]:
    found = [
        node
        for statement in own_statements(function)
        for child in ast.iter_child_nodes(statement)
        if isinstance(child, ast.expr)
        for node in ast.walk(child)
        if isinstance(node, ast.expr)
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def assignment_number(place: CodePlace) -> int:
    """The index n, from 0, of an assignment: it is the nth assignment to its name.

    Unlike a line number, it does not change when lines are added above.
    """
    assert place.function  # noqa: S101 - assignments are in functions
    statements = own_statements(place.function.node)
    lines = [statement.lineno for statement in statements if place.name in _targets(statement)]
    return lines.index(place.span.first)


def stores(function: ast.FunctionDef) -> list[str]:
    """The assignments of a function whose effects outlive the call.

    These are entries, attributes, globals, and arguments modified in place.
    """
    statements = [*own_statements(function)]
    arguments = function.args
    parameters = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    lasting: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Global | ast.Nonlocal):
            lasting.update(statement.names)
        elif isinstance(statement, ast.AugAssign):
            lasting.update(_targets(statement) & parameters)
    found = {target for statement in statements for target in _targets(statement)}
    return sorted(name for name in found if not name.isidentifier() or name in lasting)


def _targets(statement: ast.stmt) -> set[str]:
    """The source text of each target of a statement."""
    return {_unparse(target) for target in targets(statement)}


@lru_cache(maxsize=4096)
def _unparse(node: ast.AST) -> str:
    return ast.unparse(node)
