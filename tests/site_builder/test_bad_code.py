"""Code that cannot be read or run: each problem at its place, and the last good site stays."""

import json
import os

import pytest

from site_builder.observe import process
from tests.site_builder.projects import LESSON, OPS, PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

CALL = "    twice(np.ones((cfg.rows, cfg.width)))\n"


def test_broken_python(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", "    Y = (X - mu\n")
    assert tiny.problem() == (
        f"{OPS}:7: is not valid Python ('(' was never closed); correct the code, then build again"
    )


def test_broken_python_is_not_blamed_on_the_pages(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", "    Y = (X - mu\n")
    tiny.append(PAGE, "\n## No id\n")
    assert [problem.split(": ")[0] for problem in tiny.problems()] == [
        f"{PAGE}:{tiny.line(PAGE, '## No id')}",
        f"{OPS}:7",
    ]


def test_broken_python_in_a_test(tiny: Project) -> None:
    tiny.append("tests/tiny/test_ops.py", "\n\ndef broken(:\n    pass\n")
    assert "tests/tiny/test_ops.py:11: is not valid Python" in tiny.problem()


def test_code_that_is_not_utf8(tiny: Project) -> None:
    (tiny.root / OPS).write_bytes(b'"""Operations."""\n\n# na\xefve\n')
    assert f"{OPS}:3: is not UTF-8 text; save the file as UTF-8" in tiny.problems()


def test_a_page_that_is_not_utf8(tiny: Project) -> None:
    (tiny.root / "content/bad.md").write_bytes(b"---\ntitle: na\xefve\n---\n")
    assert tiny.problem() == "content/bad.md:2: is not UTF-8 text; save the file as UTF-8"


def test_settings_that_are_not_utf8(tiny: Project) -> None:
    (tiny.root / SETTINGS).write_bytes(b'title = "na\xefve"\n')
    assert tiny.problem() == f"{SETTINGS}:1: is not UTF-8 text; save the file as UTF-8"


def test_code_that_raises(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", '    raise RuntimeError("no luck")\n    Y = X - mu\n')
    assert tiny.problem() == (
        f"{OPS}:7: raises RuntimeError: no luck; make it run on its own, then build again"
    )


def test_code_that_raises_where_it_is_imported(tiny: Project) -> None:
    line = tiny.append(OPS, "\nBAD = 1 / 0\n") + 1
    assert tiny.problem().startswith(f"{OPS}:{line}: raises ZeroDivisionError: division by zero;")


def test_code_that_raises_inside_numpy_is_named_itself(tiny: Project) -> None:
    tiny.replace(LESSON, CALL, "    np.linalg.inv(np.zeros((2, 2)))\n")
    line = tiny.line(LESSON, "np.linalg.inv")
    assert tiny.problem().startswith(f"{LESSON}:{line}: raises LinAlgError: Singular matrix;")


def test_code_that_exits(tiny: Project) -> None:
    tiny.replace(LESSON, CALL, "    raise SystemExit(0)\n")
    line = tiny.line(LESSON, "SystemExit")
    assert tiny.problem().startswith(f"{LESSON}:{line}: raises SystemExit: 0;")


def test_code_that_never_ends(tiny: Project) -> None:
    tiny.replace(SETTINGS, "time_limit = 20", "time_limit = 0.3")
    tiny.replace(LESSON, CALL, "    while True:\n        pass\n")
    line = tiny.line(LESSON, "while True")
    problem = tiny.problem()
    assert problem.split(": ")[0] in (f"{LESSON}:{line}", f"{LESSON}:{line + 1}")
    assert "was still running after 0.3 s; make it run on its own, then build again" in problem


def test_code_that_never_ends_and_does_not_listen(
    tiny: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_GRACE", 0.3)
    tiny.replace(SETTINGS, "time_limit = 20", "time_limit = 0.2")
    deaf = '    while True:\n        try: __import__("time").sleep(9)\n'
    tiny.replace(LESSON, CALL, f"{deaf}        except BaseException: pass\n")
    assert tiny.problem() == (
        f"{SETTINGS}: the code ended with exit code -9 before it finished (no output);"
        " run the functions of [observe] by hand; the time limit is 0.2 s"
    )


def test_code_that_leaves_without_a_word(tiny: Project) -> None:
    tiny.replace(LESSON, CALL, '    print("bye")\n    __import__("sys").stdout.flush()\n'
                 '    __import__("os")._exit(0)\n')  # fmt: skip
    assert tiny.problem() == (
        f"{SETTINGS}: the code ended with exit code 0 before it finished (bye);"
        " run the functions of [observe] by hand; the time limit is 20 s"
    )


@pytest.mark.parametrize(
    "speech",
    [
        '    print("{}")\n',
        '    import os\n    os.write(1, b"null\\n")\n',
        '    import subprocess\n    subprocess.run(["echo", "{}"], check=True)\n',
        '    import os\n    os.write(2, b"\\xff\\xfe")\n',
        '    import sys\n    sys.__stdout__.write("{}\\n")\n',
        '    print("é" * 300_000)\n',
        '    import atexit\n    atexit.register(print, "bye")\n',
    ],
)
def test_code_that_prints(tiny: Project, speech: str) -> None:
    tiny.replace(LESSON, CALL, speech + CALL)
    before = tiny.page()
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    assert tiny.page() == before


def test_an_example_that_does_not_compute_what_its_rows_show(tiny: Project) -> None:
    tiny.replace(PAGE, "Mean | ops.centre:mu", "Mean | ops.twice:Y#1")
    problem = tiny.problem()
    assert "tiny.ops.twice was not called" in problem
    assert problem.startswith(f"{PAGE}:{tiny.line(PAGE, 'Mean | ops')}: ")


def test_an_example_that_raises(tiny: Project) -> None:
    tiny.replace(LESSON, "    return centre(X)\n", '    raise ValueError("no")\n')
    line = tiny.line(LESSON, "raise ValueError")
    assert tiny.problem().startswith(f"{LESSON}:{line}: raises ValueError: no;")


def test_an_unknown_observed_function(tiny: Project) -> None:
    tiny.replace(SETTINGS, "lessons.small.run", "lessons.small.runs")
    problem = tiny.problem()
    assert problem.startswith(f"{SETTINGS}: raises LookupError: there is no function lessons.small")


def test_a_folder_that_is_not_there(tiny: Project) -> None:
    tiny.replace(SETTINGS, '"src/tiny" =', '"src/tine" =')
    assert "src/tine: is not a folder; correct the name in content/site.toml" in tiny.problems()


def test_code_edited_twice_within_a_second_is_run_as_it_stands(
    tiny: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled files are told apart by their size and by the second in which they changed."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    old = "np.ones(cfg.width)"
    for size in (3, 4):
        new = f"np.full(({size},), 1.0)"
        assert len(new) == len(old)
        tiny.replace(LESSON, old, new)
        os.utime(tiny.root / LESSON, (1e9, 1e9))
        outcome = tiny.build()
        assert outcome.code == 0, outcome.errors
        (parameter,) = json.loads(tiny.read("dist/explain.json"))["parameters"]
        assert parameter["shape"] == [size]
        old = new


def test_html_in_the_code_is_text(tiny: Project) -> None:
    tiny.replace(OPS, '"""Operations."""', '"""<script>alert(1)</script> & <b>bold</b>."""')
    tiny.replace(OPS, "Take the mean", "<img src=x onerror=alert(2)> Take the mean")
    tiny.replace(OPS, "    Y = X - mu\n", '    Y = X - mu  # </code><i>"quoted"</i>\n')
    assert tiny.build().code == 0
    for path in ("small.html", "source/ops.html", "index.html"):
        html = tiny.page(path)
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<i>" not in html
        assert "<b>bold" not in html
    escaped = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold"
    assert escaped in tiny.page("source/ops.html")


def test_html_on_a_page_is_text(tiny: Project) -> None:
    tiny.append(PAGE, "\n<script>alert(1)</script>\n\nA <b>bold</b> word.\n")
    tiny.replace(PAGE, ":title: One row", ":title: One <i>row</i>")
    tiny.replace(PAGE, "title: Small\n", "title: Small <u>page</u>\n")
    tiny.replace(PAGE, ":caption: The mean", ":caption: The <s>mean</s>")
    assert tiny.build().code == 0
    html = tiny.page() + tiny.page("index.html")
    for tag in ("<script>alert", "<b>bold", "<i>row", "<u>page", "<s>mean"):
        assert tag not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_a_script_end_in_the_data_of_an_example_does_not_end_it(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", '    Y = X - mu + (0 if "</script><i>" else 1)\n')
    line = 'Gap | ops.centre:X - mu + (0 if "</script><i>" else 1)'
    tiny.replace(PAGE, "Mean | ops.centre:mu\n", f"Mean | ops.centre:mu\n{line}\n")
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    assert "<i>" not in tiny.page()


def test_code_that_raises_does_not_hide_what_is_wrong_on_pages(tiny: Project) -> None:
    tiny.append(LESSON, "\n\ndef observed(config):\n    raise RuntimeError('no')\n")
    tiny.replace(SETTINGS, 'runs = ["lessons.small.run"]', 'runs = ["lessons.small.observed"]')
    line = tiny.append(PAGE, "\n:::{nonsense}\n:::\n\n[gone](gone.md) and [here](#nowhere).\n") + 1
    problems = tiny.problems()
    assert [problem.partition(";")[0] for problem in problems] == [
        f"{PAGE}:{line}: unknown directive '{{nonsense}}'",
        f"{PAGE}:{line + 3}: the link to '#nowhere' has no target: small.md has no such id",
        f"{PAGE}:{line + 3}: the link to 'gone.md' has no target",
        f"{LESSON}:{tiny.line(LESSON, 'RuntimeError')}: raises RuntimeError: no",
    ]


def test_broken_python_does_not_hide_what_is_wrong_on_pages(tiny: Project) -> None:
    broken = tiny.append(OPS, "\ndef broken(:\n") + 1
    line = tiny.append(PAGE, "\n:::{nonsense}\n:::\n\n$$\nx\n$$\n") + 1
    assert [problem.partition(" (")[0].partition(";")[0] for problem in tiny.problems()] == [
        f"{PAGE}:{line}: unknown directive '{{nonsense}}'",
        f"{PAGE}:{line + 3}: display mathematics between $$ has no id and is not linked to code",
        f"{OPS}:{broken}: is not valid Python",
    ]
