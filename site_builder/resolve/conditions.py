"""Evaluate the condition of a claim: a small, safe subset of Python on facts about the code.

It has numbers, strings, names of facts, `and or not`, comparisons, `+ - * / // %`, subscripts,
attributes of facts, calls of the functions given, and comprehensions. It has no imports, no
assignments, no attributes of Python objects and no other calls, so a condition has no side
effects.
"""

import ast
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_LARGEST_NUMBER = 10**12
_LONGEST = 10_000  # items of a collection or characters of a string
_MOST_STEPS = 100_000

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "len": len,
    "max": max,
    "min": min,
    "set": set,
    "sorted": sorted,
    "sum": sum,
}


class ConditionError(Exception):
    """A condition that cannot be evaluated; the message says why."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with named parts: `fact.part`, or `fact["part"]` for any name."""

    parts: Mapping[str, object]


Namespace = Mapping[str, object]


def evaluate_condition(text: str, namespace: Namespace) -> bool:
    """Whether a condition holds.

    Raises:
        ConditionError: as for `evaluate`, or if the value is not a boolean.
    """
    value = evaluate(text, namespace)
    if not isinstance(value, bool):
        raise ConditionError(f"it is neither true nor false, but {value!r}")
    return value


def evaluate(text: str, namespace: Namespace) -> object:
    """The value of an expression.

    Args:
        text: the expression.
        namespace: facts and functions by name.

    Raises:
        ConditionError: it is malformed, uses an undefined name, or exceeds a limit.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConditionError(f"it is not a valid Python expression ({error})") from None
    try:
        return _Evaluator(namespace, itertools.count()).value(tree.body)
    except ConditionError:
        raise
    except RecursionError:
        raise ConditionError("it is too deeply nested") from None
    except Exception as error:  # noqa: BLE001 - operations may raise anything
        raise ConditionError(f"{type(error).__name__}: {error}") from None


class _Evaluator(ast.NodeVisitor):
    def __init__(self, namespace: Namespace, steps: Iterator[int]) -> None:
        self._namespace = namespace
        self._steps = steps

    def value(self, node: ast.expr) -> Any:  # noqa: ANN401 - values may be of any type
        if next(self._steps) > _MOST_STEPS:
            raise ConditionError("it takes too many steps")
        return _within_limits(self.visit(node))

    def generic_visit(self, node: ast.AST) -> None:
        raise ConditionError(f"'{ast.unparse(node)}' is not allowed in a condition")

    def visit_Constant(self, node: ast.Constant) -> Any:  # noqa: ANN401
        return node.value

    def visit_Name(self, node: ast.Name) -> Any:  # noqa: ANN401
        if node.id in self._namespace:
            return self._namespace[node.id]
        if node.id in _FUNCTIONS:
            return _FUNCTIONS[node.id]
        known = ", ".join(sorted(self._namespace))
        raise ConditionError(f"'{node.id}' is not defined; defined names are {known}")

    def visit_Attribute(self, node: ast.Attribute) -> Any:  # noqa: ANN401
        return _part(self.value(node.value), node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> Any:  # noqa: ANN401
        owner, key = self.value(node.value), self.value(node.slice)
        return _part(owner, key) if isinstance(owner, Fact) else owner[key]

    def visit_BoolOp(self, node: ast.BoolOp) -> bool:
        decide = all if isinstance(node.op, ast.And) else any
        return decide(self.value(value) for value in node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: ANN401
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return not value
        if isinstance(node.op, ast.USub):
            return -value
        raise ConditionError(f"'{ast.unparse(node)}' is not allowed in a condition")

    def visit_BinOp(self, node: ast.BinOp) -> Any:  # noqa: ANN401
        operation = _BINARY.get(type(node.op))
        if operation is None:
            raise ConditionError(f"'{ast.unparse(node)}' is not allowed in a condition")
        left, right = self.value(node.left), self.value(node.right)
        if not all(isinstance(side, int | float) for side in (left, right)):
            raise ConditionError(f"the operands of '{ast.unparse(node)}' must be numbers")
        return operation(left, right)

    def visit_Compare(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for comparison, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            if not _COMPARE[type(comparison)](left, right):
                return False
            left = right
        return True

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: ANN401
        function = self.value(node.func) if isinstance(node.func, ast.Name) else None
        if not callable(function) or node.keywords:
            raise ConditionError(f"'{ast.unparse(node)}' is not allowed in a condition")
        return function(*map(self.value, node.args))

    def visit_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(map(self.value, node.elts))

    def visit_List(self, node: ast.List) -> list[Any]:
        return [*map(self.value, node.elts)]

    def visit_Set(self, node: ast.Set) -> set[Any]:
        return {*map(self.value, node.elts)}

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> list[Any]:
        return [*self._items(node, node.generators)]

    def visit_ListComp(self, node: ast.ListComp) -> list[Any]:
        return [*self._items(node, node.generators)]

    def visit_SetComp(self, node: ast.SetComp) -> set[Any]:
        return {*self._items(node, node.generators)}

    def _items(
        self,
        node: ast.GeneratorExp | ast.ListComp | ast.SetComp,
        generators: list[ast.comprehension],
    ) -> Iterator[Any]:
        if not generators:
            yield self.value(node.elt)
            return
        first, *rest = generators
        if not isinstance(first.target, ast.Name) or first.is_async:
            raise ConditionError("a comprehension takes one plain name after 'for'")
        for item in self.value(first.iter):
            inner = _Evaluator({**self._namespace, first.target.id: item}, self._steps)
            if all(inner.value(condition) for condition in first.ifs):
                yield from inner._items(node, rest)


def _part(owner: object, name: object) -> object:
    if not isinstance(owner, Fact):
        raise ConditionError(f"'.{name}' is a part of a value that is not a fact")
    if name not in owner.parts:
        raise ConditionError(f"there is no '{name}'; there is {', '.join(sorted(owner.parts))}")
    return owner.parts[str(name)]


def _within_limits(value: object) -> object:
    if isinstance(value, int | float) and abs(value) > _LARGEST_NUMBER:
        raise ConditionError("it works with numbers that are too large")
    if isinstance(value, str | list | tuple | set) and len(value) > _LONGEST:
        raise ConditionError("it works with a collection that is too long")
    return value
