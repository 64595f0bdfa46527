"""Where problems inside blocks are reported, and that no block is dropped in silence."""

import pytest

from tests.site.html import parse
from tests.site_builder.projects import OPS, PAGE, Project

WRONG = "{line}`ops.centre:nu`"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"One\ntwo {WRONG}\nthree\n", 2),
        (f"One  \n*two* **and {WRONG}**\n", 2),
        (f"- one\n- two\n  {WRONG}\n", 3),
        (f"> one\n>\n> {WRONG}\n", 3),
        (f"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | {WRONG} |\n", 4),
        (f"(x)=\n## Title {WRONG}\n", 2),
        (f":::{{note}}\nOne\n\ntwo\n{WRONG}\n:::\n", 5),
        (f":::{{about}}\n:status: illustrative\n\nOne {WRONG}\n:::\n", 4),
        (f"::::{{note}}\n:::{{note}}\nOne\n{WRONG}\n:::\n::::\n", 4),
        (f"[a {WRONG}](#what)\n", 1),
        (f":::{{variables}} Title {WRONG}\nX | ops.centre:X\n:::\n", 1),
    ],
)
def test_the_line_of_a_role(tiny: Project, text: str, line: int) -> None:
    first = tiny.append(PAGE, f"\n{text}") + 1
    assert tiny.problem().startswith(f"{PAGE}:{first + line - 1}: tiny.ops.centre has no 'nu'; ")


def test_the_line_of_a_role_in_an_included_file(tiny: Project) -> None:
    tiny.write("content/parts/more.md", f"One\ntwo {WRONG}\n")
    tiny.append(PAGE, "\n:::{include} parts/more.md\n:::\n")
    assert tiny.problem().startswith("content/parts/more.md:2: tiny.ops.centre has no 'nu'; ")


def test_a_role_in_a_code_span_is_text(tiny: Project) -> None:
    tiny.append(PAGE, f"\nWrite `` {WRONG} `` or\n\n```\n{WRONG} $x$\n```\n")
    assert tiny.build().code == 0
    assert parse(tiny.page()).words.count(WRONG) == 2


@pytest.mark.parametrize(
    "inner",
    [
        ":::{equation} inner\n:caption: C\n:computed-by: ops.centre:mu\n:unchecked: -\nx\n:::\n",
        ":::{step} inner\n:caption: C\n:computed-by: ops.centre:mu\n:unchecked: -\nx\n:::\n",
        (
            ":::{example} inner\n:title: T\n:program: lessons.small.show\n"
            ":values: tests.tiny.test_ops.test_centre\nMean | ops.centre:mu\n:::\n"
        ),
    ],
)
def test_what_only_a_page_can_hold(tiny: Project, inner: str) -> None:
    line = tiny.append(PAGE, f"\n::::{{note}}\n{inner}::::\n") + 2
    name = inner[4:].partition("}")[0]
    assert tiny.problem() == (
        f"{PAGE}:{line}: {{{name}}} cannot be inside another directive; move it out"
    )


def test_a_file_that_is_included_twice_cannot_have_ids(tiny: Project) -> None:
    tiny.write("content/parts/more.md", "(more)=\n## More\n")
    tiny.append(PAGE, "\n:::{include} parts/more.md\n:::\n" * 2)
    assert tiny.problem() == (
        "content/parts/more.md:2: the id 'more' is taken by content/parts/more.md:2; choose another"
    )


def test_links_between_pages(tiny: Project) -> None:
    front = "---\ntitle: Second\nsummary: More.\norder: 2\n---\n\n"
    tiny.write("content/second.md", f"{front}(here)=\n## Here\n\nSee [it](small.md#eq-mean).\n")
    tiny.append(PAGE, "\nSee [more](second.md) and [here](second.md#here).\n")
    assert tiny.build().code == 0
    links = [a.get("href") for a in parse(tiny.page()).one("main").all("a")]
    at_the_end = links.index("small.md")
    assert links[at_the_end - 2 : at_the_end] == ["second.html", "second.html#here"]
    tiny.replace(PAGE, "second.md#here", "second.md#there")
    line = tiny.line(PAGE, "#there")
    assert tiny.problem() == (
        f"{PAGE}:{line}: the link to '#there' has no target: second.md has no such id;"
        " use the id of a heading, equation, symbol or example"
    )


def test_a_call_through_another_name_of_the_package_is_a_call(tiny: Project) -> None:
    """`from tiny import centre`, where the package itself imports it from one of its modules."""
    tiny.append("src/tiny/__init__.py", "\nfrom tiny.ops import centre\n")
    tiny.write("src/tiny/more.py", "from tiny import centre\n\n\ndef again(X):\n"
               "    Z = centre(X)\n    return Z\n")  # fmt: skip
    line = tiny.line(PAGE, ":::{shapes}")
    assert tiny.problem().startswith(
        f"{PAGE}:{line}: the call at src/tiny/more.py:5 has no caption here; "
    )


def test_a_call_on_a_line_of_its_own_is_seen_to_run(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = centre(X)\n", "    Y = (\n        centre(\n            X)\n    )\n")
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors


def test_ambiguous_function(tiny: Project) -> None:
    tiny.write("src/tiny/more.py", "def centre(X):\n    return X\n")
    tiny.replace(PAGE, ":::{code} ops.centre", ":::{code} centre")
    line = tiny.line(PAGE, ":::{code}")
    assert tiny.problem() == (
        f"{PAGE}:{line}: 'centre' is ambiguous: tiny.more.centre, tiny.ops.centre;"
        " write more of the name"
    )
