"""Sampling from the model."""

import numpy as np

from tinygpt.arrays import Ids, Params
from tinygpt.config import ModelConfig
from tinygpt.ops import softmax_forward
from tinygpt.tokenizer import Tokenizer
from tinygpt.transformer import forward


def next_id(
    params: Params, ids: Ids, cfg: ModelConfig, rng: np.random.Generator, temperature: float = 1.0
) -> int:
    """Draw the id that follows `ids` (T,). Only the last `seq_len` of them are read.

    Raises ValueError if `ids` is empty or the temperature is not positive.
    """
    if not temperature > 0:
        raise ValueError(f"temperature must be positive, got {temperature}")
    logits, _ = forward(params, ids[-cfg.seq_len :], cfg)
    P = softmax_forward(logits[-1] / temperature)
    return int(rng.choice(cfg.vocab_size, p=P))


def generate(  # noqa: PLR0913
    params: Params,
    ids: Ids,
    n: int,
    cfg: ModelConfig,
    rng: np.random.Generator,
    *,
    temperature: float = 1.0,
) -> Ids:
    """Continue `ids` (T,) by `n` sampled ids, and return all T + n of them."""
    ids = ids.copy()
    for _ in range(n):
        ids = np.append(ids, next_id(params, ids, cfg, rng, temperature))
    return ids


def sample_lines(  # noqa: PLR0913
    params: Params,
    tokenizer: Tokenizer,
    n_lines: int,
    cfg: ModelConfig,
    rng: np.random.Generator,
    *,
    temperature: float = 1.0,
    max_length: int = 80,
) -> list[str]:
    """Write `n_lines` lines after a newline; a line of `max_length` characters is cut there."""
    lines: list[str] = []
    ids = newline = tokenizer.encode("\n")
    start = len(ids)
    while len(lines) < n_lines:
        ids = np.append(ids, next_id(params, ids, cfg, rng, temperature))
        ended = ids[-1] == newline[0]
        if ended or len(ids) - start == max_length:
            lines.append(tokenizer.decode(ids[start:-1] if ended else ids[start:]))
            start = len(ids)
    return lines
