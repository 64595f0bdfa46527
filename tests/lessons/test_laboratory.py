import numpy as np
import pytest

from lessons.laboratory import beside_batch_norm, central_differences, step_curve
from lessons.layer_norm_row import H
from tinygpt.ops import layer_norm_backward, layer_norm_forward


def test_step_curve_worked_example() -> None:
    X = np.array([[1.0, 2.0, 3.0, 6.0], [0.5, -1.5, 2.0, 1.0]])
    gamma = np.array([1.0, 1.0, 1.0, 2.0])
    beta = np.array([0.0, 0.0, 0.0, 1.0])
    dY = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, -1.0, 0.5, 0.0]])
    at_used, (best64, smallest64), (best32, smallest32) = step_curve(X, gamma, beta, dY)
    assert at_used < 1e-9
    assert smallest64 <= at_used * 1.01
    assert 1e-7 < best64 < 1e-3
    assert smallest64 < 1e-9
    assert smallest32 > 1e-6
    assert best64 < best32


def test_one_example_edited() -> None:
    X = np.array(
        [
            [[1.0, 2.0, 6.0], [0.0, -1.0, 4.0]],
            [[3.0, 3.5, -2.0], [1.0, 0.5, 0.0]],
        ]
    )
    X_edited = np.array(
        [
            [[1.0, 2.0, 6.0], [0.0, -1.0, 4.0]],
            [[3.0, 3.5, -2.0], [1.0, 9.0, 0.0]],
        ]
    )
    gamma = np.array([1.0, 1.0, 1.0])
    beta = np.array([0.0, 0.0, 0.0])
    moved, moved_layer, moved_batch = beside_batch_norm(X, X_edited, gamma, beta)
    np.testing.assert_array_equal(moved, [0.0, 8.5])
    assert moved_layer[0] == 0.0
    assert moved_layer[1] > 0.5
    assert moved_batch.min() > 0.1


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-9), (np.float32, 1e-2)])
def test_central_differences_keep_the_precision(dtype: type, tolerance: float) -> None:
    rng = np.random.default_rng(3)
    X, dY = rng.normal(size=(2, 3, 5)).astype(dtype)
    gamma, beta = rng.normal(size=(2, 5)).astype(dtype)
    estimate = central_differences(X, gamma, beta, dY, dtype(1e-3 if dtype is np.float32 else H))
    assert estimate.dtype == dtype
    _, cache = layer_norm_forward(X, gamma, beta)
    np.testing.assert_allclose(
        estimate, layer_norm_backward(dY, cache, gamma)[0], atol=tolerance, rtol=tolerance
    )
