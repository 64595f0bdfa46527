import numpy as np
import pytest

from tinygpt.optimizer import AdamW


def test_first_step_moves_every_entry_by_the_learning_rate() -> None:
    """After one step m_hat is g and v_hat is g squared, so their ratio is the sign of g."""
    params = {"b": np.array([1.0, 2.0, 3.0])}
    AdamW().step(params, {"b": np.array([1e-3, -50.0, 0.0])}, learning_rate=0.1)
    np.testing.assert_allclose(params["b"], [0.9, 2.1, 3.0], rtol=1e-5)


def test_second_step_by_hand() -> None:
    optimizer = AdamW(beta1=0.5, beta2=0.75, epsilon=0.0)
    params = {"b": np.array([0.0])}
    optimizer.step(params, {"b": np.array([1.0])}, learning_rate=1.0)
    optimizer.step(params, {"b": np.array([3.0])}, learning_rate=1.0)
    # m = 0.5 -> 1.75, over 1 - 0.25; v = 0.25 -> 2.4375, over 1 - 0.5625
    np.testing.assert_allclose(params["b"], -1.0 - (1.75 / 0.75) / (2.4375 / 0.4375) ** 0.5)
    np.testing.assert_allclose(optimizer.m["b"], 1.75)
    np.testing.assert_allclose(optimizer.v["b"], 2.4375)
    assert optimizer.t == 2


def test_only_matrices_decay() -> None:
    params = {"w": np.full((2, 3), 10.0), "b": np.full(3, 10.0)}
    zeros = {name: np.zeros_like(value) for name, value in params.items()}
    AdamW(weight_decay=0.5).step(params, zeros, learning_rate=0.1)
    np.testing.assert_allclose(params["w"], 10.0 * (1.0 - 0.1 * 0.5))
    np.testing.assert_array_equal(params["b"], 10.0)


def test_updates_in_place() -> None:
    w = np.ones((2, 2))
    AdamW().step({"w": w}, {"w": np.ones((2, 2))}, learning_rate=0.1)
    assert (w < 1.0).all()


def test_finds_a_minimum() -> None:
    target = np.array([3.0, -2.0])
    params = {"b": np.zeros(2)}
    optimizer = AdamW()
    for _ in range(500):
        optimizer.step(params, {"b": 2.0 * (params["b"] - target)}, learning_rate=0.05)
    np.testing.assert_allclose(params["b"], target, atol=1e-3)


def test_refuses_other_names() -> None:
    with pytest.raises(ValueError, match=r"differ in \['a', 'b'\]"):
        AdamW().step({"a": np.zeros(1)}, {"b": np.zeros(1)}, learning_rate=0.1)
