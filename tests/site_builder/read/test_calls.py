import pytest

from site_builder.read.calls import Call, calls_in
from tests.site_builder.read.modules import codebase, module

OPS = "def f(x, y=1):\n    return x\n"


def calls(text: str, callee: str = "gpt.ops.f") -> list[Call]:
    here = module("from gpt.ops import f\n" + text, "gpt.here")
    return [c for function in here.functions for c in calls_in(function, here)
            if c.callee == callee]  # fmt: skip


def test_targets_and_arguments() -> None:
    (call,) = calls('def g(c):\n    a, (b), d["k"] = f(c.x, y="→")  # why\n')
    assert call.targets == ("a", "b", "d['k']")
    assert call.arguments == {"0": "c.x", "y": '"→"'}
    assert (call.span.first, call.span.last, call.line, call.column) == (3, 3, 3, 21)
    assert call.code == 'a, (b), d["k"] = f(c.x, y="→")'
    assert call.caller.dotted == "gpt.here.g"


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        ("1", None),
        ("1, 2", "2"),
        ("1, y=3", "3"),
        ("**settings", "**settings"),
        ("*both", "*both"),
        ("1, z=2, **rest", "**rest"),
    ],
)
def test_what_unpacking_passes_is_not_called_nothing(arguments: str, passed: str | None) -> None:
    (call,) = calls(f"def g(settings, both, rest):\n    f({arguments})\n")
    assert call.passed("y", 1) == passed


@pytest.mark.parametrize(
    "statement",
    ["return f(1)", "a = 1 + f(1)", "a += f(1)", "f(1)", "a[f(1)] = 2", "a = [f(1)]"],
)
def test_a_result_without_a_name_has_no_target(statement: str) -> None:
    (call,) = calls(f"def g(a):\n    {statement}\n")
    assert call.targets == ()
    assert call.arguments == {"0": "1"}


def test_a_call_on_several_lines() -> None:
    (call,) = calls("def g():\n    a = (1 +\n        f(\n            2,\n        ))\n    b = 1\n")
    assert (call.span.first, call.span.last, call.line, call.column) == (3, 6, 4, 8)


def test_a_call_in_the_head_of_a_compound_statement() -> None:
    found = calls(
        "def g(x):\n    if f(\n        x\n    ):\n        while f(1):\n            f(2)\n"
        "    elif f(3): pass\n"
    )
    assert [(c.span.first, c.span.last, c.code) for c in sorted(found, key=lambda c: c.line)] == [
        (3, 5, "if f(\n        x\n    ):"),
        (6, 6, "while f(1):"),
        (7, 7, "f(2)"),
        (8, 8, "elif f(3): pass"),
    ]


def test_calls_within_calls_and_within_nested_functions() -> None:
    found = calls("def g():\n    def h():\n        return f(f(1))\n    return lambda: f(2)\n")
    assert sorted((c.line, c.column, c.caller.name) for c in found) == [
        (4, 15, "g"),
        (4, 17, "g"),
        (5, 19, "g"),
    ]


def test_calls_in_methods() -> None:
    (call,) = calls("class C:\n    def m(self):\n        return f(self)\n")
    assert call.caller.dotted == "gpt.here.C.m"


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import gpt.ops", "gpt.ops.f(1)"),
        ("import gpt.ops as o", "o.f(1)"),
        ("from gpt import ops", "ops.f(1)"),
        ("from gpt.ops import f as g", "g(1)"),
        ("from .ops import f", "f(1)"),
        ("from . import ops as o", "o.f(1)"),
    ],
)
def test_names_are_followed_through_imports(imports: str, call: str) -> None:
    code = codebase(ops=OPS, here=f"{imports}\n\ndef h():\n    {call}\n")
    assert [c.line for c in code.source_calls_of("gpt.ops.f")] == [4]


def test_calls_within_the_module_and_by_file_and_line() -> None:
    code = codebase(
        b="from gpt.ops import f\n\ndef two():\n    f(2)\n    f(3)\n",
        ops=OPS + "\ndef one():\n    return f(1)\n",
        test_b="from gpt.ops import f\n\ndef test_it():\n    f(4)\n\ndef helper():\n    f(5)\n",
    )
    found = [(c.caller.dotted, c.line) for c in code.source_calls_of("gpt.ops.f")]
    assert found == [("gpt.b.two", 4), ("gpt.b.two", 5), ("gpt.ops.one", 5)]
    found = [(c.caller.dotted, c.line) for c in code.test_calls_of("gpt.ops.f")]
    assert found == [("tests.test_b.test_it", 4)]


CONFIG = """\
from dataclasses import dataclass

@dataclass
class Config:
    eps: float = 1.0

    def half(self):
        return self.eps / 2

@dataclass
class Other:
    eps: float = 2.0

    def half(self):
        return self.eps / 2

def annotated(c: Config):
    return c.eps

def other(c: Other):
    return c.eps

def anything(c):
    c.eps = 3
    return c.eps + c.epsilon
"""


def test_readers_of_a_field() -> None:
    code = codebase(config=CONFIG)
    found = sorted(
        (read.reader.qualname, read.span.first)
        for read in code.readers_of(code.fields["gpt.config.Config.eps"])
    )
    assert found == [("Config.half", 8), ("annotated", 18), ("anything", 25)]
