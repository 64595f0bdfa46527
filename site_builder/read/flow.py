"""Go through a function's statements in order, knowing at each what a name may hold.

What "hold" means is for subclasses to say: `read/dataflow.py` follows variables, and
`read/model_map.py` the calls that a model is made of.
"""

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import singledispatchmethod

from site_builder.read.code import Module
from site_builder.read.flow_calls import all_arguments, changed_by_method
from site_builder.read.flow_expressions import Expressions
from site_builder.read.flow_values import NOTHING, Names, Value, flat, merged, union


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


class Flow(Expressions):
    """The walk. A loop is taken to run at least once.

    Attributes:
        names: what each local name may hold, at the statement that the walk has reached.
        loop: the innermost loop around it.
        again: whether the walk is in a later turn of a loop.
        statement: that one.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.loop: Loop | None = None
        self.again = False
        self.statement: ast.stmt = ast.Pass()
        self._turns: list[_Turn] = []

    def update(self, name: ast.Name, value: Value) -> None:
        """A name gets a value that depends on the one before: `x += 1`."""
        self.bind(name, value)

    def change(self, root: str, target: ast.expr, value: Value) -> None:
        """What a name holds is changed in place, at `target`."""
        raise NotImplementedError

    def give_back(self, node: ast.Return) -> None:
        """The function ends here."""
        raise NotImplementedError

    def unpack(self, value: Value, position: int, count: int) -> Value:
        """The element of a value at a position, of as many as there are targets."""
        if isinstance(value, tuple) and len(value) == count:
            return value[position]
        return flat(value)

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
            operation = ast.copy_location(ast.BinOp(before, node.op, node.value), node.value)
            self.update(node.target, self.value(operation))
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
        """The loop that a statement is, as it is called on pages."""
        code = self.module.lines[node.lineno - 1].strip().partition("#")[0].rstrip().rstrip(":")
        return Loop(line=node.lineno, code=code, outer=self.loop)

    def turn(self, node: ast.For | ast.While, head: Names, begin: Callable[[], object]) -> _Turn:
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
