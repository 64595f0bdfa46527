"""Exercise: the two corrections keep two sums of every token at zero."""

from collections.abc import Iterator

import numpy as np

from exercises.answer import Answer, call, check_of, unpack
from exercises.finding import Finding, close
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import layernorm_backward, layernorm_forward
from tinygpt.arrays import Array

_OF_DX = "the sum of dx over each token"
_OF_DX_XHAT = "the sum of dx * xhat over each token"


def token_sums(dx: Array, xhat: Array) -> tuple[Array, Array]:
    """For each token: the sum of dx, and that of dx * xhat. dx, xhat (B, T, C) -> two (B, T)."""
    return dx.sum(axis=-1), (dx * xhat).sum(axis=-1)


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Compare the sums on arrays whose sums are not zero, then see that those of a true dx are."""
    x, gamma, beta, dout = draw_block(BlockSizes(sequences=3, tokens=5, features=7), seed=1)
    returned = call(answer, "token_sums", dout, x)
    of_dx, of_dx_xhat = unpack("token_sums", returned, (_OF_DX, _OF_DX_XHAT))
    expected_of_dx, expected_of_dx_xhat = token_sums(dout, x)
    on = "two arrays that belong to no layer norm"
    yield close(_OF_DX, of_dx, expected_of_dx, on=on)
    yield close(_OF_DX_XHAT, of_dx_xhat, expected_of_dx_xhat, on=on)

    _, cache = layernorm_forward(x, gamma, beta)
    dx, _, _ = layernorm_backward(dout, cache)
    returned = call(answer, "token_sums", dx, cache[0])
    of_dx, of_dx_xhat = unpack("token_sums", returned, (_OF_DX, _OF_DX_XHAT))
    zeros = np.zeros((3, 5))
    on = "the layer norm's dx"
    yield close(f"{_OF_DX} is 0", of_dx, zeros, on=on)
    # eps keeps the deviation of xhat a little below 1, and so this sum is not exactly 0.
    yield close(f"{_OF_DX_XHAT} is 0, but for eps", of_dx_xhat, zeros, tolerance=1e-3, on=on)
