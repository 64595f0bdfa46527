"""Read the HTML of the built site: elements with their attributes and text."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "br", "hr", "img"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    children: list["Element | str"] = field(default_factory=list)

    def __iter__(self) -> Iterator["Element"]:
        """This element and all below it, in the order of the document."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def words(self) -> str:
        """The text with single spaces."""
        return " ".join(self.text.split())

    def get(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def all(self, tag: str, name: str = "") -> list["Element"]:
        """Elements of a kind (`*` for any), with a class where one is given."""
        return [
            element
            for element in self
            if tag in ("*", element.tag) and (not name or name in element.get("class").split())
        ]

    def one(self, tag: str, name: str = "") -> "Element":
        (found,) = self.all(tag, name)
        return found

    def by_id(self, name: str) -> "Element":
        (found,) = [element for element in self if element.get("id") == name]
        return found


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, dict(attrs))
        self._open[-1].children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        element = self._open.pop()
        assert element.tag == tag, f"<{element.tag}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def close(self) -> None:
        super().close()
        assert self._open == [self.root], f"<{self._open[-1].tag}> is not closed"


def parse(text: str) -> Element:
    """Parse HTML in which every element is closed."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    return parser.root


def line_text(line: Element) -> str:
    """A line of code without its number and without the equations beside it."""
    links = {"number", "equation-link"}
    return "".join(
        child if isinstance(child, str) else child.text
        for child in line.children
        if isinstance(child, str) or not links & set(child.get("class").split())
    ).rstrip()
