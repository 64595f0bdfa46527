"""Numbers of sections and equations in the order of the pages, as shown in print."""

from collections.abc import Iterable, Iterator

from site_builder.read.page import PART_LEVEL, Fence, Heading, Page

Numbers = dict[tuple[str, str], str]


def number_pages(pages: Iterable[Page]) -> Numbers:
    """The number of each heading and equation by page and id.

    Page 2 has the sections 2.1, 2.2 and 2.2.1, and beside them the equations 2.1, 2.2 and so on.
    """
    return {
        (page.slug, id_): f"{position}.{number}"
        for position, page in enumerate(pages, start=1)
        for id_, number in (*_sections(page), *_equations(page))
    }


def _sections(page: Page) -> Iterator[tuple[str, str]]:
    counts: list[int] = []
    for block in page.blocks:
        if isinstance(block, Heading):
            depth = max(block.level - PART_LEVEL, 0)
            counts = [*counts, *[0] * (depth + 1)][: depth + 1]
            counts[depth] += 1
            yield block.id, ".".join(map(str, counts))


def _equations(page: Page) -> Iterator[tuple[str, str]]:
    equations = (
        block
        for block in page.blocks
        if isinstance(block, Fence) and block.name in ("equation", "step")
    )
    for number, block in enumerate(equations, start=1):
        yield f"eq-{block.argument}", str(number)
