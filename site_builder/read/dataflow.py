"""Which values of the code are computed from which, read off the syntax tree.

There are two graphs. The *data flow* of a function (`DataFlows.of`) has a node for each parameter,
assignment, change in place and returned value. The *map of a model* (`map_model`) goes back from
one variable to what is given: its nodes are the calls and operations on the way. It opens the
functions of its own module; what that imports from the rest of the subject is a part.

Both come from one walk, an abstract interpretation. It visits the statements once, in source order,
and knows at each what every name may hold: its *origins*, the nodes that the value comes from.
Where branches meet, origins are united. A loop is harder, because its body reads what its end, not
yet visited, has left behind. Static single assignment form has the answer: at the head of a loop
each name gets a node of its own, a *joint* (there: a phi function). The body reads the joints, and
what the names hold at its end flows back into them along edges that are `carried`. Nothing is
visited twice, and nothing has to converge.

Most joints join nothing, since every name has one. A data flow is drawn without any: a path through
joints becomes one edge. A map drops those with one input and keeps the rest (Braun et al. 2013,
"Simple and Efficient Construction of Static Single Assignment Form").

A loop is taken to run at least once. Two names for one array are not known to be one. What the walk
does not understand is an `UnmappableError` with its place, never a missing edge.
"""

import ast
import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from site_builder.read.anchors import CodePlace
from site_builder.read.calls import resolve_name
from site_builder.read.code import Function, Module, Span, head_span
from site_builder.read.codebase import Codebase


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop around statements; `outer` is the one around it."""

    line: int
    code: str
    outer: "Loop | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value.

    Attributes:
        kind: in a data flow: parameter, assignment, change (in place) or return;
            on a map: input, part, operation or joint.
        name: as the code writes it; of a part, the function; `return[0]` for what has no name.
        function, span: the function and the statement that it stands in.
        line, column: where its expression begins.
        index: of a returned value, its place in the tuple, -1 for an entry of a dictionary;
            of a part, the element of its result that is used.
        returned: where the function returns it, such as `return[1][0]`.
        callee: the function of a part.
        result: the first variable that holds what a node of a map computes.
    """

    id: str
    kind: str
    name: str
    function: Function
    span: Span
    line: int
    column: int
    loop: Loop | None
    index: tuple[int, ...] = ()
    returned: tuple[str, ...] = ()
    callee: Function | None = None
    result: CodePlace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`target` is computed from `source`; `carried` if only from that of an earlier iteration."""

    source: str
    target: str
    carried: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlow:
    """The data flow of a function.

    Attributes:
        changed: the parameters that the function changes in place.
        returns: how many `return` statements it has.
    """

    function: Function
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    changed: frozenset[str]
    returns: int

    def without(self, names: frozenset[str]) -> "DataFlow":
        """The same without the nodes of some names, and without their edges."""
        nodes = tuple(node for node in self.nodes if node.name not in names)
        ids = {node.id for node in nodes}
        edges = tuple(e for e in self.edges if e.source in ids and e.target in ids)
        return replace(self, nodes=nodes, edges=edges)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMap:
    """What the variable at `place` is computed from.

    Attributes:
        ends: the nodes that it comes from directly.
        opened: functions that are shown by what they do, each with the loop that it is called in.
        left_out: the parameters that are not drawn.
    """

    place: CodePlace
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    ends: tuple[str, ...]
    opened: tuple[tuple[Function, Loop | None], ...]
    left_out: tuple[str, ...]


@dataclass
class UnmappableError(Exception):
    """Code whose flow cannot be followed, and where it is."""

    path: str
    line: int
    what: str
    remedy: str


def nesting(loop: Loop | None) -> list[Loop]:
    """The loops around a node, from the outermost to its own."""
    return [*nesting(loop.outer), loop] if loop else []


class DataFlows:
    """The data flow of any function of a codebase; each is followed once."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self._known: dict[str, DataFlow] = {}
        self._following: set[str] = set()
        self._assumed: set[str] = set()  # of those, the ones that an answer depended on

    def of(self, function: Function) -> DataFlow:
        """The graph.

        Raises:
            UnmappableError: the function, or one that it calls, cannot be followed.
        """
        name = function.dotted
        if name in self._known:
            return self._known[name]
        self._following.add(name)
        try:
            flow = _FlowWalk(function, self).graph()
        finally:
            self._following.discard(name)
            self._assumed.discard(name)
        if not self._assumed:
            self._known[name] = flow
        return flow

    def changes(self, callee: Function) -> frozenset[str]:
        """The parameters that a function changes; none while it is followed, as it recurses."""
        if callee.dotted in self._following:
            self._assumed.add(callee.dotted)
            return frozenset()
        return self.of(callee).changed


def map_model(place: CodePlace, left_out: tuple[str, ...], flows: DataFlows) -> ModelMap:
    """The map of the variable at `place`, a statement that assigns it.

    Args:
        place: what to map.
        left_out: names of parameters that are not drawn.
        flows: what functions change, of the same codebase.

    Raises:
        UnmappableError: the code cannot be followed.
    """
    if place.kind != "assignment" or place.function is None:
        what = f"'{place.anchor}' is no variable of a function"
        raise UnmappableError(place.span.path, place.span.first, what, "name one under [map]")
    return _MapWalk(place, place.function, left_out, flows).graph()


# What names hold


class _Origin(NamedTuple):
    """A node, or an element of what it computes."""

    node: str
    element: tuple[int, ...] = ()


_Origins = frozenset[_Origin]
_Value = _Origins | tuple["_Value", ...]  # of a tuple that the code writes, element by element
_Names = dict[str, _Value]
_NOTHING: _Origins = frozenset()


def _flat(value: _Value) -> _Origins:
    return value if isinstance(value, frozenset) else _union(value)


def _union(values: Iterable[_Value]) -> _Origins:
    return _NOTHING.union(*map(_flat, values))


def _either(first: _Value, second: _Value) -> _Value:
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        return tuple(map(_either, first, second))
    return _flat(first) | _flat(second)


def _merged(paths: Iterable[_Names]) -> _Names:
    """What names hold where several paths through the code meet."""
    names: _Names = {}
    for path in paths:
        for name, value in path.items():
            names[name] = _either(names[name], value) if name in names else value
    return names


# The walk

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

# Methods that change their object, of Python's containers and NumPy's arrays, if their result is
# not used; and those that do so in any case. (Used, `partition` is the method of a string.)
_CHANGING = frozenset(
    {"add", "append", "clear", "discard", "extend", "fill", "insert", "partition", "pop", "put"}
    | {"remove", "resize", "reverse", "setdefault", "sort", "update"}
)
_ALWAYS_CHANGING = frozenset({"pop", "setdefault"})


class _Walk(ABC):
    """Follows the statements of a function; what becomes a node is for its two kinds to say.

    Attributes:
        names: what each local name may hold, at the statement that the walk has reached.
        loop: the innermost loop around that statement.
        nodes: those so far, by id.
        inputs: by node, what it is computed from, and whether that is carried.
        path: where the calls stand that led here; empty if nothing is opened.
    """

    def __init__(self, function: Function, flows: DataFlows) -> None:
        self.flows = flows
        self.function = function
        self.names: _Names = {}
        self.loop: Loop | None = None
        self.statement: ast.stmt = function.node
        self.nodes: dict[str, Node] = {}
        self.inputs: dict[str, dict[_Origin, bool]] = {}
        self.path: tuple[str, ...] = ()
        self._exits: list[tuple[list[_Names], list[_Names]]] = []  # of each loop: ends and breaks

    @property
    def module(self) -> Module:
        return self.flows.codebase.modules[self.function.module]

    @abstractmethod
    def bind(self, target: ast.Name, value: _Value) -> None: ...

    @abstractmethod
    def change(self, root: str, target: ast.expr, value: _Value) -> None: ...

    @abstractmethod
    def finish(self, node: ast.Return) -> None: ...

    @abstractmethod
    def call(self, node: ast.Call) -> _Value: ...

    @abstractmethod
    def combine(self, node: ast.expr) -> _Value: ...

    def add(
        self,
        kind: str,
        name: str,
        at: ast.expr | ast.stmt | ast.arg,
        sources: _Value = _NOTHING,
        callee: Function | None = None,
    ) -> _Origins:
        """Make a node, or add to the one that the place has; it is the only origin of the value."""
        id_ = " ".join([kind, name, f"{at.lineno}:{at.col_offset}", *self.path])
        here = head_span(self.statement, self.module)
        if isinstance(at, ast.arg):
            here = Span(path=self.module.path, first=at.lineno, last=at.lineno)
        node = Node(
            id=id_,
            kind=kind,
            name=name,
            function=self.function,
            span=here,
            line=at.lineno,
            column=at.col_offset,
            loop=self.loop,
            callee=callee,
        )
        self.nodes.setdefault(id_, node)
        self.connect(sources, id_)
        return frozenset({_Origin(id_)})

    def connect(self, sources: _Value, target: str, *, carried: bool = False) -> None:
        inputs = self.inputs.setdefault(target, {})
        for source in _flat(sources):
            inputs[source] = inputs.get(source, carried) and carried

    def fail(self, node: ast.stmt | ast.expr, what: str, remedy: str) -> UnmappableError:
        return UnmappableError(self.module.path, node.lineno, what, remedy)

    # Statements

    def run(self, statements: Iterable[ast.stmt]) -> bool:
        """Walk through statements; returns whether their end can be reached."""
        return all(map(self._statement, statements))

    def _statement(self, node: ast.stmt) -> bool:  # noqa: C901, PLR0911, PLR0912 - a case for each
        self.statement = node
        match node:
            case ast.Pass():
                pass
            case ast.Assert():
                self.value(node.test)
            case ast.Assign():
                value = self.value(node.value)
                for target in node.targets:
                    self.assign(target, value)
            case ast.AnnAssign():
                if node.value:
                    self.assign(node.target, self.value(node.value))
            case ast.AugAssign(target=ast.Name() as name):
                before = ast.copy_location(ast.Name(name.id, ast.Load()), name)
                operation = ast.copy_location(ast.BinOp(before, node.op, node.value), node.value)
                self.augment(name, self.value(operation))
            case ast.AugAssign():
                self.assign(node.target, self.value(node.value))
            case ast.Expr():
                self._check_effect(node.value)
                self.value(node.value)
            case ast.Delete():
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.names.pop(target.id, None)
                    else:
                        self.assign(target, _NOTHING)
            case ast.FunctionDef():
                own = {argument.arg for argument in _all_arguments(node.args)}
                names = (child.id for child in ast.walk(node) if isinstance(child, ast.Name))
                captured = _union(self.names.get(name, _NOTHING) for name in {*names} - own)
                self.bind(ast.copy_location(ast.Name(node.name, ast.Store()), node), captured)
            case ast.With():
                for item in node.items:
                    value = self.value(item.context_expr)
                    if item.optional_vars:
                        self.assign(item.optional_vars, value)
                return self.run(node.body)
            case ast.If():
                return self._branch(node)
            case ast.For() | ast.While():
                return self._repeat(node)
            case ast.Continue() | ast.Break():
                ends, breaks = self._exits[-1]
                (breaks if isinstance(node, ast.Break) else ends).append(self.names)
                return False
            case ast.Return():
                self.finish(node)
                return False
            case ast.Raise():
                return False
            case _:
                keyword = ast.unparse(node).split(maxsplit=1)[0].rstrip(":")
                what = f"the data flow through '{keyword}' cannot be followed"
                raise self.fail(node, what, "write it without, or map another function")
        return True

    def augment(self, target: ast.Name, value: _Value) -> None:
        """`x += 1`, where `value` is what `x + 1` may hold."""
        self.bind(target, value)

    def _check_effect(self, node: ast.expr) -> None:
        """A call whose result is not used is there for what it changes, which has to be known."""
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if not (name == "print" or self.callee(node) or self.changed(node)):
                what = f"'{name}' is called for what it changes, which is not known"
                raise self.fail(node, what, "use its result, or map another function")

    def _branch(self, node: ast.If) -> bool:
        self.value(node.test)
        before, ends = self.names, []
        for branch in (node.body, node.orelse):
            self.names = dict(before)
            if self.run(branch):
                ends.append(self.names)
        self.names = _merged(ends)
        return bool(ends)

    def _repeat(self, node: ast.For | ast.While) -> bool:
        items = _flat(self.value(node.iter)) if isinstance(node, ast.For) else _NOTHING
        code = self.module.lines[node.lineno - 1].strip().partition("#")[0].rstrip().rstrip(":")
        self.loop = Loop(line=node.lineno, code=code, outer=self.loop)
        before = self.names
        names = dict.fromkeys([*before, *_assigned(node)])
        joints = {name: self._joint(name, node, before.get(name, _NOTHING)) for name in names}
        self.names = dict(joints)
        ends: list[_Names] = []
        breaks: list[_Names] = []
        self._exits.append((ends, breaks))
        if isinstance(node, ast.For):
            self.assign(node.target, items)
        else:
            self.value(node.test)
        if self.run(node.body):
            ends.append(self.names)
        self._exits.pop()
        self.loop = self.loop.outer
        for name, value in ((name, end[name]) for end in ends for name in end):
            self._carry(value, joints[name])
        self.names = _merged(ends)
        if ends and self.run(node.orelse):
            breaks.append(self.names)
        self.names = _merged(breaks)
        return bool(breaks)

    def _joint(self, name: str, loop: ast.For | ast.While, before: _Value) -> _Value:
        """What a name holds at the head of a loop; of a tuple, each element by itself."""
        if isinstance(before, tuple):
            return tuple(self._joint(f"{name}[{i}]", loop, one) for i, one in enumerate(before))
        return self.add("joint", name, loop, before)

    def _carry(self, value: _Value, joint: _Value) -> None:
        if isinstance(joint, frozenset):
            for into in joint:
                self.connect(_flat(value) - joint, into.node, carried=True)
        else:
            if not (isinstance(value, tuple) and len(value) == len(joint)):
                value = (_flat(value),) * len(joint)
            for one, part in zip(value, joint, strict=True):
                self._carry(one, part)

    # Targets and expressions

    def assign(self, target: ast.expr, value: _Value) -> None:
        """Give a value to a target: a name, a part of something, several of these."""
        match target:
            case ast.Name():
                self.bind(target, value)
            case ast.Starred():
                self.assign(target.value, value)
            case ast.Tuple() | ast.List():
                starred = any(isinstance(one, ast.Starred) for one in target.elts)
                for position, one in enumerate(target.elts):
                    self.assign(one, _flat(value) if starred else self.element(value, position))
            case _:
                *parts, root = _parts(target)
                if not isinstance(root, ast.Name):
                    what = f"'{ast.unparse(target)}' changes something that has no name"
                    raise self.fail(target, what, "give it a name first")
                read = [self.value(part.slice) for part in parts if isinstance(part, ast.Subscript)]
                self.change(root.id, target, _union([value, *read]))

    def element(self, value: _Value, position: int) -> _Value:
        """What an element of a tuple may hold."""
        if isinstance(value, tuple):
            return value[position] if position < len(value) else _flat(value)
        has_elements = {id_ for id_, _ in value if self.nodes[id_].kind in ("part", "joint")}
        return frozenset(
            _Origin(id_, (*index, position) if id_ in has_elements else index)
            for id_, index in value
        )

    def value(self, node: ast.expr) -> _Value:  # noqa: PLR0911 - a case for each
        """What an expression may hold."""
        match node:
            case ast.Name():
                return self.names.get(node.id, _NOTHING)
            case ast.Call():
                return self.call(node)
            case ast.Tuple() | ast.List():
                values = tuple(map(self.value, node.elts))
                starred = any(isinstance(one, ast.Starred) for one in node.elts)
                return _union(values) if starred else values
            case ast.Subscript(slice=ast.Constant(value=key)):
                value = self.value(node.value)
                return self.element(value, key) if isinstance(key, int) else _flat(value)
            case ast.NamedExpr():
                self.bind(node.target, value := self.value(node.value))
                return value
            case ast.Lambda():
                own = {argument.arg: _NOTHING for argument in _all_arguments(node.args)}
                return self._inside(node, own, [node.body])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehension(node)
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                what = f"the data flow through '{ast.unparse(node)}' cannot be followed"
                raise self.fail(node, what, "map a function that runs in one go")
        return self.combine(node)

    def _comprehension(self, node: _Comprehension) -> _Origins:
        if any(isinstance(child, ast.NamedExpr) for child in ast.walk(node)):
            what = "a name that is assigned inside a comprehension cannot be followed"
            raise self.fail(node, what, "write a loop")
        own: dict[str, _Origins] = {}
        values: list[_Value] = []
        for generator in node.generators:
            items = self._inside(node, own, [generator.iter])
            own |= dict.fromkeys(_assigned(generator), items)
            values += [items, self._inside(node, own, generator.ifs)]
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return _union([*values, self._inside(node, own, elements)])

    def _inside(
        self, node: ast.expr, own: dict[str, _Origins], expressions: Iterable[ast.expr]
    ) -> _Origins:
        """What expressions hold in a scope that has names of its own."""
        outside = self.names
        self.names = outside | own
        value = _union(map(self.value, expressions))
        if self.names != outside | own:
            what = f"what '{ast.unparse(node)}' changes cannot be followed"
            raise self.fail(node, what, "write a loop")
        self.names = outside
        return value

    # Calls

    def dotted(self, node: ast.Call) -> str:
        """The dotted name of what is called; empty if a local name leads to it."""
        *_, root = _parts(node.func)
        is_local = isinstance(root, ast.Name) and root.id in self.names
        return "" if is_local else resolve_name(node.func, self.module) or ""

    def callee(self, node: ast.Call) -> Function | None:
        """The function that is called, where names tell."""
        codebase = self.flows.codebase
        return codebase.functions.get(codebase.home(self.dotted(node)))

    def changed(self, node: ast.Call) -> list[ast.expr]:
        """What a call changes, of what it is given."""
        if callee := self.callee(node):
            bound = _bound_arguments(node, callee)
            return [bound[name] for name in sorted(self.flows.changes(callee)) if name in bound]
        found = [keyword.value for keyword in node.keywords if keyword.arg == "out"]
        dotted = self.dotted(node)
        if dotted.startswith("numpy."):
            return [*(node.args[:1] if dotted.endswith(".at") else ()), *found]
        is_used = not (isinstance(self.statement, ast.Expr) and self.statement.value is node)
        methods = _ALWAYS_CHANGING if is_used else _CHANGING
        if isinstance(node.func, ast.Attribute) and node.func.attr in methods:
            found.append(node.func.value)
        return found

    def change_all(self, changed: Iterable[ast.expr], value: _Value) -> None:
        """Note that a call changes what it is given."""
        for target in changed:
            *_, root = _parts(target)
            if isinstance(root, ast.Name):
                self.change(root.id, target, value)

    # The graph

    def sources(self, target: str, skipped: set[str]) -> dict[_Origin, bool]:
        """What flows into a node, past those that are skipped.

        It is carried if on each path it comes from an earlier iteration of a loop around the node.
        """
        around = nesting(self.nodes[target].loop) if target in self.nodes else []
        found: dict[_Origin, bool] = {}
        queue: list[tuple[str, tuple[int, ...], bool]] = [(target, (), False)]
        seen: set[tuple[str, bool]] = set()
        for into, element, was_carried in queue:
            for source, is_carried in sorted(self.inputs.get(into, {}).items()):
                carried = was_carried or (is_carried and self.nodes[into].loop in around)
                origin = _Origin(source.node, source.element + element)
                if source.node not in skipped:
                    found[origin] = found.get(origin, True) and carried
                elif (source.node, carried) not in seen:
                    seen.add((source.node, carried))
                    queue.append((source.node, origin.element, carried))
        return found

    def edges(self, nodes: Iterable[Node], skipped: set[str]) -> Iterator[Edge]:
        """The edges into nodes, in the order of the code."""
        order = {id_: number for number, id_ in enumerate(self.nodes)}
        for target in nodes:
            carried: dict[str, bool] = {}
            for origin, is_carried in self.sources(target.id, skipped).items():
                carried[origin.node] = carried.get(origin.node, True) and is_carried
            for source in sorted(carried, key=order.__getitem__):
                yield Edge(source=source, target=target.id, carried=carried[source])

    def ids(self, kind: str) -> set[str]:
        return {id_ for id_, node in self.nodes.items() if node.kind == kind}


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """`a.b[i]`, `a.b` and `a`."""
    yield node
    while isinstance(node, ast.Subscript | ast.Attribute):
        yield (node := node.value)


def _operands(node: ast.expr) -> list[ast.expr]:
    """What an expression is made of; of a call, the object of a method and the arguments."""
    if isinstance(node, ast.Call):
        function = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        return [function, *node.args, *(keyword.value for keyword in node.keywords)]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _assigned(node: ast.AST) -> Iterator[str]:
    """The names that a loop or a generator assigns, without those of scopes inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child.name
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif not isinstance(child, _Comprehension | ast.Lambda):
            yield from _assigned(child)


def _bound_arguments(node: ast.Call, callee: Function) -> dict[str, ast.expr]:
    """By parameter, what a call passes; nothing of what it unpacks."""
    names = [parameter.name for parameter in callee.parameters]
    plain = takewhile(lambda argument: not isinstance(argument, ast.Starred), node.args)
    named = {k.arg: k.value for k in node.keywords if k.arg in names and k.arg}
    return dict(zip(names, plain, strict=False)) | named


def _all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    """Everything that a function can be given, `*args` and `**kwargs` included."""
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*found, *filter(None, [arguments.vararg, arguments.kwarg])]


class _FlowWalk(_Walk):
    """Follows the variables of one function."""

    def __init__(self, function: Function, flows: DataFlows) -> None:
        super().__init__(function, flows)
        self._before: dict[str, _Origins] = {}  # by change, what held the same object before it
        self._touched: set[_Origin] = set()  # what is changed in place
        self._returned: list[tuple[_Origins, str]] = []
        self._indices: dict[str, tuple[int, ...]] = {}  # of what is computed by a return
        self._returns: set[int] = set()
        for argument in _all_arguments(function.node.args):
            self.names[argument.arg] = self.add("parameter", argument.arg, argument)
        self.run(function.node.body)

    def graph(self) -> DataFlow:
        """What was found, in the order of the code."""
        joints = self.ids("joint")
        places: dict[str, dict[str, None]] = {}
        for origins, place in self._returned:
            for origin in sorted(origins):
                real = self.sources(origin.node, joints) if origin.node in joints else [origin]
                for one in real:
                    places.setdefault(one.node, {})[place] = None
        nodes = tuple(
            replace(node, returned=tuple(places.get(id_, ())), index=self._indices.get(id_, ()))
            for id_, node in self.nodes.items()
            if id_ not in joints
        )
        return DataFlow(
            function=self.function,
            nodes=nodes,
            edges=tuple(self.edges(nodes, joints)),
            changed=self._changed_parameters(),
            returns=len(self._returns),
        )

    def _changed_parameters(self) -> frozenset[str]:
        """The parameters whose objects are changed: as given, or after other changes."""
        queue = [*self._touched]
        for one in queue:
            is_joint = self.nodes[one.node].kind == "joint"
            before = self.inputs[one.node] if is_joint else self._before.get(one.node, ())
            queue += {*before} - {*queue}
        found = self.ids("parameter") & {one.node for one in queue}
        return frozenset(self.nodes[id_].name for id_ in found)

    def bind(self, target: ast.Name, value: _Value) -> None:
        if target.id != "_":
            self.names[target.id] = self.add("assignment", target.id, target, value)

    def augment(self, target: ast.Name, value: _Value) -> None:
        self._touched |= _flat(self.names.get(target.id, _NOTHING))
        self.bind(target, value)

    def change(self, root: str, target: ast.expr, value: _Value) -> None:
        before = _flat(self.names.get(root, _NOTHING))
        changed = self.add("change", ast.unparse(target), target, before | _flat(value))
        self._touched |= before
        self._before |= {one.node: before for one in changed}
        if root in self.names:
            self.names[root] = changed

    def combine(self, node: ast.expr) -> _Value:
        return _union(map(self.value, _operands(node)))

    def call(self, node: ast.Call) -> _Value:
        value = self.combine(node)
        self.change_all(self.changed(node), value)
        return value

    def finish(self, node: ast.Return) -> None:
        self._returns.add(node.lineno)
        if node.value:
            self._return(node.value, (), "return")

    def _return(self, node: ast.expr, index: tuple[int, ...], name: str) -> None:
        """Mark the variables that are returned as they are; the rest is computed here."""
        match node:
            case ast.Tuple():
                for position, part in enumerate(node.elts):
                    self._return(part, (*index, position), f"{name}[{position}]")
            case ast.Dict() if all(isinstance(key, ast.Constant) for key in node.keys):
                for key, part in zip(filter(None, node.keys), node.values, strict=True):
                    self._return(part, (*index, -1), f"{name}[{ast.unparse(key)}]")
            case ast.Name() if node.id in self.names:
                self._returned.append((_flat(self.names[node.id]), name))
            case ast.Constant():
                pass
            case _:
                computed = self.add("return", name, node, self.value(node))
                self._returned.append((computed, name))
                self._indices |= {one.node: index for one in computed}


_SIZES = frozenset({"shape", "ndim", "size", "dtype"})  # they say nothing about the values
_SIZE_CALLS = frozenset({"len", "range"})
_CONTAINERS = frozenset({"dict", "enumerate", "list", "reversed", "tuple", "zip"})
_TRANSPARENT = (
    *(ast.Attribute, ast.Constant, ast.Dict, ast.FormattedValue, ast.JoinedStr),
    *(ast.Set, ast.Slice, ast.Starred),
)
_END = "end"  # what the mapped variable is, in `inputs`


class _MapWalk(_Walk):
    """Follows a function, and those that it opens, to map one variable."""

    def __init__(
        self, place: CodePlace, function: Function, left_out: tuple[str, ...], flows: DataFlows
    ) -> None:
        super().__init__(function, flows)
        self._place = place
        self._left_out = left_out
        self._results: dict[str, CodePlace] = {}
        self._opened: dict[tuple[str, Loop | None], Function] = {}
        self.is_inside = False  # of an operation that has a node, or will get one
        self.changes: _Names = {}  # by name of this function, what flows into what it held
        self.result: _Value | None = None
        for argument in _all_arguments(function.node.args):
            if argument.arg not in left_out:
                self.names[argument.arg] = self.add("input", argument.arg, argument)
        self.run(function.node.body)

    def graph(self) -> ModelMap:
        """The part of what was found that the variable comes from, in the order of the code."""
        skipped = self._superfluous()
        ends = self.sources(_END, skipped)
        used = [*ends]
        for origin in used:
            used += self.sources(origin.node, skipped).keys() - {*used}
        index: dict[str, tuple[int, ...]] = {}
        for origin in sorted(used):
            index.setdefault(origin.node, origin.element)
        nodes = tuple(
            replace(
                node,
                index=index[id_] if node.kind == "part" else (),
                result=self._results.get(id_),
            )
            for id_, node in self.nodes.items()
            if id_ in index
        )
        loops = {node.loop for node in nodes}
        return ModelMap(
            place=self._place,
            nodes=nodes,
            edges=tuple(self.edges(nodes, skipped)),
            ends=tuple(dict.fromkeys(origin.node for origin in sorted(ends))),
            opened=tuple((f, loop) for (_, loop), f in self._opened.items() if loop in loops),
            left_out=self._left_out,
        )

    def _superfluous(self) -> set[str]:
        """What is computed from constants alone, and the joints where no two values meet."""
        live = self.ids("input") | self.ids("part")
        while fed := {id_ for id_, inputs in self.inputs.items()
                      if id_ not in live and any(one.node in live for one in inputs)}:  # fmt: skip
            live |= fed
        same = dict.fromkeys(self.nodes.keys() - live, "")  # by node, the one to take for it

        def resolved(id_: str) -> str:
            return resolved(same[id_]) if id_ in same else id_

        count = -1
        while count < len(same):  # without one joint, another may have a single input
            count = len(same)
            for joint in self.ids("joint") - same.keys():
                inputs: dict[str, bool] = {}
                for source, carried in self.inputs[joint].items():
                    id_ = resolved(source.node)
                    inputs[id_] = inputs.get(id_, True) and carried
                others = {id_: inputs[id_] for id_ in inputs if id_ not in ("", joint)}
                if len(others) <= 1 and not any(others.values()):
                    same[joint] = next(iter(others), "")
        return {*same}

    def bind(self, target: ast.Name, value: _Value) -> None:
        self.names[target.id] = value
        origins = _flat(value)
        span = head_span(self.statement, self.module)
        if len(origins) == 1:
            result = CodePlace(
                anchor=f"{self.function.dotted}:{target.id}",
                kind="assignment",
                name=target.id,
                function=self.function,
                span=span,
                code="",
            )
            self._results.setdefault(next(iter(origins)).node, result)
        if not self.path and (target.id, span) == (self._place.name, self._place.span):
            self.connect(origins, _END)

    def change(self, root: str, target: ast.expr, value: _Value) -> None:
        del target
        self.changes[root] = _union([self.changes.get(root, _NOTHING), value])
        if root in self.names:
            self.names[root] = _union([self.names[root], value])

    def finish(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value else _NOTHING
        self.result = value if self.result is None else _either(self.result, value)

    def combine(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.Attribute) and node.attr in _SIZES:
            return _NOTHING
        if isinstance(node, _TRANSPARENT):
            return _union(map(self.value, _operands(node)))
        return self._operation(node)

    def _operation(self, node: ast.expr) -> _Origins:
        """One node for all that an expression does between the calls of parts."""
        origins = _union(self._values(_operands(node), is_inside=True))
        if self.is_inside or not origins:
            return origins
        whole = self.statement if isinstance(self.statement, ast.AugAssign) else node
        text = ast.unparse(whole)
        for child in ast.walk(whole):  # outer calls before those in them
            if isinstance(child, ast.Call) and self.callee(child):
                text = text.replace(ast.unparse(child), "…")
        return self.add("operation", text if '"' in text else text.replace("'", '"'), node, origins)

    def _values(self, parts: Iterable[ast.expr], *, is_inside: bool) -> list[_Value]:
        before, self.is_inside = self.is_inside, is_inside
        values = [self.value(part) for part in parts]
        self.is_inside = before
        return values

    def call(self, node: ast.Call) -> _Value:
        callee = self.callee(node)
        if callee and callee.module == self.function.module:
            return self._open(callee, node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _SIZE_CALLS:
            return _NOTHING
        changed = self.changed(node)
        value: _Value
        if callee and self.flows.codebase.is_subject(callee.module):
            origins = _union(self._values(_operands(node), is_inside=False))
            value = self.add("part", callee.qualname, node, origins, callee)
        elif name in _CONTAINERS or (
            isinstance(node.func, ast.Attribute) and node.func.value in changed
        ):
            value = _union(map(self.value, _operands(node)))
        else:
            value = self._operation(node)
        self.change_all(changed, value)
        return value

    def _open(self, callee: Function, node: ast.Call) -> _Value:
        """Follow a call of a function of this module."""
        here = f"{node.lineno}:{node.col_offset}"
        if here in self.path:
            what = f"{callee.qualname} calls itself, and has no end to draw"
            raise self.fail(node, what, "map a function without recursion")
        if any(isinstance(one, ast.Starred) for one in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            what = f"what '{ast.unparse(node)}' passes to {callee.qualname} cannot be told"
            raise self.fail(node, what, "write the arguments one by one")
        bound = _bound_arguments(node, callee)
        values = self._values(bound.values(), is_inside=False)
        self._opened.setdefault((callee.dotted, self.loop), callee)
        inner = copy.copy(self)  # it adds to the same nodes
        inner.function, inner.path = callee, (*self.path, here)
        inner.names = dict(zip(bound, values, strict=True))
        inner.is_inside, inner.changes, inner.result = False, {}, None
        inner.run(callee.node.body)
        for name in sorted(self.flows.changes(callee) & bound.keys()):
            self.change_all([bound[name]], inner.changes.get(name, _NOTHING))
        return inner.result or _NOTHING
