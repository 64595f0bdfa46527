from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from eqcheck.differentiate import Perturbation, differentiate

AT = np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
Function = Callable[[NDArray[Any]], Any]


def stacked(function: Function) -> Callable[[Sequence[Perturbation]], NDArray[Any]]:
    return lambda changes: np.stack([np.asarray(function(item.apply(AT))) for item in changes])


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
    derived = differentiate(stacked(function), AT)
    exact = np.einsum("ij,ik,jl->ijkl", slope, np.eye(2), np.eye(3))
    assert derived.method == "complex step"
    assert derived.array.shape == (2, 3, 2, 3)
    np.testing.assert_allclose(derived.array, exact, rtol=1e-14)


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
    derived = differentiate(stacked(function), AT)
    exact = np.einsum("ij,ik,jl->ijkl", slope, np.eye(2), np.eye(3))
    assert derived.method == "central differences"
    assert (np.abs(derived.array - exact) <= derived.error).all()
    assert derived.error.max() < 1e-7


def test_a_number_as_a_function_of_an_array() -> None:
    derived = differentiate(stacked(lambda x: (x**2).sum()), AT)
    np.testing.assert_allclose(derived.array, 2 * AT, rtol=1e-15)


@pytest.mark.parametrize("step", [1e-3, 1e-20j])
def test_perturbations(step: complex) -> None:
    one = Perturbation(entry=4, step=step).apply(AT) - AT
    assert np.flatnonzero(one).tolist() == [4]
    every = Perturbation(entry=None, step=step).apply(AT) - AT
    assert len(set(every.ravel().tolist())) == AT.size


def test_single_precision_stays_single() -> None:
    changed = Perturbation(entry=0, step=1e-20j).apply(AT.astype(np.float32))
    assert changed.dtype == np.complex64
