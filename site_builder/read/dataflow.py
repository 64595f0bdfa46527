"""The data flow of a function: its parameters, what it assigns, what it returns, who reads what.

A name that is assigned several times has a node for each; so has a change in place, such as
`grads["b"] += db`. An edge says that the code which computes one node reads another.
"""

import ast
from dataclasses import dataclass, replace

from site_builder.read.calls import resolve_name
from site_builder.read.code import Function, Module, Span, head_span
from site_builder.read.codebase import Codebase
from site_builder.read.flow import Flow, Loop
from site_builder.read.flow_calls import (
    all_arguments,
    argument_values,
    bound_arguments,
    changed_by_numpy,
)
from site_builder.read.flow_values import (
    NOTHING,
    Origins,
    Value,
    flat,
    union,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowNode:
    """A value of a function.

    Attributes:
        kind: parameter, assignment, change (in place) or return.
        name: as the code writes it; `return[0]` for what is returned without a name.
        span: the statement that makes it.
        index: of a returned value, its place in the tuple; -1 for an entry of a dictionary.
        given_back: where the function returns it, such as `return[1][0]`; empty if it does not.
    """

    id: str
    kind: str
    name: str
    span: Span
    index: tuple[int, ...]
    given_back: tuple[str, ...]
    loop: Loop | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowEdge:
    """`target` is computed from `source`; `carried` from one turn of a loop to the next."""

    source: str
    target: str
    carried: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlow:
    """The graph. `changed` are the parameters that the function changes in place."""

    function: Function
    nodes: tuple[FlowNode, ...]
    edges: tuple[FlowEdge, ...]
    changed: frozenset[str]
    returns: int

    def without(self, names: frozenset[str]) -> "DataFlow":
        """The same without the nodes of some names, and without what they alone connect."""
        nodes = tuple(node for node in self.nodes if node.name not in names)
        kept = {node.id for node in nodes}
        edges = tuple(e for e in self.edges if e.source in kept and e.target in kept)
        return replace(self, nodes=nodes, edges=edges)


class DataFlows:
    """The data flow of any function of a codebase; each is followed once."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self._known: dict[str, DataFlow] = {}
        self._following: set[str] = set()

    def of(self, function: Function) -> DataFlow:
        """The graph.

        Raises:
            UnmappableError: the function, or one that it calls, has something that is not known.
        """
        if function.dotted not in self._known:
            self._following.add(function.dotted)
            walk = _Walk(function, self)
            self._following.discard(function.dotted)
            self._known[function.dotted] = walk.graph()
        return self._known[function.dotted]

    def callee(self, node: ast.Call, caller: Function) -> Function | None:
        """The function that is called, where names tell."""
        dotted = self.dotted(node, caller)
        return self.codebase.functions.get(self.codebase.home(dotted)) if dotted else None

    def dotted(self, node: ast.Call, caller: Function) -> str:
        """The dotted name of what is called."""
        return resolve_name(node.func, self.codebase.modules[caller.module]) or ""

    def changes(self, callee: Function) -> frozenset[str]:
        """The parameters that a function changes in place; of one that calls itself, the others."""
        return frozenset() if callee.dotted in self._following else self.of(callee).changed

    def module_of(self, function: Function) -> Module:
        """The module that defines a function."""
        return self.codebase.modules[function.module]


class _Walk(Flow):
    """Follows the names of one function."""

    def __init__(self, function: Function, flows: DataFlows) -> None:
        super().__init__(flows.module_of(function))
        self._function = function
        self._flows = flows
        self._nodes: dict[str, FlowNode] = {}
        self._given_back: dict[str, list[str]] = {}
        self._edges: dict[tuple[str, str], bool] = {}
        self._parameters: dict[str, str] = {}  # a node -> the parameter that it is a state of
        self._changed: set[str] = set()
        self._returns: set[int] = set()
        for argument in all_arguments(function.node.args):
            span = Span(path=self.module.path, first=argument.lineno, last=argument.lineno)
            id_ = self._add("parameter", argument.arg, span, argument.col_offset, NOTHING)
            self.names[argument.arg] = frozenset({id_})
            self._parameters[id_] = argument.arg
        self.run(function.node.body)

    def graph(self) -> DataFlow:
        """What was found, in the order of the code."""
        order = {id_: number for number, id_ in enumerate(self._nodes)}
        return DataFlow(
            function=self._function,
            nodes=tuple(
                replace(node, given_back=tuple(self._given_back.get(id_, ())))
                for id_, node in self._nodes.items()
            ),
            edges=tuple(
                FlowEdge(source=source, target=target, carried=carried)
                for (source, target), carried in sorted(
                    self._edges.items(), key=lambda edge: (order[edge[0][1]], order[edge[0][0]])
                )
            ),
            changed=frozenset(self._changed),
            returns=len(self._returns),
        )

    def _add(  # noqa: PLR0913 - what a node consists of
        self,
        kind: str,
        name: str,
        span: Span,
        column: int,
        read: Origins,
        index: tuple[int, ...] = (),
    ) -> str:
        """A node for a place in the code, made when the walk first comes there."""
        id_ = f"{kind} {name} {span.first}:{column}"
        if id_ not in self._nodes:
            self._nodes[id_] = FlowNode(
                id=id_, kind=kind, name=name, span=span, index=index, given_back=(), loop=self.loop
            )
        for source in sorted(read):
            self._edges.setdefault((source, id_), self.again)
        return id_

    def _here(self) -> Span:
        return head_span(self.statement, self.module)

    def combine(self, _node: ast.expr, parts: list[ast.expr]) -> Value:
        return union(self.value(part) for part in parts)

    def bind(self, name: ast.Name, value: Value) -> None:
        if name.id != "_":
            id_ = self._add("assignment", name.id, self._here(), name.col_offset, flat(value))
            self.names[name.id] = frozenset({id_})

    def update(self, name: ast.Name, value: Value) -> None:
        self._note_change(flat(self.names.get(name.id, NOTHING)))
        self.bind(name, value)

    def change(self, root: str, target: ast.expr, value: Value) -> None:
        before = flat(self.names.get(root, NOTHING))
        text, column = ast.unparse(target), target.col_offset
        id_ = self._add("change", text, self._here(), column, before | flat(value))
        for parameter in self._note_change(before):
            self._parameters[id_] = parameter
        if root in self.names:
            self.names[root] = frozenset({id_})

    def _note_change(self, before: Origins) -> list[str]:
        """The parameters that a change reaches."""
        states = sorted(self._parameters[node] for node in before if node in self._parameters)
        self._changed.update(states)
        return states

    def call(self, node: ast.Call) -> Value:
        value = union(self.value(argument) for argument in argument_values(node))
        for changed in self._changed_by(node):
            self.change_argument(changed, value)
        return value

    def _changed_by(self, node: ast.Call) -> list[ast.expr]:
        """The arguments that a call changes."""
        callee = self._callee(node)
        if callee:
            bound = bound_arguments(node, [p.name for p in callee.parameters])
            return [bound[n] for n in sorted(self._flows.changes(callee)) if n in bound]
        return [*changed_by_numpy(node, self._flows.dotted(node, self._function))]

    def _callee(self, node: ast.Call) -> Function | None:
        is_local = isinstance(node.func, ast.Name) and node.func.id in self.names
        return None if is_local else self._flows.callee(node, self._function)

    def is_known(self, node: ast.Call) -> bool:
        dotted = self._flows.dotted(node, self._function)
        is_print = isinstance(node.func, ast.Name) and node.func.id == "print"
        return is_print or bool(self._callee(node) or [*changed_by_numpy(node, dotted)])

    def give_back(self, node: ast.Return) -> None:
        self._returns.add(node.lineno)
        if node.value:
            self._give_back(node.value, (), "return")

    def _give_back(self, node: ast.expr, index: tuple[int, ...], name: str) -> None:
        """Mark the variables that are returned as they are; the rest is computed here."""
        if isinstance(node, ast.Tuple):
            for position, part in enumerate(node.elts):
                self._give_back(part, (*index, position), f"{name}[{position}]")
        elif isinstance(node, ast.Dict) and all(isinstance(k, ast.Constant) for k in node.keys):
            for key, part in zip(filter(None, node.keys), node.values, strict=True):
                self._give_back(part, (*index, -1), f"{name}[{ast.unparse(key)}]")
        elif isinstance(node, ast.Name) and node.id in self.names:
            for id_ in sorted(flat(self.names[node.id])):
                marks = self._given_back.setdefault(id_, [])
                if name not in marks:
                    marks.append(name)
        elif not isinstance(node, ast.Constant):
            read = flat(self.value(node))
            id_ = self._add("return", name, self._here(), node.col_offset, read, index)
            self._given_back[id_] = [name]
