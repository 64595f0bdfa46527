"""Facts about one Python module, from its syntax tree."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from site_builder.problem import Place, Report


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Lines of a file: 1-based, both ends included. The path is relative to the project."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a function; `default` is source text."""

    name: str
    default: str | None
    annotation: str | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function or method at the top level of a module or class."""

    name: str
    qualname: str
    module: str
    span: Span
    parameters: tuple[Parameter, ...]
    docstring: str | None
    node: ast.FunctionDef

    @property
    def dotted(self) -> str:
        """Module and qualified name."""
        return f"{self.module}.{self.qualname}"

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the parameters without a default."""
        return tuple(p.name for p in self.parameters if p.default is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a dataclass; `default` is source text."""

    name: str
    owner: str
    module: str
    span: Span
    default: str | None

    @property
    def dotted(self) -> str:
        """Module, class and field."""
        return f"{self.module}.{self.owner}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A name that a module assigns at its top level; `value` is source text."""

    name: str
    module: str
    span: Span
    value: str

    @property
    def dotted(self) -> str:
        """Module and name."""
        return f"{self.module}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A module: its text, what it defines, and what its names refer to.

    Attributes:
        name: dotted, such as `tinygpt.ops`.
        imports: local name -> dotted name of what it stands for.
    """

    name: str
    path: str
    text: str
    docstring: str | None
    functions: tuple[Function, ...]
    fields: tuple[Field, ...]
    constants: tuple[Constant, ...]
    imports: dict[str, str]
    tree: ast.Module

    @property
    def lines(self) -> list[str]:
        """The lines of the text, without line endings."""
        return self.text.removesuffix("\n").split("\n")


def read_module(name: str, path: str, text: str, report: Report) -> Module | None:
    """Parse a module, or report why it cannot be parsed."""
    try:
        return parse_module(name, path, text)
    except SyntaxError as error:
        what = f"is not valid Python ({error.msg})"
        report.add(
            Place(path=path, line=error.lineno or 0), what, "correct the code, then build again"
        )
    except ValueError as error:  # a NUL byte, for one
        report.add(
            Place(path=path), f"is not valid Python ({error})", "correct the code, then build again"
        )
    return None


@lru_cache(maxsize=512)
def parse_module(name: str, path: str, text: str) -> Module:
    """Parse a module.

    Raises:
        SyntaxError, ValueError: it is not valid Python.
    """
    tree = ast.parse(text)
    return Module(
        name=name,
        path=path,
        text=text,
        docstring=ast.get_docstring(tree),
        functions=tuple(_functions(tree, name, path, text)),
        fields=tuple(_fields(tree, name, path, text)),
        constants=tuple(_constants(tree, name, path, text)),
        imports=_imports(tree, name, is_package=path.endswith("__init__.py")),
        tree=tree,
    )


def span_of(node: ast.stmt | ast.expr, path: str) -> Span:
    """The lines of a node."""
    return Span(path=path, first=node.lineno, last=node.end_lineno or node.lineno)


def head_span(node: ast.stmt | ast.expr, module: Module) -> Span:
    """The lines of a node; for a compound statement, such as `for`, only its header."""
    body = getattr(node, "body", None)
    if not (isinstance(body, list) and body):
        return span_of(node, module.path)
    inside = [body[0], *getattr(body[0], "decorator_list", ())]
    last = min(first.lineno for first in inside) - 1
    while last > node.lineno and module.lines[last - 1].strip()[:1] in ("", "#"):
        last -= 1
    return Span(path=module.path, first=node.lineno, last=max(node.lineno, last))


def head_code(node: ast.stmt | ast.expr, module: Module) -> str:
    """The source text of the header; of a simple node, exactly its own text."""
    span = head_span(node, module)
    if span.last != (node.end_lineno or span.last):
        return "\n".join(module.lines[span.first - 1 : span.last]).strip()
    return source_of(node, module.text)


def source_of(node: ast.stmt | ast.expr, text: str) -> str:
    """A node's own source text."""
    # ast.get_source_segment would do, but splits the whole file into lines on every call.
    lines = _encoded_lines(text)[node.lineno - 1 : node.end_lineno]
    lines[-1] = lines[-1][: node.end_col_offset]
    lines[0] = lines[0][node.col_offset :]
    return b"\n".join(lines).decode()


@lru_cache(maxsize=256)
def _encoded_lines(text: str) -> list[bytes]:
    """The lines of a file in UTF-8, since columns of syntax trees count bytes."""
    return text.encode().split(b"\n")


def _functions(tree: ast.Module, module: str, path: str, text: str) -> Iterator[Function]:
    for prefix, body in _scopes(tree):
        for node in body:
            if not isinstance(node, ast.FunctionDef):
                continue
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield Function(
                name=node.name,
                qualname=prefix + node.name,
                module=module,
                span=Span(path=path, first=first, last=node.end_lineno or node.lineno),
                parameters=tuple(_parameters(node.args, text)),
                docstring=ast.get_docstring(node),
                node=node,
            )


def _scopes(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    yield "", tree.body
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield f"{node.name}.", node.body


def _parameters(arguments: ast.arguments, text: str) -> Iterator[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    no_default: list[ast.expr | None] = [None]
    defaults = no_default * (len(positional) - len(arguments.defaults)) + [*arguments.defaults]
    pairs = [*zip(positional, defaults, strict=True)]
    pairs += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for argument, default in pairs:
        yield Parameter(
            name=argument.arg,
            default=source_of(default, text) if default else None,
            annotation=source_of(argument.annotation, text) if argument.annotation else None,
            line=argument.lineno,
        )


def _fields(tree: ast.Module, module: str, path: str, text: str) -> Iterator[Field]:
    for owner in tree.body:
        if not isinstance(owner, ast.ClassDef) or not _is_dataclass(owner):
            continue
        for node in owner.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield Field(
                    name=node.target.id,
                    owner=owner.name,
                    module=module,
                    span=span_of(node, path),
                    default=source_of(node.value, text) if node.value else None,
                )


def _constants(tree: ast.Module, module: str, path: str, text: str) -> Iterator[Constant]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            continue
        if isinstance(target, ast.Name) and node.value:
            yield Constant(
                name=target.id,
                module=module,
                span=span_of(node, path),
                value=source_of(node.value, text),
            )


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)


def _imports(tree: ast.Module, module: str, *, is_package: bool) -> dict[str, str]:
    """What each imported local name stands for. Relative imports are made absolute."""
    names: dict[str, str] = {}
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                target = alias.name if alias.asname else alias.name.partition(".")[0]
                names[alias.asname or target] = target
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                base = ".".join([*parents[: len(parents) - node.level + 1], *filter(None, [base])])
            for alias in node.names:
                names[alias.asname or alias.name] = f"{base}.{alias.name}"
    return names
