"""Projects to build in tests: a copy of the real one, and a tiny one for problems."""

import contextlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).parents[2]
_TESTS = ("tests/tinygpt", "tests/lessons", "tests/exercises")
_COPIED = ("content", "templates", "static", "src", *_TESTS)
# Without the list of published ids, tests may remove ids from pages.
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.egg-info", "ids.txt")

PAGE = "content/small.md"
OPS = "src/tiny/ops.py"
LESSON = "src/lessons/small.py"
SETTINGS = "content/site.toml"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of a run of the command line."""

    code: int
    output: str
    errors: list[str]


@dataclass(frozen=True)
class Project:
    """A project in a temporary folder."""

    root: Path

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert text.count(old) == 1, f"{path} has {text.count(old)} of {old!r}"
        self.write(path, text.replace(old, new))

    def append(self, path: str, text: str) -> int:
        """Append text; returns the number of its first line."""
        before = self.read(path)
        self.write(path, before + text)
        return before.count("\n") + 1

    def line(self, path: str, text: str) -> int:
        """The number of the only line that contains `text`."""
        found = [n for n, line in enumerate(self.read(path).split("\n"), 1) if text in line]
        assert len(found) == 1, f"{path} has {text!r} on lines {found}"
        return found[0]

    def build(self, *arguments: str, printing: bool = False) -> Outcome:
        """Run build.py in this process, which is much faster than in a new one."""
        output, errors = io.StringIO(), io.StringIO()
        command = ["build.py", *arguments, "--root", str(self.root), "--without-runtime"]
        command += [] if printing else ["--without-pdf"]
        with (
            pytest.MonkeyPatch.context() as patch,
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
        ):
            patch.setattr(sys, "argv", command)
            code = _script().main()
        return Outcome(code=code, output=output.getvalue(), errors=errors.getvalue().splitlines())

    def problems(self) -> list[str]:
        """The problems of a build that must fail, and must leave the last good site unchanged."""
        before = tree(self.root / "dist")
        outcome = self.build()
        assert outcome.code == 1, outcome.output
        *problems, count = outcome.errors
        assert count.startswith(f"{len(problems)} problem"), outcome.errors
        assert problems == sorted(set(problems), key=problems.index)
        assert tree(self.root / "dist") == before
        return problems

    def problem(self) -> str:
        """The only problem."""
        problems = self.problems()
        assert len(problems) == 1, problems
        return problems[0]

    def page(self, path: str = "small.html") -> str:
        return self.read(f"dist/{path}")


def run_build(
    root: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run build.py in a process of its own."""
    return subprocess.run(
        build_command(root, *arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **(environment or {})},
    )


def build_command(root: Path, *arguments: str) -> list[str]:
    script = str(REPOSITORY / "build.py")
    options = ["--root", str(root), "--without-runtime", "--without-pdf"]
    return [sys.executable, script, *arguments, *options]


def copy_repository(root: Path) -> Project:
    """The real pages and code, without the results of earlier builds."""
    for name in _COPIED:
        shutil.copytree(REPOSITORY / name, root / name, ignore=_NOT_COPIED)
    return Project(root)


def copy_project(project: Project, root: Path) -> Project:
    """A copy that includes the cache and the built site, and preserves file times."""
    shutil.copytree(project.root, root, symlinks=True)
    return Project(root)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file by its relative path."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_script", REPOSITORY / "build.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def write_tiny(root: Path) -> Project:
    """A project of one small module and one small page."""
    project = Project(root)
    for name in ("templates", "static"):
        shutil.copytree(REPOSITORY / name, root / name)
    for path, text in _TINY.items():
        project.write(path, text)
    return project


_TINY = {
    SETTINGS: """\
title = "Tiny"
description = "A tiny site."

[code]
subject = "tiny"

[code.folders]
"src/tiny" = "tiny"
"src/lessons" = "lessons"
"tests/tiny" = "tests.tiny"

[dimensions]
T = "rows"
d = "width"

[observe]
configuration = "lessons.small.configuration"
runs = ["lessons.small.run"]
parameters = "lessons.small.parameters"
decayed = "lessons.small.decayed"
time_limit = 20
sizes = [{ rows = 3, width = 5 }, { rows = 7, width = 8 }]
""",
    "src/tiny/__init__.py": '"""A tiny subject."""\n',
    "src/tiny/config.py": '''\
"""Sizes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    """Sizes of everything."""

    rows: int = 4
    width: int = 6
''',
    OPS: '''\
"""Operations."""


def centre(X, shift=0.0):
    """Take the mean of each row away."""
    mu = X.mean(axis=-1, keepdims=True)
    Y = X - mu
    return Y + shift


def twice(X):
    """Centre two times."""
    Y = centre(X)
    Y = centre(Y, 1.0)
    return Y
''',
    "src/lessons/__init__.py": "",
    LESSON: '''\
"""Runs of the subject."""

import numpy as np

from tiny.config import Config
from tiny.ops import centre, twice


def configuration():
    return Config()


def parameters(cfg):
    return {"g": np.ones(cfg.width)}


def decayed(cfg):
    return []


def run(cfg):
    twice(np.ones((cfg.rows, cfg.width)))


def show(X):
    return centre(X)
''',
    "tests/tiny/test_ops.py": """\
import numpy as np

from tiny.ops import centre


def test_centre():
    X = np.array([[1.0, 2.0, 6.0]])
    assert centre(X).sum() == 0
""",
    PAGE: r"""---
title: Small
summary: A small page.
order: 1
---

(what)=
## What it is

The line {line}`ops.centre:mu` takes the mean.
It is said in [one equation](#eq-mean).

:::{equation} mean
:caption: The mean
:computed-by: ops.centre:mu
:result-of: ops.centre
:unchecked: the row is left out
\mu = \frac{1}{d} \sum_i X_i
:::

:::{symbols}
:label: Symbols
mu | \mu | ops.centre:mu | The mean
:::

:::{code} ops.centre
:::

:::{shapes} ops.centre
ops.twice:Y#1 | The first call
ops.twice:Y#2 | The second call
:::

:::{connections}
:label: Lines
:::

:::{example} row
:title: One row
:program: lessons.small.show
:values: tests.tiny.test_ops.test_centre
:edit: X
Mean | ops.centre:mu
:::
""",
}
