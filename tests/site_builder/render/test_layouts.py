"""Graphs as Node lays them out for the build."""

import random
import re
from itertools import combinations
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.problem import Place, Report
from site_builder.render import layouts
from site_builder.render.layouts import LaidBox, LaidGraph, lay_out
from site_builder.resolve.graph_views import Arrow, Box, Graph, Group, Layout
from tests.site_builder.read.modules import problems

PLACE = Place(path="content/small.md", line=7)


def graph(
    arrows: str, groups: dict[str, str] | None = None, twins: str = "", *, upward: bool = False
) -> Graph:
    """From `a>b c>d*`; a star for what a turn of a loop hands to the next."""
    pairs = [(arrow[0], arrow[2], arrow.endswith("*")) for arrow in arrows.split()]
    names = dict.fromkeys(name for a, b, _ in pairs for name in (a, b))
    groups = groups or {}
    return Graph(
        boxes=tuple(
            Box(
                id=name,
                width=60 + 10 * index,
                height=44,
                group=groups.get(name),
                twin=dict(pair.split("=") for pair in twins.split()).get(name),
            )
            for index, name in enumerate(names)
        ),
        arrows=tuple(Arrow(source=a, target=b, carried=c) for a, b, c in pairs),
        groups=tuple(Group(id=name, group=None) for name in dict.fromkeys(groups.values())),
        upward=upward,
    )


def laid(cache: Path, *graphs: Graph) -> tuple[LaidGraph, ...]:
    layout = Layout(graphs=graphs)
    report = Report()
    answers = lay_out({layout: PLACE}, Cache(cache), report)
    report.raise_if_any()
    return answers[layout]


def overlap(a: LaidBox, b: LaidBox) -> bool:
    return (
        a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )


def middle(box: LaidBox) -> float:
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


def test_data_flows_down_and_the_longest_way_is_straight(tmp_path: Path) -> None:
    (found,) = laid(tmp_path, graph("a>b b>c c>d a>d e>d b>d"))
    assert_sound(found)
    boxes = found.boxes
    assert boxes["a"].y < boxes["b"].y < boxes["c"].y < boxes["d"].y
    assert len({middle(boxes[name]) for name in "abcd"}) == 1
    assert boxes["e"].y == boxes["c"].y, "what goes in stands just before it is read"


def test_a_second_graph_flows_up_beside_the_first(tmp_path: Path) -> None:
    forward, backward = laid(
        tmp_path,
        graph("a>b b>c c>d a>c"),
        graph("D>C C>A g>C", twins="D=d C=c A=a", upward=True),
    )
    assert_sound(backward)
    for gradient, value in (("D", "d"), ("C", "c"), ("A", "a")):
        assert backward.boxes[gradient].y == forward.boxes[value].y
    tip = points(next(a.head for a in backward.arrows if a.target == "A"))[-1]
    assert tip[1] == backward.boxes["A"].y + backward.boxes["A"].height


def test_a_group_is_framed_and_hands_on_at_its_right(tmp_path: Path) -> None:
    groups = dict.fromkeys("jbc", "loop 1")
    (found,) = laid(tmp_path, graph("a>j j>b b>c j>c c>d e>d c>j*", groups))
    assert_sound(found)
    frame = found.groups["loop 1"]
    inside = {name for name, box in found.boxes.items() if overlap(box, frame)}
    assert inside == set("jbc")
    (carried,) = [arrow for arrow in found.arrows if arrow.carried]
    lane = max(x for x, _ in points(re.sub(r"[HV][\d.]+", "", carried.line)))
    widest = max(found.boxes[name].x + found.boxes[name].width for name in "jbc")
    assert widest < lane < frame.x + frame.width


def test_a_box_without_arrows_has_a_place(tmp_path: Path) -> None:
    plain = graph("a>b b>c")
    unused = Box(id="u", width=64, height=44, group=None, twin=None)
    found, alone = laid(
        tmp_path,
        Graph(boxes=(*plain.boxes, unused), arrows=plain.arrows, groups=(), upward=False),
        Graph(boxes=(unused,), arrows=(), groups=(), upward=True),
    )
    assert_sound(found)
    assert_sound(alone)


def test_what_is_added_to_itself(tmp_path: Path) -> None:
    (found,) = laid(tmp_path, graph("a>b b>b* b>c", {"b": "loop 1"}))
    assert_sound(found)


def test_any_graph_can_be_laid_out(tmp_path: Path) -> None:
    draw = random.Random(5)  # noqa: S311 - graphs, not secrets
    names = "abcdefghijkl"
    wanted = {}
    for number in range(40):
        size = 2 + number % 10
        pairs = [*combinations(names[:size], 2)]
        chosen = draw.sample(pairs, min(len(pairs), draw.randint(1, 2 * size)))
        text = " ".join(f"{a}>{b}" for a, b in chosen)
        wanted[Layout(graphs=(graph(text, upward=bool(number % 2)),))] = PLACE
    report = Report()
    answers = lay_out(wanted, Cache(tmp_path), report)
    assert problems(report) == []
    for (found,) in answers.values():
        assert_sound(found)
        assert found.width < 4000


def test_a_layout_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = laid(tmp_path, graph("a>b"))
    monkeypatch.setattr(layouts, "ask_node", lambda *_: pytest.fail("it is in the cache"))
    assert laid(tmp_path, graph("a>b")) == first


def test_what_cannot_be_laid_out_is_a_problem_of_the_page(tmp_path: Path) -> None:
    broken = graph("a>b")
    layout = Layout(
        graphs=(Graph(boxes=broken.boxes[:1], arrows=broken.arrows, groups=(), upward=False),)
    )
    report = Report()
    assert lay_out({layout: PLACE}, Cache(tmp_path), report) == {}
    (problem,) = problems(report)
    assert problem.startswith("content/small.md:7: this graph cannot be laid out: ")
