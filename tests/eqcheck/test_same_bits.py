"""Observed functions compute the same bits, and run as before afterwards."""

import inspect
from collections.abc import Callable
from types import FunctionType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqcheck import observing
from tests.tinygpt.checks import TINY, property_settings, seeds
from tinygpt import attention, gradcheck, ops, transformer
from tinygpt.arrays import Array

pytestmark = pytest.mark.slow

MODULES = (ops, attention, transformer, gradcheck)
FUNCTIONS = [
    function
    for module in MODULES
    for function in vars(module).values()
    if isinstance(function, FunctionType) and function.__module__ == module.__name__
]

Case = Callable[[np.random.Generator, int, int], tuple[object, ...]]


def _array(rng: np.random.Generator, *shape: int) -> Array:
    """Mostly ordinary numbers, and now and then one that is not."""
    array = rng.normal(size=shape)
    strange = rng.choice([np.nan, np.inf, -0.0, 1e308, 5e-324], size=shape)
    return np.where(rng.uniform(size=shape) < 0.05, strange, array)


CASES: dict[str, Case] = {
    "layer_norm_forward": lambda r, T, d: (_array(r, T, d), _array(r, d), _array(r, d)),
    "layer_norm_backward": lambda r, T, d: (
        _array(r, T, d),
        (_array(r, T, d), _array(r, T, 1)),
        _array(r, d),
    ),
    "linear_forward": lambda r, T, d: (_array(r, T, d), _array(r, d, 3), _array(r, 3)),
    "linear_backward": lambda r, T, d: (_array(r, T, 3), _array(r, T, d), _array(r, d, 3)),
    "gelu_forward": lambda r, T, d: (_array(r, T, d),),
    "gelu_backward": lambda r, T, d: (_array(r, T, d), (_array(r, T, d), _array(r, T, d))),
    "softmax_forward": lambda r, T, d: (_array(r, T, d),),
    "softmax_backward": lambda r, T, d: (_array(r, T, d), _array(r, T, d)),
    "embedding_forward": lambda r, T, d: (r.integers(T, size=5), _array(r, T, d)),
    "embedding_backward": lambda r, T, d: (
        _array(r, 5, d),
        r.integers(T, size=5),
        _array(r, T, d),
    ),
    "cross_entropy_forward": lambda r, T, d: (_array(r, T, d), r.integers(d, size=T)),
    "cross_entropy_backward": lambda r, T, d: (_array(r, T, d), r.integers(d, size=T)),
}


def _bits(value: object) -> list[bytes]:
    """The bytes of every array and number in a nest of tuples, lists and dictionaries."""
    if isinstance(value, dict):
        return [part for name in value for part in [str(name).encode(), *_bits(value[name])]]
    if isinstance(value, tuple | list):
        return [part for item in value for part in _bits(item)]
    array = np.asarray(value)
    return [str(array.dtype).encode(), str(array.shape).encode(), array.tobytes()]


def test_every_operation_has_a_case() -> None:
    names = {f.__name__ for f in FUNCTIONS if f.__module__ == ops.__name__}
    assert names == set(CASES)


@pytest.mark.parametrize("name", CASES)
@property_settings
@given(seed=seeds, T=st.integers(1, 6), d=st.integers(1, 6))
def test_operations(name: str, seed: int, T: int, d: int) -> None:
    function = getattr(ops, name)
    arguments = CASES[name](np.random.default_rng(seed), T, d)
    again = CASES[name](np.random.default_rng(seed), T, d)
    with np.errstate(all="ignore"):
        expected = _bits(function(*arguments))
        with observing(FUNCTIONS) as activations:
            found = _bits(function(*again))
    assert found == expected
    assert _bits(again) == _bits(arguments)
    assert _bits(activations[0].result) == expected


def test_the_whole_model() -> None:
    rng = np.random.default_rng(0)
    params = transformer.init_params(TINY, rng)
    ids = rng.integers(TINY.vocab_size, size=TINY.seq_len)
    expected = _bits(transformer.loss_and_grads(params, ids, ids, TINY))
    codes = [function.__code__ for function in FUNCTIONS]
    globals_before = [set(vars(module)) for module in MODULES]
    with observing(FUNCTIONS) as activations:
        found = _bits(transformer.loss_and_grads(params, ids, ids, TINY))
    assert found == expected
    assert [function.__code__ for function in FUNCTIONS] == codes
    assert [set(vars(module)) for module in MODULES] == globals_before
    calls = [a for a in activations if a.function == "tinygpt.ops.layer_norm_forward"]
    assert len(calls) == 2 * TINY.n_layers + 1
    source = inspect.getsource(transformer).split("\n")
    for call in calls:
        text = source[call.caller.line - 1][call.caller.column :]
        assert text.startswith("layer_norm_forward(")
