import pytest

from site_builder.problem import Report
from site_builder.read.code import Span, read_module
from tests.site_builder.read.modules import module, problems

DECORATED = '''\
"""The module."""

import functools


@functools.cache
@functools.wraps(
    print
)
def first(
    X: "Array",
    /,
    gamma: float = 1.0,
    *rest: int,
    epsilon: float
    = 1e-5,
    name=None,
) -> float:
    """Say what it does."""
    return X


class Thing:
    def method(self, step=(1,
                           2)):
        def inside():
            return 1
        return inside


async def later():
    pass
'''


def test_functions_and_their_spans() -> None:
    found = {f.dotted: f for f in module(DECORATED).functions}
    assert list(found) == ["gpt.ops.first", "gpt.ops.Thing.method"]
    assert found["gpt.ops.first"].span == Span(path="src/gpt/ops.py", first=6, last=20)
    assert found["gpt.ops.Thing.method"].span == Span(path="src/gpt/ops.py", first=24, last=28)
    assert found["gpt.ops.first"].docstring == "Say what it does."


def test_parameters_with_defaults_annotations_and_lines() -> None:
    first, method = module(DECORATED).functions
    found = [(p.name, p.default, p.annotation, p.line) for p in first.parameters]
    assert found == [
        ("X", None, '"Array"', 11),
        ("gamma", "1.0", "float", 13),
        ("epsilon", "1e-5", "float", 15),
        ("name", "None", None, 17),
    ]
    assert [(p.name, p.default) for p in method.parameters] == [
        ("self", None),
        ("step", "(1,\n                           2)"),
    ]


def test_dataclass_fields() -> None:
    found = module(
        """\
        from dataclasses import dataclass
        import dataclasses

        @dataclass(frozen=True)
        class Config:
            seq_len: int = 16
            eps: float = (
                1e-5
            )
            name: str

            def method(self) -> None:
                local: int = 3

        @dataclasses.dataclass
        class Other:
            seq_len: int

        class Plain:
            no_field: int = 1
        """
    ).fields
    assert [(f.dotted, f.default, f.span.first, f.span.last) for f in found] == [
        ("gpt.ops.Config.seq_len", "16", 6, 6),
        ("gpt.ops.Config.eps", "1e-5", 7, 9),
        ("gpt.ops.Config.name", None, 10, 10),
        ("gpt.ops.Other.seq_len", None, 17, 17),
    ]


def test_constants() -> None:
    found = module(
        """\
        SCALE = 2.0 * (
            3.0
        )
        def f():
            LOCAL = 1
        NAME = "x"
        """
    ).constants
    assert [(c.dotted, c.value, c.span.first, c.span.last) for c in found] == [
        ("gpt.ops.SCALE", "2.0 * (\n    3.0\n)", 1, 3),
        ("gpt.ops.NAME", '"x"', 6, 6),
    ]


def test_an_annotated_constant_is_one_too() -> None:
    found = module("SCALE: float = 2.0\nUNSET: int\n").constants
    assert [(c.name, c.value) for c in found] == [("SCALE", "2.0")]


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("import numpy", {"numpy": "numpy"}),
        ("import numpy as np", {"np": "numpy"}),
        ("import gpt.ops", {"gpt": "gpt"}),
        ("import gpt.ops as o", {"o": "gpt.ops"}),
        ("from gpt.ops import f, g as h", {"f": "gpt.ops.f", "h": "gpt.ops.g"}),
        ("from gpt import ops", {"ops": "gpt.ops"}),
        ("from . import ops", {"ops": "gpt.sub.ops"}),
        ("from .ops import f", {"f": "gpt.sub.ops.f"}),
        ("from ..ops import f as g", {"g": "gpt.ops.f"}),
        ("def f():\n    from .ops import g", {"g": "gpt.sub.ops.g"}),
    ],
)
def test_imports_of_a_module(text: str, imports: dict[str, str]) -> None:
    assert module(text, "gpt.sub.here").imports == imports


def test_imports_of_a_package() -> None:
    text = "from . import ops\nfrom .ops import f\nfrom ..base import g\n"
    found = module(text, "gpt.sub", "src/gpt/sub/__init__.py").imports
    assert found == {"ops": "gpt.sub.ops", "f": "gpt.sub.ops.f", "g": "gpt.base.g"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", [""]), ("a\n", ["a"]), ("a\n\n", ["a", ""]), ("a\nb", ["a", "b"]), ("\n", [""])],
)
def test_lines_are_those_that_an_editor_numbers(text: str, lines: list[str]) -> None:
    assert module(text).lines == lines


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1\ndef f(:\n", "src/a.py:2: is not valid Python (invalid syntax);"),
        ("x = 1\0\n", "src/a.py"),
        ("if x:\npass\n", "src/a.py:2: is not valid Python (expected an indented block"),
    ],
)
def test_what_is_no_python(text: str, problem: str) -> None:
    report = Report()
    assert read_module("a", "src/a.py", text, report) is None
    (found,) = problems(report)
    assert found.startswith(problem)
    assert found.endswith("; correct the code, then build again")
