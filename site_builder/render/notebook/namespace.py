"""Code cells that define what a notebook runs, and what its one namespace holds after each."""

import symtable
from collections.abc import Iterable

from site_builder.read.code import Module, Span
from site_builder.read.definitions import Definition, Definitions, NotSelfContainedError
from site_builder.render.notebook.cells import Cell, code
from site_builder.resolve.site import Site


class Namespace:
    """Keeps track of what each name stands for, while cells are added one after the other."""

    def __init__(self, site: Site, definitions: Definitions) -> None:
        self._site = site
        self._definitions = definitions
        self._bound: dict[str, Definition | None] = {}
        self._reserved: set[str] = set()

    def needed(self, module: str, name: str) -> list[Cell]:
        """A cell with all that a function needs and that is not there, the function included.

        Raises:
            NotSelfContainedError: it cannot stand in one namespace.
        """
        return self._cell(self._definitions.of(module, name))

    def listed(self, module: Module, span: Span) -> list[Cell]:
        """Cells with lines of a module, after what they need; none if they define nothing."""
        shown = [
            definition
            for definition in self._definitions.in_module(module)
            if definition.span and span.first <= definition.span.first
            and definition.span.last <= span.last
        ]  # fmt: skip
        if not shown or module.name.startswith("tests"):
            return []
        try:
            needed = {
                definition: None
                for one in shown
                for name in sorted(one.names)
                for definition in self._definitions.of(module.name, name)
            }
        except NotSelfContainedError:
            return []
        rest = sorted(needed.keys() - set(shown), key=lambda d: (d.order, d.code))
        cells = self._cell(rest)
        text = "\n\n\n".join(definition.code for definition in shown)
        self._bind(shown)
        return [*cells, code(f"{self._place(span)}\n{text}")]

    def run(self, text: str, *, reserved: bool = False) -> None:
        """Take note of what other code defines; what is reserved must not be defined again."""
        table = symtable.symtable(text, "", "exec")
        names = {s.get_name() for s in table.get_symbols() if s.is_assigned()}
        imported = {s.get_name() for s in table.get_symbols() if s.is_imported()}
        self._bound |= dict.fromkeys(names | imported, None)
        if reserved:
            self._reserved |= names

    def _cell(self, definitions: Iterable[Definition]) -> list[Cell]:
        missing = [d for d in definitions if any(self._bound.get(n) != d for n in d.names)]
        if not missing:
            return []
        self._bind(missing)
        imports = [d.code for d in missing if not d.span and d.code.startswith(("import", "from"))]
        rest = [d for d in missing if d.code not in imports]
        parts = ["\n".join(imports)] if imports else []
        parts += [f"{self._place(d.span)}\n{d.code}" if d.span else d.code for d in rest]
        return [code("\n\n".join(parts))]

    def _bind(self, definitions: Iterable[Definition]) -> None:
        for definition in definitions:
            taken = sorted(definition.names & self._reserved)
            if taken:
                raise NotSelfContainedError(f"'{taken[0]}' is a name that the notebook itself uses")
            self._bound |= dict.fromkeys(definition.names, definition)

    def _place(self, span: Span) -> str:
        lines = f"line {span.first}" if span.first == span.last else (
            f"lines {span.first} to {span.last}")  # fmt: skip
        permalink = self._site.links.span(span).permalink
        return f"# {span.path}, {lines}" + (f": {permalink}" if permalink else "")
