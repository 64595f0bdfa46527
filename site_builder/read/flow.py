"""Go through a function's statements in order, knowing at each what a name may hold.

What "hold" means is for subclasses to say: `read/dataflow.py` follows variables, `read/model_map.py`
the calls that a model is made of.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import singledispatchmethod

from site_builder.read.code import Module
from site_builder.read.flow_calls import changed_by_method

Origins = frozenset[str]  # the nodes of a graph from which a value comes
Value = Origins | tuple["Value", ...]  # of a tuple that the code writes, part by part
Names = dict[str, Value]

NOTHING: Origins = frozenset()

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class UnmappableError(Exception):
    """Code whose flow cannot be followed, and where it is."""

    def __init__(self, path: str, line: int, what: str, remedy: str) -> None:
        super().__init__(what)
        self.path = path
        self.line = line
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop around statements; `outer` is the one around it."""

    line: int
    code: str
    outer: "Loop | None"


@dataclass(slots=True)
class _Turn:
    """What names hold where a turn of a loop ends, and where the loop is left."""

    ends: list[Names] = field(default_factory=list)
    breaks: list[Names] = field(default_factory=list)


def flat(value: Value) -> Origins:
    """All origins of a value."""
    return value if isinstance(value, frozenset) else union(value)


def union(values: Iterable[Value]) -> Origins:
    """All origins of several values."""
    return NOTHING.union(*map(flat, values))


def either(first: Value, second: Value) -> Value:
    """What may be one or the other."""
    if (
        isinstance(first, tuple)
        and isinstance(second, tuple)
        and len(first) == len(second)
    ):
        return tuple(map(either, first, second))
    return flat(first) | flat(second)


def merged(ways: Iterable[Names]) -> Names:
    """What names hold where several ways through the code meet."""
    names: Names = {}
    for way in ways:
        for name, value in way.items():
            names[name] = either(names[name], value) if name in names else value
    return names


class Flow:
    """The walk. A loop is taken to run at least once.

    Attributes:
        names: what each local name may hold, there.
        loop: the innermost loop around that statement.
        again: whether the walk is in a later turn of a loop.
        statement: the one that the walk has reached.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.names: Names = {}
        self.loop: Loop | None = None
        self.again = False
        self.statement: ast.stmt = ast.Pass()
        self._turns: list[_Turn] = []

    def bind(self, name: ast.Name, value: Value) -> None:
        """A name gets a value."""
        raise NotImplementedError

    def update(self, name: ast.Name, value: Value) -> None:
        """A name gets a value that depends on the one before: `x += 1`."""
        self.bind(name, value)

    def change(self, root: str, target: ast.expr, value: Value) -> None:
        """What a name holds is changed in place, at `target`."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Value:
        """The value of a call."""
        raise NotImplementedError

    def give_back(self, node: ast.Return) -> None:
        """The function ends here."""
        raise NotImplementedError

    def combine(self, node: ast.expr, parts: list[ast.expr]) -> Value:
        """The value of an operation on several expressions."""
        return union(self.value(part) for part in parts)

    def unpack(self, value: Value, position: int, count: int) -> Value:
        """The element of a value at a position, of as many as there are targets."""
        if isinstance(value, tuple) and len(value) == count:
            return value[position]
        return flat(value)

    def fail(self, node: ast.stmt | ast.expr, what: str, remedy: str) -> UnmappableError:
        """What to raise at a node."""
        return UnmappableError(self.module.path, node.lineno, what, remedy)

    # Statements. Each answers whether the next one can be reached.

    def run(self, statements: Iterable[ast.stmt]) -> bool:
        """Walk through statements; answers whether their end can be reached."""
        for statement in statements:
            self.statement = statement
            if not self._statement(statement):
                return False
        return True

    @singledispatchmethod
    def _statement(self, node: ast.stmt) -> bool:
        keyword = ast.unparse(node).split(maxsplit=1)[0].rstrip(":")
        what = f"the data flow through '{keyword}' cannot be followed"
        raise self.fail(node, what, "write it without, or map another function")

    @_statement.register
    def _(self, _node: ast.Pass) -> bool:
        return True

    @_statement.register
    def _(self, _node: ast.Raise) -> bool:
        return False

    @_statement.register
    def _(self, node: ast.Assign) -> bool:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)
        return True

    @_statement.register
    def _(self, node: ast.AnnAssign) -> bool:
        if node.value:
            self.assign(node.target, self.value(node.value))
        return True

    @_statement.register
    def _(self, node: ast.AugAssign) -> bool:
        if isinstance(node.target, ast.Name):
            before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            self.update(node.target, self.combine(node.value, [before, node.value]))
        else:
            self.assign(node.target, self.value(node.value))
        return True

    @_statement.register
    def _(self, node: ast.Expr) -> bool:
        if isinstance(node.value, ast.Call):
            self._call_for_effect(node.value)
        else:
            self.value(node.value)
        return True

    @_statement.register
    def _(self, node: ast.Return) -> bool:
        self.give_back(node)
        return False

    @_statement.register
    def _(self, node: ast.Delete) -> bool:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.names.pop(target.id, None)
            else:
                self.assign(target, NOTHING)
        return True

    @_statement.register
    def _(self, node: ast.Assert) -> bool:
        self.value(node.test)
        return True

    @_statement.register
    def _(self, node: ast.If) -> bool:
        self.value(node.test)
        before, ends = self.names, []
        for branch in (node.body, node.orelse):
            self.names = dict(before)
            if self.run(branch):
                ends.append(self.names)
        self.names = merged(ends)
        return bool(ends)

    @_statement.register
    def _(self, node: ast.With) -> bool:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars:
                self.assign(item.optional_vars, value)
        return self.run(node.body)

    @_statement.register
    def _(self, node: ast.FunctionDef) -> bool:
        """A function inside reads what it does not define itself."""
        parameters = {argument.arg for argument in all_arguments(node.args)}
        read = {
            child.id
            for child in ast.walk(node)
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)
        }
        value = union(self.names.get(name, NOTHING) for name in sorted(read - parameters))
        name = ast.copy_location(ast.Name(node.name, ast.Store()), node)
        self.bind(name, value)
        return True

    @_statement.register
    def _(self, node: ast.For) -> bool:
        items = self.value(node.iter)
        return self.repeat(node, lambda: self.assign(node.target, flat(items)))

    @_statement.register
    def _(self, node: ast.While) -> bool:
        return self.repeat(node, lambda: self.value(node.test))

    def repeat(self, node: ast.For | ast.While, begin: Callable[[], object]) -> bool:
        """Walk through a loop until another turn would add nothing."""
        before, again = self.names, self.again
        self.loop = self.loop_at(node)
        head = before
        while True:
            turn = self.turn(node, dict(head), begin)
            following = merged([before, *turn.ends])
            if following == head:
                break
            head, self.again = following, True
        self.loop, self.again = self.loop.outer, again
        return self.leave(node, turn)

    def loop_at(self, node: ast.For | ast.While) -> Loop:
        code = self.module.lines[node.lineno - 1].strip().partition("#")[0].rstrip().rstrip(":")
        return Loop(line=node.lineno, code=code, outer=self.loop)

    def turn(
        self, node: ast.For | ast.While, head: Names, begin: Callable[[], object]
    ) -> _Turn:
        """Walk through a loop once."""
        self.names = head
        self.statement = node
        begin()
        turn = _Turn()
        self._turns.append(turn)
        if self.run(node.body):
            turn.ends.append(self.names)
        self._turns.pop()
        return turn

    def leave(self, node: ast.For | ast.While, turn: _Turn) -> bool:
        """Go on after a loop."""
        ways = list(turn.breaks)
        if turn.ends:
            self.names = merged(turn.ends)
            if self.run(node.orelse):
                ways.append(self.names)
        self.names = merged(ways)
        return bool(ways)

    @_statement.register
    def _(self, _node: ast.Break) -> bool:
        self._turns[-1].breaks.append(self.names)
        return False

    @_statement.register
    def _(self, _node: ast.Continue) -> bool:
        self._turns[-1].ends.append(self.names)
        return False

    # Targets

    def assign(self, target: ast.expr, value: Value) -> None:
        """Give a value to a target: a name, a part of something, several of these."""
        if isinstance(target, ast.Name):
            self.bind(target, value)
        elif isinstance(target, ast.Tuple | ast.List):
            starred = any(isinstance(element, ast.Starred) for element in target.elts)
            for position, element in enumerate(target.elts):
                plain = element.value if isinstance(element, ast.Starred) else element
                count = len(target.elts)
                self.assign(plain, flat(value) if starred else self.unpack(value, position, count))
        else:
            self._assign_part(target, value)

    def _assign_part(self, target: ast.expr, value: Value) -> None:
        """`grads["b"]` or `self.step`: something that a name holds is changed."""
        part: ast.expr = target
        read = [value]
        while isinstance(part, ast.Subscript | ast.Attribute):
            if isinstance(part, ast.Subscript):
                read.append(self.value(part.slice))
            part = part.value
        if not isinstance(part, ast.Name):
            what = f"'{ast.unparse(target)}' changes something that has no name"
            raise self.fail(target, what, "give it a name first")
        self.change(part.id, target, union(read))

    # Expressions

    def value(self, node: ast.expr) -> Value:
        """What an expression may hold."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, NOTHING)
        if isinstance(node, ast.Tuple | ast.List):
            return self._sequence(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.NamedExpr):
            value = self.value(node.value)
            self.bind(node.target, value)
            return value
        if isinstance(node, _COMPREHENSIONS):
            return self._comprehension(node)
        if isinstance(node, ast.Lambda):
            return self._inside({a.arg: NOTHING for a in all_arguments(node.args)}, [node.body])
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom):
            what = f"the data flow through '{ast.unparse(node)}' cannot be followed"
            raise self.fail(node, what, "map a function that runs in one go")
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        return self.combine(node, [*_parts(node)])

    def _sequence(self, node: ast.Tuple | ast.List) -> Value:
        if any(isinstance(element, ast.Starred) for element in node.elts):
            return union(self.value(element) for element in node.elts)
        return tuple(self.value(element) for element in node.elts)

    def _subscript(self, node: ast.Subscript) -> Value:
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if isinstance(index, int) and isinstance(node.value, ast.Name):
            value = self.value(node.value)
            if isinstance(value, tuple) and -len(value) <= index < len(value):
                return value[index]
        return self.combine(node, [*_parts(node)])

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
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
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
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

    # Calls for their effect

    def _call_for_effect(self, node: ast.Call) -> None:
        """A call whose result is thrown away, so that it is there for what it changes."""
        changed = changed_by_method(node)
        if changed is None and not self.is_known(node):
            what = f"'{ast.unparse(node.func)}' is called for what it changes, which is not known"
            raise self.fail(node, what, "use its result, or map another function")
        value = self.call(node)
        if isinstance(node.func, ast.Attribute) and changed is node.func.value:
            self._change(node.func.value, value)

    def is_known(self, node: ast.Call) -> bool:
        """Whether `call` knows what a call changes."""
        raise NotImplementedError

    def _change(self, target: ast.expr, value: Value) -> None:
        part = target
        while isinstance(part, ast.Subscript | ast.Attribute):
            part = part.value
        if isinstance(part, ast.Name):
            self.change(part.id, target, value)

    def change_argument(self, argument: ast.expr | None, value: Value) -> None:
        """A call changes what it is given."""
        if argument is not None:
            self._change(argument, value)


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    """Everything that a function can be given, `*args` and `**kwargs` included."""
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*found, *filter(None, [arguments.vararg, arguments.kwarg])]


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
