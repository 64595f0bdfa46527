"""What the expressions of a function may hold."""

import ast
from collections.abc import Iterator
from functools import singledispatchmethod

from site_builder.read.code import Module
from site_builder.read.flow_calls import all_arguments
from site_builder.read.flow_values import NOTHING, Names, Origins, UnmappableError, Value, union


class Expressions:
    """Evaluates expressions, as far as it matters where their values come from.

    Attributes:
        names: what each local name may hold.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.names: Names = {}

    def bind(self, name: ast.Name, value: Value) -> None:
        """A name gets a value."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Value:
        """The value of a call."""
        raise NotImplementedError

    def combine(self, node: ast.expr, parts: list[ast.expr]) -> Value:
        """The value of an operation on several expressions."""
        raise NotImplementedError

    def fail(self, node: ast.stmt | ast.expr, what: str, remedy: str) -> UnmappableError:
        """What to raise at a node."""
        return UnmappableError(self.module.path, node.lineno, what, remedy)

    def value(self, node: ast.expr) -> Value:
        """What an expression may hold."""
        return self._value(node)

    @singledispatchmethod
    def _value(self, node: ast.expr) -> Value:
        return self.combine(node, [*_parts(node)])

    @_value.register
    def _value_of_name(self, node: ast.Name) -> Value:
        return self.names.get(node.id, NOTHING)

    @_value.register
    def _value_of_call(self, node: ast.Call) -> Value:
        return self.call(node)

    @_value.register
    def _value_of_sequence(self, node: ast.Tuple | ast.List) -> Value:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return union(self.value(element) for element in node.elts)
        return tuple(self.value(element) for element in node.elts)

    @_value.register
    def _value_of_subscript(self, node: ast.Subscript) -> Value:
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(index, int) and isinstance(node.value, ast.Name):
            value = self.value(node.value)
            if isinstance(value, tuple) and -len(value) <= index < len(value):
                return value[index]
        return self.combine(node, [*_parts(node)])

    @_value.register
    def _value_of_named(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    @_value.register
    def _value_of_lambda(self, node: ast.Lambda) -> Value:
        return self._inside({a.arg: NOTHING for a in all_arguments(node.args)}, [node.body])

    @_value.register
    def _refuse(self, node: ast.Await | ast.Yield | ast.YieldFrom) -> Value:
        what = f"the data flow through '{ast.unparse(node)}' cannot be followed"
        raise self.fail(node, what, "map a function that runs in one go")

    @_value.register
    def _value_of_dictionary(self, node: ast.DictComp) -> Value:
        return self._comprehension(node, [node.key, node.value])

    @_value.register
    def _value_of_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        return self._comprehension(node, [node.elt])

    def _comprehension(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp,
        elements: list[ast.expr],
    ) -> Value:
        if any(isinstance(child, ast.NamedExpr) for child in ast.walk(node)):
            what = "a name that is assigned inside a comprehension cannot be followed"
            raise self.fail(node, what, "write a loop")
        bound: Names = {}
        for generator in node.generators:
            items = self._inside(bound, [generator.iter])
            for child in ast.walk(generator.target):
                if isinstance(child, ast.Name):
                    bound[child.id] = items
        conditions = [test for generator in node.generators for test in generator.ifs]
        iterated = [generator.iter for generator in node.generators]
        return self._inside(bound, [*iterated, *elements, *conditions])

    def _inside(self, bound: Names, expressions: list[ast.expr]) -> Origins:
        """What expressions hold in which some names mean something else."""
        outside = self.names
        self.names = {**outside, **bound}
        value = union(self.value(expression) for expression in expressions)
        self.names = outside
        return value


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
