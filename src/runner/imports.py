"""Import the code to run, and reload it when its files change or a reader edits it."""

import contextlib
import functools
import importlib
import linecache
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from eqcheck.instrument import forget_sources

MACHINERY = frozenset({"eqcheck", "runner"})  # packages that run the code, but are not part of it


@functools.cache
def find_function(dotted: str) -> FunctionType:
    """Import the function or method with a dotted name.

    Raises:
        LookupError: there is none.
    """
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        if isinstance(found, FunctionType):
            return found
    raise LookupError(f"there is no function {dotted}")


class ProjectModules:
    """The modules of a project that this process has imported.

    A process that serves many builds must run the current code. If a file of the project has
    changed since the last request, all of its modules are dropped, since others may have imported
    names from the changed one.
    """

    def __init__(self) -> None:
        self._stamps: dict[Path, tuple[int, int] | None] = {}

    def refresh(self, root: Path) -> None:
        """Drop the project's modules if the file of one has changed since its import."""
        if any(_stamp(file) != stamp for file, stamp in self._stamps.items()):
            for name in project_modules(root):
                del sys.modules[name]
            self._stamps.clear()
            find_function.cache_clear()
            linecache.checkcache()
            forget_sources()
        importlib.invalidate_caches()

    def remember(self, root: Path) -> None:
        """Record the state of the files of all imported modules."""
        for module in project_modules(root).values():
            file = Path(str(module.__file__))
            self._stamps.setdefault(file, _stamp(file))


def project_modules(root: Path) -> dict[str, ModuleType]:
    """The imported modules whose files are in the project's `src` or `tests`."""
    folders = (root / "src", root / "tests")
    return {
        name: module
        for name, module in sys.modules.items()
        if name.partition(".")[0] not in MACHINERY
        and (file := getattr(module, "__file__", None))
        and any(Path(file).is_relative_to(folder) for folder in folders)
    }


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


@contextlib.contextmanager
def importing_from(folder: Path, packages: set[str]) -> Iterator[None]:
    """Import these packages afresh from a folder; on exit, restore the previous modules."""
    before = _modules_of(packages)
    path, writes_bytecode = [*sys.path], sys.dont_write_bytecode
    for name in before:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    find_function.cache_clear()
    try:
        yield
    finally:
        for name in _modules_of(packages):
            del sys.modules[name]
        sys.modules.update(before)
        sys.path[:] = path
        sys.dont_write_bytecode = writes_bytecode
        # For this folder only: invalidate_caches would make Pyodide reread its whole library.
        for name in [name for name in sys.path_importer_cache if name.startswith(str(folder))]:
            del sys.path_importer_cache[name]
        find_function.cache_clear()


def _modules_of(packages: set[str]) -> dict[str, ModuleType]:
    return {
        name: module for name, module in sys.modules.items() if name.partition(".")[0] in packages
    }
