from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tinygpt.checks import check_gradient, distinct_sizes, property_settings, seeds
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad
from tinygpt.ops import (
    cross_entropy_backward,
    cross_entropy_forward,
    embedding_backward,
    embedding_forward,
    gelu_backward,
    gelu_forward,
    layer_norm_backward,
    layer_norm_forward,
    linear_backward,
    linear_forward,
    softmax_backward,
    softmax_forward,
)


def test_layer_norm_worked_example() -> None:
    X = np.array([[1.0, 2.0, 3.0, 6.0]])
    gamma = np.array([1.0, 1.0, 1.0, 2.0])
    beta = np.array([0.0, 0.0, 0.0, 1.0])
    dY = np.array([[1.0, 0.0, 0.0, 1.0]])

    Y, cache = layer_norm_forward(X, gamma, beta)
    dX, dgamma, dbeta = layer_norm_backward(dY, cache, gamma)

    # Forward. The function keeps neither mean nor variance, but its cache holds both.
    Xhat, s = cache
    mean = X - Xhat / s
    variance = 1.0 / s**2 - 1e-5
    np.testing.assert_allclose(mean, 3.0, rtol=1e-14)
    np.testing.assert_allclose(variance, 3.5, rtol=1e-14)
    _assert_printed(s, [[0.5345]])
    _assert_printed(Xhat, [[-1.069, -0.5345, 0.0, 1.6036]])
    _assert_printed(Y, [[-1.069, -0.5345, 0.0, 4.2071]])

    # Backward
    dXhat = dY * gamma
    _assert_printed(dXhat, [[1.0, 0.0, 0.0, 2.0]])
    first_mean = dXhat.mean(axis=-1, keepdims=True)
    second_mean = (dXhat * Xhat).mean(axis=-1, keepdims=True)
    _assert_printed(first_mean, [[0.75]])
    _assert_printed(second_mean, [[0.5345]])
    _assert_printed(dX, [[0.4391, -0.2482, -0.4009, 0.21]])
    _assert_printed(dgamma, [-1.069, 0.0, 0.0, 1.6036])
    _assert_printed(dbeta, [1.0, 0.0, 0.0, 1.0])

    # One entry, written out. It takes the unrounded numbers: those printed above give 0.4390.
    one_entry = s[0, 0] * (1.0 - 0.75 - Xhat[0, 0] * second_mean[0, 0])
    assert round(one_entry, 4) == 0.4391
    assert round(0.5345 * (1 - 0.75 - (-1.069) * 0.5345), 4) == 0.4390

    # Step 5: entry (i, j) is dXhat_i / dX_j, by the formula, by the code and by differences.
    jacobian = [
        [0.2482, -0.21, -0.1336, 0.0954],
        [-0.21, 0.3627, -0.1336, -0.0191],
        [-0.1336, -0.1336, 0.4009, -0.1336],
        [0.0954, -0.0191, -0.1336, 0.0573],
    ]
    derived = s * (np.eye(4) - 1 / 4 - Xhat.T @ Xhat / 4)
    _assert_printed(derived, jacobian)
    by_code, _, _ = layer_norm_backward(np.eye(4), cache, np.ones(4))
    _assert_printed(by_code, jacobian)

    def normalised(i: int) -> Callable[[Array], float]:
        return lambda x: float(layer_norm_forward(x, np.ones(4), np.zeros(4))[0][0, i])

    by_differences = np.array([numerical_grad(normalised(i), X)[0] for i in range(4)])
    _assert_printed(by_differences, jacobian)

    # Step 6 is that matrix, multiplied by dXhat.
    np.testing.assert_allclose(dXhat @ derived, dX, rtol=1e-12)

    # The whole backward against central differences of (Y * dY).sum(), whose gradient on Y is dY
    def f(_: Array) -> float:
        return float((layer_norm_forward(X, gamma, beta)[0] * dY).sum())

    for x, dx in ((X, dX), (gamma, dgamma), (beta, dbeta)):
        assert np.abs(numerical_grad(f, x) - dx).max() < 1e-9


def _assert_printed(found: Array, printed: list[float] | list[list[float]]) -> None:
    """Compare with figures printed to four decimals."""
    np.testing.assert_array_equal(np.round(found, 4), np.array(printed))


def _spread_rows(T: int, d: int, rng: np.random.Generator) -> Array:
    """Make rows whose entries keep apart: near equal ones, 1/std is too curved for differences."""
    ladder = np.tile(np.arange(d, dtype=np.float64), (T, 1))
    return rng.permuted(ladder, axis=1) + rng.uniform(-0.3, 0.3, (T, d))


@property_settings
@given(distinct_sizes(2), seeds, st.sampled_from([1e-5, 0.1]))
def test_layer_norm_backward(sizes: list[int], seed: int, epsilon: float) -> None:
    T, d = sizes
    rng = np.random.default_rng(seed)
    X, gamma, beta = _spread_rows(T, d, rng), rng.normal(size=d), rng.normal(size=d)
    dY = rng.normal(size=(T, d))

    def f(_: Array) -> float:
        return float((layer_norm_forward(X, gamma, beta, epsilon)[0] * dY).sum())

    _, cache = layer_norm_forward(X, gamma, beta, epsilon)
    dX, dgamma, dbeta = layer_norm_backward(dY, cache, gamma)
    check_gradient("dX", f, X, dX)
    check_gradient("dgamma", f, gamma, dgamma)
    check_gradient("dbeta", f, beta, dbeta)


@property_settings
@given(distinct_sizes(2, smallest=2), seeds, st.sampled_from([1e-5, 0.1, 10.0]))
def test_layer_norm_identities(sizes: list[int], seed: int, epsilon: float) -> None:
    """Check what the algebra promises for each row, with epsilon in it.

    sum(Xhat) = 0 and sum(Xhat^2) = d * var * s^2 = d * (1 - epsilon * s^2), as 1/s^2 is
    var + epsilon. Put into dX, they give
        sum(dX) = 0
        sum(dX * Xhat) = epsilon * s^3 * sum(dXhat * Xhat)
    so dX is orthogonal to Xhat only as far as epsilon is small beside the variance.
    """
    T, d = sizes
    rng = np.random.default_rng(seed)
    X, gamma, dY = _spread_rows(T, d, rng), rng.normal(size=d), rng.normal(size=(T, d))
    _, cache = layer_norm_forward(X, gamma, np.zeros(d), epsilon)
    Xhat, s = cache
    dX, _, _ = layer_norm_backward(dY, cache, gamma)
    dXhat = dY * gamma

    def row_sums(x: Array) -> Array:
        return np.asarray(x.sum(axis=-1, keepdims=True))

    np.testing.assert_allclose(row_sums(Xhat), 0.0, atol=1e-12)
    np.testing.assert_allclose(row_sums(Xhat**2), d * (1.0 - epsilon * s**2), atol=1e-12)
    np.testing.assert_allclose(row_sums(dX), 0.0, atol=1e-12)
    expected = epsilon * s**3 * row_sums(dXhat * Xhat)
    np.testing.assert_allclose(row_sums(dX * Xhat), expected, atol=1e-12)


def test_layer_norm_ignores_the_shift_and_scale_of_a_row() -> None:
    rng = np.random.default_rng(0)
    X, ones, zeros = rng.normal(size=(3, 5)), np.ones(5), np.zeros(5)
    Y, _ = layer_norm_forward(X, ones, zeros, 1e-12)
    Y2, _ = layer_norm_forward(7.0 * X - 100.0, ones, zeros, 1e-12)
    np.testing.assert_allclose(Y, Y2, atol=1e-9)


def test_layer_norm_of_a_row_without_spread_is_beta() -> None:
    beta = np.array([1.0, 2.0, 3.0])
    Y, (_, s) = layer_norm_forward(np.full((2, 3), 4.0), np.ones(3), beta)
    np.testing.assert_array_equal(Y, [beta, beta])
    np.testing.assert_allclose(s, 1e5**0.5)


def test_layer_norm_refuses_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        layer_norm_forward(np.zeros((2, 3)), np.ones(4), np.zeros(4))


@property_settings
@given(distinct_sizes(3), seeds)
def test_linear_backward(sizes: list[int], seed: int) -> None:
    T, n, m = sizes
    rng = np.random.default_rng(seed)
    X, W, b = rng.normal(size=(T, n)), rng.normal(size=(n, m)), rng.normal(size=m)
    dY = rng.normal(size=(T, m))

    def f(_: Array) -> float:
        return float((linear_forward(X, W, b)[0] * dY).sum())

    dX, dW, db = linear_backward(dY, linear_forward(X, W, b)[1], W)
    check_gradient("dX", f, X, dX)
    check_gradient("dW", f, W, dW)
    check_gradient("db", f, b, db)


@property_settings
@given(distinct_sizes(2), seeds)
def test_gelu_backward(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, dY = rng.normal(size=sizes), rng.normal(size=sizes)
    dX = gelu_backward(dY, gelu_forward(X)[1])
    check_gradient("dX", lambda x: float((gelu_forward(x)[0] * dY).sum()), X, dX)


def test_gelu_values() -> None:
    Y, _ = gelu_forward(np.array([-10.0, -1.0, 0.0, 1.0, 10.0]))
    np.testing.assert_allclose(Y, [0.0, -0.158808, 0.0, 0.841192, 10.0], atol=1e-6)


@property_settings
@given(distinct_sizes(2), seeds)
def test_softmax_backward(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    S, dP = rng.normal(size=sizes), rng.normal(size=sizes)
    dS = softmax_backward(dP, softmax_forward(S))
    check_gradient("dS", lambda x: float((softmax_forward(x) * dP).sum()), S, dS)
    np.testing.assert_allclose(dS.sum(axis=-1), 0.0, atol=1e-12)


def test_softmax_worked_example() -> None:
    S = np.array([[0.0, 1.0, 1.0, 3.0]])
    dP = np.array([[1.0, 0.0, 0.0, 0.0]])
    E = np.exp(S)
    P = softmax_forward(S)
    np.testing.assert_allclose(P, E / E.sum(), rtol=1e-15)
    _assert_printed(P, [[0.0377, 0.1025, 0.1025, 0.7573]])
    _assert_printed(softmax_backward(dP, P), [[0.0363, -0.0039, -0.0039, -0.0286]])


@property_settings
@given(distinct_sizes(3), seeds, st.sampled_from([1.0, 1e3, 1e300]))
def test_softmax_rows_sum_to_one(sizes: list[int], seed: int, scale: float) -> None:
    P = softmax_forward(np.random.default_rng(seed).uniform(-scale, scale, sizes))
    np.testing.assert_allclose(P.sum(axis=-1), 1.0, rtol=1e-14)
    assert (P >= 0.0).all()


def test_softmax_gives_minus_infinity_nothing() -> None:
    P = softmax_forward(np.array([0.0, -np.inf, 0.0]))
    np.testing.assert_array_equal(P, [0.5, 0.0, 0.5])


@property_settings
@given(distinct_sizes(3), seeds)
def test_embedding_backward(sizes: list[int], seed: int) -> None:
    T, V, d = sizes
    rng = np.random.default_rng(seed)
    ids, W, dX = rng.integers(V, size=T), rng.normal(size=(V, d)), rng.normal(size=(T, d))
    dW = embedding_backward(dX, ids, W)
    check_gradient("dW", lambda w: float((embedding_forward(ids, w) * dX).sum()), W, dW)


def test_embedding_backward_adds_repeated_ids() -> None:
    dW = embedding_backward(np.ones((3, 2)), np.array([1, 1, 0]), np.zeros((4, 2)))
    np.testing.assert_array_equal(dW, [[1, 1], [2, 2], [0, 0], [0, 0]])


def test_embedding_refuses_an_unknown_id() -> None:
    with pytest.raises(IndexError):
        embedding_forward(np.array([4]), np.zeros((4, 2)))


@property_settings
@given(distinct_sizes(2), seeds)
def test_cross_entropy_backward(sizes: list[int], seed: int) -> None:
    T, V = sizes
    rng = np.random.default_rng(seed)
    logits, targets = rng.normal(size=(T, V)), rng.integers(V, size=T)
    _, P = cross_entropy_forward(logits, targets)
    dlogits = cross_entropy_backward(P, targets)
    check_gradient("dlogits", lambda z: cross_entropy_forward(z, targets)[0], logits, dlogits)
    np.testing.assert_allclose(P, softmax_forward(logits), rtol=1e-12)


def test_cross_entropy_of_a_guess_is_log_of_the_choices() -> None:
    loss, _ = cross_entropy_forward(np.zeros((3, 8)), np.array([0, 5, 7]))
    assert loss == pytest.approx(np.log(8))


def test_cross_entropy_stays_finite_where_softmax_is_zero() -> None:
    loss, _ = cross_entropy_forward(np.array([[0.0, 5000.0]]), np.array([0]))
    assert loss == 5000.0
