"""What can and what cannot become a notebook, on the tiny project."""

import json

import pytest

from tests.site_builder.projects import LESSON, OPS, PAGE, Project

pytestmark = pytest.mark.slow

PAGE_LINE = f"{PAGE}:1: "
IMPORT = "from tiny.ops import centre, twice"


def cells(project: Project, kind: str = "code") -> list[str]:
    assert project.build().code == 0
    notebook = json.loads(project.read("dist/small.ipynb"))
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == kind]


def printed(project: Project) -> str:
    assert project.build().code == 0
    notebook = json.loads(project.read("dist/small.ipynb"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return "".join(text for output in outputs for text in output["text"])


def test_the_example_of_another_project(tiny: Project) -> None:
    assert "Mean: [[3.]]\nAs on the page: Mean\n" in printed(tiny)


def test_every_kind_of_value_is_picked_at_its_time(tiny: Project) -> None:
    tiny.append(
        OPS,
        '''

def steps(X):
    """Values that change their names, and change in place."""
    Y = X * 2
    Y = (Y
         + 1)
    total = Y * 0
    for row in Y:
        last = row.sum()
        total += last
    early = total + 0
    total *= 3
    return early, [total, last]
''',
    )
    tiny.replace(LESSON, IMPORT, "from tiny.ops import centre, steps, twice")
    call = "    twice(np.ones((cfg.rows, cfg.width)))\n"
    tiny.replace(LESSON, call, f"{call}    show_steps(np.ones((2, 3)))\n")
    tiny.append(LESSON, "\n\ndef show_steps(X):\n    return steps(X)\n")
    tiny.append("tests/tiny/test_ops.py",
                "\n\ndef test_steps():\n    X = np.array([[1.0, 2.0], [3.0, 4.0]])\n")  # fmt: skip
    tiny.append(
        PAGE,
        """
:::{example} steps
:title: Steps
:program: lessons.small.show_steps
:values: tests.tiny.test_ops.test_steps
In | ops.steps:X
First | ops.steps:Y#1
Second | ops.steps:Y#2
Inside | ops.steps:Y * 0
Last | ops.steps:last
Early | ops.steps:return[0]
Late | ops.steps:return[1][0]
Words | {ops.steps:Y#2 @ 1,0} and {{ops.steps:last @ 0}}
:::
""".replace("{{ops.steps:last @ 0}}", "{ops.steps:Y#1 @ 0,1}"),
    )
    output = printed(tiny)
    assert "First:\n[[2., 4.],\n [6., 8.]]" in output
    assert "Second:\n[[3., 5.],\n [7., 9.]]" in output
    assert "Last: 8." in output  # of the first row
    assert "Early:\n[[24., 24.],\n [24., 24.]]" in output
    assert "Late:\n[[72., 72.],\n [72., 72.]]" in output
    assert "Words: 7 and 4" in output
    assert "As on the page: In, First, Second, Inside, Last, Early, Late" in output


def test_a_module_that_is_used_as_a_whole(tiny: Project) -> None:
    tiny.replace(LESSON, IMPORT,
                 "from tiny import ops\nfrom tiny.ops import centre as middle, twice")  # fmt: skip
    tiny.replace(LESSON, "    return centre(X)", "    return middle(X) + ops.centre(X)")
    (code,) = [cell for cell in cells(tiny) if "def show(" in cell]
    assert "ops = SimpleNamespace(centre=centre)" in code
    assert "middle = centre" in code
    assert "Mean: [[3.]]" in printed(tiny)


def test_one_name_for_two_things(tiny: Project) -> None:
    tiny.append(OPS, "\n\nSTEP = 1\n\n\ndef step():\n    return STEP\n")
    tiny.append(LESSON, "\n\nSTEP = 2\n")
    tiny.replace(LESSON, IMPORT, "from tiny.ops import centre, step, twice")
    tiny.replace(LESSON, "    return centre(X)", "    return centre(X) * STEP * step()")
    assert tiny.problem() == (
        f"{PAGE_LINE}this page cannot be a notebook: lessons.small.show needs two different"
        " definitions of 'STEP'; rename it, or write 'notebook: no' in the front matter"
    )
    tiny.replace(PAGE, "order: 1\n", "order: 1\nnotebook: no\n")
    assert tiny.build().code == 0
    assert not (tiny.root / "dist/small.ipynb").exists()
    assert "small.ipynb" not in tiny.page()


def test_a_name_that_changes_from_example_to_example(tiny: Project) -> None:
    """What the second needs is defined again, since the first needed another one of that name."""
    tiny.append(OPS, "\n\nSTEP = 1\n\n\ndef step():\n    return STEP\n")
    tiny.replace(LESSON, IMPORT, "from tiny.ops import centre, step, twice")
    tiny.append(LESSON, "\n\nSTEP = 2\n\n\ndef show_one():\n    print('one', step())\n"
                        "\n\ndef show_two():\n    print('two', STEP)\n")  # fmt: skip
    for program in ("show_one", "show_two", "show_one"):
        tiny.append(PAGE, f"\n:::{{printed}} small.{program}\n:::\n")
    assert "one 1\ntwo 2\none 1\n" in printed(tiny)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("    return open('sizes.txt').read()", "FileNotFoundError"),
        (
            "    from tiny.ops import centre\n    return centre(X)",
            "'show' runs 'from tiny.ops import centre' when called",
        ),
        ("    return __import__('tiny.ops').ops.centre(X)", "ModuleNotFoundError"),
    ],
)  # fmt: skip
def test_code_that_does_not_run_by_itself(tiny: Project, body: str, what: str) -> None:
    if "open" in body:
        tiny.write("sizes.txt", "[[1.0]]")
        body = f"    centre(X)\n{body}"
    tiny.replace(LESSON, "    return centre(X)", body)
    problem = tiny.problem()
    assert problem.startswith(PAGE_LINE)
    assert what in problem
    assert problem.endswith("'notebook: no' in the front matter")


def test_a_name_that_the_notebook_itself_uses(tiny: Project) -> None:
    tiny.append(LESSON, "\n\ndef show_values(X):\n    return centre(X)\n")
    tiny.replace(LESSON, "    return centre(X)\n\n", "    return show_values(X)\n\n")
    assert "'show_values' is a name that the notebook itself uses" in tiny.problem()


def test_output_that_is_different_each_time(tiny: Project) -> None:
    tiny.append(
        LESSON, "\n\ndef show_count():\n    print(np.random.default_rng().integers(10**12))\n"
    )
    tiny.append(PAGE, "\n:::{printed} small.show_count\n:::\n")
    assert "does not print what the page shows" in tiny.problem()


def test_front_matter_says_yes_or_no(tiny: Project) -> None:
    tiny.replace(PAGE, "order: 1\n", "order: 1\nnotebook: perhaps\n")
    assert (
        tiny.problem() == f"{PAGE_LINE}'notebook: perhaps' is neither yes nor no; write yes or no"
    )


def test_part_of_a_function_is_shown_and_not_run(tiny: Project) -> None:
    tiny.append(PAGE, "\n:::{code} ops.centre:mu\n:::\n")
    line = "    mu = X.mean(axis=-1, keepdims=True)"
    assert any(f"```python\n{line}\n```" in text for text in cells(tiny, "markdown"))


def test_links_lead_to_the_site_or_nowhere(tiny: Project) -> None:
    text = "It is said in [one equation](#eq-mean)."
    assert any(text in cell for cell in cells(tiny, "markdown"))
    tiny.replace(PAGE, "[one equation](#eq-mean)", "[itself](small.md#what)")
    assert any("It is said in itself." in cell for cell in cells(tiny, "markdown"))
    tiny.replace(
        "content/site.toml", 'title = "Tiny"\n', 'title = "Tiny"\nurl = "https://me.example"\n'
    )
    expected = "It is said in [itself](https://me.example/small.html#what)."
    assert any(expected in cell for cell in cells(tiny, "markdown"))
