"""The expression tree of an equation. Every node keeps its place in the LaTeX.

Places take no part in comparisons: trees are equal when they say the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything in the tree.

    Attributes:
        span: offsets in the LaTeX of its first character and after its last one.
    """

    span: Span = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Node):
    """A number as it is written, without a sign."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant(Node):
    r"""`\pi`, `e` or `\infty`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(Node):
    """A symbol of the page, with or without indices.

    Attributes:
        symbol: its LaTeX as it was declared.
        axes: the names of the dimensions of its array.
        implicit: how many leading axes are the page's batch and are left out here.
        indices: for each remaining axis a letter, or ":" for an axis that stays whole as in
            `Y_{:,j}`; none at all for the whole array.
    """

    symbol: str
    axes: tuple[str, ...] = ()
    implicit: int = 0
    indices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Colon(Node):
    """An axis that stays whole, among the places of an `Element`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element(Node):
    """Entries at computed places, as in `X_{t-1,i}`, `W_{x_t}` or `(X W)_{ti}`.

    Attributes:
        operand: its first axes without indices are those that get places.
        places: whole numbers; the axes that have none stay whole.
        origins: for each place, the number that names the first entry: 0, or 1 where the equation
            counts from 1.
    """

    operand: "Expression"
    places: tuple["Expression", ...]
    origins: tuple[int, ...] = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Array(Node):
    """An array whose last axes are those of the indices given: what a function of one returns."""

    body: "Expression"
    indices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ones(Node):
    r"""The vector `\mathbf{1}` of ones.

    Attributes:
        dimension: its dimension; empty until what it is multiplied with or added to says so.
    """

    dimension: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent(Node):
    """The size of one axis of a symbol's array, or the number of its axes.

    Attributes:
        symbol: its LaTeX as it was declared.
        axis: counted from 0; None for the number of axes.
    """

    symbol: str
    axis: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta(Node):
    """Kronecker's delta: 1 where its two indices are the same."""

    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Node):
    """A sum of two or more terms; a difference has a Negate among them."""

    terms: tuple["Expression", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Negate(Node):
    """A minus sign."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Node):
    """Factors side by side. Of two arrays without indices it is the matrix product."""

    factors: tuple["Expression", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hadamard(Node):
    r"""Factors joined by `\odot`: entry by entry."""

    factors: tuple["Expression", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fraction(Node):
    """A quotient, entry by entry."""

    numerator: "Expression"
    denominator: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Power(Node):
    """A power, entry by entry."""

    base: "Expression"
    exponent: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Root(Node):
    """A square root, or the root of another degree."""

    radicand: "Expression"
    degree: "Expression | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Absolute(Node):
    """An absolute value."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transpose(Node):
    """A matrix, or a vector, without indices, transposed."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inverse(Node):
    """The inverse of a square matrix."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagonal(Node):
    """The square matrix with a vector on its diagonal."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Node):
    """The sum of the diagonal of a square matrix."""

    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Norm(Node):
    """A norm of a vector, or the Frobenius norm of a matrix.

    Attributes:
        kind: "2", "1", "infty" or "F".
        operand: an array without indices.
    """

    kind: str
    operand: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner(Node):
    """The sum of the products of the entries of two arrays of the same axes."""

    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extreme(Node):
    """The largest or smallest of several values, entry by entry: `max` or `min`."""

    operator: str
    arguments: tuple["Expression", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    """A function of one number, such as `exp`, applied to each entry."""

    function: str
    argument: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduce(Node):
    """`sum`, `prod`, `max`, `min`, `mean`, `var` or `std` over indices.

    Attributes:
        operator: its name.
        indices: what it binds; empty for all axes that are left out.
        lower: the first value of the index, where limits are given.
        upper: the last one.
        condition: restricts the terms, as in a sum over j <= i.
        body: what is reduced.
        origin: the number that names the first entry in the limits.
    """

    operator: str
    indices: tuple[str, ...]
    body: "Expression"
    lower: "Expression | None" = None
    upper: "Expression | None" = None
    condition: "Condition | None" = None
    origin: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Softmax(Node):
    """The softmax along one index, which stays; along the last axis if the index is empty."""

    index: str
    argument: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Node):
    """The value of an index; it stands in conditions, limits and places only.

    Attributes:
        index: the letter.
        origin: the value at the first entry.
    """

    index: str
    origin: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Node):
    r"""A comparison: `<`, `>`, `=`, or a LaTeX relation such as `\le`."""

    left: "Expression"
    relation: str
    right: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval(Node):
    """A condition on an index: from `lower` to `upper`, both included.

    Attributes:
        index: the letter.
        lower: the first value.
        upper: the last one.
        origin: the number that names the first entry.
    """

    index: str
    lower: "Expression"
    upper: "Expression"
    origin: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restricted(Node):
    """A term of an equation that holds only where a condition does; 0 elsewhere."""

    condition: Condition | Interval
    body: "Expression"


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator(Node):
    """1 where a condition holds and 0 elsewhere."""

    condition: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases(Node):
    """Values by condition: the first that holds. The last may have none: otherwise."""

    values: tuple["Expression", ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivative(Node):
    """A partial derivative of one symbol with respect to another."""

    of: Reference
    wrt: Reference


Expression: TypeAlias = (
    Number | Constant | Reference | Colon | Element | Array | Ones | Extent | Delta | Add | Negate
    | Product | Hadamard | Fraction | Power | Root | Absolute | Transpose | Inverse | Diagonal
    | Trace | Norm | Inner | Extreme | Call | Reduce | Softmax | Position | Condition | Interval
    | Restricted | Indicator | Cases | Derivative
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(Node):
    r"""Terms with a relation between each and the next: `a = b = c`, `a \le b`."""

    terms: tuple[Expression, ...]
    relations: tuple[str, ...]


def children(node: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside another, in order."""
    found: list[Expression] = []
    for name in _inside(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            found.extend(value)
        elif value is not None:
            found.append(value)
    return tuple(found)


def with_children(node: Expression, new: tuple[Expression, ...]) -> Expression:
    """The same node around other expressions, as many as `children` gave."""
    rest = iter(new)
    changes: dict[str, object] = {}
    for name in _inside(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            changes[name] = tuple(next(rest) for _ in value)
        elif value is not None:
            changes[name] = next(rest)
    return replace(node, **changes)  # type: ignore[arg-type]  # the fields are its own


def walk(*nodes: Expression) -> Iterator[Expression]:
    """Expressions and all that is in them, from left to right."""
    for node in nodes:
        yield node
        yield from walk(*children(node))


def _inside(kind: type[Node]) -> tuple[str, ...]:
    return _EXPRESSIONS[kind]


_LEAVES = {"span", "text", "name", "symbol", "axes", "implicit", "indices", "first", "second"}
_LEAVES |= {"function", "operator", "index", "relation", "origins", "origin", "dimension", "axis"}
_LEAVES |= {"kind"}
_EXPRESSIONS: dict[type[Node], tuple[str, ...]] = {
    kind: tuple(item.name for item in fields(kind) if item.name not in _LEAVES)
    for kind in Node.__subclasses__()
    if kind is not Chain
}
