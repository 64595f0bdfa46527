"""Exercise: one pass over the tokens gives all three gradients, as a fused kernel does it."""

from collections.abc import Iterator

import numpy as np

from exercises.answer import Answer, call, check_of
from exercises.finding import Finding, close
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import forward_and_backward
from tinygpt.arrays import Array


def backward_token(
    x: Array, gamma: Array, dout: Array, dgamma: Array, dbeta: Array, eps: float = 1e-5
) -> Array:
    """Go back through one token, without a cache.

    x, gamma, dout (C,) -> dx (C,). Adds the token's share to dgamma and dbeta (C,), in place.
    """
    std = np.sqrt(x.var() + eps)
    xhat = (x - x.mean()) / std
    dxhat = dout * gamma
    dgamma += dout * xhat
    dbeta += dout
    dx: Array = (dxhat - dxhat.mean() - xhat * (dxhat * xhat).mean()) / std
    return dx


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Visit each token of a block once and compare with the layer norm's backward pass."""
    x, gamma, beta, dout = draw_block(BlockSizes(sequences=3, tokens=5, features=7), seed=4)
    expected_dx, *expected = forward_and_backward(x, gamma, beta, dout)
    shares = forward_and_backward(x[0, 0], gamma, beta, dout[0, 0])[1:]
    sums = (np.zeros(7), np.zeros(7))
    dx = call(answer, "backward_token", x[0, 0], gamma, dout[0, 0], shared=sums)
    yield close("dx of one token", dx, expected_dx[0, 0])
    for name, got, share in zip(("dgamma", "dbeta"), sums, shares, strict=True):
        yield _is_added(name, got, share)

    sums = (np.zeros(7), np.zeros(7))
    for token in np.ndindex(3, 5):
        dx = call(answer, "backward_token", x[token], gamma, dout[token], shared=sums)
        finding = close("dx of every token", dx, expected_dx[token], on=f"token {token}")
        if not finding.holds:
            break
    yield finding
    for name, got, whole in zip(("dgamma", "dbeta"), sums, expected, strict=True):
        yield close(f"{name} after all tokens", got, whole)


def _is_added(name: str, got: Array, share: Array) -> Finding:
    if got.any():
        return close(f"{name} takes in a token", got, share)
    return Finding(
        property=f"{name} takes in a token",
        holds=False,
        expected="the token's share, added in place",
        got="the zeros it was given",
        hint=f"{name} = {name} + … makes a new array; {name} += … adds to the one given.",
    )
