"""Which programs without inputs the pages have run: those they print, and those they ask."""

import re
from collections.abc import Iterator

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.code import Function
from site_builder.read.page import Directive, Heading, Page, Place, Prose

_ASKED = re.compile(r"""\bresult\(\s*["']([\w.]+)["']\s*\)""")


def read_programs(pages: list[Page], anchors: Anchors, report: Report) -> dict[str, Function]:
    """The functions by dotted name; one that needs arguments is reported."""
    programs: dict[str, Function] = {}
    for page in pages:
        for name, place in _mentions(page):
            try:
                program = anchors.function(name)
            except AnchorError:
                continue  # whoever mentions it reports it
            needed = [p.name for p in program.parameters if p.default is None]
            if needed:
                what = f"{program.dotted} cannot run by itself: it needs {', '.join(needed)}"
                report.add(place.path, place.line, what, "name a function without parameters")
            else:
                programs[program.dotted] = program
    return programs


def _mentions(page: Page) -> Iterator[tuple[str, Place]]:
    for block in page.blocks:
        if isinstance(block, Directive) and block.name == "printed":
            yield block.argument, block.place
        if isinstance(block, Directive) and block.name == "cell":
            yield from ((o.value, o.place) for o in block.options if o.name == "run")
        for text, place in _texts(block):
            for match in _ASKED.finditer(text):
                yield match[1], place


def _texts(block: Prose | Heading | Directive) -> Iterator[tuple[str, Place]]:
    if isinstance(block, Directive):
        yield block.argument, block.place
        for line in block.body:
            yield line.text, line.place
    elif isinstance(block, Prose):
        for token in block.tokens:
            number = block.place.line + (token.map or [0])[0] + 1
            yield token.content, Place(path=block.place.path, line=number)
