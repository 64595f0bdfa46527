"""Functions to observe. Tests find their lines by the comments `# name`."""

# ruff: noqa: F842, PLC2401, RET504 - assignments of every kind are what is observed

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tinygpt.arrays import Array


def several(x: int) -> int:
    y = x + 1  # first
    y = y * 2  # second
    y += 10  # augmented
    z: int = y  # annotated
    nothing: int
    return z


def loop(n: int) -> int:
    total = 0
    for i in range(n):  # head
        total += i  # body
    while total > 100:
        total -= 100  # while
    return total


def targets(pair: tuple[int, list[int]]) -> int:
    a, (b, *rest) = pair  # unpacked
    c = d = a  # chained
    with np.errstate(all="ignore") as state:  # with
        kept = {"b": b}
        kept["c"] = c  # no plain name
    if state is None:
        e = len(rest) + d
    return e


def inner(x: float) -> float:
    y = x * 2
    return y + 1


def outer(x: float) -> float:
    return inner(inner(x)) + inner(x=1.0)  # three calls


def continued(x: float) -> float:
    total = (
        inner(x)  # upper
        + inner(x + 1)
    )
    return total


def unicode_columns(x: float) -> float:
    größe = "→"; return inner(x) + len(größe)  # fmt: skip # noqa: E702


def fibonacci(n: int) -> int:
    if n < 2:
        return n
    before = fibonacci(n - 1)
    return before + fibonacci(n - 2)


def returns_nothing(x: list[int]) -> None:
    if not x:
        return
    x.append(1)


def falls_off(x: list[int]) -> None:
    x.append(2)


def raises(x: int) -> int:
    y = x
    raise ValueError(y)


def caught(x: int) -> str:
    text = ""
    try:
        raises(x)
    except ValueError as error:
        text = str(error)
    finally:
        done = True
        assert done
    return text


def defaults(a: int, b: int = 2, /, *c: int, d: int = 4, **e: int) -> int:
    return a + b + sum(c) + d + sum(e.values())


def in_place(X: Array) -> Array:
    Y = X
    Y += 1.0
    Y[0] = 7.0
    return Y


def subexpressions(X: Array) -> Array:
    Y: Array = X - X.mean(axis=-1, keepdims=True)
    Z: Array = Y * (X.mean(axis=-1, keepdims=True) + np.abs(
        Y
    ).max())  # fmt: skip
    return Z


def scopes(n: int) -> int:
    def nested(y: int) -> int:
        hidden = y + n
        return hidden

    squares = [nested(i) for i in range(n)]
    longest: Callable[[int], int] = lambda q: q + 1  # noqa: E731
    return longest(sum(squares))


class Counter:
    """A class whose methods are observed."""

    def __init__(self) -> None:
        self.__count = 0

    def add(self, step: int) -> int:
        self.__count += step
        total = self.__count
        return total

    @staticmethod
    def twice(x: int) -> int:
        y = 2 * x
        return y

    @classmethod
    def make(cls) -> "Counter":
        made = cls()
        return made


def _decorated(function: Any) -> Any:  # noqa: ANN401
    return function


@_decorated
@_decorated
def with_decorators(x: int) -> int:
    y = x
    return y


def make_closure(n: int) -> Callable[[int], int]:
    def closure(x: int) -> int:
        return x + n

    return closure


def generates(n: int) -> Iterator[int]:
    yield from range(n)


async def waits(n: int) -> int:
    return n
