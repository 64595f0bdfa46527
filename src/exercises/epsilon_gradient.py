"""Exercise: how the loss answers to epsilon."""

from collections.abc import Iterator

from exercises.answer import Answer, call, check_of
from exercises.finding import Finding, close
from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import Cache, layernorm_forward
from tinygpt.arrays import Array


def epsilon_backward(dout: Array, cache: Cache) -> float:
    """The derivative of the loss by eps, one number. dout (B, T, C)."""
    xhat, gamma, std = cache
    dxhat = dout * gamma
    return float(-0.5 * (dxhat * xhat / std**2).sum())


@check_of
def check(answer: Answer) -> Iterator[Finding]:
    """Compare with the formula, and with nudging eps, on spread and on nearly constant tokens."""
    for spread, eps in ((1.0, 1e-5), (0.01, 1e-3)):
        x, gamma, beta, dout = draw_block(BlockSizes(sequences=3, tokens=5, features=7), seed=5)
        x *= spread
        _, cache = layernorm_forward(x, gamma, beta, eps)
        deps = call(answer, "epsilon_backward", dout, cache)
        on = f"tokens of deviation {x.std(axis=-1).mean():.2g} and eps = {eps:g}"
        finding = close("deps", deps, epsilon_backward(dout, cache), on=on)
        yield finding
        if finding.holds:
            numerical = _by_differences(x, gamma, beta, dout, eps)
            yield close("deps agrees with nudging eps", deps, numerical, 1e-4, on=on)


def _by_differences(x: Array, gamma: Array, beta: Array, dout: Array, eps: float) -> float:
    h = eps / 100

    def loss(eps: float) -> float:
        return float((dout * layernorm_forward(x, gamma, beta, eps)[0]).sum())

    return (loss(eps + h) - loss(eps - h)) / (2 * h)
