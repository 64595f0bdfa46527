"""Central differences: what the hand-derived gradients are compared with. Only tests use it."""

from collections.abc import Callable

import numpy as np

from tinygpt.arrays import Array


def numerical_grad(f: Callable[[Array], float], x: Array, h: float = 1e-5) -> Array:
    """Estimate the gradient of f at x, one entry at a time: (f(x + h) - f(x - h)) / 2h.

    x is nudged in place and restored, so f may also read it from elsewhere. The result has the
    shape of x; its error is of order h squared, plus rounding of order 1e-16 / h. Raises TypeError
    if x is not float64.
    """
    if x.dtype != np.float64:
        raise TypeError(f"x must be float64, got {x.dtype}")
    grad = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        value = x[index]
        try:
            x[index] = value + h
            above = f(x)
            x[index] = value - h
            below = f(x)
        finally:
            x[index] = value
        grad[index] = (above - below) / (2.0 * h)
    return grad


def relative_error(a: Array, b: Array) -> float:
    """Compare two arrays by norm: |a - b| / (|a| + |b|), and 0 if both are 0."""
    scale = float(np.linalg.norm(a) + np.linalg.norm(b))
    return float(np.linalg.norm(a - b)) / scale if scale else 0.0
