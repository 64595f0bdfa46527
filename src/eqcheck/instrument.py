"""Rewrite a function's syntax tree so that it reports what it computes while it runs.

The rewritten function has the same statements at the same positions. Between them stand calls to
a recorder, which the function finds in its globals under the name `RECORDER`.
"""

import ast
import copy
import inspect
import linecache
from functools import lru_cache
from types import CodeType, FunctionType
from typing import cast

from eqcheck.syntax import assigned_names, own_statements

RECORDER = "__eqcheck_recorder__"
_ACTIVATION = "__eqcheck_activation__"


def instrumented_code(
    function: FunctionType, expressions: frozenset[str], names: frozenset[str] | None = None
) -> CodeType:
    """Compile `function` again so that it reports to the recorder in its globals.

    Args:
        function: a plain function or method whose source can be read and which closes over nothing.
        expressions: subexpressions to report as well, as `ast.unparse` writes them.
        names: of the parameters, the variables and `return`, the ones to report; None for all.

    Returns:
        A code object that can take the place of `function.__code__`.

    Raises:
        ValueError: the function is a closure, a generator or a coroutine, or has no source.
    """
    code = function.__code__
    if code.co_freevars:
        raise ValueError(f"{function.__qualname__} closes over variables and cannot be observed")
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise ValueError(f"{function.__qualname__} does not run in one go and cannot be observed")
    name = f"{function.__module__}.{function.__qualname__}"
    return _compile(code, code.co_filename, name, expressions, names)


def forget_sources() -> None:
    """Read sources anew from now on: their files have changed."""
    _tree.cache_clear()
    _compile.cache_clear()


@lru_cache(maxsize=256)
def _compile(
    code: CodeType,
    filename: str,  # apart from `code`, as equal code of two files is one key
    name: str,
    expressions: frozenset[str],
    names: frozenset[str] | None,
) -> CodeType:
    definition = copy.deepcopy(_definition(code))
    definition.decorator_list = []
    definition.returns = None
    arguments = definition.args
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]
    parameters = code.co_varnames[: _parameter_count(code)]
    reporter = _Reporter(name, expressions, names)
    reporter.number(definition)
    definition.body = reporter.function_body(definition.body, parameters)
    # Inside a class of the same name as its own, `self.__x` means `self._Class__x` as before.
    owner = name.split(".")[-2]
    module = ast.parse(f"class {owner if owner.isidentifier() else '_'}: pass")
    frame = module.body[0]
    assert isinstance(frame, ast.ClassDef)  # noqa: S101 - it was written above
    frame.body = [definition]
    compiled = compile(ast.fix_missing_locations(module), filename, "exec", dont_inherit=True)
    return _constant_code(_constant_code(compiled, frame.name), definition.name)


def _parameter_count(code: CodeType) -> int:
    variadic = bool(code.co_flags & inspect.CO_VARARGS) + bool(
        code.co_flags & inspect.CO_VARKEYWORDS
    )
    return code.co_argcount + code.co_kwonlyargcount + variadic


def _constant_code(code: CodeType, name: str) -> CodeType:
    """The code of what `code` defines under a name."""
    constants = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return next(constant for constant in constants if constant.co_name == name)


def _definition(code: CodeType) -> ast.FunctionDef:
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    raise ValueError(f"{code.co_filename} does not hold the source of {code.co_name}")


@lru_cache(maxsize=64)
def _tree(filename: str) -> ast.Module:
    lines = linecache.getlines(filename)
    if not lines:
        raise ValueError(f"{filename} cannot be read, so its functions cannot be observed")
    return ast.parse("".join(lines))


class _Reporter(ast.NodeTransformer):
    """Adds the calls to the recorder. Nested functions and classes stay as they are."""

    def __init__(
        self, name: str, expressions: frozenset[str], names: frozenset[str] | None
    ) -> None:
        self._name = name
        self._expressions = expressions
        self._names = names
        self._numbers: dict[tuple[ast.stmt, str], int] = {}

    def number(self, definition: ast.FunctionDef) -> None:
        """Number the statements that assign each name, in source order."""
        counts: dict[str, int] = {}
        for statement in own_statements(definition):
            for name in dict.fromkeys(assigned_names(statement)):
                self._numbers[statement, name] = counts.get(name, 0)
                counts[name] = counts.get(name, 0) + 1

    def _is_wanted(self, name: str) -> bool:
        return self._names is None or name in self._names

    def function_body(
        self, statements: list[ast.stmt], parameters: tuple[str, ...]
    ) -> list[ast.stmt]:
        wanted = [name for name in parameters if self._is_wanted(name)]
        arguments = ast.Dict(
            [ast.Constant(name) for name in wanted], [ast.Name(name, ast.Load()) for name in wanted]
        )
        enter = ast.Assign(
            [ast.Name(_ACTIVATION, ast.Store())],
            _recorder("enter", ast.Constant(self._name), arguments),
        )
        leave = ast.Return(_report("leave", *map(ast.Constant, (None, False, None))))
        body = self._visit_all(statements)
        first = statements[0]
        return [ast.copy_location(enter, first), *body, ast.copy_location(leave, statements[-1])]

    def _visit_all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        visited: list[ast.stmt] = []
        for statement in statements:
            result = self.visit(statement)
            visited.extend(result if isinstance(result, list) else [cast("ast.stmt", result)])
        return visited

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *self._reports(node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *(self._reports(node) if node.value else [])]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        before = [
            ast.copy_location(ast.Expr(_report("settle", ast.Constant(name))), node)
            for name in assigned_names(node)
            if self._is_wanted(name)
        ]
        return [*before, node, *self._reports(node)]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        self.generic_visit(node)
        return self._loop(node, self._reports(node))

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        return self._loop(node, [])

    def _loop(self, node: ast.For | ast.While, reports: list[ast.stmt]) -> list[ast.stmt]:
        """A loop that counts its iterations, and says when it has ended."""
        line = ast.Constant(node.lineno)
        iterate, finish = (
            ast.copy_location(ast.Expr(_report(method, line)), node)
            for method in ("iterate", "finish")
        )
        node.body = [iterate, *reports, *node.body]
        return [node, finish]

    def visit_With(self, node: ast.With) -> ast.With:
        self.generic_visit(node)
        node.body = [*self._reports(node), *node.body]
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        wanted = ast.Constant(self._is_wanted("return"))
        result = node.value or ast.Constant(None)
        value = _report("leave", ast.Constant(node.lineno), wanted, result)
        return ast.copy_location(ast.Return(ast.copy_location(value, node)), node)

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        is_value = isinstance(getattr(node, "ctx", None), ast.Load | None)
        wanted = self._expressions and isinstance(node, ast.expr) and is_value
        text = ast.unparse(node) if wanted else ""
        visited: ast.AST | list[ast.stmt] = super().visit(node)
        if text in self._expressions and isinstance(visited, ast.expr):
            assert isinstance(node, ast.expr)  # noqa: S101 - as `visited` is
            place = ast.Constant(node.lineno), ast.Constant(node.col_offset)
            report = _report("evaluate", *place, ast.Constant(text), visited)
            return ast.copy_location(report, node)
        return visited

    def _reports(self, statement: ast.stmt) -> list[ast.stmt]:
        """Statements that report each plain name that a statement assigns."""
        return [
            ast.copy_location(
                ast.Expr(
                    _report(
                        "assign",
                        ast.Constant(statement.lineno),
                        ast.Constant(self._numbers[statement, name]),
                        ast.Constant(name),
                        ast.Name(name, ast.Load()),
                    )
                ),
                statement,
            )
            for name in assigned_names(statement)
            if self._is_wanted(name)
        ]


def _recorder(method: str, *arguments: ast.expr) -> ast.Call:
    recorder = ast.Name(RECORDER, ast.Load())
    return ast.Call(ast.Attribute(recorder, method, ast.Load()), list(arguments), [])


def _report(method: str, *arguments: ast.expr) -> ast.Call:
    return _recorder(method, ast.Name(_ACTIVATION, ast.Load()), *arguments)
