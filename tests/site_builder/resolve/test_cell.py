import json

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import LESSON, OPS, PAGE, SETTINGS, Project

pytestmark = pytest.mark.slow

SHOW = """

def show_twice():
    print(twice(np.array([[1.0, 2.0, 6.0]])))
"""
CELL = """
:::{cell} ops
:code: ops.centre
:run: lessons.small.show_twice
:::
"""


@pytest.fixture
def project(tiny: Project) -> Project:
    """The tiny project with a cell."""
    tiny.append(LESSON, SHOW)
    tiny.append(PAGE, CELL)
    return tiny


def cell(project: Project) -> Element:
    outcome = project.build()
    assert outcome.errors == []
    return parse(project.page()).by_id("cell-ops")


def data(project: Project) -> dict[str, object]:
    cell(project)
    (_, text) = project.page().split('<script type="application/json" class="cell-data">')
    table: dict[str, object] = json.loads(text.partition("</script>")[0])
    return table


def test_a_cell_shows_the_source_and_what_the_program_printed(project: Project) -> None:
    found = cell(project)
    assert found.one("samp").words == "[[-1. 0. 4.]]"
    lines = found.all("span", "line")
    assert "def centre(X, shift=0.0):" in lines[0].words


def test_the_browser_gets_the_true_lines(project: Project) -> None:
    table = data(project)
    source = project.read(OPS).split("\n")
    first, last = table["first"], table["last"]
    assert isinstance(first, int)
    assert isinstance(last, int)
    assert source[first - 1] == "def centre(X, shift=0.0):"
    assert table["text"] == "\n".join(source[first - 1 : last])
    assert (table["module"], table["program"]) == ("tiny.ops", "lessons.small.show_twice")


def test_the_version_follows_the_source_alone(project: Project) -> None:
    before = data(project)
    project.replace(OPS, '"""Operations."""', '"""Operations.\n\nOn rows.\n"""')
    moved = data(project)
    assert moved["first"] != before["first"]
    assert moved["version"] == before["version"]
    project.replace(OPS, "return Y + shift", "return Y - shift")
    assert data(project)["version"] != before["version"]


def test_several_functions_are_edited_in_one_piece(project: Project) -> None:
    project.replace(PAGE, ":code: ops.centre\n", ":code: ops.centre ops.twice\n")
    text = data(project)["text"]
    assert isinstance(text, str)
    assert text.startswith("def centre(X, shift=0.0):")
    assert text.endswith("    Y = centre(Y, 1.0)\n    return Y")


def test_functions_of_two_modules(project: Project) -> None:
    project.replace(PAGE, ":code: ops.centre\n", ":code: ops.centre small.show\n")
    assert project.problem() == (
        f"{PAGE}:{project.line(PAGE, ':::{cell}')}: a cell edits functions of one module;"
        " name functions of one module"
    )


def test_a_method(project: Project) -> None:
    project.append(OPS, "\n\nclass Scale:\n    def apply(self, X):\n        return X\n")
    project.replace(PAGE, ":code: ops.centre\n", ":code: Scale.apply\n")
    assert "a cell cannot edit the method Scale.apply" in project.problem()


def test_a_program_with_inputs(project: Project) -> None:
    project.replace(PAGE, ":run: lessons.small.show_twice", ":run: lessons.small.show")
    assert project.problem() == (
        f"{PAGE}:{project.line(PAGE, ':run:')}: lessons.small.show cannot run on its own: it needs"
        " X; name a function without parameters"
    )


def test_a_program_that_raises(project: Project) -> None:
    project.replace(LESSON, "print(twice(", "print(1 / 0, twice(")
    line = project.line(LESSON, "1 / 0")
    assert project.problem().startswith(f"{LESSON}:{line}: raises ZeroDivisionError")


CHECKS = '''\
"""Checks of exercises."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    property: str
    holds: bool
    where: str = ""
    expected: str = ""
    got: str = ""
    hint: str = ""


def double(x):
    return 2 * x


def check(answer):
    got = answer.double(4)
    yield Found("double", got == 8, "x = 4", "8", str(got))
'''
EXERCISE = """
:::{exercise} double
:title: Double
:check: exercises.twos.check
:solution: exercises.twos.double
:hint: Use `*`.
Return *twice* {code}`ops.twice` of it.

```python
def double(x):
    return x  # <your> answer
```
:::
"""


@pytest.fixture
def exercise(tiny: Project) -> Project:
    """The tiny project with an exercise."""
    tiny.write("src/exercises/__init__.py", "")
    tiny.write("src/exercises/twos.py", CHECKS)
    tiny.replace(
        SETTINGS, '"src/tiny" = "tiny"', '"src/tiny" = "tiny"\n"src/exercises" = "exercises"'
    )
    tiny.append(PAGE, EXERCISE)
    return tiny


def test_an_exercise_shows_its_task_stub_and_solution(exercise: Project) -> None:
    assert exercise.build().errors == []
    found = parse(exercise.page()).by_id("exercise-double")
    assert "Return twice ops.twice of it." in found.words
    assert "# <your> answer" in exercise.page().replace("&lt;", "<").replace("&gt;", ">")
    (hint, solution) = found.all("details")
    assert "Use *." in hint.words
    assert "return 2 * x" in solution.words


def test_a_stub_that_passes(exercise: Project) -> None:
    exercise.replace(PAGE, "    return x  # <your> answer", "    return x + x")
    line = exercise.line(PAGE, "```python")
    assert exercise.problem() == (
        f"{PAGE}:{line}: the stub of the exercise 'double' passes exercises.twos.check;"
        " leave work to do, or let the check find what is missing"
    )


def test_a_solution_that_does_not_pass(exercise: Project) -> None:
    exercise.replace("src/exercises/twos.py", "return 2 * x", "return 3 * x")
    line = exercise.line(PAGE, ":solution:")
    assert exercise.problem() == (
        f"{PAGE}:{line}: the solution of the exercise 'double' does not pass: double at x = 4:"
        " expected 8, got 12; correct the solution, or the check"
    )


def test_a_check_that_finds_nothing(exercise: Project) -> None:
    exercise.replace("src/exercises/twos.py", "    yield Found(", "    return\n    yield Found(")
    line = exercise.line(PAGE, ":solution:")
    assert exercise.problem() == (
        f"{PAGE}:{line}: exercises.twos.check yields no findings for the solution of 'double';"
        " let it yield a finding for each property"
    )


def test_a_check_that_raises(exercise: Project) -> None:
    exercise.replace("src/exercises/twos.py", "    got = answer", "    got = answer.nothing")
    line = exercise.line("src/exercises/twos.py", "answer.nothing")
    assert exercise.problem().startswith(f"src/exercises/twos.py:{line}: raises AttributeError")


def test_an_exercise_without_a_stub(exercise: Project) -> None:
    exercise.replace(PAGE, "```python\ndef double", "```\ndef double")
    line = exercise.line(PAGE, ":::{exercise}")
    assert exercise.problem() == (
        f"{PAGE}:{line}: the exercise 'double' has no stub; end it with a block between ```python"
        " and ```"
    )


@pytest.mark.parametrize("name", ["check", "solution"])
def test_names_that_are_not_in_the_code(exercise: Project, name: str) -> None:
    old = next(line for line in exercise.read(PAGE).split("\n") if line.startswith(f":{name}:"))
    exercise.replace(PAGE, old, f":{name}: exercises.twos.nowhere")
    line = exercise.line(PAGE, ":::{exercise}")
    assert exercise.problem().startswith(f"{PAGE}:{line}: there is no function")


@pytest.mark.parametrize("kind", ["cell", "exercise"])
def test_neither_can_stand_inside_another_directive(exercise: Project, kind: str) -> None:
    body = EXERCISE if kind == "exercise" else CELL
    exercise.append(LESSON, SHOW)
    exercise.write(PAGE, exercise.read(PAGE).replace(EXERCISE, ""))
    exercise.append(PAGE, f"\n::::{{note}}\n{body.strip()}\n::::\n")
    assert f"{{{kind}}} cannot be inside another directive" in exercise.problem()
