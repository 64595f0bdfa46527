import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tinygpt.checks import TINY, property_settings, random_params, seeds
from tinygpt.config import ModelConfig
from tinygpt.optimizer import AdamW
from tinygpt.train import batch_loss_and_grads
from tinygpt.transformer import forward, init_params, loss_and_grads


def test_parameter_names_and_shapes() -> None:
    V, T, d, ff = TINY.vocab_size, TINY.seq_len, TINY.emb_dim, TINY.ff_dim
    expected: dict[str, tuple[int, ...]] = {"tok_emb": (V, d), "pos_emb": (T, d)}
    for p in ("b0.", "b1."):
        for name in ("ln1_g", "ln1_b", "ln2_g", "ln2_b", "ff_b2"):
            expected[p + name] = (d,)
        for name in "qkvo":
            expected[p + f"attn_w{name}"] = (d, d)
            expected[p + f"attn_b{name}"] = (d,)
        expected |= {p + "ff_w1": (d, ff), p + "ff_b1": (ff,), p + "ff_w2": (ff, d)}
    expected |= {"lnf_g": (d,), "lnf_b": (d,), "head_w": (d, V), "head_b": (V,)}
    params = init_params(TINY, np.random.default_rng(0))
    assert {name: value.shape for name, value in params.items()} == expected
    assert all(value.dtype == np.float64 for value in params.values())


def test_default_model_has_27_thousand_parameters() -> None:
    cfg = ModelConfig(vocab_size=27)
    params = init_params(cfg, np.random.default_rng(0))
    V, T, d, ff = 27, 16, 32, 128
    block = 4 * d + 4 * (d * d + d) + (d * ff + ff) + (ff * d + d)
    assert sum(value.size for value in params.values()) == (
        V * d + T * d + 2 * block + 2 * d + d * V + V
    )


def test_layer_norms_start_as_the_identity_on_xhat() -> None:
    params = init_params(TINY, np.random.default_rng(0))
    scales = [name for name in params if name.endswith(("ln1_g", "ln2_g", "lnf_g"))]
    shifts = [name for name in params if name.endswith(("ln1_b", "ln2_b", "lnf_b"))]
    assert len(scales) == len(shifts) == 2 * TINY.n_layers + 1
    assert all((params[name] == 1.0).all() for name in scales)
    assert all((params[name] == 0.0).all() for name in shifts)


def test_same_seed_same_parameters() -> None:
    first, second, other = (init_params(TINY, np.random.default_rng(seed)) for seed in (3, 3, 4))
    for name, value in first.items():
        np.testing.assert_array_equal(value, second[name])
    assert not np.array_equal(first["tok_emb"], other["tok_emb"])


@property_settings
@given(seeds, st.integers(1, TINY.seq_len - 1))
def test_a_future_token_changes_no_earlier_logit(seed: int, changed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(init_params(TINY, rng), rng)
    ids = rng.integers(TINY.vocab_size, size=TINY.seq_len)
    before, _ = forward(params, ids, TINY)
    ids[changed] = (ids[changed] + 1) % TINY.vocab_size
    after, _ = forward(params, ids, TINY)
    np.testing.assert_array_equal(before[:changed], after[:changed])  # bit by bit
    assert not np.array_equal(before[changed], after[changed])


def test_a_past_token_changes_later_logits() -> None:
    rng = np.random.default_rng(0)
    params = random_params(init_params(TINY, rng), rng)
    before, _ = forward(params, np.array([1, 2, 3, 4]), TINY)
    after, _ = forward(params, np.array([5, 2, 3, 4]), TINY)
    assert (np.abs(before - after).max(axis=-1) > 1e-6).all()


def test_position_matters() -> None:
    rng = np.random.default_rng(0)
    params = random_params(init_params(TINY, rng), rng)
    logits, _ = forward(params, np.array([1, 1]), TINY)
    assert np.abs(logits[0] - logits[1]).max() > 1e-6


@pytest.mark.parametrize("T", [1, 3, TINY.seq_len])
def test_shorter_sequences_are_allowed(T: int) -> None:
    params = init_params(TINY, np.random.default_rng(0))
    logits, _ = forward(params, np.zeros(T, dtype=np.int64), TINY)
    assert logits.shape == (T, TINY.vocab_size)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([], r"1 <= T <= 5, got \(0,\)"),
        ([0] * 6, r"1 <= T <= 5, got \(6,\)"),
        ([[0, 1]], r"1 <= T <= 5, got \(1, 2\)"),
        ([0, 11], "from 0 to 10, got 0 to 11"),
        ([-1, 2], "from 0 to 10, got -1 to 2"),
    ],
)
def test_forward_refuses_bad_ids(ids: list[int], message: str) -> None:
    params = init_params(TINY, np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        forward(params, np.array(ids, dtype=np.int64), TINY)


def test_targets_must_have_the_shape_of_ids() -> None:
    params = init_params(TINY, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"targets have shape \(2,\), but ids have shape \(3,\)"):
        loss_and_grads(params, np.array([0, 1, 2]), np.array([0, 1]), TINY)


def test_ln_eps_reaches_every_layer_norm() -> None:
    """A huge epsilon makes every s tiny, so nothing but the shifts is left."""
    cfg = ModelConfig(vocab_size=3, emb_dim=4, n_heads=2, n_layers=1, ff_dim=5, ln_eps=1e30)
    rng = np.random.default_rng(0)
    params = random_params(init_params(cfg, rng), rng)
    _, cache = forward(params, np.array([0, 1]), cfg)
    block = cache["blocks"][0]
    for Xhat, _ in (block["ln1"], block["ln2"], cache["lnf"]):
        assert np.abs(Xhat).max() < 1e-12


def test_loss_starts_near_a_guess() -> None:
    rng = np.random.default_rng(0)
    params = init_params(TINY, rng)
    ids = rng.integers(TINY.vocab_size, size=6)
    loss, _ = loss_and_grads(params, ids[:-1], ids[1:], TINY)
    assert loss == pytest.approx(np.log(TINY.vocab_size), abs=0.3)


def test_one_batch_overfits() -> None:
    rng = np.random.default_rng(0)
    params, optimizer = init_params(TINY, rng), AdamW(weight_decay=0.0)
    batch = rng.integers(TINY.vocab_size, size=(4, TINY.seq_len + 1))
    batch[:, 0] = range(4)  # the first ids differ, so every next id can be known
    loss = np.inf
    for _ in range(200):
        loss, grads = batch_loss_and_grads(params, batch[:, :-1], batch[:, 1:], TINY)
        optimizer.step(params, grads, learning_rate=0.01)
    assert loss < 0.01
