"""Describe what code raised, and where in the project."""

import traceback
from pathlib import Path

from runner.examples import NotComputedError
from runner.protocol import FailureTable

_RUNNER = Path(__file__).parent


def failure(error: BaseException, root: Path) -> FailureTable:
    """The error as text, and the innermost line of the project in its traceback."""
    places = [
        (path, frame.lineno or 0)
        for frame in traceback.extract_tb(error.__traceback__)
        if not Path(frame.filename).is_relative_to(_RUNNER)
        and (path := relative_path(frame.filename, root))
    ]
    path, line = places[-1] if places else ("", 0)
    what = (
        str(error) if isinstance(error, TimeoutError) else f"raises {type(error).__name__}: {error}"
    )
    key = error.key if isinstance(error, NotComputedError) else ""
    return {"path": path, "line": line, "what": what, "key": key}


def relative_path(path: str, root: Path) -> str:
    """A file's path within the project; empty for files elsewhere."""
    file = Path(path)
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else ""
