from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from eqcheck.differentiate import AnalyticArray, Perturbation, differentiate, perturb, scales

AT = np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
Function = Callable[[NDArray[Any]], Any]


def stacked(
    function: Function, at: NDArray[Any] = AT[None]
) -> Callable[[Sequence[Perturbation]], NDArray[Any]]:
    return lambda changes: np.stack(
        [
            np.stack([np.asarray(function(array)) for array in arrays])
            for arrays in perturb(at, changes)
        ]
    )


def into_floats(x: NDArray[Any]) -> NDArray[Any]:
    result = np.zeros(x.shape)
    result[...] = x**2
    return result


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (lambda x: x**3, 3 * AT**2),
        (lambda x: np.exp(x) * np.sin(x), np.exp(AT) * (np.sin(AT) + np.cos(AT))),
        (lambda _: np.full(AT.shape, 5.0), 0 * AT),
    ],
)
def test_a_complex_step_gives_the_last_digits(function: Function, slope: NDArray[Any]) -> None:
    derived = differentiate(stacked(function), AT[None])
    exact = np.einsum("ij,ik,jl->ijkl", slope, np.eye(2), np.eye(3))
    assert derived.methods == {"complex step"}
    assert derived.array.shape == (1, 2, 3, 2, 3)
    np.testing.assert_allclose(derived.array[0], exact, rtol=1e-14)


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (np.abs, np.sign(AT)),
        (lambda x: x.real**2, 2 * AT),
        (lambda x: np.abs(x - 1) ** 2, 2 * (AT - 1)),
        (into_floats, 2 * AT),
        (lambda x: np.floor(x + 0.25) * x, np.floor(AT + 0.25)),
    ],
)
def test_code_that_drops_imaginary_parts_is_differentiated_by_differences(
    function: Function, slope: NDArray[Any]
) -> None:
    derived = differentiate(stacked(function), AT[None])
    exact = np.einsum("ij,ik,jl->ijkl", slope, np.eye(2), np.eye(3))
    assert derived.methods == {"central differences"}
    assert (np.abs(derived.array[0] - exact) <= derived.error[0]).all()
    assert derived.error.max() < 1e-7


def test_a_number_as_a_function_of_an_array() -> None:
    derived = differentiate(stacked(lambda x: (x**2).sum()), AT[None])
    np.testing.assert_allclose(derived.array[0], 2 * AT, rtol=1e-15)


@pytest.mark.parametrize("step", [1e-3, 1e-20j])
def test_perturbations(step: complex) -> None:
    changes = [Perturbation(entry=4, step=step), Perturbation(entry=None, step=step)]
    one, every = perturb(AT[None], changes)[:, 0] - AT
    assert np.flatnonzero(one).tolist() == [4]
    assert len(set(every.ravel().tolist())) == AT.size


def test_single_precision_stays_single() -> None:
    changed = perturb(AT[None].astype(np.float32), [Perturbation(entry=0, step=1e-20j)])
    assert changed.dtype == np.complex64


def test_each_array_has_the_method_that_it_allows() -> None:
    """Where the imaginary part is dropped, differences; beside it, still the complex step."""
    at = np.array([[0.5, 1.0, 4.0], [1000.0, -3.0, 2.0], [0.1, 0.2, -0.4]])
    derived = differentiate(stacked(lambda x: x.real**2 if x[0].real > 9 else x**2, at), at)
    exact = 2 * at[:, :, None] * np.eye(3)
    assert derived.methods == {"complex step", "central differences"}
    np.testing.assert_array_equal(derived.array[[0, 2]], exact[[0, 2]])
    assert (derived.array[1] != exact[1]).any()
    assert (np.abs(derived.array - exact) <= derived.error).all()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.var(axis=1),
        lambda x: np.var(x, axis=-1, keepdims=True),
        np.std,
        lambda x: x.std(0, ddof=1),
        lambda x: (x - x.mean()).var(axis=(0, 1)),
    ],
)
def test_the_variance_of_numpy_stays_analytic(function: Function) -> None:
    """NumPy's own variance of complex numbers is real."""
    change = Perturbation(entry=2, step=1e-20j)
    changed = perturb(AT[None], [change])[0, 0].view(AnalyticArray)
    slope = np.imag(function(changed)) / 1e-20 / scales(AT[None])[0]
    nudge = np.zeros_like(AT)
    nudge.flat[2] = 1e-6
    difference = (function(AT + nudge) - function(AT - nudge)) / 2e-6
    np.testing.assert_allclose(slope, difference, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(np.real(function(changed)), function(AT), rtol=1e-14)
    assert np.abs(slope).max() > 0.05


def test_a_variance_with_other_arguments_is_refused() -> None:
    with pytest.raises(TypeError):
        AT.astype(complex).view(AnalyticArray).var(dtype=np.float64)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "function",
    [
        np.abs,
        lambda x: np.maximum(x.real, 0.0),
        lambda x: np.maximum(x, 0.0),
        lambda x: np.max(x.real, axis=1),
        lambda x: np.floor(x.real),
        lambda x: np.sqrt(np.abs(x)),
    ],
)
def test_there_is_no_derivative_at_a_kink(function: Function) -> None:
    at = np.array([[[1.5, 1.5, 0.0], [0.0, 0.3, 0.3]], [[1.5, -1.25, 0.75], [-0.5, 0.25, 0.125]]])
    derived = differentiate(stacked(function, at), at)
    assert np.isnan(derived.array[0]).any()
    assert np.isfinite(derived.array[1]).all()


def test_a_large_curvature_is_no_kink() -> None:
    at = np.array([[0.3, -0.7, 0.2]])
    derived = differentiate(stacked(lambda x: np.tanh(50 * x.real) + x.real**2, at), at)
    exact = (50 / np.cosh(50 * at[0]) ** 2 + 2 * at[0]) * np.eye(3)
    assert np.isfinite(derived.array).all()
    assert (np.abs(derived.array[0] - exact) <= derived.error[0]).all()
