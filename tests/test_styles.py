"""Styles that cost a page no more than they must."""

from collections.abc import Iterator
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"


def what_follows_has(css: str) -> Iterator[str]:
    """What stands behind each `:has(…)`."""
    for before in css.split(":has(")[1:]:
        depth = 1
        for place, sign in enumerate(before):
            depth += (sign == "(") - (sign == ")")
            if depth == 0:
                yield before[place + 1 :].lstrip()[:1]
                break


def test_has_is_said_of_what_is_styled_and_not_of_what_is_around_it() -> None:
    # Otherwise each change inside has the browser look at all that is inside, at each edit of an
    # example for one.
    found = {
        (file.name, following)
        for file in STATIC.glob("*.css")
        for following in what_follows_has(file.read_text("utf-8"))
    }
    assert found
    assert [(name, sign) for name, sign in found if sign not in "{,"] == []


def test_it_would_be_found() -> None:
    assert list(what_follows_has(":root:has(.a[open]) .b {} .c:has(> :is(d, e)), f {}")) == [
        ".",
        ",",
    ]
