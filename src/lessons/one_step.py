"""One small piece of everything the model does, so that the build can watch it run."""

import numpy as np

from tinygpt.arrays import Params
from tinygpt.config import ModelConfig, TrainConfig
from tinygpt.corpus import make_corpus
from tinygpt.generate import generate
from tinygpt.optimizer import AdamW
from tinygpt.tokenizer import Tokenizer
from tinygpt.train import batch_loss_and_grads, clip_grad_norm
from tinygpt.transformer import init_params


def configuration() -> ModelConfig:
    """The configuration that `tinygpt.train` uses."""
    text = make_corpus(TrainConfig().corpus_lines)
    return ModelConfig(vocab_size=Tokenizer.from_text(text).vocab_size)


def parameters(cfg: ModelConfig) -> Params:
    """The parameters of a new model, by name."""
    return init_params(cfg, np.random.default_rng(0))


def run(cfg: ModelConfig) -> None:
    """Take one training step on random ids, then generate a little from a short prompt."""
    rng = np.random.default_rng(0)
    params = init_params(cfg, rng)
    optimizer = AdamW()
    ids = rng.integers(cfg.vocab_size, size=(2, cfg.seq_len + 1))
    _, grads = batch_loss_and_grads(params, ids[:, :-1], ids[:, 1:], cfg)
    clip_grad_norm(grads, 1.0)
    optimizer.step(params, grads, 1e-3)
    generate(params, ids[0, :1], cfg.seq_len + 1, cfg, rng)


def decayed(cfg: ModelConfig) -> set[str]:
    """The parameters that shrink when the optimiser steps along gradients of zero."""
    params = {name: np.ones_like(array) for name, array in parameters(cfg).items()}
    grads = {name: np.zeros_like(array) for name, array in params.items()}
    AdamW().step(params, grads, 1e-3)
    return {name for name, array in params.items() if np.any(array != 1.0)}
