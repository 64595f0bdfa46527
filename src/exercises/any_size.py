"""Exercise: normalise tokens in blocks of any batch and sequence length."""

from collections.abc import Iterator

import numpy as np

from exercises.answer import Answer, call, check_of
from exercises.finding import Finding, close, numbers
from tinygpt.arrays import Array

_SHAPES = ((1, 1, 8), (5, 37, 8), (3, 5, 7), (6, 9), (4,))


def normalise(x: Array, eps: float = 1e-5) -> Array:
    """Bring each token to mean 0 and deviation 1. x (..., C) -> xhat (..., C)."""
    mu = x.mean(axis=-1, keepdims=True)
    std = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    xhat: Array = (x - mu) / std
    return xhat


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Look at the statistics of tokens in blocks of several shapes, and at every entry."""
    constant = np.full((2, 3, 4), 7.0)
    yield close("a token of equal numbers becomes zeros", call(answer, "normalise", constant),
                np.zeros((2, 3, 4)))  # fmt: skip
    rng = np.random.default_rng(3)
    for shape in _SHAPES:
        x = rng.standard_normal(shape) * 3.0 + 1.5
        xhat = call(answer, "normalise", x)
        on = f"x of shape {shape}"
        found = numbers(xhat)
        if found is not None and found.shape == shape:
            means = np.zeros(shape[:-1])
            yield close("each token has mean 0", found.mean(axis=-1), means, on=on)
            yield close("each token has deviation 1", found.std(axis=-1), means + 1, 1e-3, on=on)
        yield close("xhat", xhat, normalise(x), on=on)
