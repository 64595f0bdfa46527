"""Locate Chromium, and the arguments to start it with.

Imports only the standard library: a build with nothing to do should take no time.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "CHROMIUM"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(environment: Mapping[str, str]) -> Path | None:
    """The browser that CHROMIUM names, else one on the PATH; None if it cannot be run."""
    named = environment.get(VARIABLE)
    if named:
        return Path(named) if os.access(named, os.X_OK) else None
    path = environment.get("PATH", os.defpath)
    found = (shutil.which(name, path=path) for name in _NAMES)
    return next((Path(name) for name in found if name), None)


def arguments() -> list[str]:
    """Command-line arguments for Chromium: root cannot use the sandbox."""
    return ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []


def identity(executable: Path | None) -> str:
    """Identify the installed browser: another version may print differently."""
    if executable is None:
        return ""
    status = executable.stat()
    return f"{executable} {status.st_size} {status.st_mtime_ns}"
