"""The numbers of the lesson: a seeded block of activations, off scale on purpose."""

from dataclasses import dataclass

import numpy as np

from tinygpt.arrays import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockSizes:
    """B sequences of T tokens with C features each."""

    sequences: int = 2
    tokens: int = 4
    features: int = 8


def configuration() -> BlockSizes:
    """The sizes that the lesson's figures belong to."""
    return BlockSizes()


def draw_block(sizes: BlockSizes, seed: int = 42) -> tuple[Array, Array, Array, Array]:
    """Draw x (B, T, C), gamma (C,), beta (C,) and dout (B, T, C), in this order."""
    rng = np.random.default_rng(seed)
    shape = (sizes.sequences, sizes.tokens, sizes.features)
    x = rng.standard_normal(shape) * 3.0 + 1.5  # a mean and a deviation that need correcting
    gamma = rng.standard_normal(sizes.features)
    beta = rng.standard_normal(sizes.features)
    dout = rng.standard_normal(shape)
    return x, gamma, beta, dout
