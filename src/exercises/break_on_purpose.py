"""Exercise: leave the variance correction out of dx, and see which gradient check notices."""

from collections.abc import Iterator

import numpy as np

from exercises.answer import Answer, call, check_of, unpack
from exercises.finding import Finding, close
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import Cache, H, largest_relative_error, layernorm_forward, loss
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad

_PASSES = 1e-6  # the largest relative error that a gradient check in float64 lets pass
_GRADIENTS = ("dx", "dgamma", "dbeta")


def broken_backward(dout: Array, cache: Cache) -> tuple[Array, Array, Array]:
    """`layernorm_backward` without the last term of dx: dx (B, T, C), dgamma, dbeta (C,)."""
    xhat, gamma, std = cache
    C = xhat.shape[-1]
    shared = tuple(range(dout.ndim - 1))
    dgamma = (dout * xhat).sum(axis=shared)
    dbeta = dout.sum(axis=shared)
    dxhat = dout * gamma
    dx = (1.0 / (C * std)) * (C * dxhat - dxhat.sum(axis=-1, keepdims=True))
    return dx, dgamma, dbeta


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Compare the three gradients, then run the gradient check that dx has to fail."""
    x, gamma, beta, dout = draw_block(BlockSizes(sequences=2, tokens=3, features=5), seed=2)
    _, cache = layernorm_forward(x, gamma, beta)
    found = unpack("broken_backward", call(answer, "broken_backward", dout, cache), _GRADIENTS)
    compared = [
        close(f"{name} without the variance correction" if name == "dx" else name, got, expected)
        for name, got, expected in zip(_GRADIENTS, found, broken_backward(dout, cache), strict=True)
    ]
    yield from compared
    if not all(finding.holds for finding in compared):
        return

    def nudged_loss(_nudged: Array) -> float:
        out, _ = layernorm_forward(x, gamma, beta)
        return loss(out, dout)

    for name, got, nudged in zip(_GRADIENTS, found, (x, gamma, beta), strict=True):
        error = largest_relative_error(np.asarray(got), numerical_grad(nudged_loss, nudged, H))
        should_pass = name != "dx"
        yield Finding(
            property=f"{name} {'passes' if should_pass else 'fails'} the gradient check",
            holds=(error < _PASSES) == should_pass,
            expected=f"an error {'below' if should_pass else 'above'} {_PASSES:g}",
            got=f"{error:.1e}",
        )
