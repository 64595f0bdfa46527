"""What programs print and return, on pages: `{printed}`, `{value}` and `result(…)`."""

import pytest

from tests.site_builder.projects import PAGE, Project

pytestmark = pytest.mark.slow

PROGRAMS = """

def show():
    print("a < b")
    print("two")


def numbers():
    return {"whole": 3, "part": np.float64(0.012345), "row": np.arange(2), "no": None}


def needs(x):
    print(x)
"""


@pytest.fixture
def project(tiny: Project) -> Project:
    tiny.write("src/lessons/printing.py", '"""Programs."""\n\nimport numpy as np\n' + PROGRAMS)
    return tiny


def test_the_output_stands_on_the_page(project: Project) -> None:
    project.append(PAGE, "\n:::{printed} printing.show\n:::\n")
    assert not project.build().errors
    assert "<samp>a &lt; b\ntwo</samp>" in project.page()


def test_the_output_follows_the_code(project: Project) -> None:
    project.append(PAGE, "\n:::{printed} printing.show\n:::\n")
    assert not project.build().errors
    project.replace("src/lessons/printing.py", '"two"', '"three"')
    assert not project.build().errors
    assert "<samp>a &lt; b\nthree</samp>" in project.page()


def test_values_are_shown_as_measured(project: Project) -> None:
    values = (
        'result("printing.numbers")["part"]',
        'result("numbers")["whole"] + 1',
        "config.width",
    )
    project.append(PAGE, f"\nIt is {', '.join(f'{{value}}`{value}`' for value in values)}.\n")
    assert not project.build().errors
    page = project.page()
    for shown in ("0.012", "4", "6"):
        assert f"<code>{shown}</code>" in page


def test_a_claim_about_a_result_is_evaluated(project: Project) -> None:
    project.append(PAGE, '\n{claim}`Right | result("printing.numbers")["row"] == [0, 1]`.\n')
    assert not project.build().errors
    line = project.append(PAGE, '\n{claim}`Wrong | result("printing.numbers")["whole"] > 3`.\n') + 1
    assert project.problem().startswith(f"{PAGE}:{line}: this claim is false: “Wrong”")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (":::{printed} printing.nothing\n:::",
         "there is no function 'printing.nothing' in the code"),
        (":::{printed} printing.numbers\n:::", "lessons.printing.numbers prints nothing"),
        (":::{printed} printing.needs\n:::",
         "lessons.printing.needs cannot run on its own: it needs x"),
        ('{value}`result("printing.show")`',
         "the value 'result(\"printing.show\")' is not a number but None"),
        ('{value}`result("printing.needs")`',
         "lessons.printing.needs cannot run on its own: it needs x"),
        ("{value}`config.nothing`", "the value 'config.nothing' cannot be computed"),
        ('{value}`result("printing." "show")`',
         "the value 'result(\"printing.\" \"show\")' cannot be computed: 'printing.show' was"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown(project: Project, text: str, what: str) -> None:
    line = project.append(PAGE, f"\n{text}\n") + 1
    first, *_ = project.problems()
    assert first.startswith(f"{PAGE}:{line}: {what}")


def test_a_program_that_raises_is_placed(project: Project) -> None:
    project.append(PAGE, "\n:::{printed} printing.show\n:::\n")
    project.replace("src/lessons/printing.py", '    print("two")', "    raise ValueError(2)")
    line = project.line("src/lessons/printing.py", "ValueError")
    assert project.problem().startswith(f"src/lessons/printing.py:{line}: raises ValueError: 2")


def test_a_program_that_returns_what_no_page_can_use(project: Project) -> None:
    project.replace("src/lessons/printing.py", '    print("two")', "    return object()")
    project.append(PAGE, "\n:::{printed} printing.show\n:::\n")
    assert "a program cannot return a value of type object" in project.problem()
