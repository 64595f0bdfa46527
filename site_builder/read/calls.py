"""Calls and attribute reads: where they are, and what is passed or read."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from site_builder.read.code import (
    Function,
    Module,
    Span,
    head_code,
    head_span,
    source_of,
    span_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call expression inside a function.

    Attributes:
        callee: dotted name of what is called, resolved through imports.
        caller: the function that contains the call.
        span: the lines of the whole statement.
        line, column: where the call expression itself begins (column 0-based).
        code: the statement's source text.
        arguments: source text by position (as "0", "1") or keyword; see also `passed`.
        targets: the names that the result is assigned to.
    """

    callee: str
    caller: Function
    span: Span
    line: int
    column: int
    code: str
    arguments: dict[str, str]
    targets: tuple[str, ...]

    def passed(self, name: str, position: int | None = None) -> str | None:
        """The source text passed for a parameter, or the `*…` or `**…` that may contain it."""
        keys = [name, *([] if position is None else [str(position), "*"]), "**"]
        return next((self.arguments[key] for key in keys if key in self.arguments), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeRead:
    """A read of `base.name`; `owner` is the annotation of `base` if that is a parameter."""

    name: str
    owner: str | None
    reader: Function
    span: Span


def calls_in(function: Function, module: Module) -> Iterator[Call]:
    """All calls in a function and its nested functions, in source order."""
    hidden = _local_names(function.node)
    for statement in _statements(function.node):
        for node in _own_expressions(statement):
            if not isinstance(node, ast.Call) or _root(node.func) in hidden:
                continue
            if callee := resolve_name(node.func, module):
                yield Call(
                    callee=callee,
                    caller=function,
                    span=head_span(statement, module),
                    line=node.lineno,
                    column=node.col_offset,
                    code=head_code(statement, module),
                    arguments=_arguments(node, module.text),
                    targets=_targets(statement, node),
                )


def attribute_reads_in(function: Function, module: Module) -> Iterator[AttributeRead]:
    """All attributes that a function reads."""
    annotations = {p.name: p.annotation for p in function.parameters}
    if "." in function.qualname:
        annotations["self"] = function.qualname.partition(".")[0]
    for node in ast.walk(function.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            base = node.value.id if isinstance(node.value, ast.Name) else ""
            yield AttributeRead(
                name=node.attr,
                owner=annotations.get(base),
                reader=function,
                span=span_of(node, module.path),
            )


def resolve_name(node: ast.expr, module: Module) -> str | None:
    """The dotted name that an expression such as `ops.softmax` stands for in a module."""
    if isinstance(node, ast.Attribute):
        base = resolve_name(node.value, module)
        return f"{base}.{node.attr}" if base else None
    if not isinstance(node, ast.Name):
        return None
    return module.imports.get(node.id, f"{module.name}.{node.id}")


def _root(node: ast.expr) -> str:
    """The first name of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _local_names(function: ast.FunctionDef) -> set[str]:
    """Parameters and local variables: they shadow names of the module."""
    arguments = function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    everything += filter(None, [arguments.vararg, arguments.kwarg])
    names = {argument.arg for argument in everything}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _statements(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    for node in ast.walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            yield node


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, excluding nested statements."""
    queue: list[ast.AST] = [statement]
    while queue:
        node = queue.pop(0)
        yield node
        queue.extend(
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)
        )


def _arguments(node: ast.Call, text: str) -> dict[str, str]:
    """Arguments by position or name; `*` and `**` are those known only at run time."""
    arguments: dict[str, str] = {}
    for index, value in enumerate(node.args):
        unpacked = isinstance(value, ast.Starred)
        arguments["*" if unpacked else str(index)] = source_of(value, text)
    for keyword in node.keywords:
        value_text = source_of(keyword.value, text)
        arguments[keyword.arg or "**"] = value_text if keyword.arg else f"**{value_text}"
    return arguments


def _targets(statement: ast.stmt, call: ast.Call) -> tuple[str, ...]:
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return ()
    target = statement.targets[0]
    elements = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(ast.unparse(element) for element in elements)
