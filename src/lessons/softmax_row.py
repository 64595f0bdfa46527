"""The softmax on numbers that one can follow by hand."""

import numpy as np

from tinygpt.arrays import Array
from tinygpt.config import ModelConfig
from tinygpt.ops import softmax_backward, softmax_forward


def forward_and_backward(S: Array, dP: Array) -> Array:
    """Run both functions: S, dP (T, d) -> dS (T, d)."""
    P = softmax_forward(S)
    return softmax_backward(dP, P)


def equal_scores() -> Array:
    """The probabilities of three equal scores."""
    return softmax_forward(np.zeros(3))


def show() -> None:
    """Print how a difference of one score counts."""
    for gap in (0.0, 1.0, 2.0, 4.0):
        print(f"{gap:.0f} more: probability {softmax_forward(np.array([gap, 0.0]))[0]:.3f}")


def observe(cfg: ModelConfig) -> None:
    """Run on random numbers of the model's sizes, so that shapes can be read off."""
    S, dP = np.random.default_rng(0).normal(size=(2, cfg.seq_len, cfg.emb_dim))
    forward_and_backward(S, dP)
