"""Make mutants of a function's source: one operator, constant, axis or keyword is changed."""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_REDUCTIONS = {"sum": "mean", "mean": "sum"}
_SMALL = 0.01  # a constant below this is one that would be forgotten beside 1


@dataclass(frozen=True, kw_only=True)
class CodeMutant:
    """A changed module.

    Attributes:
        statement: the statement that was changed, as the original has it.
        change: what became what.
        source: the whole module.
    """

    statement: str
    change: str
    source: str


def code_mutants(source: str, function: str) -> list[CodeMutant]:
    """Every mutant of one function. The function is printed anew; all else keeps its lines."""
    tree = ast.parse(source)
    (definition,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function]
    parts: list[tuple[str, ast.AST]] = [("defaults", definition.args)]
    parts += [(ast.unparse(statement), statement) for statement in definition.body]
    made: dict[str, CodeMutant] = {}
    for name, part in parts:
        for old, new in _changes(part):
            changed = _spliced(source, definition, _exchanged(definition, old, new))
            change = f"{ast.unparse(old)} -> {ast.unparse(new)}"
            mutant = CodeMutant(statement=name, change=change, source=changed)
            made.setdefault(changed, mutant)  # some changes come to the same
    return [*made.values()]


def printed(source: str, function: str) -> str:
    """The module with the function printed anew, and nothing changed."""
    (definition,) = [
        n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == function
    ]
    return _spliced(source, definition, definition)


def _spliced(source: str, old: ast.FunctionDef, new: ast.FunctionDef) -> str:
    assert old.end_lineno
    lines = source.split("\n")
    return "\n".join([*lines[: old.lineno - 1], ast.unparse(new), *lines[old.end_lineno :]])


def _exchanged(root: ast.FunctionDef, old: ast.AST, new: ast.AST) -> ast.FunctionDef:
    position = next(n for n, node in enumerate(ast.walk(root)) if node is old)
    copied = copy.deepcopy(root)
    target = next(node for n, node in enumerate(ast.walk(copied)) if n == position)
    changed = _Exchange(target, new).visit(copied)
    assert isinstance(changed, ast.FunctionDef)
    return ast.fix_missing_locations(changed)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old = old
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._old:
            return self._new
        return self.generic_visit(node)


def _changes(part: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Nodes of a statement, each with what is put in its place."""
    for node in ast.walk(part):
        for make in _MAKERS:
            for new in make(node):
                yield node, new


def _operators(node: ast.AST) -> Iterator[ast.AST]:
    """Another operator; and either operand left out."""
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC:
            if not isinstance(node.op, other):
                yield ast.BinOp(left=node.left, op=other(), right=node.right)
        yield node.left
        yield node.right


def _constants(node: ast.AST) -> Iterator[ast.AST]:
    """One more, one less; ten times as much, if it is small. `-1` is a constant, too."""
    value = _number(node)
    if value is not None:
        steps: list[float] = [value + 1, value - 1]
        if 0 < abs(value) < _SMALL:
            steps.append(10 * value)
        for step in steps:
            yield ast.Constant(step)


def _number(node: ast.AST) -> float | None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value] # it was just looked at
    return None


def _signs(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand


def _calls(node: ast.AST) -> Iterator[ast.AST]:
    """Axes and keywords; a sum for a mean; a function left out."""
    if not isinstance(node, ast.Call):
        return
    for number, keyword in enumerate(node.keywords):
        if keyword.arg != "keepdims":  # without it, it is False
            yield _with_keywords(node, [k for n, k in enumerate(node.keywords) if n != number])
        for value in _other_values(keyword):
            changed = ast.keyword(arg=keyword.arg, value=value)
            yield _with_keywords(
                node, [changed if n == number else k for n, k in enumerate(node.keywords)]
            )
    if isinstance(node.func, ast.Attribute):
        other = _REDUCTIONS.get(node.func.attr)
        if other:
            function = ast.Attribute(value=node.func.value, attr=other, ctx=ast.Load())
            yield ast.Call(func=function, args=node.args, keywords=node.keywords)
        elif len(node.args) == 1:
            yield node.args[0]


def _other_values(keyword: ast.keyword) -> Iterator[ast.expr]:
    text = ast.unparse(keyword.value)
    if text in ("True", "False"):
        yield ast.Constant(text == "False")
    elif keyword.arg == "axis":
        yield ast.Constant(0) if text == "-1" else ast.parse("-1", mode="eval").body


def _with_keywords(call: ast.Call, keywords: list[ast.keyword]) -> ast.Call:
    return ast.Call(func=call.func, args=call.args, keywords=keywords)


_MAKERS: tuple[Callable[[ast.AST], Iterator[ast.AST]], ...] = (
    _operators,
    _constants,
    _signs,
    _calls,
)
