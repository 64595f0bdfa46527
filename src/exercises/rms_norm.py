"""Exercise: RMSNorm, the layer norm without a mean, forward and backward."""

from collections.abc import Iterator

import numpy as np

from exercises.answer import Answer, call, check_of, unpack
from exercises.finding import Finding, close
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import loss
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad

RmsCache = tuple[Array, Array, Array]  # xhat (B, T, C), gamma (C,) and rms (B, T, 1)


def rms_norm_forward(x: Array, gamma: Array, eps: float = 1e-5) -> tuple[Array, RmsCache]:
    """Divide each token by its root mean square, then scale (Zhang and Sennrich 2019).

    x (B, T, C), gamma (C,) -> out (B, T, C), cache.
    """
    rms = np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    xhat = x / rms
    return gamma * xhat, (xhat, gamma, rms)


def rms_norm_backward(dout: Array, cache: RmsCache) -> tuple[Array, Array]:
    """Carry dout back through `rms_norm_forward`: dx (B, T, C), dgamma (C,)."""
    xhat, gamma, rms = cache
    dgamma = (dout * xhat).sum(axis=tuple(range(dout.ndim - 1)))
    dxhat = dout * gamma
    dx = (dxhat - xhat * (dxhat * xhat).mean(axis=-1, keepdims=True)) / rms
    return dx, dgamma


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Compare the output, then the gradients, also with central differences of the reader's own."""
    x, gamma, _, dout = draw_block(BlockSizes(sequences=3, tokens=5, features=7), seed=6)
    zeros, _ = _forward(answer, np.zeros((2, 3, 4)), np.ones(4))
    yield close("a token of zeros stays zeros", zeros, np.zeros((2, 3, 4)))
    out, cache = _forward(answer, x, gamma)
    expected, expected_cache = rms_norm_forward(x, gamma)
    forward = close("out", out, expected)
    yield forward

    returned = call(answer, "rms_norm_backward", dout, cache)
    dx, dgamma = unpack("rms_norm_backward", returned, ("dx", "dgamma"))
    expected_dx, expected_dgamma = rms_norm_backward(dout, expected_cache)
    gradients = [close("dgamma", dgamma, expected_dgamma), close("dx", dx, expected_dx)]
    yield from gradients
    if forward.holds and all(gradient.holds for gradient in gradients):

        def nudged_loss(_nudged: Array) -> float:
            out, _ = _forward(answer, x, gamma)
            return loss(out, dout)

        numerical = numerical_grad(nudged_loss, x)
        yield close("dx agrees with central differences of your forward", dx, numerical, 1e-6)


def _forward(answer: Answer, x: Array, gamma: Array) -> tuple[Array, object]:
    returned = call(answer, "rms_norm_forward", x, gamma)
    out, cache = unpack("rms_norm_forward", returned, ("out", "cache"))
    return out, cache
