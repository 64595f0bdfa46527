import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.browser import check_answer_json, run_reader_code_json
from runner.edits import MAX_OUTPUT, Edit, edited_modules
from runner.imports import find_function

MODULE = """\
LIMIT = 10


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


def show():
    print(double(4), triple(4), LIMIT)
"""
CHECKS = """\
from dataclasses import dataclass


@dataclass
class Found:
    property: str
    holds: bool


def check(answer):
    yield Found("nine", answer.nine() == 9)
"""


@pytest.fixture(autouse=True)
def _code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    package = tmp_path / "bench_code"
    package.mkdir()
    for name, text in {"__init__": "", "ops": MODULE, "checks": CHECKS}.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    (package / "user.py").write_text(
        "from bench_code.ops import double\n\n\ndef show():\n    print(double(1))\n", "utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.startswith("bench_code")]:
        del sys.modules[name]
    find_function.cache_clear()


def edit(text: str, first: int = 4, last: int = 5, cell: str = "one") -> dict[str, Any]:
    text = textwrap.dedent(text).strip("\n")
    return {"cell": cell, "module": "bench_code.ops", "first": first, "last": last, "text": text}


def run(*edits: dict[str, Any], program: str = "bench_code.ops.show") -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(
        run_reader_code_json(json.dumps({"edits": edits, "program": program}))
    )
    return answer


def test_the_committed_code_runs_as_it_is() -> None:
    assert run() == {"output": "8 12 10\n", "failure": None}


def test_edits_of_two_cells_apply_together_and_leave_no_trace() -> None:
    committed = find_function("bench_code.ops.double")
    path = [*sys.path]
    longer = edit("def double(x):\n    x = x + 1\n    return 2 * x")
    other = edit("def triple(x):\n    return -x", 8, 9, "two")
    assert run(longer, other)["output"] == "10 -4 10\n"
    assert find_function("bench_code.ops.double") is committed
    assert sys.modules["bench_code.ops"].double(4) == 8
    assert sys.path == path
    assert run()["output"] == "8 12 10\n"


def test_other_modules_use_the_edited_function() -> None:
    find_function("bench_code.user.show")()  # is imported before
    changed = edit("def double(x):\n    return 'edited'")
    assert run(changed, program="bench_code.user.show")["output"] == "edited\n"


def test_whoever_is_inside_the_edited_state_sees_it() -> None:
    with edited_modules([Edit(**edit("def double(x):\n    return 0"))]):
        assert find_function("bench_code.ops.double")(4) == 0
    assert find_function("bench_code.ops.double")(4) == 8


def test_every_run_has_files_of_its_own() -> None:
    names = set()
    for _ in range(2):
        with edited_modules([Edit(**edit("def double(x):\n    return 0"))]):
            file = Path(find_function("bench_code.ops.double").__code__.co_filename)
            assert file.exists()
            names.add(file)
        assert not file.exists()
    assert len(names) == 2


def test_a_failure_names_the_cell_and_the_line_that_the_page_shows() -> None:
    longer = edit("def double(x):\n    a = 1\n    b = 2\n    return 2 * x")
    failing = edit("def triple(x):\n    y = x\n    return y + wrong", 8, 9, "two")
    failure = run(longer, failing)["failure"]
    assert failure == {
        "kind": "NameError",
        "message": "name 'wrong' is not defined",
        "lines": [
            {"cell": "two", "line": 10, "text": "return y + wrong", "function": "triple"},
        ],
        "place": "",
    }


def test_a_failure_outside_of_the_cells_says_where() -> None:
    failure = run(edit("def double():\n    return 1"))["failure"]
    assert (failure["kind"], failure["lines"]) == ("TypeError", [])
    assert failure["place"] == "show (bench_code.ops, line 13)"
    moved = edit("def double():\n    a = 0\n    b = 0\n    return 1")
    assert run(moved)["failure"]["place"] == failure["place"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def double(x):\n    return 2 *", 5, "invalid syntax"),
        ("def double(x):\n    return (2", 5, "'(' was never closed"),
        ("def double(x):", 4, "expected an indented block after function definition on line 4"),
        ("def double(x):\nreturn x", 5, "expected an indented block"),
    ],
)
def test_a_mistake_of_syntax_lies_within_its_cell(text: str, line: int, message: str) -> None:
    failure = run(edit(text))["failure"]
    assert failure["message"].startswith(message)
    assert [(at["cell"], at["line"]) for at in failure["lines"]] == [("one", line)]


def test_what_was_printed_before_a_failure_stays() -> None:
    answer = run(edit("def double(x):\n    print('here')\n    raise SystemExit(3)"))
    assert answer["output"] == "here\n"
    assert answer["failure"]["kind"] == "SystemExit"


def test_a_long_output_is_cut_and_says_so() -> None:
    output = run(edit(f"def double(x):\n    print('y' * {MAX_OUTPUT + 5000})"))["output"]
    cut = 5000 + 1 + len("None 12 10\n")
    assert output == "y" * MAX_OUTPUT + f"\n… and {cut:,} more characters"


def test_warnings_are_part_of_the_output() -> None:
    text = "import numpy as np\n\n\ndef double(x):\n    return np.float64(x) / 0"
    assert run(edit(text))["output"] == (
        "RuntimeWarning: divide by zero encountered in scalar divide\ninf 12 10\n"
    )


def answer(text: str) -> dict[str, Any]:
    request = {"cell": "ex", "text": text, "check": "bench_code.checks.check"}
    found: dict[str, Any] = json.loads(check_answer_json(json.dumps(request)))
    return found


def test_an_answer_is_checked() -> None:
    right = answer("def nine():\n    print('called')\n    return 9\n")
    assert right == {
        "output": "called\n",
        "findings": [{"property": "nine", "holds": True}],
        "failure": None,
    }
    assert answer("def nine():\n    return 8\n")["findings"] == [
        {"property": "nine", "holds": False}
    ]
    assert "answer" not in sys.modules


def test_an_answer_that_cannot_be_loaded_names_its_line() -> None:
    found = answer("x = 1\ny = z\n")
    assert found["findings"] == []
    (line,) = found["failure"]["lines"]
    assert line == {"cell": "ex", "line": 2, "text": "y = z", "function": "<module>"}
    (line,) = answer("x = 1\ny = (\n")["failure"]["lines"]
    assert line["line"] == 2
