"""The three terms of the layer norm's dx, one at a time, and what dx is without each of them."""

import numpy as np

from lessons.block import BlockSizes, configuration, draw_block
from lessons.layer_norm import (
    Cache,
    H,
    forward_and_backward,
    largest_relative_error,
    layernorm_forward,
    loss,
)
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad


def dx_terms(dout: Array, cache: Cache) -> tuple[Array, Array, Array]:
    """Split dx into the direct path and the corrections for the mean and the variance.

    dout (B, T, C) -> direct (B, T, C), through_mean (B, T, 1) and through_var (B, T, C), which add
    up to dx.
    """
    xhat, gamma, std = cache
    C = xhat.shape[-1]
    dxhat = dout * gamma
    direct = dxhat / std
    through_mean = -dxhat.sum(axis=-1, keepdims=True) / (C * std)
    through_var = -xhat * (dxhat * xhat).sum(axis=-1, keepdims=True) / (C * std)
    return direct, through_mean, through_var


def forward_and_terms(
    x: Array, gamma: Array, beta: Array, dout: Array
) -> tuple[Array, Array, Array]:
    """Run forward and backward, and the backward pass once more by its terms."""
    _, cache = layernorm_forward(x, gamma, beta)
    dx_terms(dout, cache)
    return forward_and_backward(x, gamma, beta, dout)


def restore(x: Array, eps: float = 1e-5) -> Array:
    """Choose for each token the gamma and beta that undo its normalisation: x (B, T, C) -> out.

    The layer has one gamma and one beta for all tokens, so each token gets a layer of its own here.
    """
    out = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        gamma = np.sqrt(x[token].var() + eps)
        beta = x[token].mean()
        out[token], _ = layernorm_forward(x[token], gamma, beta, eps)
    return out


def restoring_error() -> float:
    """How far `restore` is off on the lesson's block: the largest |out - x|."""
    x, *_ = draw_block(configuration())
    return float(np.abs(restore(x) - x).max())


def omission_errors() -> dict[str, tuple[float, float, float]]:
    """What leaving a correction out of dx does to the lesson's block.

    By what is left out: the largest relative error against central differences, and the largest
    absolute sum over a token of dx and of dx * xhat.
    """
    x, gamma, beta, dout = draw_block(configuration())
    _, cache = layernorm_forward(x, gamma, beta)
    xhat = cache[0]
    direct, through_mean, through_var = dx_terms(dout, cache)

    def nudged_loss(_nudged: Array) -> float:
        out, _ = layernorm_forward(x, gamma, beta)
        return loss(out, dout)

    numerical = numerical_grad(nudged_loss, x, H)

    def measure(dx: Array) -> tuple[float, float, float]:
        return (
            largest_relative_error(dx, numerical),
            float(np.abs(dx.sum(axis=-1)).max()),
            float(np.abs((dx * xhat).sum(axis=-1)).max()),
        )

    return {
        "nothing": measure(direct + through_mean + through_var),
        "mean correction": measure(direct + through_var),
        "variance correction": measure(direct + through_mean),
        "both": measure(direct),
    }


def show_terms() -> None:
    """Print the three terms of dx and their sum for the first token, feature by feature."""
    x, gamma, beta, dout = draw_block(configuration())
    _, cache = layernorm_forward(x, gamma, beta)
    terms = [term[0, 0] for term in np.broadcast_arrays(*dx_terms(dout, cache))]
    print("feature    direct  + through mean  + through var  =     dx")
    for feature, (direct, mean, var) in enumerate(zip(*terms, strict=True)):
        total = direct + mean + var
        print(f"{feature:7}  {direct:8.4f}  {mean:14.4f}  {var:13.4f}  {total:9.4f}")


def show_omissions() -> None:
    """Print what goes wrong with dx where a correction is left out."""
    print("left out             relative error  largest |sum dx|  largest |sum dx * xhat|")
    for name, (error, of_dx, of_dx_xhat) in omission_errors().items():
        print(f"{name:19}  {error:14.1e}  {of_dx:16.1e}  {of_dx_xhat:23.1e}")


def observe(sizes: BlockSizes) -> None:
    """Run on the lesson's block, so that shapes can be read off."""
    x, gamma, beta, dout = draw_block(sizes)
    forward_and_terms(x, gamma, beta, dout)
    restore(x)
