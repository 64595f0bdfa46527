"""The lesson's layer norm over blocks (B, T, C): forward, backward, and the gradient check."""

import numpy as np

from lessons.block import BlockSizes, configuration, draw_block
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad

Cache = tuple[Array, Array, Array]  # xhat (B, T, C), gamma (C,) and std (B, T, 1)

H = 1e-6  # the step of the central differences


def layernorm_forward(
    x: Array, gamma: Array, beta: Array, eps: float = 1e-5
) -> tuple[Array, Cache]:
    """Normalise each token over its own features, then scale and shift each feature.

    x (B, T, C), gamma (C,), beta (C,) -> out (B, T, C), cache. Any number of axes may stand in
    place of B and T.
    """
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    std = np.sqrt(var + eps)
    xhat = (x - mu) / std
    out = gamma * xhat + beta
    cache = (xhat, gamma, std)
    return out, cache


def layernorm_backward(dout: Array, cache: Cache) -> tuple[Array, Array, Array]:
    """Carry dout back through `layernorm_forward`.

    dout (B, T, C) -> dx (B, T, C), dgamma (C,), dbeta (C,).
    """
    xhat, gamma, std = cache
    C = xhat.shape[-1]
    shared = tuple(range(dout.ndim - 1))  # the axes over which gamma and beta are shared
    dgamma = (dout * xhat).sum(axis=shared)
    dbeta = dout.sum(axis=shared)
    dxhat = dout * gamma
    dx = (1.0 / (C * std)) * (
        C * dxhat
        - dxhat.sum(axis=-1, keepdims=True)
        - xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)
    )
    return dx, dgamma, dbeta


def loss(out: Array, dout: Array) -> float:
    """The simplest loss whose gradient on out is dout: the sum of dout * out, both (B, T, C)."""
    total: float = np.sum(dout * out)
    return total


def gradient_errors(h: float = H) -> dict[str, float]:
    """Hold each gradient of the lesson's block against central differences of step h.

    Returns the largest relative error of an entry by the name of the gradient: dx, dgamma, dbeta.
    """
    x, gamma, beta, dout = draw_block(configuration())
    _, cache = layernorm_forward(x, gamma, beta)
    dx, dgamma, dbeta = layernorm_backward(dout, cache)

    def nudged_loss(_nudged: Array) -> float:
        out, _ = layernorm_forward(x, gamma, beta)
        return loss(out, dout)

    return {
        "dx": largest_relative_error(dx, numerical_grad(nudged_loss, x, h)),
        "dgamma": largest_relative_error(dgamma, numerical_grad(nudged_loss, gamma, h)),
        "dbeta": largest_relative_error(dbeta, numerical_grad(nudged_loss, beta, h)),
    }


def largest_relative_error(a: Array, b: Array) -> float:
    """The largest |a - b| / (|a| + |b|) of an entry; two zeros agree."""
    size = np.maximum(1e-12, np.abs(a) + np.abs(b))
    return float(np.max(np.abs(a - b) / size))


def forward_and_backward(
    x: Array, gamma: Array, beta: Array, dout: Array
) -> tuple[Array, Array, Array]:
    """Run all three: x, dout (B, T, C), gamma, beta (C,) -> dx (B, T, C), dgamma, dbeta (C,)."""
    out, cache = layernorm_forward(x, gamma, beta)
    loss(out, dout)
    return layernorm_backward(dout, cache)


def observe(sizes: BlockSizes) -> None:
    """Run on the lesson's block, so that shapes can be read off."""
    forward_and_backward(*draw_block(sizes))


def show_forward() -> None:
    """Print what the forward pass does to each token of the block."""
    x, gamma, beta, _ = draw_block(configuration())
    out, (xhat, _, _) = layernorm_forward(x, gamma, beta)
    print(f"x {x.shape}, out {out.shape}")
    print("token   x: mean  deviation   xhat: mean  deviation")
    for b, t in np.ndindex(x.shape[:-1]):
        before, after = x[b, t], xhat[b, t]
        mean = round(after.mean(), 9) + 0.0  # the sum turns -0 into 0
        print(f"({b}, {t})  {before.mean():7.2f}  {before.std():9.2f}"
              f"   {mean:10.9f}  {after.std():9.6f}")  # fmt: skip


def show_gradient_check() -> None:
    """Print the shape of each gradient and its largest relative error."""
    gradients = forward_and_backward(*draw_block(configuration()))
    print("gradient  shape      largest relative error")
    for gradient, (name, error) in zip(gradients, gradient_errors().items(), strict=True):
        print(f"{name:8}  {gradient.shape!s:9}  {error!r}")
