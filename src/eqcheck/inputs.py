"""Inputs to check equations on: declared, then drawn so that mistakes show.

A page declares each input of its program on one line:

    X (T, d) = [[1, 2], [3, 5]]        real numbers, and those of the worked example
    ids (T,) integer < V = [0, 1]      integers from 0 to V - 1
    eps () positive = 1e-5             a number
    A (d, d) spd                       a symmetric positive definite matrix
    W (d, 4 d), Q (T, H k), P (3,)     derived and fixed sizes

From these come sets of inputs of three kinds. *The worked example* has the given numbers. *Random*
ones have sizes in which no two dimensions agree and each is once odd and once even, and two values
of every scalar, so that neither `(-1)^T` nor `10^{-5}` passes for 1 or for epsilon; one has the
sizes of the real model. *Hard* ones are where formulas break: rows of equal numbers (ties of a
maximum, a variance of 0), zeros, an offset of a million, a spread beyond what `exp` can bear, large
numbers everywhere, repeated and extreme ids, and dimensions of size 1.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Inputs = Mapping[str, object]
Shapes = Mapping[str, tuple[str, ...]]
WORKED_EXAMPLE = "the worked example"
KINDS = ("real", "positive", "integer", "spd")
_SMALLEST = 2
_LARGE = 1e3
_OFFSET = 1e6
_SPREAD = 1e3  # exp(1000) overflows


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSet:
    """A value for each input of a program.

    Attributes:
        name: what messages call it.
        values: by the input's name.
        hard: whether a correct formula may overflow on it, or lose all digits.
    """

    name: str
    values: Inputs
    hard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The size of one axis: a factor times the sizes of dimensions."""

    factor: int
    dimensions: tuple[str, ...]

    def of(self, sizes: Mapping[str, int]) -> int:
        """The size, given that of each dimension."""
        return self.factor * prod(sizes[name] for name in self.dimensions)

    def __str__(self) -> str:
        factor = [str(self.factor)] if self.factor != 1 or not self.dimensions else []
        return " ".join([*factor, *self.dimensions])


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredInput:
    """An input of a program as a page declares it.

    Attributes:
        name: that of the program's parameter.
        axes: the size of each axis; none for a number.
        kind: one of `KINDS`.
        below: of an integer, what it is smaller than.
        example: its value in the worked example; None if there is none.
    """

    name: str
    axes: tuple[Size, ...] = ()
    kind: str = "real"
    below: Size | None = None
    example: object = None

    @property
    def dimensions(self) -> frozenset[str]:
        """The dimensions that its sizes and its bound are made of."""
        sizes = (*self.axes, self.below) if self.below else self.axes
        return frozenset(name for size in sizes for name in size.dimensions)


_DECLARATION = re.compile(
    r"""(?P<name>[A-Za-z_]\w*) \s* \((?P<axes>[^()]*)\)
        (?:\s+(?P<kind>[a-z]+))? (?:\s*<\s*(?P<below>[\w\s]+?))? \s* (?:=\s*(?P<example>.+))?""",
    re.VERBOSE | re.DOTALL,
)


def declare_input(line: str) -> DeclaredInput:
    """Read the declaration of an input, such as `ids (T,) integer < V = [0, 2]`.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    match = _DECLARATION.fullmatch(line.strip())
    if not match:
        message = f"'{line.strip()}' is not a declaration such as 'X (T, d) = [[1, 2], [3, 5]]'"
        raise ValueError(message)
    name, kind = match["name"], match["kind"] or "real"
    if kind not in KINDS:
        raise ValueError(f"{name} cannot be '{kind}', only {', '.join(KINDS)}")
    if (kind == "integer") != (match["below"] is not None):
        raise ValueError(f"{name}: write 'integer < V' with the bound, and only for integers")
    axes = tuple(_size(text) for text in match["axes"].split(",") if text.strip())
    if kind == "spd" and (len(axes) < 2 or axes[-1] != axes[-2]):  # noqa: PLR2004 - a matrix
        raise ValueError(f"{name} is no square matrix, so it cannot be positive definite")
    declared = DeclaredInput(
        name=name,
        axes=axes,
        kind=kind,
        below=_size(match["below"]) if match["below"] else None,
        example=_example(name, match["example"]),
    )
    _check_example(declared)
    return declared


def _size(text: str) -> Size:
    words = re.findall(r"\d+|[A-Za-z_]\w*", text)
    if not words or re.sub(r"[\w\s]", "", text):
        raise ValueError(f"'{text.strip()}' is not a size such as 'T', '4 d', 'H k' or '3'")
    factor = prod(int(word) for word in words if word.isdecimal())
    if factor == 0:
        raise ValueError("a size cannot be 0")
    return Size(factor=factor, dimensions=tuple(word for word in words if not word.isdecimal()))


def _example(name: str, text: str | None) -> object:
    if text is None:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError) as error:
        raise ValueError(f"the value of {name} is no number or list of numbers") from error


def _check_example(declared: DeclaredInput) -> None:
    if declared.example is None:
        return
    try:
        array = np.asarray(declared.example, float)
    except (ValueError, TypeError) as error:
        raise ValueError(f"the rows of {declared.name} differ in length") from error
    if array.ndim != len(declared.axes):
        shape = f"shape {array.shape}" if array.ndim else "no axes"
        raise ValueError(f"the value of {declared.name} has {shape}, and {len(declared.axes)}"
                         " axes are declared")  # fmt: skip
    if declared.kind == "integer" and (array != np.round(array)).any():
        raise ValueError(f"{declared.name} is an integer, and its value is not")
    if declared.kind == "positive" and (array <= 0).any():
        raise ValueError(f"{declared.name} is positive, and its value is not")


def draw_inputs(
    declared: Sequence[DeclaredInput],
    *,
    seed: int = 0,
    count: int = 20,
    model_sizes: Mapping[str, int] | None = None,
) -> tuple[InputSet, ...]:
    """Make the sets of inputs that equations are checked on, ordinary ones first.

    Args:
        declared: the program's inputs.
        seed: the same seed gives the same inputs.
        count: how many random sets.
        model_sizes: the size of each dimension in the real model; only if all are known, a set has
            them.

    Raises:
        ValueError: the sizes of the worked example contradict one another.
    """
    generator = np.random.default_rng(seed)
    names = sorted({name for one in declared for name in one.dimensions})
    small, shifted = _sizes(names)
    sets = []
    if declared and all(one.example is not None for one in declared):
        sets.append(InputSet(name=WORKED_EXAMPLE, values=_worked(declared)))
    for number in range(count):
        sizes = (small, shifted)[number % 2]
        values = _random(declared, sizes, generator, given=number // 2 % 2 == 0)
        sets.append(InputSet(name=f"random input {number + 1}", values=values))
    if model_sizes and set(names) <= set(model_sizes):
        values = _random(declared, model_sizes, generator, given=True)
        sets.append(InputSet(name="random input of the model's sizes", values=values))
    for name, sizes, change in _hard(declared, names):
        values = _random(declared, sizes, generator, given=True)
        hard = {**values, **change(values)}
        sets.append(InputSet(name=f"the hard input “{name}”", values=hard, hard=True))
    return tuple(sets)


def _sizes(names: Sequence[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Two ways to give each dimension a size of its own, once odd and once even: 2, 3 and 3, 2."""
    small = {name: _SMALLEST + number for number, name in enumerate(names)}
    return small, {name: size + 1 if size % 2 == 0 else size - 1 for name, size in small.items()}


def _worked(declared: Sequence[DeclaredInput]) -> dict[str, object]:
    sizes: dict[str, int] = {}
    values: dict[str, object] = {}
    for one in declared:
        array = np.asarray(one.example, np.int64 if one.kind == "integer" else float)
        values[one.name] = array if one.axes else array[()]
        for size, found in zip(one.axes, array.shape, strict=True):
            if size.factor == 1 and len(size.dimensions) == 1:
                (name,) = size.dimensions
                if sizes.setdefault(name, found) != found:
                    message = f"{name} is {sizes[name]} in one value, and {found} in {one.name}"
                    raise ValueError(message)
    for one in declared:
        _check_worked(one, np.asarray(values[one.name]), sizes)
    return values


def _check_worked(one: DeclaredInput, array: NDArray[np.generic], sizes: dict[str, int]) -> None:
    for size, found in zip(one.axes, array.shape, strict=True):
        if set(size.dimensions) <= set(sizes) and size.of(sizes) != found:
            message = f"an axis of {one.name} is {size}, which is {size.of(sizes)}, not {found}"
            raise ValueError(message)
    bound = one.below
    if bound and set(bound.dimensions) <= set(sizes) and array.size:
        numbers = array.astype(int)
        if numbers.min() < 0 or numbers.max() >= bound.of(sizes):
            raise ValueError(f"{one.name} must be from 0 to {bound} - 1")


def _random(
    declared: Sequence[DeclaredInput],
    sizes: Mapping[str, int],
    generator: np.random.Generator,
    *,
    given: bool,
) -> dict[str, object]:
    """A random value for each input; numbers have that of the worked example, if `given`."""
    values: dict[str, object] = {}
    for one in declared:
        if not one.axes and one.example is not None and given and one.kind != "integer":
            values[one.name] = np.float64(one.example)  # type: ignore[arg-type]  # it was checked
        else:
            values[one.name] = _draw(one, sizes, generator)
    return values


def _draw(
    one: DeclaredInput, sizes: Mapping[str, int], generator: np.random.Generator
) -> NDArray[np.generic]:
    shape = tuple(size.of(sizes) for size in one.axes)
    if one.below is not None:
        return np.asarray(generator.integers(one.below.of(sizes), size=shape))
    numbers = generator.normal(size=shape)
    if one.kind == "positive":
        return np.asarray(np.exp(numbers))
    if one.kind == "spd":
        return np.asarray(numbers @ numbers.swapaxes(-1, -2) + np.eye(shape[-1]))
    return np.asarray(numbers)


Change = Callable[[Mapping[str, object]], dict[str, object]]


def _hard(
    declared: Sequence[DeclaredInput], names: Sequence[str]
) -> Iterator[tuple[str, dict[str, int], Change]]:
    """The name of each hard input, its sizes, and what it changes in a random one."""
    small, other = _sizes(names)
    real = [one.name for one in declared if one.kind == "real" and one.axes]
    if real:
        yield "a constant row in every array", small, _changing(real, _constant_row)
        yield "zeros in every array", other, _changing(real, _with_zeros)
        yield "large numbers everywhere", small, _changing(real, lambda array: array * _LARGE)
    for one in declared:
        for number, (what, apply) in enumerate(_changes(one)):
            yield f"{what} in {one.name}", (other, small)[number % 2], _changing([one.name], apply)
    for name in names:
        yield f"{name} = 1", {**small, name: 1}, lambda _: {}


def _changing(names: Sequence[str], apply: Callable[[Array], Array]) -> Change:
    return lambda values: {name: apply(np.array(values[name])) for name in names}


def _changes(one: DeclaredInput) -> Iterator[tuple[str, Callable[[Array], Array]]]:
    """What can be hard about one input."""
    if not one.axes:
        return
    if one.kind == "integer":
        yield "the same number everywhere", np.zeros_like
        yield "the largest number first", _largest_first
    elif one.kind == "spd":
        yield "a nearly singular matrix", _nearly_singular
    elif one.kind == "positive":
        yield "tiny and large numbers", lambda array: array**8
    else:
        yield "a huge offset", lambda array: array + _OFFSET
        yield "a wide spread", lambda array: array * _SPREAD


def _largest_first(array: Array) -> Array:
    array.flat[0] = array.max()
    return np.sort(array, axis=-1)[..., ::-1].copy()


def _nearly_singular(array: Array) -> Array:
    """A matrix of which one direction is almost lost."""
    first = np.zeros(array.shape[-1])
    first[0] = 1.0
    ones = np.ones((array.shape[-1],) * 2)
    nearly: Array = np.broadcast_to(ones + 1e-7 * np.diag(1 + first), array.shape).copy()
    return nearly


def _constant_row(array: Array) -> Array:
    rows = array.reshape(-1, array.shape[-1])
    rows[0] = rows[0, :1]
    return array


def _with_zeros(array: Array) -> Array:
    array.flat[:: array.shape[-1] + 1] = 0.0
    return array


def random_inputs(shapes: Shapes, seed: int, count: int) -> list[dict[str, Array]]:
    """Draw real numbers of given shapes, in sizes that differ from one another.

    Args:
        shapes: for each input's name, the names of its dimensions.
        seed: the same seed gives the same inputs.
        count: how many sets of inputs.
    """
    generator = np.random.default_rng(seed)
    sizes = _sizes(sorted({name for axes in shapes.values() for name in axes}))
    return [_normal(shapes, sizes[number % 2], generator) for number in range(count)]


def _normal(
    shapes: Shapes, sizes: Mapping[str, int], generator: np.random.Generator
) -> dict[str, Array]:
    return {
        name: generator.normal(size=tuple(sizes[axis] for axis in axes))
        for name, axes in shapes.items()
    }


def hard_inputs(shapes: Shapes, main: str, seed: int) -> dict[str, dict[str, Array]]:
    """Make hard inputs of given shapes, by what is hard about each.

    Args:
        shapes: for each input's name, the names of its dimensions.
        main: the input that is made hard. Its last axis is the one of the features.
        seed: for the other numbers.

    Returns:
        "constant row": all features of the first row of `main` alike; "one feature": its last
        dimension is 1; "huge offset": a million is added to it.
    """
    sizes = _sizes(sorted({name for axes in shapes.values() for name in axes}))[0]
    generator = np.random.default_rng(seed)
    constant, offset = (_normal(shapes, sizes, generator) for _ in range(2))
    constant[main] = _constant_row(constant[main])
    offset[main] = offset[main] + _OFFSET
    one = _normal(shapes, {**sizes, shapes[main][-1]: 1}, generator)
    return {"constant row": constant, "one feature": one, "huge offset": offset}
