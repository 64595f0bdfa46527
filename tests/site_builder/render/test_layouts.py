"""Graphs as Node lays them out for the build."""

import random
import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from site_builder.problem import Place, Report
from site_builder.read.dataflow import Edge
from site_builder.render.layouts import LaidGraph, Rectangle, lay_out
from site_builder.render.tools import Tools
from site_builder.resolve.graph_views import BoxView, GraphView, GroupView
from site_builder.resolve.links import CodeLink
from tests.site_builder.read.modules import problems

PLACE = Place(path="content/small.md", line=7)
LINK = CodeLink(text="ops.py:4", lines="4", file="ops.py", href="source/ops.html", permalink=None)


def box(name: str, width: float = 64, group: str | None = None) -> BoxView:
    return BoxView(
        id=name,
        kind="part",
        name=name,
        corner="4",
        shape="(T,)",
        href="#",
        group=group,
        least=width,
    )


def graph(
    arrows: str, groups: dict[str, str] | None = None, *alone: BoxView, upward: bool = False
) -> GraphView:
    """From `a>b c>d*`; a star for what is carried to the next iteration of a loop."""
    pairs = [(arrow[0], arrow[2], arrow.endswith("*")) for arrow in arrows.split()]
    names = dict.fromkeys(name for a, b, _ in pairs for name in (a, b))
    groups = groups or {}
    return GraphView(
        title="f",
        link=LINK,
        label="f",
        boxes=(*(box(n, 64 + 8 * i, groups.get(n)) for i, n in enumerate(names)), *alone),
        arrows=tuple(Edge(source=a, target=b, carried=c) for a, b, c in pairs),
        groups=tuple(
            GroupView(id=name, group=None, code="for i in y", link=LINK, inside=(("g", LINK),))
            for name in dict.fromkeys(groups.values())
        ),
        rows=(),
        upward=upward,
    )


def laid(tools: Tools, wanted: GraphView) -> LaidGraph:
    report = Report()
    answers = lay_out({wanted: PLACE}, tools, report)
    report.raise_if_any()
    return answers[wanted]


def overlap(a: Rectangle, b: Rectangle) -> bool:
    return (
        a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )


def middle(box: Rectangle) -> float:
    return box.x + box.width / 2


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return [*zip(numbers[::2], numbers[1::2], strict=True)]


def assert_sound(found: LaidGraph) -> None:
    for a, b in combinations(found.boxes.values(), 2):
        assert not overlap(a, b)
    for box in (*found.boxes.values(), *found.groups.values()):
        assert 0 <= box.x <= box.x + box.width <= found.width
        assert 0 <= box.y <= box.y + box.height <= found.height
    for arrow in found.arrows:
        tip_x, tip_y = points(arrow.head)[-1]
        target = found.boxes[arrow.target]
        assert target.x <= tip_x <= target.x + target.width + 0.1
        assert target.y - 0.1 <= tip_y <= target.y + target.height + 0.1


def test_data_flows_down(tools: Tools) -> None:
    found = laid(tools, graph("a>b b>c c>d a>d e>d b>d"))
    assert_sound(found)
    boxes = found.boxes
    assert boxes["a"].y < boxes["b"].y < boxes["c"].y < boxes["d"].y
    assert boxes["e"].y == boxes["c"].y, "what goes in stands just before it is read"


def test_a_chain_is_straight_and_so_are_its_arrows(tools: Tools) -> None:
    found = laid(tools, graph("a>b b>c c>d"))
    assert len({middle(one) for one in found.boxes.values()}) == 1
    assert not any("C" in arrow.line for arrow in found.arrows)


def test_arrows_end_side_by_side(tools: Tools) -> None:
    found = laid(tools, graph("a>d b>d c>d"))
    tips = sorted(points(arrow.head)[-1][0] for arrow in found.arrows)
    assert min(b - a for a, b in pairwise(tips)) > 8


def test_a_backward_pass_flows_up(tools: Tools) -> None:
    found = laid(tools, graph("d>c c>a g>c", upward=True))
    assert_sound(found)
    assert found.boxes["a"].y < found.boxes["c"].y < found.boxes["d"].y
    tip = points(next(a.head for a in found.arrows if a.target == "a"))[-1]
    assert tip[1] == found.boxes["a"].y + found.boxes["a"].height


@pytest.mark.parametrize("upward", [False, True])
def test_a_group_is_framed_and_carries_in_a_lane_of_its_own(tools: Tools, upward: bool) -> None:  # noqa: FBT001 - a parameter
    groups = dict.fromkeys("jbc", "loop 1")
    found = laid(tools, graph("a>j j>b b>c j>c c>d e>d c>j*", groups, upward=upward))
    assert_sound(found)
    frame = found.groups["loop 1"]
    inside = {name for name, one in found.boxes.items() if overlap(one, frame)}
    assert inside == set("jbc")
    head = 37  # of two lines
    assert min(found.boxes[name].y for name in inside) >= frame.y + head
    (carried,) = [arrow for arrow in found.arrows if arrow.carried]
    lanes = {float(x) for x in re.findall(r"[MHLC]([\d.]+)", carried.line)}
    assert all(frame.x < x < frame.x + frame.width for x in lanes)
    b = found.boxes["b"]
    assert not any(b.x < x < b.x + b.width for x in lanes)


def test_a_frame_in_a_frame(tools: Tools) -> None:
    flat = graph("a>b b>c c>d c>b* d>b*", {"b": "in", "c": "in", "d": "out"})
    inner, outer = flat.groups
    nested = replace(flat, groups=(outer, replace(inner, group="out")))
    found = laid(tools, nested)
    assert_sound(found)
    inside, around = found.groups["in"], found.groups["out"]
    assert around.x < inside.x < inside.x + inside.width < around.x + around.width
    assert around.y + outer.head < inside.y
    assert inside.y + inside.height < around.y + around.height
    assert inside.y + inner.head < found.boxes["b"].y
    assert found.boxes["a"].y + found.boxes["a"].height < around.y
    assert inside.y + inside.height < found.boxes["d"].y


def test_a_box_without_arrows_has_a_place(tools: Tools) -> None:
    assert_sound(laid(tools, graph("a>b b>c", None, box("u"))))
    assert_sound(laid(tools, graph("", None, box("u"), upward=True)))


def test_what_is_added_to_itself(tools: Tools) -> None:
    found = laid(tools, graph("a>b b>b* b>c", {"b": "loop 1"}))
    assert_sound(found)
    assert len(found.arrows) == 3


def test_any_graph_can_be_laid_out(tools: Tools) -> None:
    draw = random.Random(5)  # noqa: S311 - graphs, not secrets
    names = "abcdefghijkl"
    wanted: dict[GraphView, Place] = {}
    for number in range(40):
        size = 2 + number % 10
        pairs = [*combinations(names[:size], 2)]
        chosen = draw.sample(pairs, min(len(pairs), draw.randint(1, 2 * size)))
        text = " ".join(f"{a}>{b}" for a, b in chosen)
        wanted[graph(text, upward=bool(number % 2))] = PLACE
    report = Report()
    answers = lay_out(wanted, tools, report)
    assert problems(report) == []
    for found in answers.values():
        assert_sound(found)
        assert found.width < 4000


def test_a_layout_is_kept(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    first = laid(tools, graph("a>b"))
    monkeypatch.setattr(tools.node.__class__, "ask", lambda *_: pytest.fail("it is cached"))
    assert laid(tools, graph("a>b")) == first


def test_what_cannot_be_laid_out_is_a_problem_of_the_page(tools: Tools) -> None:
    broken = replace(graph("a>b"), boxes=(box("a"),))
    report = Report()
    assert lay_out({broken: PLACE}, tools, report) == {}
    (problem,) = problems(report)
    assert problem.startswith("content/small.md:7: this graph cannot be laid out: ")
