"""Which axis each index runs over, and which indices a term has: found without any values."""

from collections.abc import Iterator

from eqcheck.errors import AxisError
from eqcheck.tree import (
    Chain,
    Condition,
    Delta,
    Derivative,
    Expression,
    Position,
    Reduce,
    Reference,
    Softmax,
    children,
)

Dimensions = dict[str, str]  # by index, the dimension it runs over


def check_sides(chain: Chain) -> Dimensions:
    """Hold the free indices of a chain's terms against one another.

    A term without any index at all, such as `1`, stands for all values of the others' indices.

    Returns:
        The dimension over which each index runs.

    Raises:
        AxisError: the indices of two terms differ, or one index runs over two dimensions.
    """
    dimensions = index_dimensions(chain.terms)
    expected: frozenset[str] = frozenset()
    for term in chain.terms:
        found = free_names(term)
        if found and expected and found != expected:
            message = f"this side has the free indices {_list(found)}, the one before it "
            raise AxisError(message + _list(expected), term.span[0])
        expected = expected or found
    return dimensions


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def index_dimensions(terms: tuple[Expression, ...]) -> Dimensions:
    """The dimension over which each index runs. One letter runs over one dimension only.

    Raises:
        AxisError: two dimensions for one index, or none.
    """
    dimensions: Dimensions = {}
    pairs: list[Pair] = []
    for node in _walk(terms):
        match node:
            case Reference(indices=indices) if indices:
                for index, name in zip(indices, node.axes[node.implicit :], strict=True):
                    _put(dimensions, index, name, node.span[0])
            case Delta():
                pairs.append((node.first, node.second, node.span[0]))
            case Condition(left=Position(index=left), right=Position(index=right)):
                pairs.append((left, right, node.span[0]))
            case _:
                pass
    _join(dimensions, pairs)
    return dimensions


Pair = tuple[str, str, int]  # indices that run over the same dimension, and where it says so


def _join(dimensions: Dimensions, pairs: list[Pair]) -> None:
    for _ in pairs:  # often enough for each to hear from the farthest
        for first, second, position in pairs:
            if first in dimensions:
                _put(dimensions, second, dimensions[first], position)
            elif second in dimensions:
                dimensions[first] = dimensions[second]
    for first, _, position in pairs:
        if first not in dimensions:
            raise AxisError(f"nothing says over which axis {first} runs", position)


def _put(dimensions: Dimensions, index: str, name: str, position: int) -> None:
    known = dimensions.setdefault(index, name)
    if known != name:
        raise AxisError(f"{index} runs over {name} here and over {known} elsewhere", position)


def _walk(terms: tuple[Expression, ...]) -> Iterator[Expression]:
    for term in terms:
        yield term
        yield from _walk(children(term))


def free_names(node: Expression, bound: frozenset[str] = frozenset()) -> frozenset[str]:
    """The free indices of a term, and the batch dimensions that it leaves out.

    Raises:
        AxisError: a sum or its like binds an index that is bound already, or that is not there.
    """
    match node:
        case Reference():
            return frozenset(node.indices + node.axes[: node.implicit])
        case Delta() | Position():
            return frozenset(_own_indices(node))
        case Derivative():
            return free_names(node.of) | free_names(node.wrt)
        case Reduce():
            return _free_of_reduce(node, bound)
        case Softmax():
            inside = free_names(node.argument, bound)
            if node.index not in inside:
                raise AxisError(f"its argument has no index {node.index}", node.span[0])
            return inside
        case _:
            parts = (free_names(child, bound) for child in children(node))
            return frozenset().union(*parts)


def _own_indices(node: Delta | Position) -> tuple[str, ...]:
    return (node.index,) if isinstance(node, Position) else (node.first, node.second)


def _left_out(node: Expression) -> tuple[str, ...]:
    return node.axes[: node.implicit] if isinstance(node, Reference) else ()


def _free_of_reduce(node: Reduce, bound: frozenset[str]) -> frozenset[str]:
    for number, index in enumerate(node.indices):
        if index in bound or index in node.indices[:number]:
            raise AxisError(f"{index} is bound twice", node.span[0])
    names = frozenset(node.indices)
    inside = frozenset().union(*(free_names(child, bound | names) for child in children(node)))
    if not node.indices:  # over everything that is left out
        return inside - {name for item in _walk((node.body,)) for name in _left_out(item)}
    body = free_names(node.body, bound | names)
    for index in node.indices:
        if index not in body:
            message = f"{node.operator} runs over {index}, and nothing in it has that index"
            raise AxisError(message, node.span[0])
    return inside - names
