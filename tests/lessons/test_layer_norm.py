import numpy as np
import pytest

from lessons.block import BlockSizes, configuration, draw_block
from lessons.layer_norm import (
    forward_and_backward,
    gradient_errors,
    largest_relative_error,
    layernorm_backward,
    layernorm_forward,
    show_forward,
    show_gradient_check,
)
from tinygpt.ops import layer_norm_backward, layer_norm_forward

SIZES = BlockSizes(sequences=3, tokens=5, features=7)
# Computed once with NumPy's pairwise sums; another order of adding changes the last digits.
ERRORS = {
    "dx": 2.824402011294511e-08,
    "dgamma": 1.757852155326469e-09,
    "dbeta": 3.4275647975734703e-10,
}


@pytest.mark.parametrize("name", ERRORS)
def test_the_gradient_check_gives_the_known_errors(name: str) -> None:
    assert gradient_errors()[name] == pytest.approx(ERRORS[name], rel=0, abs=1e-12)


def test_layer_norm_worked_example() -> None:
    x = np.array([[[2.0, 4.0, 4.0, 6.0], [-1.0, 3.0, 0.5, 1.5]]])
    gamma = np.array([1.0, 0.5, 2.0, -1.0])
    beta = np.array([0.0, 1.0, 0.0, 0.5])
    dout = np.array([[[1.0, 0.0, -1.0, 2.0], [0.5, 1.0, 0.0, -2.0]]])
    dx, dgamma, dbeta = forward_and_backward(x, gamma, beta, dout)
    _, (xhat, _, std) = layernorm_forward(x, gamma, beta)
    np.testing.assert_allclose(std[0, :, 0] ** 2, [2.0 + 1e-5, 2.125 + 1e-5])
    np.testing.assert_allclose(xhat[0, 0] * std[0, 0], [-2.0, 0.0, 0.0, 2.0])
    np.testing.assert_allclose(dbeta, [1.5, 1.0, -1.0, 0.0])
    a, b = 2 / np.sqrt(2.0), 0.5 / np.sqrt(2.125)  # entries of xhat, but for eps
    np.testing.assert_allclose(dgamma, [-a - 2 * b, 4 * b, 0.0, 2 * a - 2 * b], rtol=1e-5)
    np.testing.assert_allclose(dx.sum(axis=-1), [[0.0, 0.0]], atol=1e-12)


def test_it_agrees_with_the_layer_norm_of_the_model() -> None:
    x, gamma, beta, dout = draw_block(SIZES)
    out, cache = layernorm_forward(x, gamma, beta)
    gradients = layernorm_backward(dout, cache)
    Y, rows_cache = layer_norm_forward(x.reshape(15, 7), gamma, beta)
    of_rows = layer_norm_backward(dout.reshape(15, 7), rows_cache, gamma)
    np.testing.assert_allclose(out.reshape(15, 7), Y, rtol=1e-12)
    for gradient, of_row in zip(gradients, of_rows, strict=True):
        np.testing.assert_allclose(gradient.reshape(of_row.shape), of_row, rtol=1e-9, atol=1e-12)


def test_two_zeros_agree_and_opposite_signs_differ_by_one() -> None:
    assert largest_relative_error(np.zeros(3), np.zeros(3)) == 0.0
    assert largest_relative_error(np.array([1.0, 2.0]), np.array([1.0, -2.0])) == 1.0


def test_the_block_is_drawn_in_the_order_that_its_figures_belong_to() -> None:
    x, gamma, beta, dout = draw_block(configuration())
    rng = np.random.default_rng(42)
    np.testing.assert_array_equal(x, rng.standard_normal((2, 4, 8)) * 3 + 1.5)
    for drawn in (gamma, beta):
        np.testing.assert_array_equal(drawn, rng.standard_normal(8))
    np.testing.assert_array_equal(dout, rng.standard_normal((2, 4, 8)))


def test_show_forward_prints_a_line_for_each_token(capsys: pytest.CaptureFixture[str]) -> None:
    show_forward()
    heading, _, *tokens = capsys.readouterr().out.splitlines()
    assert heading == "x (2, 4, 8), out (2, 4, 8)"
    assert len(tokens) == 8
    assert {line.split()[-2] for line in tokens} == {"0.000000000"}
    assert {line.split()[-1] for line in tokens} == {"0.999997", "0.999999"}


def test_show_gradient_check_prints_the_errors(capsys: pytest.CaptureFixture[str]) -> None:
    show_gradient_check()
    _, *lines = capsys.readouterr().out.splitlines()
    printed = {line.split()[0]: float(line.split()[-1]) for line in lines}
    assert printed == gradient_errors()
