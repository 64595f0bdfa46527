"""The definitions that a function depends on, so that it runs on its own."""

import ast
import math
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from site_builder.read.code import Module, Span
from site_builder.read.codebase import Codebase

_IMPORTS_FIRST = -1


class NotSelfContainedError(Exception):
    """Code that cannot run on its own in one namespace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A statement at the top level of a module.

    Attributes:
        names: the names that it defines.
        code: its lines, as in the file; for an import, only the part that is needed.
        span: those lines; None for an import or an alias.
        order: a sort key that puts each definition after those it depends on.
    """

    names: frozenset[str]
    code: str
    span: Span | None
    order: tuple[int, float]


class Definitions:
    """Finds definitions in a codebase."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self._statements: dict[str, dict[str, list[Definition]]] = {}

    def of(self, module: str, name: str) -> list[Definition]:
        """The definition of a module's name and all that it depends on, in an order that runs.

        Raises:
            NotSelfContainedError: the code of two modules needs one name for two things, or a
                function imports other code while it runs.
        """
        found: dict[tuple[str, str], list[Definition]] = {}
        self._collect(module, name, found)
        definitions = {definition for some in found.values() for definition in some}
        owners: dict[str, str] = {}
        for definition in definitions:
            owner = definition.span.path if definition.span else definition.code
            for defined in definition.names:
                if owners.setdefault(defined, owner) != owner:
                    what = f"{module}.{name} needs two different definitions of '{defined}'"
                    raise NotSelfContainedError(what)
        return sorted(definitions, key=lambda d: (d.order, d.code))

    def _collect(
        self, module: str, name: str, found: dict[tuple[str, str], list[Definition]]
    ) -> None:
        """Add the definition of the name, and its dependencies, to `found`."""
        if (module, name) in found:
            return
        found[module, name] = []
        if name in self._defined_in(module):
            for definition in self._defined_in(module)[name]:
                self._check_imports(definition)
                found[module, name].append(definition)
                for needed in _names_needed(definition.code):
                    self._collect(module, needed, found)
        elif target := self.codebase.modules[module].imports.get(name):
            found[module, name] += self._imported(module, name, target, found)

    def _imported(
        self, module: str, name: str, target: str, found: dict[tuple[str, str], list[Definition]]
    ) -> list[Definition]:
        """The definitions that bind an imported name, if it differs from the original's."""
        modules = self.codebase.modules
        if target in modules:
            attributes = sorted(_attributes_of(name, modules[module].tree))
            for attribute in attributes:
                self._collect(target, attribute, found)
            items = ", ".join(f"{attribute}={attribute}" for attribute in attributes)
            order = (self._order[target], math.inf)
            return [
                _import("from types import SimpleNamespace", "SimpleNamespace"),
                _named(name, f"{name} = SimpleNamespace({items})  # {target}", order),
            ]
        home, _, original = target.rpartition(".")
        if home in modules:
            self._collect(home, original, found)
            if original == name:
                return []
            return [_named(name, f"{name} = {original}", (self._order[home], math.inf))]
        return [_import(code, name) for code in _import_statements(name, modules[module].tree)]

    def _check_imports(self, definition: Definition) -> None:
        """Reject a statement that imports the project's own code when run."""
        packages = {name.partition(".")[0] for name in self.codebase.modules}
        for package, statement in _imports_inside(definition.code):
            if package in packages or not package:
                what = f"'{min(definition.names)}' runs '{statement}' when called"
                raise NotSelfContainedError(what)

    def _defined_in(self, module: str) -> dict[str, list[Definition]]:
        """The statements of a module by the names they define, without imports."""
        if module not in self._statements:
            by_name: dict[str, list[Definition]] = {}
            for definition in self.in_module(self.codebase.modules[module]):
                for name in definition.names:
                    by_name.setdefault(name, []).append(definition)
            self._statements[module] = by_name
        return self._statements[module]

    def in_module(self, module: Module) -> Iterator[Definition]:
        """The statements at the top level of a module that define names, without imports."""
        for statement in module.tree.body:
            decorators = getattr(statement, "decorator_list", ())
            first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
            last = statement.end_lineno or statement.lineno
            code = "\n".join(module.lines[first - 1 : last])
            table = symtable.symtable(code, module.path, "exec")
            names = {s.get_name() for s in table.get_symbols() if s.is_assigned()}
            names -= {s.get_name() for s in table.get_symbols() if s.is_imported()}
            if names:
                yield Definition(
                    names=frozenset(names),
                    code=code,
                    span=Span(path=module.path, first=first, last=last),
                    order=(self._order[module.name], first),
                )

    @cached_property
    def _order(self) -> dict[str, int]:
        """The modules in topological order: each comes after those that it imports."""
        order: dict[str, int] = {}
        entered: set[str] = set()

        def visit(name: str) -> None:
            if name in entered or name not in self.codebase.modules:
                return
            entered.add(name)
            for target in self.codebase.modules[name].imports.values():
                visit(target)
                visit(target.rpartition(".")[0])
            order[name] = len(order)

        for name in self.codebase.modules:
            visit(name)
        return order


def _import(code: str, name: str) -> Definition:
    return _named(name, code, (_IMPORTS_FIRST, 0))


def _named(name: str, code: str, order: tuple[int, float]) -> Definition:
    return Definition(names=frozenset({name}), code=code, span=None, order=order)


@lru_cache(maxsize=4096)
def _imports_inside(code: str) -> list[tuple[str, str]]:
    """The imports in a statement: the package, empty for relative imports, and the text."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found += [(a.name.partition(".")[0], ast.unparse(node)) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = "" if node.level else (node.module or "").partition(".")[0]
            found.append((package, ast.unparse(node)))
    return found


@lru_cache(maxsize=4096)
def _names_needed(code: str) -> set[str]:
    """The names of its module that a statement uses, when it is run or called."""
    top = symtable.symtable(code, "", "exec")
    names = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    tables = [*top.get_children()]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        names |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return names


def _attributes_of(name: str, tree: ast.Module) -> set[str]:
    """The attributes that a module uses of another module that it imports."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }


@lru_cache(maxsize=4096)
def _import_statements(name: str, tree: ast.Module) -> set[str]:
    """The import statements that bind a name in a module, one for each."""
    statements: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                bound = alias.asname or alias.name
                if isinstance(node, ast.Import) and not alias.asname:
                    bound = bound.partition(".")[0]
                if bound == name:
                    alone: ast.stmt = ast.Import(names=[alias])
                    if isinstance(node, ast.ImportFrom):
                        alone = ast.ImportFrom(module=node.module, names=[alias], level=node.level)
                    statements.add(ast.unparse(alone))
    return statements
