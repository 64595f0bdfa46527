"""What goes into a call, and what it is known to change."""

import ast
from collections.abc import Iterator

# Methods that change what they are called on, of Python's containers and NumPy's arrays.
_CHANGING = frozenset(
    {"add", "append", "clear", "discard", "extend", "fill", "insert", "partition", "pop", "put"}
    | {"remove", "resize", "reverse", "setdefault", "sort", "update"}
)


def changed_by_method(node: ast.Call) -> ast.expr | None:
    """What a call of a method changes, of the methods that are known to change something."""
    function = node.func
    is_changing = isinstance(function, ast.Attribute) and function.attr in _CHANGING
    return function.value if isinstance(function, ast.Attribute) and is_changing else None


def changed_by_numpy(node: ast.Call, name: str) -> Iterator[ast.expr]:
    """The arguments that a function of NumPy writes into: `np.add.at(a, …)`, `out=a`."""
    if name.startswith("numpy.") and name.endswith(".at") and node.args:
        yield node.args[0]
    for keyword in node.keywords:
        if keyword.arg == "out":
            yield keyword.value


def argument_values(node: ast.Call) -> list[ast.expr]:
    """What goes into a call: what a method is called on, and the arguments."""
    before = [node.func.value] if isinstance(node.func, ast.Attribute) else [node.func]
    return [*before, *node.args, *(keyword.value for keyword in node.keywords)]


def bound_arguments(node: ast.Call, names: list[str]) -> dict[str, ast.expr]:
    """By parameter, what a call passes; nothing of what it unpacks."""
    bound: dict[str, ast.expr] = {}
    for name, argument in zip(names, node.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        bound[name] = argument
    return bound | {k.arg: k.value for k in node.keywords if k.arg in names and k.arg}


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    """Everything that a function can be given, `*args` and `**kwargs` included."""
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*found, *filter(None, [arguments.vararg, arguments.kwarg])]
