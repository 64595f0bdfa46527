import numpy as np
import pytest

from tests.tinygpt.checks import TINY, random_params
from tinygpt.arrays import Array
from tinygpt.gradcheck import numerical_grad, relative_error
from tinygpt.transformer import init_params, loss_and_grads

# The key bias adds the same number, bias . query, to all the scores of a query. Softmax does not
# see such a constant, so the true gradient is 0: what either method returns is rounding, and a
# relative error between two roundings means nothing. Both must be near 0 instead.
TRUE_GRADIENT_IS_ZERO = {"b0.attn_bk", "b1.attn_bk"}


def test_every_tensor_passes() -> None:
    sizes = (TINY.vocab_size, TINY.seq_len, TINY.emb_dim, TINY.n_heads, TINY.head_dim, TINY.ff_dim)
    assert len({*sizes, TINY.n_layers, TINY.seq_len - 1}) >= len(sizes) + 1
    rng = np.random.default_rng(0)
    params = random_params(init_params(TINY, rng), rng)
    # One position short of seq_len, with an id twice: the last row of pos_emb must get exactly 0,
    # and the rows of tok_emb must add up.
    ids, targets = np.array([3, 7, 3, 1]), np.array([7, 3, 1, 10])
    _, grads = loss_and_grads(params, ids, targets, TINY)
    assert grads.keys() == params.keys()

    def loss(_: Array) -> float:
        return loss_and_grads(params, ids, targets, TINY)[0]

    near_zero = set()
    for name, value in params.items():
        numeric = numerical_grad(loss, value)
        assert grads[name].shape == value.shape
        if name in TRUE_GRADIENT_IS_ZERO:
            assert np.abs(grads[name]).max() < 1e-15, name
            assert np.abs(numeric).max() < 1e-9, name
        else:
            assert relative_error(grads[name], numeric) < 1e-7, name
            np.testing.assert_allclose(
                grads[name], numeric, rtol=1e-4, atol=1e-9, err_msg=name
            )  # entry by entry: a norm forgives a small entry that is wrong
        if np.abs(grads[name]).max() < 1e-9:
            near_zero.add(name)
    assert near_zero == TRUE_GRADIENT_IS_ZERO  # no other tensor passes by being 0
    assert not grads["pos_emb"][-1].any()


def test_numerical_grad_of_a_known_function() -> None:
    x = np.array([[0.5, -1.0, 2.0], [3.0, 0.0, -0.25]])
    grad = numerical_grad(lambda z: float((z**3).sum()), x)
    np.testing.assert_allclose(grad, 3.0 * x**2, atol=1e-9)


def test_numerical_grad_is_second_order() -> None:
    """The error of central differences of z^3 is h^2 exactly."""
    grad = numerical_grad(lambda z: float((z**3).sum()), np.array([1.0]), h=0.1)
    np.testing.assert_allclose(grad, 3.0 + 0.1**2)


def test_numerical_grad_restores_x() -> None:
    x = np.array([0.1, 0.2, 0.3])
    numerical_grad(lambda z: float(z.sum()), x, h=0.1)
    np.testing.assert_array_equal(x, [0.1, 0.2, 0.3])


def test_numerical_grad_restores_x_when_the_function_raises() -> None:
    x = np.array([0.1, 0.2])
    with pytest.raises(ZeroDivisionError):
        numerical_grad(lambda _: 1 / 0, x)
    np.testing.assert_array_equal(x, [0.1, 0.2])


def test_numerical_grad_refuses_integers() -> None:
    with pytest.raises(TypeError, match="x must be float64, got int64"):
        numerical_grad(lambda z: float(z.sum()), np.array([1, 2]))


def test_relative_error() -> None:
    assert relative_error(np.array([3.0, 4.0]), np.array([3.0, 4.0])) == 0.0
    assert relative_error(np.zeros(2), np.zeros(2)) == 0.0
    assert relative_error(np.array([3.0, 4.0]), np.zeros(2)) == 1.0
    assert relative_error(np.array([1.0]), np.array([3.0])) == 0.5
