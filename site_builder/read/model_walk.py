"""Draw the map of the model, by following its code from where the value is computed.

Every function of that module that is met is opened. What the module imports from elsewhere in the
explained code is a part. Operations between parts, such as the addition of a residual, are nodes of
their own. A loop is a group that its body stands in once; where a turn goes on with what the one
before made, the two ways in meet in a joint.
"""

import ast
from collections.abc import Callable, Iterable

from site_builder.read.anchors import CodePlace
from site_builder.read.calls import resolve_name
from site_builder.read.code import Function, Span, head_span
from site_builder.read.dataflow import DataFlows
from site_builder.read.flow import Flow
from site_builder.read.flow_calls import (
    argument_values,
    bound_arguments,
    changed_by_method,
    changed_by_numpy,
)
from site_builder.read.flow_values import (
    NOTHING,
    Names,
    Origins,
    UnmappableError,
    Value,
    either,
    flat,
    merged,
    union,
)
from site_builder.read.model_map import Drawing, MapNode, ModelMap, node_of, sliced

_SIZES = frozenset({"shape", "ndim", "size", "dtype"})  # they say nothing of the values
_SIZE_CALLS = frozenset({"len", "range"})
_CONTAINERS = frozenset({"dict", "enumerate", "list", "reversed", "tuple", "zip"})
_KEPT = (
    *(ast.Attribute, ast.Constant, ast.Dict, ast.FormattedValue, ast.JoinedStr),
    *(ast.Set, ast.Slice, ast.Starred),
)


def map_model(place: CodePlace, left_out: tuple[str, ...], flows: DataFlows) -> ModelMap:
    """The map of the variable at `place`, a statement that assigns it.

    Raises:
        UnmappableError: the code has something that is not known.
    """
    function = place.function
    if place.kind != "assignment" or function is None:
        what = f"'{place.anchor}' is no variable of a function"
        raise UnmappableError(place.span.path, place.span.first, what, "name one under [map]")
    drawing = Drawing(flows=flows, place=place)
    walk = _Walk(function, drawing, ())
    for parameter in function.parameters:
        span = Span(path=place.span.path, first=parameter.line, last=parameter.line)
        if parameter.name not in left_out:
            walk.names[parameter.name] = walk.add("input", parameter.name, span, (0, 0), NOTHING)
    walk.run(function.node.body)
    return sliced(drawing, left_out)


class _Walk(Flow):
    """Follows one call of a function that is opened."""

    def __init__(self, function: Function, drawing: Drawing, stack: tuple[str, ...]) -> None:
        super().__init__(drawing.flows.module_of(function))
        self._function = function
        self._drawing = drawing
        self._stack = stack  # where the calls stand that led here
        self._is_inside = False  # of an operation that has a node, or will get one
        self._changes: Names = {}
        self._result: Value | None = None

    def add(  # noqa: PLR0913 - what a node consists of
        self,
        kind: str,
        text: str,
        span: Span,
        at: tuple[int, int],
        read: Origins,
        callee: Function | None = None,
    ) -> Origins:
        """A node for a place in the code, and what flows into it; what flows out of it."""
        id_ = f"{kind} {text} {at[0]}:{at[1]} {'/'.join(self._stack)}".replace("[", "(")
        self._drawing.nodes.setdefault(
            id_,
            MapNode(
                id=id_,
                kind=kind,
                text=text,
                caller=self._function,
                span=span,
                line=at[0],
                column=at[1],
                loop=self.loop,
                callee=callee,
            ),
        )
        for source in sorted(read):
            self._drawing.edges.setdefault((source, id_), False)
        return frozenset({id_})

    def bind(self, name: ast.Name, value: Value) -> None:
        self.names[name.id] = value
        origins = flat(value)
        span = head_span(self.statement, self.module)
        if len(origins) == 1:
            result = CodePlace(
                anchor=f"{self._function.dotted}:{name.id}",
                kind="assignment",
                name=name.id,
                function=self._function,
                span=span,
                code="",
            )
            self._drawing.results.setdefault(node_of(next(iter(origins))), result)
        place = self._drawing.place
        if self._stack == () and (name.id, span) == (place.name, place.span):
            self._drawing.target |= origins

    def change(self, root: str, _target: ast.expr, value: Value) -> None:
        self._changes[root] = flat(self._changes.get(root, NOTHING)) | flat(value)
        if root in self.names:
            self.names[root] = flat(self.names[root]) | flat(value)

    def unpack(self, value: Value, position: int, _count: int) -> Value:
        if isinstance(value, tuple):
            return value[position] if position < len(value) else flat(value)
        nodes = self._drawing.nodes
        return frozenset(
            f"{origin}[{position}]" if nodes[node_of(origin)].kind == "part" else origin
            for origin in value
        )

    def combine(self, node: ast.expr, parts: list[ast.expr]) -> Value:
        if isinstance(node, ast.Attribute) and node.attr in _SIZES:
            return NOTHING
        if isinstance(node, _KEPT):
            return union(self.value(part) for part in parts)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._entry(self.value(node.value), node.slice.value)
        return self._operation(node, parts)

    def _entry(self, value: Value, key: object) -> Value:
        """`cache["lnf"]`, `pair[0]`: taken out of what holds it, as it is."""
        return (
            self.unpack(value, key, key + 1) if isinstance(key, int) and key >= 0 else flat(value)
        )

    def _operation(self, node: ast.expr, parts: list[ast.expr]) -> Origins:
        """One node for all that an expression does between the calls of parts."""
        origins = union(self._values(parts, is_inside=True))
        if self._is_inside or not origins:
            return origins
        whole = self.statement if isinstance(self.statement, ast.AugAssign) else node
        text = ast.unparse(_Abridged(self._is_drawn).visit(ast.parse(ast.unparse(whole))))
        text = text if '"' in text else text.replace("'", '"')
        span = head_span(self.statement, self.module)
        return self.add("operation", text, span, (node.lineno, node.col_offset), origins)

    def _values(self, parts: Iterable[ast.expr], *, is_inside: bool) -> list[Value]:
        before, self._is_inside = self._is_inside, is_inside
        values = [self.value(part) for part in parts]
        self._is_inside = before
        return values

    def _is_drawn(self, name: ast.expr) -> bool:
        dotted = resolve_name(name, self.module)
        return bool(dotted and self._drawing.flows.codebase.home(dotted) in self._functions)

    @property
    def _functions(self) -> dict[str, Function]:
        return self._drawing.flows.codebase.functions

    def call(self, node: ast.Call) -> Value:
        callee = self._callee(node)
        if callee and callee.module == self._function.module:
            return self._open(callee, node)
        if callee and self._drawing.flows.codebase.is_subject(callee.module):
            return self._part(callee, node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _SIZE_CALLS:
            return NOTHING
        arguments = argument_values(node)
        if name in _CONTAINERS or changed_by_method(node) is not None:
            return union(self.value(argument) for argument in arguments)
        value = self._operation(node, arguments)
        for changed in changed_by_numpy(node, resolve_name(node.func, self.module) or ""):
            self.change_argument(changed, value)
        return value

    def _callee(self, node: ast.Call) -> Function | None:
        is_local = isinstance(node.func, ast.Name) and node.func.id in self.names
        return None if is_local else self._drawing.flows.callee(node, self._function)

    def _part(self, callee: Function, node: ast.Call) -> Value:
        origins = union(self._values(argument_values(node), is_inside=False))
        span, at = head_span(self.statement, self.module), (node.lineno, node.col_offset)
        value = self.add("part", callee.qualname, span, at, origins, callee)
        bound = bound_arguments(node, [p.name for p in callee.parameters])
        for name in sorted(self._drawing.flows.changes(callee)):
            self.change_argument(bound.get(name), value)
        return value

    def _open(self, callee: Function, node: ast.Call) -> Value:
        here = f"{node.lineno}:{node.col_offset}"
        if here in self._stack:
            what = f"{callee.qualname} calls itself, and has no end to draw"
            raise self.fail(node, what, "map a function without recursion")
        if any(isinstance(a, ast.Starred) for a in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            what = f"what '{ast.unparse(node)}' passes to {callee.qualname} cannot be told"
            raise self.fail(node, what, "write the arguments one by one")
        bound = bound_arguments(node, [p.name for p in callee.parameters])
        walk = _Walk(callee, self._drawing, (*self._stack, here))
        walk.loop = self.loop
        walk.names = dict(zip(bound, self._values(bound.values(), is_inside=False), strict=True))
        self._drawing.opened.setdefault((callee.dotted, self.loop), callee)
        walk.run(callee.node.body)
        for name in sorted(self._drawing.flows.changes(callee)):
            self.change_argument(bound.get(name), walk._changes.get(name, NOTHING))
        return NOTHING if walk._result is None else walk._result

    def is_known(self, node: ast.Call) -> bool:
        dotted = resolve_name(node.func, self.module) or ""
        is_print = isinstance(node.func, ast.Name) and node.func.id == "print"
        return is_print or bool(self._callee(node) or [*changed_by_numpy(node, dotted)])

    def give_back(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value else NOTHING
        self._result = value if self._result is None else either(self._result, value)

    def repeat(self, node: ast.For | ast.While, begin: Callable[[], object]) -> bool:
        """A loop's body is walked through once more than it is drawn, to see what it carries on."""
        before, edges = self.names, dict(self._drawing.edges)
        self.loop = self.loop_at(node)
        ends = merged(self.turn(node, dict(before), begin).ends)
        self._drawing.edges = edges
        carried = [name for name, value in before.items() if ends.get(name, value) != value]
        span, at = head_span(node, self.module), (node.lineno, node.col_offset)
        head = dict(before)
        for name in carried:
            head[name] = self.add("joint", name, span, at, flat(before[name]))
        turn = self.turn(node, dict(head), begin)
        ends = merged(turn.ends)
        for name in carried:
            (joint,) = flat(head[name])
            for source in sorted(flat(ends.get(name, NOTHING)) - {joint}):
                self._drawing.edges[source, joint] = True
        self.loop = self.loop.outer
        return self.leave(node, turn)


class _Abridged(ast.NodeTransformer):
    """Writes `…` for the calls that have nodes of their own."""

    def __init__(self, is_drawn: Callable[[ast.expr], bool]) -> None:
        self._is_drawn = is_drawn

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return ast.Name("…", ast.Load()) if self._is_drawn(node.func) else node
