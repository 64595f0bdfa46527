"""How large the boxes of graphs are: their type is monospaced, so that its width is known."""

import re

from site_builder.resolve.graph_views import Box, BoxView

ROW = 44  # px, the height of a box with two lines
JOINT = 24
_NAME = 7.2  # px for each character of a name, at 12px
_SMALL = 6.3  # px for each character of the rest, at 10.5px
_SERIF = 6  # px for each character of a page's title, about
_PADDING = 20
_GAP = 10
_LEAST = 64
_SYMBOL = 11  # px for each letter of a formula, about
_COMMAND = re.compile(r"\\(?:hat|bar|tilde|text|mathrm|mathbf|operatorname)\b|[{}_^\s]")
_LETTER = re.compile(r"\\[a-zA-Z]+|.")


def box_of(view: BoxView, group: str | None, twin: str | None = None, width: float = 0) -> Box:
    """The box that a view fits into, of at least a width."""
    if view.kind == "joint":
        size = max(JOINT + 12.0, _NAME * len(view.name) + _PADDING)
        return Box(id=view.id, width=size, height=JOINT, group=group, twin=twin)
    return Box(
        id=view.id,
        width=max(width, width_of(view)),
        height=ROW if view.shape or view.note else ROW * 0.7,
        group=group,
        twin=twin,
    )


def width_of(view: BoxView) -> float:
    """The width that a view needs, in steps of 8 px, so that boxes line up."""
    name = _maths_width(view.maths.latex) if view.maths else _NAME * len(view.name)
    first = name + (_GAP + _SMALL * len(view.corner) if view.corner else 0)
    second = _SMALL * len(view.shape) + (_GAP + _SERIF * len(view.note) if view.note else 0)
    needed = max(_LEAST, _PADDING + max(first, second))
    return -(-needed // 8) * 8


def _maths_width(latex: str) -> float:
    return _SYMBOL * len(_LETTER.findall(_COMMAND.sub("", latex)))
