"""The sizes of the model and the settings of a training run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Sizes of the model.

    Raises ValueError if a size is not positive, if the heads do not divide `emb_dim`, or if
    `ln_eps` is not positive.
    """

    vocab_size: int  # V, number of characters
    seq_len: int = 16  # longest context: T is at most this
    emb_dim: int = 32  # d, features per position
    n_heads: int = 4  # H, attention heads; each sees head_dim features
    n_layers: int = 2  # number of blocks
    ff_dim: int = 128  # hidden features of the feed-forward layer
    ln_eps: float = 1e-5  # epsilon of every layer norm

    def __post_init__(self) -> None:
        """Refuse sizes that make no model."""
        for name in ("vocab_size", "seq_len", "emb_dim", "n_heads", "n_layers", "ff_dim", "ln_eps"):
            _require_positive(name, getattr(self, name))
        if self.emb_dim % self.n_heads:
            raise ValueError(
                f"emb_dim ({self.emb_dim}) must be divisible by n_heads ({self.n_heads})"
            )

    @property
    def head_dim(self) -> int:
        """Features that one attention head sees."""
        return self.emb_dim // self.n_heads


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """Settings of one training run.

    Raises ValueError if a setting that must be positive is not, if a rate is negative, or a beta is
    outside [0, 1).
    """

    steps: int = 3000  # optimiser steps in total
    batch_size: int = 16  # sequences per step
    learning_rate: float = 6e-3  # the peak, reached at the end of the warm-up
    warmup_steps: int = 100
    weight_decay: float = 0.01  # for matrices only: see `AdamW`
    beta1: float = 0.9
    beta2: float = 0.99
    clip_norm: float = 1.0  # largest norm of all the gradients together
    corpus_lines: int = 2000  # sentences in the training text
    checkpoint_every: int = 500  # steps between checkpoints
    seed: int = 0  # of the parameters, the batches and the samples

    def __post_init__(self) -> None:
        """Refuse settings that make no run."""
        for name in (
            "batch_size",
            "learning_rate",
            "warmup_steps",
            "clip_norm",
            "corpus_lines",
            "checkpoint_every",
        ):
            _require_positive(name, getattr(self, name))
        for name in ("steps", "weight_decay", "seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must not be negative, got {getattr(self, name)}")
        for name in ("beta1", "beta2"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name} must be in [0, 1), got {getattr(self, name)}")


def _require_positive(name: str, value: float) -> None:
    if not value > 0:  # also refuses NaN
        raise ValueError(f"{name} must be positive, got {value}")
