"""Run readers' code: edited functions of the page, or the answer to an exercise.

The build uses it too, to record the output of programs and to test the checks of exercises.
"""

import contextlib
import importlib.util
import io
import shutil
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from runner.imports import MACHINERY, find_function, importing_from
from runner.protocol import CheckedAnswer, EditFailure, FindingTable, LineTable

MAX_OUTPUT = 20_000  # characters
_FOLDER = "reader-code-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """New text for lines `first` to `last` of a module (1-based, inclusive).

    Attributes:
        cell: the id of the cell or exercise on the page.
    """

    cell: str
    module: str
    first: int
    last: int
    text: str


def run_edited(edits: Sequence[Edit], program: str) -> tuple[str, EditFailure | None]:
    """Run a program on edited code; returns its output, and what it raised."""
    failure = None
    with captured() as output:
        try:
            with edited_modules(edits):
                find_function(program)()
        except BaseException as error:  # noqa: BLE001 - includes SystemExit from the reader's code
            failure = failure_of(error, edits)
    return output.text(), failure


def check_answer(cell: str, text: str, check: str) -> CheckedAnswer:
    """Check the answer to an exercise.

    Args:
        cell: the id of the exercise on the page.
        text: the answer.
        check: dotted name of a function that takes the answer's module and yields findings.

    Returns:
        The failure is what the answer raised while it was loaded; what its functions raise when
        called is left to the check.
    """
    edit = Edit(cell=cell, module="answer", first=1, last=text.count("\n") + 1, text=text)
    failure: EditFailure | None = None
    findings: list[FindingTable] = []
    with captured() as output:
        try:
            with answer_module(edit) as answer:
                findings = findings_of(check, answer)
        except BaseException as error:  # noqa: BLE001 - as above
            failure = failure_of(error, [edit])
    return {"output": output.text(), "findings": findings, "failure": failure}


def findings_of(check: str, answer: object) -> list[FindingTable]:
    """The findings of a check for a module, or any object with the functions that it expects."""
    found = [asdict(finding) for finding in find_function(check)(answer)]
    return cast("list[FindingTable]", found)


@contextlib.contextmanager
def edited_modules(edits: Sequence[Edit]) -> Iterator[None]:
    """Import the code from a copy with the edits; on exit, restore the imported modules.

    Each copy is in a new folder, since linecache and eqcheck cache code by file name.

    Raises:
        SyntaxError: an edit is not valid Python; its line number is the page's.
    """
    for edit in edits:
        _check_syntax(edit)
    if not edits:
        yield
        return
    spec = importlib.util.find_spec(edits[0].module.partition(".")[0])
    assert spec  # noqa: S101 - the page was built from it
    assert spec.origin  # noqa: S101
    packages = [
        folder.parent
        for folder in sorted(Path(spec.origin).parent.parent.glob("*/__init__.py"))
        if folder.parent.name not in MACHINERY
    ]
    with _new_folder() as copy:
        for package in packages:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(package, copy / package.name, ignore=ignored)
        for module in {edit.module for edit in edits}:
            _write_edited(copy, module, [edit for edit in edits if edit.module == module])
        with importing_from(copy, {package.name for package in packages}):
            yield


@contextlib.contextmanager
def answer_module(edit: Edit) -> Iterator[ModuleType]:
    """Load the answer to an exercise as a temporary module.

    Raises:
        SyntaxError: it is not valid Python.
    """
    _check_syntax(edit)
    with _new_folder() as folder:
        (folder / "answer.py").write_text(edit.text, "utf-8")
        with importing_from(folder, {"answer"}):
            yield importlib.import_module("answer")


def failure_of(error: BaseException, edits: Sequence[Edit]) -> EditFailure:
    """Describe an error, with the lines of the traceback that the reader can edit.

    Returns:
        `kind`, `message`, and `lines`, outermost first, each with `cell`, the page's `line` number,
        `text` and `function`. If the traceback has no line of a cell, `place` is its innermost
        line of other code.
    """
    traceback.clear_frames(error.__traceback__)  # free memory before more is needed
    lines, place = [], ""
    for frame in traceback.extract_tb(error.__traceback__):
        module = _module_of(frame.filename)
        if not module:
            continue
        edit, line = _locate(module, frame.lineno or 0, edits)
        if edit:
            lines.append(_line(edit, line, frame.name))
        else:
            place = f"{frame.name} ({module}, line {line})"
    if isinstance(error, SyntaxError):
        at = [edit for edit in edits if error.filename == _name(edit)]
        lines = [_line(edit, min(error.lineno or edit.first, _end(edit)), "") for edit in at]
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return {
        "kind": type(error).__name__,
        "message": message[:MAX_OUTPUT],
        "lines": lines,
        "place": "" if lines else place,
    }


def _check_syntax(edit: Edit) -> None:
    """Compile an edit on its own, so that its syntax errors are located within it."""
    above = "\n" * (edit.first - 1)
    compile(f"{above}{edit.text}\n", _name(edit), "exec", dont_inherit=True)


def _name(edit: Edit) -> str:
    return f"<{edit.cell}>"


def _end(edit: Edit) -> int:
    """The last line of an edit, in the page's numbering."""
    return edit.first + edit.text.count("\n")


def _line(edit: Edit, line: int, function: str) -> LineTable:
    text = edit.text.split("\n")[line - edit.first].strip()
    return {"cell": edit.cell, "line": line, "text": text, "function": function}


def _write_edited(folder: Path, module: str, edits: list[Edit]) -> None:
    file = folder / f"{module.replace('.', '/')}.py"
    if not file.exists():
        file = folder / module.replace(".", "/") / "__init__.py"
    lines = file.read_text("utf-8").split("\n")
    for edit in sorted(edits, key=lambda edit: edit.first, reverse=True):
        lines[edit.first - 1 : edit.last] = edit.text.split("\n")
    file.write_text("\n".join(lines), "utf-8")


def _locate(module: str, line: int, edits: Sequence[Edit]) -> tuple[Edit | None, int]:
    """The edit that a line of an edited module belongs to, and its number on the page."""
    shift = 0
    for edit in sorted((e for e in edits if e.module == module), key=lambda edit: edit.first):
        if edit.first + shift <= line <= _end(edit) + shift:
            return edit, line - shift
        if line > _end(edit) + shift:
            shift += _end(edit) - edit.last
    return None, line - shift


def _module_of(filename: str) -> str:
    """The dotted module name of a file in a temporary folder."""
    parts = Path(filename).with_suffix("").parts
    inside = [i for i, part in enumerate(parts) if part.startswith(_FOLDER)]
    return ".".join(parts[inside[-1] + 1 :]).removesuffix(".__init__") if inside else ""


@contextlib.contextmanager
def _new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=_FOLDER) as folder:
        yield Path(folder)


class Output(io.TextIOBase):
    """A text stream that keeps only the beginning of the output."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room = MAX_OUTPUT
        self._cut = 0

    def write(self, text: str) -> int:
        """Keep what fits; returns the length of `text`, as files do."""
        kept = text[: self._room]
        if kept:
            self._parts.append(kept)
        self._room -= len(kept)
        self._cut += len(text) - len(kept)
        return len(text)

    def text(self) -> str:
        """The output, with a note of how much was cut."""
        note = f"\n… and {self._cut:,} more characters" if self._cut else ""
        return "".join(self._parts) + note


@contextlib.contextmanager
def captured() -> Iterator[Output]:
    """Capture printed output and warnings."""
    output = Output()

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        output.write(f"{category.__name__}: {message}\n")

    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always")
        warnings.showwarning = show  # type: ignore[assignment]
        yield output
