"""Which axis each index runs over, and which indices a term has: found without any values.

An axis has an index (`X_{ti}`) or none (`X W`). The former are matched by name, the latter by
position, as NumPy does: `free_names` finds the first kind, `unindexed` the second.
"""

from collections.abc import Iterable
from functools import reduce as fold

from eqcheck.errors import AxisError
from eqcheck.tree import (
    Absolute,
    Add,
    Array,
    Call,
    Chain,
    Colon,
    Condition,
    Delta,
    Derivative,
    Diagonal,
    Element,
    Expression,
    Hadamard,
    Inner,
    Interval,
    Inverse,
    Negate,
    Norm,
    Number,
    Ones,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Restricted,
    Root,
    Softmax,
    Trace,
    Transpose,
    children,
    walk,
)

Dimensions = dict[str, str]  # by index, the dimension it runs over
_MATRIX = 2  # axes


def check_sides(chain: Chain) -> Dimensions:
    """Check the free indices of a chain's terms against one another.

    A term without any index at all, such as `1`, stands for all values of the others' indices.

    Returns:
        The dimension over which each index runs.

    Raises:
        AxisError: the indices of two terms differ, or one index runs over two dimensions.
    """
    dimensions = index_dimensions(chain.terms)
    expected: frozenset[str] = frozenset()
    for term in chain.terms:
        unindexed(term)
        found = free_names(_bare(term))
        if found and expected and found != expected:
            message = f"this side has the free indices {_list(found)}, the one before it "
            raise AxisError(message + _list(expected) + _remark(chain, found ^ expected),
                            term.span[0])  # fmt: skip
        expected = expected or found
    for term in chain.terms:
        if isinstance(term, Restricted):
            _check_restriction(term, chain)
    return dimensions


def _list(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _remark(chain: Chain, names: frozenset[str]) -> str:
    """What to do about an index that textbooks which leave out the sum would sum over."""
    for node in walk(*chain.terms):
        if isinstance(node, Product):
            for name in sorted(names):
                if sum(name in free_names(factor) for factor in node.factors) > 1:
                    return f". No index is summed over unless it says so: write \\sum_{name}"
    return ""


def _check_restriction(term: Restricted, chain: Chain) -> None:
    free = frozenset().union(*(free_names(_bare(item)) for item in chain.terms))
    for node in walk(term.condition):
        index = node.index if isinstance(node, Position | Interval) else ""
        if index and index not in free:
            raise AxisError(f"no term has a free index {index}", node.span[0])


def _bare(term: Expression) -> Expression:
    return _bare(term.body) if isinstance(term, Restricted) else term


def index_dimensions(terms: tuple[Expression, ...]) -> Dimensions:
    """The dimension over which each index runs. One letter runs over one dimension only.

    Raises:
        AxisError: two dimensions for one index, or none.
    """
    dimensions: Dimensions = {}
    nodes = tuple(walk(*terms))
    for node in nodes:
        for index, name in _own_axes(node):
            if index and index != ":":
                _put(dimensions, index, name, node)
    _join(dimensions, [pair for node in nodes for pair in _pairs(node)])
    for node in nodes:
        if isinstance(node, Position | Interval) and node.index not in dimensions:
            raise AxisError(_nowhere(node.index), node.span[0])
    return dimensions


def _own_axes(node: Expression) -> Iterable[tuple[str, str]]:
    """The indices of a node that say themselves over which dimension they run."""
    match node:
        case Reference(indices=indices) if indices:
            return zip(indices, node.axes[node.implicit :], strict=True)
        case Element():
            return zip(map(shifted, node.places), unindexed(node.operand), strict=False)
        case _:
            return ()


def _pairs(node: Expression) -> "list[Pair]":
    """Indices that a node says run over the same dimension."""
    match node:
        case Delta():
            return [(node.first, node.second, node)]
        case Condition():
            left, right = shifted(node.left), shifted(node.right)
            return [(left, right, node)] if left and right else []
        case Interval(lower=lower, upper=upper):
            return _limits(node, node.index, lower, upper)
        case Reduce(lower=lower, upper=upper) if lower is not None and upper is not None:
            return _limits(node, node.indices[0], lower, upper)
        case _:
            return []


def _limits(node: Expression, index: str, *limits: Expression) -> list["Pair"]:
    inside = [item.index for item in walk(*limits) if isinstance(item, Position)]
    return [(index, other, node) for other in inside]


def shifted(node: Expression) -> str:
    """The index of `t`, `t + 1` or `t - 1`; empty for anything else."""
    match node:
        case Position():
            return node.index
        case Add(terms=(Position() as position, Number() | Negate(operand=Number()))):
            return position.index
        case _:
            return ""


Pair = tuple[str, str, Expression]  # indices that run over the same dimension, and what says so


def _join(dimensions: Dimensions, pairs: list[Pair]) -> None:
    for _ in pairs:  # enough iterations for news to pass through all pairs
        for first, second, node in pairs:
            if first in dimensions:
                _put(dimensions, second, dimensions[first], node)
            elif second in dimensions:
                dimensions[first] = dimensions[second]
    for first, _, node in pairs:
        if first not in dimensions:
            raise AxisError(_nowhere(first), node.span[0])


def _nowhere(index: str) -> str:
    return f"nothing says over which axis {index} runs"


def _put(dimensions: Dimensions, index: str, name: str, node: Expression) -> None:
    known = dimensions.setdefault(index, name)
    if known == name:
        return
    message = f"{index} runs over {name} here and over {known} elsewhere"
    if isinstance(node, Reference) and node.indices[-1] == ":":
        given = [item for item in node.indices if item != ":"]
        message = (
            f"{node.symbol} is declared ({', '.join(node.axes)}); here it has the indices "
            f"{', '.join(given)}, so that {message}. Give it an index for each axis, or declare "
            f"{node.axes[0]} as a batch dimension"
        )
    raise AxisError(message, node.span[0])


def free_names(  # noqa: PLR0911 - a case for each kind of node
    node: Expression, bound: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The free indices of a term, and the batch dimensions that it leaves out.

    Raises:
        AxisError: a sum or its like binds an index that is bound already, or that is not there.
    """
    match node:
        case Reference():
            return frozenset(node.indices + node.axes[: node.implicit]) - {":"}
        case Delta():
            return frozenset((node.first, node.second))
        case Position():
            return frozenset((node.index,))
        case Interval():
            return frozenset((node.index,)) | _free_inside(node, bound)
        case Array():
            return free_names(node.body, bound) - set(node.indices)
        case Reduce():
            return _free_of_reduce(node, bound)
        case Softmax():
            inside = free_names(node.argument, bound)
            if node.index and node.index not in inside:
                raise AxisError(f"its argument has no index {node.index}", node.span[0])
            return inside
        case _:
            return _free_inside(node, bound)


def _free_inside(node: Expression, bound: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(free_names(child, bound) for child in children(node)))


def _left_out(node: Expression) -> tuple[str, ...]:
    return node.axes[: node.implicit] if isinstance(node, Reference) else ()


def _free_of_reduce(node: Reduce, bound: frozenset[str]) -> frozenset[str]:
    for number, index in enumerate(node.indices):
        if index in bound or index in node.indices[:number]:
            raise AxisError(f"{index} is bound twice", node.span[0])
    names = frozenset(node.indices)
    inside = _free_inside(node, bound | names)
    if not node.indices:  # over everything that is left out
        return inside - {name for item in walk(node.body) for name in _left_out(item)}
    for limit in (node.lower, node.upper):
        if limit is not None and names & free_names(limit):
            raise AxisError(f"{node.indices[0]} stands in its own limit", limit.span[0])
    ranged = free_names(node.body, bound | names)
    if node.condition is not None and not isinstance(node.condition.left, Position):
        ranged |= free_names(node.condition)  # a count: how many t have x_t = v
    for index in node.indices:
        if index not in ranged:
            message = f"{node.operator} runs over {index}, and nothing in it has that index"
            raise AxisError(message, node.span[0])
    return inside - names


def unindexed(node: Expression) -> tuple[str, ...]:  # noqa: C901, PLR0911, PLR0912 - a case for each node
    """The dimensions of the axes of a term that have no index.

    Raises:
        AxisError: they do not fit.
    """
    position = node.span[0]
    match node:
        case Reference():
            rest = node.axes[node.implicit :]
            pairs = zip(node.indices, rest, strict=True) if node.indices else ()
            return tuple(name for index, name in pairs if index == ":") if node.indices else rest
        case Element():
            return _of_element(node)
        case Array():
            dimensions = index_dimensions((node.body,))
            return tuple(dimensions[index] for index in node.indices)
        case Ones():
            return (node.dimension,)
        case Product():
            return fold(lambda a, b: _product(a, b, position), map(unindexed, node.factors))
        case Transpose():
            return _transposed(node)
        case Negate() | Root() | Absolute() | Call() | Restricted() | Softmax():
            (*_, inside) = (unindexed(child) for child in children(node))
            return _of_softmax(node, inside) if isinstance(node, Softmax) else inside
        case Power():
            return _of_power(node)
        case Inverse():
            return _square(node, "inverse")
        case Diagonal():
            inside = unindexed(node.operand)
            if len(inside) != 1:
                raise AxisError("diag takes a vector without indices", position)
            return inside * 2
        case Trace():
            _square(node, "trace")
            return ()
        case Norm():
            return _of_norm(node)
        case Inner():
            left, right = unindexed(node.left), unindexed(node.right)
            if left != right or not left:
                message = f"{_axes(left)} and {_axes(right)} have no inner product"
                raise AxisError(f"{message}: both need the same axes, without indices", position)
            return ()
        case Reduce():
            inside = unindexed(node.body)
            return inside if node.indices else ()
        case Derivative():
            return unindexed(node.of) + unindexed(node.wrt)
        case _:
            return _entrywise(tuple(map(unindexed, children(node))), position)


def _axes(names: tuple[str, ...]) -> str:
    return f"({', '.join(names)})"


def _of_element(node: Element) -> tuple[str, ...]:
    names = unindexed(node.operand)
    if len(node.places) > len(names):
        message = f"this has {len(names)} axes without an index, and here {len(node.places)} places"
        raise AxisError(message, node.span[0])
    pairs = zip(node.places, names, strict=False)
    kept = tuple(name for place, name in pairs if isinstance(place, Colon))
    return kept + names[len(node.places) :]


def _entrywise(many: tuple[tuple[str, ...], ...], position: int) -> tuple[str, ...]:
    longest = max(many, key=len, default=())
    for names in many:
        if names != longest[len(longest) - len(names) :]:
            shapes = " and ".join(map(_axes, dict.fromkeys(many)))
            raise AxisError(f"{shapes} do not fit entry by entry", position)
    return longest


def _product(left: tuple[str, ...], right: tuple[str, ...], position: int) -> tuple[str, ...]:
    """The axes of a product, as `arithmetic.matmul` has them."""
    if not left or not right:
        return left or right
    for names in (left, right):
        if len(names) > _MATRIX:
            _refuse_stack(names, position)
    if len(left) == len(right) == 1:
        message = r"two vectors: write \odot, or ^\top or \langle , \rangle for the inner product"
        raise AxisError(message, position)
    outer = len(left) == 1 and right[0] == "1"
    first = (left[0], "1") if outer else left
    last = right if len(right) == _MATRIX else (right[0], "1")
    if first[-1] != last[0]:
        message = f"{_axes(left)} and {_axes(right)} cannot be multiplied as matrices"
        raise AxisError(message, position)
    rows = first[:-1] if len(first) == _MATRIX else ()
    columns = last[1:] if len(right) == _MATRIX else ()
    return () if rows in {(), ("1",)} and not columns else rows + columns


def _refuse_stack(names: tuple[str, ...], position: int) -> None:
    message = (
        f"this has the axes {_axes(names)}; a matrix has two: give it an index for {names[0]}, "
        f"or declare {names[0]} as a batch dimension"
    )
    raise AxisError(message, position)


def _transposed(node: Transpose) -> tuple[str, ...]:
    names = unindexed(node.operand)
    if not names:
        message = "only a matrix or a vector without indices can be transposed"
        raise AxisError(message, node.span[0])
    if len(names) > _MATRIX:
        _refuse_stack(names, node.span[0])
    return ("1", *names) if len(names) == 1 else names[::-1]


def _square(node: Inverse | Trace, what: str) -> tuple[str, ...]:
    names = unindexed(node.operand)
    if len(names) != _MATRIX or names[0] != names[1]:
        raise AxisError(f"only a square matrix has {what}: this is {_axes(names)}", node.span[0])
    return names


def _of_norm(node: Norm) -> tuple[str, ...]:
    names = unindexed(node.operand)
    if not names:
        message = "a norm is of a vector or a matrix without indices; of a number it is |x|"
        raise AxisError(message, node.span[0])
    if len(names) > 1 and node.kind != "F":
        message = "the norm of a matrix: the Frobenius norm is \\|A\\|_F, and others are not known"
        raise AxisError(message, node.span[0])
    return ()


def _of_softmax(node: Softmax, inside: tuple[str, ...]) -> tuple[str, ...]:
    if not node.index and not inside:
        raise AxisError("the softmax needs an index here: along which axis?", node.span[0])
    return inside


def _of_power(node: Power) -> tuple[str, ...]:
    base, exponent = unindexed(node.base), unindexed(node.exponent)
    square = len(base) == _MATRIX and base[0] == base[1]
    if square and not isinstance(node.base, Hadamard):
        message = (
            "a power of a square matrix: the matrix power, or entry by entry? "
            r"Write A A, or A \odot A"
        )
        raise AxisError(message, node.span[0])
    return _entrywise((base, exponent), node.span[0])
