"""Batch norm beside the layer norm: the same formula, with the statistics of other axes."""

import numpy as np

from lessons.block import BlockSizes, configuration, draw_block
from lessons.layer_norm import layernorm_forward
from tinygpt.arrays import Array


def batch_norm_forward(x: Array, gamma: Array, beta: Array, eps: float = 1e-5) -> Array:
    """Normalise each feature over all sequences and tokens, then scale and shift it.

    x (B, T, C), gamma (C,), beta (C,) -> out (B, T, C). As in training: the statistics are those of
    the batch, and no running averages are kept (Ioffe and Szegedy 2015).
    """
    mu = x.mean(axis=(0, 1), keepdims=True)  # (1, 1, C)
    var = x.var(axis=(0, 1), keepdims=True)  # (1, 1, C)
    xhat = (x - mu) / np.sqrt(var + eps)
    out: Array = gamma * xhat + beta
    return out


def influence_of_others() -> dict[str, float]:
    """Double the second sequence of the block: the largest change in the first, by norm."""
    x, gamma, beta, _ = draw_block(configuration())
    doubled = x * np.array([1.0, 2.0]).reshape(2, 1, 1)
    by_token = [layernorm_forward(block, gamma, beta)[0] for block in (x, doubled)]
    by_feature = [batch_norm_forward(block, gamma, beta) for block in (x, doubled)]
    return {
        "layer norm": float(np.abs(by_token[1] - by_token[0])[0].max()),
        "batch norm": float(np.abs(by_feature[1] - by_feature[0])[0].max()),
    }


def show_influence_of_others() -> None:
    """Print how much the first sequence's output changes when only the second is doubled."""
    for norm, change in influence_of_others().items():
        print(f"{norm}: the first sequence changes by up to {change:.4f}")


def observe(sizes: BlockSizes) -> None:
    """Run on the lesson's block, so that shapes can be read off."""
    x, gamma, beta, _ = draw_block(sizes)
    batch_norm_forward(x, gamma, beta)
