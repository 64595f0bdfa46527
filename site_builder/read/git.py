"""Read-only queries to git."""

import os
import subprocess
from pathlib import Path


def git(root: Path, *arguments: str) -> str | None:
    """The output of git, stripped; None if git fails or is not installed."""
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        run = subprocess.run(command, cwd=root, capture_output=True, check=True, env=environment)
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.decode(errors="replace").strip()
