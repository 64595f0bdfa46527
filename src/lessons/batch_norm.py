"""Batch norm beside the layer norm: the same formula, with the statistics of other axes."""

import numpy as np

from lessons.block import BlockSizes, draw_block
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


def observe(sizes: BlockSizes) -> None:
    """Run on the lesson's block, so that shapes can be read off."""
    x, gamma, beta, _ = draw_block(sizes)
    batch_norm_forward(x, gamma, beta)
