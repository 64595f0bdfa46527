import numpy as np
import pytest
from hypothesis import given

from tests.tinygpt.checks import check_gradient, distinct_sizes, property_settings, seeds
from tinygpt.arrays import Array, Params
from tinygpt.attention import (
    causal_attention_backward,
    causal_attention_forward,
    merge_heads,
    self_attention_backward,
    self_attention_forward,
    split_heads,
)

pytestmark = pytest.mark.slow


@property_settings
@given(distinct_sizes(3), seeds)
def test_causal_attention_backward(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    Q, K, V, dO = (rng.normal(size=sizes) for _ in range(4))

    def f(_: Array) -> float:
        return float((causal_attention_forward(Q, K, V)[0] * dO).sum())

    dQ, dK, dV = causal_attention_backward(dO, causal_attention_forward(Q, K, V)[1])
    check_gradient("dQ", f, Q, dQ)
    check_gradient("dK", f, K, dK)
    check_gradient("dV", f, V, dV)


def _attention_params(d: int, rng: np.random.Generator) -> Params:
    params = {f"b0.attn_w{name}": rng.normal(0.0, 0.5, (d, d)) for name in "qkvo"}
    return params | {f"b0.attn_b{name}": rng.normal(size=d) for name in "qkvo"}


@property_settings
@given(distinct_sizes(3, smallest=2), seeds)
def test_self_attention_backward(sizes: list[int], seed: int) -> None:
    T, n_heads, d_head = sizes
    d = n_heads * d_head
    rng = np.random.default_rng(seed)
    X, dY, params = rng.normal(size=(T, d)), rng.normal(size=(T, d)), _attention_params(d, rng)

    def f(_: Array) -> float:
        return float((self_attention_forward(X, params, "b0.", n_heads)[0] * dY).sum())

    grads = {name: np.zeros_like(value) for name, value in params.items()}
    _, cache = self_attention_forward(X, params, "b0.", n_heads)
    dX = self_attention_backward(dY, cache, params, grads, "b0.")
    check_gradient("dX", f, X, dX)
    name = ("b0.attn_wq", "b0.attn_wk", "b0.attn_wv", "b0.attn_wo", "b0.attn_bv")[seed % 5]
    check_gradient(name, f, params[name], grads[name])


@property_settings
@given(distinct_sizes(3), seeds)
def test_heads_split_and_merge(sizes: list[int], seed: int) -> None:
    T, n_heads, d_head = sizes
    X = np.random.default_rng(seed).normal(size=(T, n_heads * d_head))
    heads = split_heads(X, n_heads)
    assert heads.shape == (n_heads, T, d_head)
    np.testing.assert_array_equal(heads[-1], X[:, -d_head:])
    np.testing.assert_array_equal(merge_heads(heads), X)


@property_settings
@given(distinct_sizes(3), seeds)
def test_weights_are_causal_and_sum_to_one(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    _, (_, _, _, A) = causal_attention_forward(*(rng.normal(size=sizes) for _ in range(3)))
    np.testing.assert_allclose(A.sum(axis=-1), 1.0, rtol=1e-14)
    assert not np.triu(A, k=1).any()


def test_equal_keys_average_the_values_so_far() -> None:
    V = np.array([[[1.0], [3.0], [8.0]]])
    O, _ = causal_attention_forward(np.ones((1, 3, 2)), np.ones((1, 3, 2)), V)  # noqa: E741
    np.testing.assert_allclose(O, [[[1.0], [2.0], [4.0]]])


def test_scores_are_divided_by_the_root_of_the_head_size() -> None:
    """Two keys, one of them the query itself: the weights are softmax of (0, 4 / sqrt(4))."""
    K = np.array([[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]]])
    _, (_, _, _, A) = causal_attention_forward(np.ones((1, 2, 4)), K, K)
    np.testing.assert_allclose(A[0, 1], np.array([1.0, np.e**2]) / (1.0 + np.e**2))
