"""Read all pages of the content folder."""

from pathlib import Path

from site_builder.problem import Place, Report
from site_builder.read.page import Page, read_page

CONTENT = "content"
MADE_BY_THE_BUILD = frozenset({"index", "404", "freshness"})


def read_pages(root: Path, report: Report) -> list[Page]:
    """The pages (content/*.md) in the order that their front matter asks for.

    Files in subfolders of content/ are not pages; pages may include them.
    """
    pages = []
    for file in sorted((root / CONTENT).glob("*.md")):
        path = file.relative_to(root).as_posix()
        if file.stem in MADE_BY_THE_BUILD:
            what = f"the build generates a page '{file.stem}'"
            report.add(Place(path=path), what, "choose another file name")
        page = read_page(root, path, report)
        if page:
            pages.append(page)
    if not pages:
        report.add(Place(path=CONTENT), "holds no pages", "write a Markdown file there")
    return sorted(pages, key=lambda page: (page.order, page.slug))
