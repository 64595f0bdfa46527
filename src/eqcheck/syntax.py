"""What the statements of a function assign, told from its syntax tree."""

import ast
from collections.abc import Iterator


def own_statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The statements of a function, in source order, without those of functions inside it."""
    stack: list[ast.AST] = [*reversed(function.body)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.stmt):
            yield node
        stack.extend(
            child
            for child in reversed([*ast.iter_child_nodes(node)])
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        )


def targets(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a statement assigns, left to right: names, attributes and entries."""
    if isinstance(statement, ast.Assign):
        found = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.For):
        found = [statement.target]
    elif isinstance(statement, ast.With):
        found = [item.optional_vars for item in statement.items if item.optional_vars]
    else:
        found = []
    for target in found:
        yield from _unpacked(target)


def assigned_names(statement: ast.stmt) -> Iterator[str]:
    """The plain names that a statement assigns, left to right."""
    return (target.id for target in targets(statement) if isinstance(target, ast.Name))


def _unpacked(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Starred):
        yield from _unpacked(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _unpacked(item)
    else:
        yield target
