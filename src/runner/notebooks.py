"""Run the code cells of notebooks in an empty folder."""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runner.protocol import FailedCell, NotebooksAnswer, NotebooksRequest


def run_cells(request: NotebooksRequest, root: Path) -> NotebooksAnswer:
    """Run the cells of each notebook in order, in a namespace of its own.

    Returns:
        The output of each cell, by notebook. A notebook stops at the first cell that fails.
    """
    outputs: dict[str, list[str]] = {}
    failed: dict[str, FailedCell] = {}
    for name, cells in request["notebooks"].items():
        namespace: dict[str, Any] = {"__name__": "__main__"}
        printed: list[str] = []
        with _elsewhere(root):
            for number, code in enumerate(cells):
                output = io.StringIO()
                try:
                    with contextlib.redirect_stdout(output):
                        exec(compile(code, f"cell {number}", "exec"), namespace)  # noqa: S102
                except Exception as error:  # noqa: BLE001 - any exception is reported
                    what = f"{type(error).__name__}: {error}"
                    failed[name] = {"cell": number, "what": what}
                    break
                printed.append(output.getvalue())
        outputs[name] = printed
    return {"outputs": outputs, "failed": failed}


@contextlib.contextmanager
def _elsewhere(root: Path) -> Iterator[None]:
    """Work in an empty folder, with the project's own code not importable."""
    path, here = [*sys.path], Path.cwd()
    own = {name: module for name, module in sys.modules.items() if _is_below(module, root / "src")}
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.chdir(folder)
            sys.path[:] = [entry for entry in path if not Path(entry).is_relative_to(root)]
            for name in own:
                del sys.modules[name]
            yield
        finally:
            os.chdir(here)
            sys.path[:] = path
            sys.modules.update(own)


def _is_below(module: Any, folder: Path) -> bool:  # noqa: ANN401 - sys.modules may contain anything
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder)
