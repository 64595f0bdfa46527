"""All modules that the site may refer to, with look-ups by name."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from site_builder.cache import fingerprint
from site_builder.problem import Place, Report
from site_builder.read.calls import AttributeRead, Call, attribute_reads_in, calls_in
from site_builder.read.code import (
    Constant,
    Field,
    Function,
    Module,
    Span,
    parse_module,
    read_module,
)
from site_builder.read.text import read_text


@dataclass(frozen=True, kw_only=True)
class Codebase:
    """Modules by dotted name, in a stable order.

    Attributes:
        complete: whether all modules could be read; only then is a missing name an error.
    """

    modules: dict[str, Module]
    subject: str
    complete: bool = True

    @cached_property
    def version(self) -> str:
        """A fingerprint of the text of all modules."""
        return fingerprint(*(f"{m.path}\n{m.text}" for m in self.modules.values()))

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Functions and methods by dotted name."""
        return {f.dotted: f for module in self.modules.values() for f in module.functions}

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Dataclass fields by dotted name."""
        return {f.dotted: f for module in self.modules.values() for f in module.fields}

    @cached_property
    def constants(self) -> dict[str, Constant]:
        """Constants of modules by dotted name."""
        return {c.dotted: c for module in self.modules.values() for c in module.constants}

    @cached_property
    def _calls(self) -> dict[str, list[Call]]:
        calls: dict[str, list[Call]] = {}
        for function in self.functions.values():
            for call in calls_in(function, self.modules[function.module]):
                calls.setdefault(self.home(call.callee), []).append(call)
        return calls

    def home(self, dotted: str) -> str:
        """The dotted name where a re-exported name (`from gpt.ops import f`) is defined."""
        for _ in self.modules:  # a longer chain must be a cycle
            module, _, name = dotted.rpartition(".")
            if module not in self.modules or name not in self.modules[module].imports:
                break
            dotted = self.modules[module].imports[name]
        return dotted

    @cached_property
    def _attribute_reads(self) -> list[AttributeRead]:
        return [
            read
            for function in self.functions.values()
            for read in attribute_reads_in(function, self.modules[function.module])
        ]

    @cached_property
    def names_and_calls(self) -> str:
        """A fingerprint of all names, and of all calls and attribute reads with their places."""
        calls = (call for calls in self._calls.values() for call in calls)
        return fingerprint(
            *self.modules,
            *self.functions,
            *self.fields,
            *self.constants,
            *(
                f"{c.callee} {c.caller.dotted} {c.span} {c.code} {c.arguments} {c.targets}"
                for c in calls
            ),
            *(f"{r.name} {r.owner} {r.reader.dotted} {r.span}" for r in self._attribute_reads),
        )

    def text_of(self, spans: Iterable[Span]) -> str:
        """A fingerprint of the text of some lines; lines that no longer exist count as empty."""
        texts = (
            f"{span} {self._by_path[span.path].lines[span.first - 1 : span.last]}"
            if span.path in self._by_path
            else ""
            for span in spans
        )
        return fingerprint(*texts)

    def imported_by(self, name: str) -> list[Module]:
        """A module and all modules of the codebase that it imports, directly or indirectly."""
        found: set[str] = set()
        queue = [name]
        while queue:
            current = queue.pop()
            if current in self.modules and current not in found:
                found.add(current)
                queue.append(current.rpartition(".")[0])  # a package is imported before its modules
                for target in self.modules[current].imports.values():
                    queue += [target, target.rpartition(".")[0]]
        return [self.modules[name] for name in sorted(found)]

    def reached_from(self, start: Function) -> list[Function]:
        """A function and all that it calls, directly or indirectly, as far as names resolve."""
        reached = {start.dotted: start}
        queue = [start]
        while queue:
            for callee in self._callees.get(queue.pop().dotted, ()):
                if callee in self.functions and callee not in reached:
                    reached[callee] = self.functions[callee]
                    queue.append(reached[callee])
        return [*reached.values()]

    @cached_property
    def _callees(self) -> dict[str, list[str]]:
        callees: dict[str, list[str]] = {}
        for callee, calls in self._calls.items():
            for call in calls:
                callees.setdefault(call.caller.dotted, []).append(callee)
        return callees

    def calls_of(self, dotted: str) -> list[Call]:
        """Calls of a function or class, by file and line."""
        return sorted(self._calls.get(dotted, []), key=lambda call: call.span)

    def source_calls_of(self, dotted: str) -> list[Call]:
        """Calls from the subject itself."""
        return [c for c in self.calls_of(dotted) if self.is_subject(c.caller.module)]

    def test_calls_of(self, dotted: str) -> list[Call]:
        """Calls from test functions."""
        return [call for call in self.calls_of(dotted) if is_test(call.caller)]

    def readers_of(self, field: Field) -> list[AttributeRead]:
        """Reads of a field: the base is annotated with its class, or not annotated."""
        return [
            read
            for read in self._attribute_reads
            if read.name == field.name and read.owner in (field.owner, None)
        ]

    def is_subject(self, module: str) -> bool:
        """Whether a module belongs to the code that the site explains."""
        return module == self.subject or module.startswith(f"{self.subject}.")

    def lines(self, path: str) -> list[str]:
        """The lines of the module at `path`."""
        return self._by_path[path].lines

    def module_at(self, path: str) -> Module:
        """The module whose file is `path`."""
        return self._by_path[path]

    @cached_property
    def _by_path(self) -> dict[str, Module]:
        return {module.path: module for module in self.modules.values()}


def is_test(function: Function) -> bool:
    """Whether pytest would collect the function."""
    return function.name.startswith("test_") and "test" in function.module


def read_codebase(
    root: Path, folders: Iterable[tuple[str, str]], subject: str, report: Report
) -> Codebase:
    """Read every module below `folders`, pairs of a folder and the dotted name it has as a package.

    Args:
        root: the project's folder.
        folders: such as `("src/tinygpt", "tinygpt")`.
        subject: the dotted name of the package that the site explains.
        report: receives files that cannot be read or parsed.
    """
    files: list[tuple[str, str, str]] = []
    complete = True
    for folder, package in folders:
        if not (root / folder).is_dir():
            remedy = "correct the name in content/site.toml"
            report.add(Place(path=folder), "is not a folder", remedy)
            complete = False
        for path, name in _module_files(root, folder, package):
            text = read_text(root, path, report)
            if text is not None and read_module(name, path, text, report):
                files.append((name, path, text))
            else:
                complete = False
    return _codebase(tuple(files), subject, complete)


@lru_cache(maxsize=2)
def _codebase(files: tuple[tuple[str, str, str], ...], subject: str, complete: bool) -> Codebase:  # noqa: FBT001 - private
    """The codebase of some files; cached, with what was computed from it."""
    modules = {name: parse_module(name, path, text) for name, path, text in files}
    return Codebase(modules=modules, subject=subject, complete=complete)


def _module_files(root: Path, folder: str, package: str) -> Iterator[tuple[str, str]]:
    for file in sorted((root / folder).rglob("*.py")):
        parts = file.relative_to(root / folder).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        yield file.relative_to(root).as_posix(), ".".join([package, *parts])
