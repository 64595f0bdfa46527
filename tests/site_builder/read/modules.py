"""Small codebases from texts."""

from pathlib import Path
from textwrap import dedent

from site_builder.problem import BuildError, Report
from site_builder.read.code import Module, read_module
from site_builder.read.codebase import Codebase


def module(text: str, name: str = "gpt.ops", path: str | None = None) -> Module:
    """A module that must parse."""
    report = Report()
    found = read_module(name, path or f"src/{name.replace('.', '/')}.py", dedent(text), report)
    assert found, problems(report)
    return found


def codebase(**texts: str) -> Codebase:
    """Modules of a package `gpt`, by their names in it; `tests_…` become tests."""
    modules = {}
    for name, text in texts.items():
        dotted = f"tests.{name}" if name.startswith("test_") else f"gpt.{name}"
        modules[dotted] = module(text, dotted)
    return Codebase(modules=modules, subject="gpt")


def problems(report: Report) -> list[str]:
    try:
        report.raise_if_any()
    except BuildError as error:
        return [str(problem) for problem in error.problems]
    return []


def write(root: Path, path: str, text: str | bytes) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
