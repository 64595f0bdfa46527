"""The pages that show whole files of the code."""

import ast
from dataclasses import dataclass

from site_builder.read.code import Module, Span
from site_builder.render.pdf import Mention, Pdf
from site_builder.resolve.links import lines_fragment
from site_builder.resolve.site import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLine:
    """A line on a source page with an id that does not depend on its number.

    Attributes:
        name: the qualified name of the definition that begins there.
        kind: function, method or class.
    """

    id: str
    name: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry:
    """A function on a source page, or a module on the index page.

    Attributes:
        last: the function's last line.
        tests: the number of tests that call it.
        pdf: its mentions in the PDF.
    """

    name: str
    href: str
    summary: str
    last: int = 0
    called_by: tuple[str, ...] = ()
    tests: int = 0
    pdf: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A line on a source page, with the equations that it computes.

    Attributes:
        id: the id of the function or class that begins here; None if none does.
        ranges: the ids of line ranges that begin here.
    """

    number: int
    id: str | None
    ranges: tuple[str, ...]
    text: str
    equations: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source page."""

    name: str
    file: str
    docstring: str
    permalink: str | None
    functions: tuple[SourceEntry, ...]
    lines: tuple[SourceLine, ...]


def source_view(module: Module, site: Site, pdf: Pdf) -> SourceView:
    """A file with the equations that its lines compute, and its functions' callers and tests."""
    equations: dict[int, list[tuple[str, str]]] = {}
    for equation in site.equations:
        for place in equation.computed_by:
            if place.span.path == module.path:
                entry = (f"{equation.slug}.html#{equation.id}", equation.caption)
                equations.setdefault(place.span.first, []).append(entry)
    codebase = site.codebase
    ranges: dict[int, list[str]] = {}
    for span in site.source_ranges:
        if span.path == module.path:
            id_ = lines_fragment("", span.first, span.last)
            ranges.setdefault(span.first, []).append(id_)
    begins = {named.line: named.id for named in named_lines(module)}
    link = site.links.span(Span(path=module.path, first=1, last=1))
    return SourceView(
        name=module.name,
        file=link.file,
        docstring=module.docstring or "",
        permalink=link.permalink and link.permalink.partition("#")[0],
        functions=tuple(
            SourceEntry(
                name=function.qualname,
                href=f"#L{function.span.first}",
                summary=first_sentence(function.docstring),
                last=function.span.last,
                called_by=tuple(
                    sorted({c.caller.qualname for c in codebase.source_calls_of(function.dotted)})
                ),
                tests=len({c.caller.dotted for c in codebase.test_calls_of(function.dotted)}),
                pdf=pdf.of(function.dotted),
            )
            for function in module.functions
        ),
        lines=tuple(
            SourceLine(
                number=number,
                id=begins.get(number),
                ranges=tuple(sorted(ranges.get(number, ()))),
                text=text,
                equations=tuple(equations.get(number, ())),
            )
            for number, text in enumerate(module.lines, start=1)
        ),
    )


def named_lines(module: Module) -> tuple[NamedLine, ...]:
    """The first lines of functions and classes; of duplicate names, only the first."""
    found: dict[str, NamedLine] = {}
    for function in module.functions:
        name = function.qualname
        kind = "method" if "." in name else "function"
        id_ = f"fn-{name.replace('.', '-')}"
        line = NamedLine(id=id_, name=name, kind=kind, line=function.span.first)
        found.setdefault(id_, line)
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            id_ = f"class-{node.name}"
            line = NamedLine(id=id_, name=node.name, kind="class", line=first)
            found.setdefault(id_, line)
    return tuple(found.values())


def first_sentence(docstring: str | None) -> str:
    """The first line of a docstring, which is a sentence."""
    return (docstring or "").strip().partition("\n")[0]
