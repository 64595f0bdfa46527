"""Every address on every page leads somewhere on the site itself."""

import ast
import posixpath
import re
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.html import Element, line_text, parse
from tests.site_builder.projects import OPS, Project

pytestmark = pytest.mark.site


def addresses(page: Element) -> list[str]:
    return [
        value
        for element in page
        for name in ("href", "src", "data-runtime")
        if (value := element.attributes.get(name)) is not None
    ]


def target(path: str, address: str) -> tuple[str, str]:
    """The file and fragment that an address on a page means."""
    parts = urlsplit(address)
    assert not parts.scheme, f"{path}: {address} leaves the site"
    assert not parts.netloc, f"{path}: {address} leaves the site"
    base = "" if parts.path.startswith("/") else posixpath.dirname(path)
    file = posixpath.normpath(posixpath.join(base, unquote(parts.path).lstrip("/")))
    return (file if parts.path else path), unquote(parts.fragment)


def dead(pages: dict[str, Element], files: set[str]) -> list[str]:
    ids = {path: {e.get("id") for e in page if e.get("id")} for path, page in pages.items()}
    found = []
    for path, page in pages.items():
        for address in addresses(page):
            file, fragment = target(path, address)
            if address.endswith("runtime/"):
                continue  # tests/browser has a site with the runtime
            if file not in files or (fragment and fragment not in ids.get(file, ())):
                found.append(f"{path}: {address}")
    return found


def test_every_address_leads_to_a_file_and_an_id(
    built_site: Project, pages: dict[str, Element]
) -> None:
    dist = built_site.root / "dist"
    files = {file.relative_to(dist).as_posix() for file in dist.rglob("*") if file.is_file()}
    assert {"index.html", "404.html", "layer-norm.html", "source/ops.html"} <= set(pages)
    assert dead(pages, files) == []
    assert dead(pages, files - {"static/styles.css"}) != []


def test_addresses_in_styles_lead_to_files(built_site: Project) -> None:
    """Faces are in the styles themselves; whatever else one names is a file of the site."""
    dist = built_site.root / "dist"
    found = 0
    for sheet in dist.rglob("*.css"):
        for address in re.findall(r"url\([\"']?([^)\"']+)", sheet.read_text("utf-8")):
            found += 1
            if not address.startswith("data:font/woff2;base64,"):
                assert (sheet.parent / address).is_file(), f"{sheet}: {address}"
    assert found > 8


def test_no_id_occurs_twice(pages: dict[str, Element]) -> None:
    for path, page in pages.items():
        ids = [element.get("id") for element in page if "id" in element.attributes]
        assert "" not in ids, path
        assert len(ids) == len(set(ids)), f"{path}: {sorted(i for i in ids if ids.count(i) > 1)}"


def test_references_within_a_page(pages: dict[str, Element]) -> None:
    for path, page in pages.items():
        ids = {element.get("id") for element in page}
        for element in page:
            for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
                for reference in element.get(name).split():
                    assert reference in ids, f"{path}: {name}={reference}"


def test_nothing_but_permalinks_leaves_the_site(tiny: Project) -> None:
    tiny.replace("content/site.toml", 'title = "Tiny"\n',
                 'title = "Tiny"\nrepository = "https://code.example.org/me/tiny"\n')  # fmt: skip
    assert tiny.build().code == 0
    texts = [file.read_text("utf-8") for file in (tiny.root / "dist").rglob("*.html")]
    assert not any("code.example.org" in text for text in texts)  # no commit, so no permalink


def test_the_frame_of_every_page(pages: dict[str, Element]) -> None:
    for path, page in pages.items():
        assert page.one("html").get("lang") == "en-GB", path
        assert page.one("title").words, path
        assert len(page.all("h1")) == 1, path
        levels = [int(e.tag[1]) for e in page if re.fullmatch("h[1-6]", e.tag)]
        assert all(b <= a + 1 for a, b in pairwise(levels)), (path, levels)


def test_the_page_not_found_works_at_any_depth(pages: dict[str, Element]) -> None:
    """It is shown at whatever address was asked for, so its addresses begin at the top."""
    for address in addresses(pages["404.html"]):
        assert address.startswith(("/", "#")), address


def test_a_site_below_a_folder(tiny: Project) -> None:
    tiny.replace("content/site.toml", 'title = "Tiny"\n',
                 'title = "Tiny"\nurl = "https://me.example.org/tiny/"\n')  # fmt: skip
    assert tiny.build().code == 0
    page = parse(tiny.page("404.html"))
    assert all(a.startswith(("/tiny/", "#")) for a in addresses(page))


def test_listings_show_the_lines_of_the_source_pages(pages: dict[str, Element]) -> None:
    listings = pages["layer-norm.html"].all("figure", "listing")
    assert len(listings) == 6
    for listing in listings:
        whole = listing.one("figcaption").one("span", "code-link").one("a").get("href")
        file, fragment = target("layer-norm.html", whole)
        numbers = []
        for line in listing.all("span", "line"):
            number = line.one("a", "number")
            assert line_text(line) == line_text(pages[file].by_id(f"L{number.text}"))
            own = number.get("href") == f"#{line.get('id')}"
            assert own or target("layer-norm.html", number.get("href")) == (file, f"L{number.text}")
            numbers.append(int(number.text))
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert fragment == (f"L{numbers[0]}" if len(numbers) == 1 else
                            f"L{numbers[0]}-L{numbers[-1]}")  # fmt: skip


def test_source_pages_show_every_line_of_the_file(
    built_site: Project, pages: dict[str, Element]
) -> None:
    for path, page in pages.items():
        if path.startswith("source/"):
            name = page.one("h1").words
            places = (name, f"src/{name}", f"src/tinygpt/{name}")
            file = next(p for p in places if (built_site.root / p).is_file())
            text = built_site.read(file).removesuffix("\n").split("\n")
            lines = page.one("pre", "listing").all("span", "line")
            assert [line_text(line) for line in lines] == [line.rstrip() for line in text], path
            numbers = [line.one("a", "number").text for line in lines]
            assert numbers == [str(n) for n in range(1, len(text) + 1)]
            assert [line.get("id") for line in lines] == [f"L{n}" for n in numbers]


def test_a_whole_module_can_be_listed(tiny: Project) -> None:
    tiny.append("content/small.md", "\n:::{code} tiny.config\n:::\n")
    assert tiny.build().code == 0
    listing = parse(tiny.page()).all("figure", "listing")[-1]
    lines = listing.all("span", "line")
    source = parse(tiny.page("source/config.html"))
    assert len(lines) == tiny.read("src/tiny/config.py").count("\n")
    for line in lines:
        assert source.by_id(line.get("id").removeprefix("config-"))


def test_every_module_and_function_is_on_a_source_page(
    built_site: Project, pages: dict[str, Element]
) -> None:
    sources = {path for path in pages if path.startswith("source/")}
    assert len(sources) == sum(1 for f in (built_site.root / "src").rglob("*.py")
                               if not {"eqcheck", "runner"} & {*f.parts}) + sum(
        1 for _ in (built_site.root / "tests").rglob("*.py"))  # fmt: skip
    assert OPS not in sources
    names = [a.words for a in pages["source/ops.html"].one("details").all("a")]
    assert names[:2] == ["layer_norm_forward", "layer_norm_backward"]


def test_source_pages_say_where_each_function_ends(
    built_site: Project, pages: dict[str, Element]
) -> None:
    """static/js/pane cuts functions out of them by these lines."""
    tree = ast.parse(built_site.read("src/tinygpt/ops.py"))
    ends = {node.name: node.end_lineno for node in tree.body if isinstance(node, ast.FunctionDef)}
    (outline,) = pages["source/ops.html"].all("details", "outline")
    links = outline.all("a")
    assert {link.text: int(link.get("data-last")) for link in links} == ends
    assert len(ends) > 4
