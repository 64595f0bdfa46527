"""A page that says something wrong: each problem at its place, with what to do about it."""

import pytest

from tests.site_builder.projects import PAGE, Project

LINE = "{line}`ops.centre:mu`"
MEAN = "](#eq-mean)"
ROW = "mu | \\mu | ops.centre:mu | The mean"
CALL = "ops.twice:Y#2 | The second call"

# What stands on the page, what to put there, and the problem that is reported at that line.
PROBLEMS = [
    (
        LINE,
        "{line}`ops.center:mu`",
        (
            "there is no function 'ops.center' in the code; correct the name, or remove what refers"
            " to it"
        ),
    ),
    (
        LINE,
        "{line}`ops.centre:nu`",
        "tiny.ops.centre has no 'nu'; name a value that the function computes",
    ),
    (
        LINE,
        "{line}`ops.twice:Y`",
        (
            "'Y' is ambiguous in tiny.ops.twice: lines 13, 14; write Y#1 for the first, Y#2 for the"
            " second"
        ),
    ),
    (
        LINE,
        "{line}`ops.twice:Y#3`",
        "tiny.ops.twice has only 2 of 'Y#3'; write a number from 1 to 2",
    ),
    (
        LINE,
        "{line}`ops.twice:Y#0`",
        "tiny.ops.twice has only 2 of 'Y#0'; write a number from 1 to 2",
    ),
    (
        LINE,
        "{line}`ops.centre:mu mu`",
        "'mu mu' is not a valid Python expression; write it as the code does",
    ),
    (
        LINE,
        "{place}`ops.centre:mu`",
        "unknown role '{place}'; use one of claim, code, default, equation, line, shape, value",
    ),
    (
        LINE,
        "{equation}`median`",
        "there is no equation 'median'; use the id of an {equation}",
    ),
    (
        LINE,
        "{default}`ops.centre:X`",
        "'ops.centre:X' has no default; name a field or parameter that has one",
    ),
    (
        MEAN,
        "](#eq-median)",
        (
            "the link to '#eq-median' has no target: small.md has no such id; use the id of a"
            " heading, equation, symbol or example"
        ),
    ),
    (
        MEAN,
        "](small.md#eq-median)",
        (
            "the link to '#eq-median' has no target: small.md has no such id; use the id of a"
            " heading, equation, symbol or example"
        ),
    ),
    (
        MEAN,
        "](#eq-mean) ![A picture](https://example.org/a.png)",
        (
            "the picture 'https://example.org/a.png' would be missing from the site; describe it"
            " in words, or draw it with static/site.css"
        ),
    ),
    (
        MEAN,
        "](large.md)",
        "the link to 'large.md' has no target; link to a page's .md file",
    ),
    (
        MEAN,
        "](small.html)",
        "the link to 'small.html' has no target; link to a page's .md file",
    ),
    (
        ":::{symbols}",
        ":::symbols",
        "':::symbols' is not a directive; write :::{name} and its argument",
    ),
    (":::{symbols}", ":::{symbols} all", "{symbols} has an argument; remove it"),
    (
        ":label: Symbols",
        ":label: Symbols\n:width: 3",
        "unknown option 'width' of {symbols}; it accepts label",
    ),
    (
        ROW,
        "mu | \\mu | ops.centre:mu",
        "this row is incomplete; write id | LaTeX | anchor | meaning",
    ),
    (
        ROW,
        "mu | \\mu | ops.centre:median | The mean",
        "tiny.ops.centre has no 'median'; name a value that the function computes",
    ),
    (
        CALL,
        f"{CALL}\nops.centre:Y | The third call",
        (
            "'ops.centre:Y' is not a call of centre in the code; name the variable that"
            " receives its result"
        ),
    ),
    (
        "(what)=\n## What it is",
        "## What it is",
        "the heading 'What it is' has no id; put a line such as (some-id)= above it",
    ),
    (
        "---\ntitle: Small",
        "---",
        "the page has no title; add 'title: …' between --- lines",
    ),
    (
        "order: 1",
        "colour: red",
        "unknown front matter 'colour'; use one of notebook, order, summary, title",
    ),
]


@pytest.mark.parametrize(("old", "new", "problem"), PROBLEMS, ids=range(len(PROBLEMS)))
def test_problem_at_the_line(tiny: Project, old: str, new: str, problem: str) -> None:
    tiny.replace(PAGE, old, new)
    line = tiny.read(PAGE).partition(new)[0].count("\n") + 1 + new.count("\n")
    assert tiny.problem() == f"{PAGE}:{line}: {problem}"


def test_order_that_is_no_number(tiny: Project) -> None:
    tiny.replace(PAGE, "order: 1", "order: first")
    assert tiny.problem() == f"{PAGE}:1: 'order: first' is not a number; write a whole number"


def test_unknown_directive_names_the_known_ones(tiny: Project) -> None:
    tiny.replace(PAGE, ":::{symbols}", ":::{symbol}")
    line = tiny.line(PAGE, ":::{symbol}")
    problem = tiny.problem()
    assert problem.startswith(f"{PAGE}:{line}: unknown directive '{{symbol}}'; use one of about,")
    assert "symbols" in problem.partition("; ")[2]


def test_missing_option(tiny: Project) -> None:
    tiny.replace(PAGE, ":label: Symbols\n", "")
    line = tiny.line(PAGE, ":::{symbols}")
    assert tiny.problem() == (f"{PAGE}:{line}: {{symbols}} lacks :label:; add a line ':label: …'")


def test_equation_on_no_line(tiny: Project) -> None:
    tiny.replace(PAGE, ":computed-by: ops.centre:mu\n", "")
    line = tiny.line(PAGE, ":::{equation}")
    assert tiny.problem() == (
        f"{PAGE}:{line}: {{equation}} lacks :computed-by:; add a line ':computed-by: …'"
    )


def test_argument_that_is_missing(tiny: Project) -> None:
    tiny.replace(PAGE, ":::{code} ops.centre", ":::{code}")
    line = tiny.line(PAGE, ":::{code}")
    assert tiny.problem() == f"{PAGE}:{line}: {{code}} lacks an argument; give it an anchor"


def test_latex_error(tiny: Project) -> None:
    tiny.replace(PAGE, r"\mu = \frac{1}{d}", r"\mu = \frac{1}{d")
    line = tiny.line(PAGE, r"\mu = \frac")
    problem = tiny.problem()
    assert problem.startswith(f"{PAGE}:{line}: this LaTeX cannot be typeset: ")
    assert problem.endswith("; correct it")


def test_latex_error_in_prose(tiny: Project) -> None:
    tiny.replace(PAGE, "It is said", r"It is $\meen$, said")
    line = tiny.line(PAGE, r"\meen")
    assert tiny.problem().startswith(f"{PAGE}:{line}: this LaTeX cannot be typeset: ")


def test_latex_error_in_a_symbol(tiny: Project) -> None:
    tiny.replace(PAGE, ROW, r"mu | \meen | ops.centre:mu | The mean")
    line = tiny.line(PAGE, r"\meen")
    assert tiny.problem().startswith(f"{PAGE}:{line}: this LaTeX cannot be typeset: ")


def test_latex_error_that_was_in_the_cache_is_found_again(tiny: Project) -> None:
    tiny.replace(PAGE, "It is said", r"It is $\meen$, said")
    assert tiny.problems() == tiny.problems()


def test_duplicate_id_of_a_heading(tiny: Project) -> None:
    tiny.append(PAGE, "\n(what)=\n## Again\n")
    line = tiny.line(PAGE, "## Again")
    first = tiny.line(PAGE, "## What it is")
    assert tiny.problem() == (
        f"{PAGE}:{line}: the id 'what' is taken by {PAGE}:{first}; choose another"
    )


def test_duplicate_id_of_an_equation(tiny: Project) -> None:
    line = tiny.append(
        PAGE,
        ":::{equation} mean\n:caption: Again\n:computed-by: ops.centre:mu\n:unchecked: -\nx\n:::\n",
    )
    first = 13
    assert tiny.problem() == (
        f"{PAGE}:{line}: the id 'eq-mean' is taken by {PAGE}:{first}; choose another"
    )


def test_duplicate_id_between_pages(tiny: Project) -> None:
    tiny.write(
        "content/second.md",
        (
            "---\ntitle: Second\nsummary: More.\norder: 2\n---\n\n"
            ":::{equation} mean\n:caption: Again\n:computed-by: ops.centre:mu\n"
            ":unchecked: -\nx\n:::\n"
        ),
    )
    assert tiny.problem() == (
        f"content/second.md:7: the id 'eq-mean' is taken by {PAGE}:13; choose another"
    )


def test_id_that_the_page_frame_has(tiny: Project) -> None:
    tiny.replace(PAGE, "(what)=", "(content)=")
    line = tiny.line(PAGE, "## What it is")
    problem = tiny.problem()
    assert problem.startswith(f"{PAGE}:{line}: the id 'content' is taken by ")
    assert problem.endswith("; choose another")


def test_display_maths_between_dollars(tiny: Project) -> None:
    line = tiny.append(PAGE, "\n$$\nx = 1\n$$\n") + 1
    assert tiny.problem() == (
        f"{PAGE}:{line}: display mathematics between $$ has no id and is not linked to code;"
        " write it as an {equation} directive"
    )


def test_display_maths_between_dollars_in_a_list(tiny: Project) -> None:
    line = tiny.append(PAGE, "\n- one\n\n  $$x = 1$$\n") + 3
    assert tiny.problem().startswith(f"{PAGE}:{line}: display mathematics between $$ has no id")


def test_a_second_call_needs_a_caption(tiny: Project) -> None:
    tiny.replace(PAGE, f"{CALL}\n", "")
    line = tiny.line(PAGE, ":::{shapes}")
    assert tiny.problem() == (
        f"{PAGE}:{line}: the call at src/tiny/ops.py:14 has no caption here;"
        " add a row 'tiny.ops.twice:Y | …'"
    )


def test_all_problems_in_one_run(tiny: Project) -> None:
    tiny.replace(PAGE, LINE, "{line}`ops.centre:nu`")
    tiny.replace(PAGE, MEAN, "](#nowhere)")
    tiny.replace(PAGE, r"\mu = \frac{1}{d}", r"\mu = \frac{1}{d")
    tiny.replace(PAGE, ":::{code} ops.centre", ":::{listing} ops.centre")
    tiny.replace(PAGE, ":edit: X", ":edit: Z")
    tiny.append(PAGE, "\n## No id\n")
    tiny.write("content/bad.md", "no front matter\n")
    found = [problem.split(": ")[0] for problem in tiny.problems()]
    assert found == [
        "content/bad.md:1",
        "content/bad.md:1",
        f"{PAGE}:{tiny.line(PAGE, 'ops.centre:nu')}",
        f"{PAGE}:{tiny.line(PAGE, '#nowhere')}",
        f"{PAGE}:{tiny.line(PAGE, 'frac')}",
        f"{PAGE}:{tiny.line(PAGE, '{listing}')}",
        f"{PAGE}:{tiny.line(PAGE, ':::{example}')}",
        f"{PAGE}:{tiny.line(PAGE, '## No id')}",
    ]
