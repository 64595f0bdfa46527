"""The softmax on numbers that one can follow by hand."""

import numpy as np

from tinygpt.arrays import Array
from tinygpt.config import ModelConfig
from tinygpt.ops import softmax_backward, softmax_forward


def forward_and_backward(S: Array, dP: Array) -> Array:
    """Run both functions: S, dP (T, d) -> dS (T, d)."""
    P = softmax_forward(S)
    return softmax_backward(dP, P)


def observe(cfg: ModelConfig) -> None:
    """Run on random numbers of the model's sizes, so that shapes can be read off."""
    S, dP = np.random.default_rng(0).normal(size=(2, cfg.seq_len, cfg.emb_dim))
    forward_and_backward(S, dP)
