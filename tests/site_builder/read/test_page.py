from pathlib import Path

import pytest

from site_builder.problem import Report
from site_builder.read.page import Fence, Heading, Page, Prose, read_page
from tests.site_builder.read.modules import problems, write

FRONT = "---\ntitle: A page\nsummary: About it.\norder: 3\n---\n"  # five lines
A = "content/a.md"


def read(root: Path, text: str) -> tuple[Page, list[str]]:
    write(root, A, FRONT + text)
    report = Report()
    page = read_page(root, A, report)
    assert page
    return page, problems(report)


def test_front_matter(tmp_path: Path) -> None:
    page, found = read(tmp_path, "")
    assert (page.path, page.slug, page.title, page.summary, page.order, page.blocks) == (
        A, "a", "A page", "About it.", 3, (),
    )  # fmt: skip
    assert found == []


def test_places_of_directives_options_and_rows(tmp_path: Path) -> None:
    page, found = read(
        tmp_path,
        "\nProse.\n\n:::{symbols} the argument  \n:label: Some words: here\n:flag:\n\n"
        "one | 1\n\n  two | 2\n\n:::\nMore.\n",
    )
    assert found == []
    prose, directive, more = page.blocks
    assert isinstance(prose, Prose)
    assert isinstance(more, Prose)
    assert isinstance(directive, Fence)
    assert (directive.name, directive.argument, directive.place.line) == (
        "symbols", "the argument", 9,
    )  # fmt: skip
    assert [(o.name, o.value, o.place.line) for o in directive.options] == [
        ("label", "Some words: here", 10),
        ("flag", "", 11),
    ]
    assert [(row.text, row.place.line) for row in directive.body] == [
        ("one | 1", 13),
        ("", 14),
        ("  two | 2", 15),
    ]
    assert {row.place.path for row in directive.body} == {A}


def test_latex_that_begins_with_a_colon_is_no_option(tmp_path: Path) -> None:
    page, _ = read(tmp_path, ":::{equation} x\n:caption: C\n\n:= 3\n:::\n")
    (directive,) = page.blocks
    assert isinstance(directive, Fence)
    assert [option.name for option in directive.options] == ["caption"]
    assert [line.text for line in directive.body] == [":= 3"]


def test_longer_fences_hold_shorter_ones(tmp_path: Path) -> None:
    page, _ = read(tmp_path, "::::{note}\n:::{inner}\n:::\n::::\n")
    (directive,) = page.blocks
    assert isinstance(directive, Fence)
    assert [line.text for line in directive.body] == [":::{inner}", ":::"]


def test_headings(tmp_path: Path) -> None:
    page, found = read(tmp_path, "(one)=\n## First *one*\n\n(two)=\n\nSecond\n---\n")
    assert found == []
    headings = [block for block in page.blocks if isinstance(block, Heading)]
    assert [(h.level, h.id, h.title.content, h.place.line) for h in headings] == [
        (2, "one", "First *one*", 7),
        (2, "two", "Second", 11),
    ]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("# No id\n", 6, "the heading 'No id' has no id"),
        ("(a)=\n## A\n## B\n", 8, "the heading 'B' has no id"),
        ("\n:::note\n:::\n", 7, "':::note' is not a directive"),
        ("Text\n\n$$x$$\n", 8, "display mathematics between $$"),
        ("Text\n\n$$\nx\n$$ (label)\n", 8, "display mathematics between $$"),
        ("> $$x$$\n", 6, "display mathematics between $$"),
        ("- a\n\n  ## B\n", 8, "a heading or directive cannot be inside a list"),
        ("> :::{note}\n> :::\n", 6, "a heading or directive cannot be inside a list"),
        ("(gone)=\n\nText\n", 6, "the id 'gone' is not above a heading"),
        ("(gone)=\n\nText\n\n(a)=\n## A\n", 6, "the id 'gone' is not above a heading"),
        ("(gone)=\n(a)=\n## A\n", 6, "the id 'gone' is not above a heading"),
        ("(gone)=\n:::{note}\nA\n:::\n", 6, "the id 'gone' is not above a heading"),
        ("Text\n\n+++\n", 8, "'+++' means nothing here"),
    ],
)
def test_problems_of_structure(tmp_path: Path, text: str, line: int, what: str) -> None:
    _, found = read(tmp_path, text)
    assert len(found) == 1, found
    assert found[0].startswith(f"{A}:{line}: {what}")
    assert "; " in found[0]


def test_comments_are_left_out(tmp_path: Path) -> None:
    page, found = read(tmp_path, "One.\n\n% a comment\n\nTwo.\n")
    assert found == []
    (prose,) = page.blocks
    assert isinstance(prose, Prose)
    assert [token.content for token in prose.tokens if token.content] == ["One.", "Two."]


def test_include(tmp_path: Path) -> None:
    write(tmp_path, "content/parts/b.md", "First.\n\n:::{note}\nB\n:::\n:::{include} c.md\n:::\n")
    write(tmp_path, "content/parts/c.md", "(c)=\n## C\n")
    page, found = read(tmp_path, ":::{include} parts/b.md\n:::\n\n:::{note}\nA\n:::\n")
    assert found == []
    places = [(type(b).__name__, b.place.path, b.place.line) for b in page.blocks]
    assert places == [
        ("Prose", "content/parts/b.md", 0),
        ("Fence", "content/parts/b.md", 3),
        ("Heading", "content/parts/c.md", 2),
        ("Fence", A, 9),
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("../secret.md", "'../secret.md' is outside the folder content"),
        ("parts/../../secret.md", "'parts/../../secret.md' is outside the folder content"),
        ("link.md", "'link.md' is outside the folder content"),
        ("linked/secret.md", "'linked/secret.md' is outside the folder content"),
        ("../content-too/x.md", "'../content-too/x.md' is outside the folder content"),
        ("missing.md", "'missing.md' does not exist"),
        ("parts", "'parts' does not exist"),
        ("", "'' does not exist"),
        ("a.md", "'a.md' includes itself"),
        ("circle.md", "'circle.md' includes itself"),
        ("bytes.md", "is not UTF-8 text"),
    ],
)
def test_includes_that_are_refused(tmp_path: Path, name: str, what: str) -> None:
    root = tmp_path / "project"
    write(root, "secret.md", "secret\n")
    write(root, "content-too/x.md", "secret\n")
    write(root, "content/parts/x.md", "")
    write(root, "content/circle.md", ":::{include} circle.md\n:::\n")
    write(root, "content/bytes.md", b"fine\n\xff\n")
    (root / "content/link.md").symlink_to(root / "secret.md")
    (root / "content/linked").symlink_to(root)
    page, found = read(root, f"\n:::{{include}} {name}\n:::\n")
    assert len(found) == 1, found
    assert f": {what}; " in found[0]
    place = {"circle.md": "content/circle.md:1", "bytes.md": "content/bytes.md:2"}
    assert found[0].startswith(place.get(name, f"{A}:7") + ": ")
    assert page.blocks == ()


def test_an_absolute_include_outside_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/secret.md", "secret\n")
    root = tmp_path / "project"
    page, found = read(root, f":::{{include}} {tmp_path}/elsewhere/secret.md\n:::\n")
    assert found[0].startswith(f"{A}:6: '{tmp_path}/elsewhere/secret.md' is outside")
    assert page.blocks == ()


def test_includes_in_a_circle_of_two(tmp_path: Path) -> None:
    write(tmp_path, "content/b.md", ":::{include} c.md\n:::\n")
    write(tmp_path, "content/c.md", "\n:::{include} b.md\n:::\n")
    _, found = read(tmp_path, ":::{include} b.md\n:::\n")
    assert len(found) == 1
    assert found[0].startswith("content/c.md:2: 'b.md' includes itself; break the cycle")


def test_the_same_include_twice_is_no_circle(tmp_path: Path) -> None:
    write(tmp_path, "content/b.md", "Words.\n")
    page, found = read(tmp_path, ":::{include} b.md\n:::\n\n:::{include} b.md\n:::\n")
    assert found == []
    assert len(page.blocks) == 2


def test_not_utf8(tmp_path: Path) -> None:
    write(tmp_path, A, FRONT.encode() + b"fine\nna\xefve\n")
    report = Report()
    assert read_page(tmp_path, A, report) is None
    assert problems(report) == [f"{A}:7: is not UTF-8 text; save the file as UTF-8"]


def test_windows_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = (FRONT + "\n:::{note}\nA\n:::\n").replace("\n", "\r\n")
    write(tmp_path, A, b"\xef\xbb\xbf" + text.encode())
    report = Report()
    page = read_page(tmp_path, A, report)
    assert page
    assert problems(report) == []
    assert page.title == "A page"
    assert [block.place.line for block in page.blocks] == [7]
