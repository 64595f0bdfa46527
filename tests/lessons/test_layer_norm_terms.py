import numpy as np
import pytest

from lessons.block import BlockSizes, draw_block
from lessons.layer_norm import layernorm_backward, layernorm_forward
from lessons.layer_norm_terms import (
    dx_terms,
    omission_errors,
    restore,
    restoring_error,
    show_omissions,
    show_terms,
)

SIZES = BlockSizes(sequences=3, tokens=5, features=7)


def test_the_terms_add_up_to_dx() -> None:
    x, gamma, beta, dout = draw_block(SIZES)
    _, cache = layernorm_forward(x, gamma, beta)
    direct, through_mean, through_var = dx_terms(dout, cache)
    dx, _, _ = layernorm_backward(dout, cache)
    np.testing.assert_allclose(direct + through_mean + through_var, dx, atol=1e-12)


def test_the_direct_path_is_dx_with_mean_and_variance_held_fixed() -> None:
    x, gamma, beta, dout = draw_block(SIZES)
    _, cache = layernorm_forward(x, gamma, beta)
    mu, std = x.mean(axis=-1, keepdims=True), cache[2]
    h = 1e-3 * np.ones_like(x)  # the output is linear in x then, so any step will do

    def held(x: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> object:
        return dout * (gamma * (x - mu) / std + beta)

    slope = (np.asarray(held(x + h)) - np.asarray(held(x - h))) / (2 * h)
    np.testing.assert_allclose(dx_terms(dout, cache)[0], slope, rtol=1e-9, atol=1e-9)


def test_each_correction_keeps_one_sum_of_a_token_at_zero() -> None:
    left_out = omission_errors()
    assert list(left_out) == ["nothing", "mean correction", "variance correction", "both"]
    for name, (error, of_dx, of_dx_xhat) in left_out.items():
        assert (error < 1e-6) == (name == "nothing")
        assert (of_dx < 1e-12) == (name in {"nothing", "variance correction"})
        assert (of_dx_xhat < 1e-4) == (name in {"nothing", "mean correction"})


def test_gamma_and_beta_can_give_the_input_back() -> None:
    x, *_ = draw_block(SIZES)
    np.testing.assert_allclose(restore(x), x, rtol=1e-12, atol=1e-12)
    assert restoring_error() < 1e-12


def test_the_printed_terms_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    show_terms()
    _, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8
    for line in lines:
        _, direct, mean, var, total = map(float, line.split())
        assert direct + mean + var == pytest.approx(total, abs=2e-4)


def test_each_omission_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show_omissions()
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line[:19].strip() for line in lines] == list(omission_errors())
