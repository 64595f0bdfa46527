"""A map of the model: what a value comes from, in order, with what flows between."""

from dataclasses import dataclass, field, replace

from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.dataflow import DataFlows
from site_builder.read.flow import Loop
from site_builder.read.flow_values import NOTHING, Origins


@dataclass(frozen=True, slots=True, kw_only=True)
class MapNode:
    """A part of the model, or what goes in or is computed between parts.

    Attributes:
        kind: input, part, operation or joint (of what goes into a loop and what a turn made).
        text: the name of the input or the function, or the operation as the code writes it.
        callee: the function of a part.
        caller, span: where it stands; of an input, the function whose parameter it is.
        line, column: where the call of a part begins.
        result: where a variable takes the result, if one does.
        index: which element of the result goes on, of a tuple.
    """

    id: str
    kind: str
    text: str
    caller: Function
    span: Span
    line: int
    column: int
    loop: Loop | None
    callee: Function | None = None
    result: CodePlace | None = None
    index: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MapEdge:
    """What flows from one node to another; `carried` to the next turn of a loop."""

    source: str
    target: str
    carried: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMap:
    """The map of a value.

    Attributes:
        ends: the nodes that the value comes from directly.
        opened: functions that are shown by what they do, each with the loop that it is called in.
        left_out: the parameters that are not drawn.
    """

    place: CodePlace
    nodes: tuple[MapNode, ...]
    edges: tuple[MapEdge, ...]
    ends: tuple[str, ...]
    opened: tuple[tuple[Function, Loop | None], ...]
    left_out: tuple[str, ...]


@dataclass(slots=True)
class Drawing:
    """What all walks of a map add to."""

    flows: DataFlows
    place: CodePlace
    nodes: dict[str, MapNode] = field(default_factory=dict)
    edges: dict[tuple[str, str], bool] = field(default_factory=dict)
    results: dict[str, CodePlace] = field(default_factory=dict)
    opened: dict[tuple[str, Loop | None], Function] = field(default_factory=dict)
    target: Origins = NOTHING


def sliced(drawing: Drawing, left_out: tuple[str, ...]) -> ModelMap:
    """What the value comes from, in the order of the code."""
    ends = [node_of(origin) for origin in sorted(drawing.target)]
    needed, queue = set(ends), [*ends]
    while queue:
        target = queue.pop()
        for source, into in drawing.edges:
            if into == target and node_of(source) not in needed:
                needed.add(node_of(source))
                queue.append(node_of(source))
    indices = {source for source, into in drawing.edges if into in needed} | drawing.target
    nodes = [
        replace(
            node,
            result=drawing.results.get(id_),
            index=_index(next(i for i in sorted(indices) if node_of(i) == id_)),
        )
        for id_, node in drawing.nodes.items()
        if id_ in needed
    ]
    edges = {
        (node_of(source), target): carried
        for (source, target), carried in drawing.edges.items()
        if target in needed
    }
    loops = {node.loop for node in nodes}
    needed_in_order = [node.id for node in nodes]
    return ModelMap(
        place=drawing.place,
        nodes=tuple(nodes),
        edges=tuple(
            MapEdge(source=source, target=target, carried=edges[source, target])
            for target in needed_in_order
            for source in needed_in_order
            if (source, target) in edges
        ),
        ends=tuple(dict.fromkeys(ends)),
        opened=tuple((f, loop) for (_, loop), f in drawing.opened.items() if loop in loops),
        left_out=left_out,
    )


def node_of(origin: str) -> str:
    """The node of an origin, which may be an element of what the node gives."""
    return origin.partition("[")[0]


def _index(origin: str) -> tuple[int, ...]:
    _, bracket, rest = origin.partition("[")
    return tuple(map(int, rest.rstrip("]").split("]["))) if bracket else ()
