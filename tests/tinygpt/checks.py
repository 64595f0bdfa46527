"""What several tests share: the gradient check, sizes that differ, a tiny model, comparison."""

from collections.abc import Callable

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from tinygpt.arrays import Array, Params
from tinygpt.checkpoint import TrainState
from tinygpt.config import ModelConfig
from tinygpt.gradcheck import numerical_grad

property_settings = settings(deadline=None, max_examples=30)

seeds = st.integers(0, 2**32 - 1)

# Pairwise distinct sizes, d = emb_dim included, so that no two swapped axes can fit by chance.
TINY = ModelConfig(vocab_size=11, seq_len=5, emb_dim=12, n_heads=3, n_layers=2, ff_dim=7)


def distinct_sizes(n: int, smallest: int = 1) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(smallest, smallest + 6), min_size=n, max_size=n, unique=True)


def check_gradient(name: str, f: Callable[[Array], float], x: Array, dx: Array) -> None:
    """Compare dx with central differences of the scalar function f at x."""
    assert dx.shape == x.shape, f"{name}: {dx.shape} for an input of shape {x.shape}"
    expected = numerical_grad(f, x)
    np.testing.assert_allclose(dx, expected, rtol=1e-6, atol=1e-7, err_msg=name)


def random_params(params: Params, rng: np.random.Generator) -> Params:
    """Replace the starting values: ones and zeros would hide a forgotten gamma or bias."""
    return {name: rng.normal(0.0, 0.5, value.shape) for name, value in params.items()}


def assert_same_state(first: TrainState, second: TrainState) -> None:
    assert first.model == second.model
    assert first.train == second.train
    assert first.tokenizer.alphabet == second.tokenizer.alphabet
    assert first.losses == second.losses
    assert first.rng.bit_generator.state == second.rng.bit_generator.state
    for name in ("beta1", "beta2", "epsilon", "weight_decay", "t"):
        assert getattr(first.optimizer, name) == getattr(second.optimizer, name)
    for tensors, others in (
        (first.params, second.params),
        (first.optimizer.m, second.optimizer.m),
        (first.optimizer.v, second.optimizer.v),
    ):
        assert list(tensors) == list(others)  # in order: sums over them depend on it
        for name, tensor in tensors.items():
            np.testing.assert_array_equal(tensor, others[name], err_msg=name)
