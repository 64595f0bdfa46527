"""Turn the blocks of a page into views."""

from collections.abc import Iterable

from site_builder.read.equations import PART_LEVEL
from site_builder.read.page import Block, Heading, Prose
from site_builder.resolve.context import Context
from site_builder.resolve.views import BlockView, HeadingView, ProseView


def resolve_blocks(blocks: Iterable[Block], context: Context) -> tuple[BlockView, ...]:
    """The views of blocks, in their order, without those that were reported."""
    views = (_resolve(block, context) for block in blocks)
    return tuple(view for view in views if view is not None)


def _resolve(block: Block, context: Context) -> BlockView | None:
    if isinstance(block, Prose):
        return ProseView(text=context.text(block.tokens, block.place, inline=False))
    if isinstance(block, Heading):
        return _heading(block, context)
    return context.resolve_directive(block, context)


def _heading(heading: Heading, context: Context) -> HeadingView:
    if heading.level == PART_LEVEL:
        context.part = heading.id
    return HeadingView(
        level=heading.level,
        id=context.claim_id(heading.id, heading.place),
        number=context.facts.numbers.get((context.slug, heading.id), ""),
        title=context.inline(heading.title.content, heading.place),
        plain="".join(child.content for child in heading.title.children or []),
    )
