import dataclasses

import pytest

from tinygpt.config import ModelConfig, TrainConfig


def test_defaults() -> None:
    cfg = ModelConfig(vocab_size=27)
    assert (cfg.seq_len, cfg.emb_dim, cfg.n_heads, cfg.n_layers, cfg.ff_dim) == (16, 32, 4, 2, 128)
    assert cfg.ln_eps == 1e-5
    assert cfg.head_dim == 8


def test_is_frozen() -> None:
    cfg = ModelConfig(vocab_size=27)
    with pytest.raises(dataclasses.FrozenInstanceError):
        cfg.emb_dim = 64  # type: ignore[misc]


def test_heads_must_divide_the_features() -> None:
    with pytest.raises(ValueError, match=r"emb_dim \(30\) must be divisible by n_heads \(4\)"):
        ModelConfig(vocab_size=27, emb_dim=30)


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(ModelConfig)])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_every_size_must_be_positive(name: str, value: float) -> None:
    values: dict[str, float] = {"vocab_size": 27, name: value}
    with pytest.raises(ValueError, match=f"^{name} must be positive"):
        ModelConfig(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", -1),
        ("batch_size", 0),
        ("learning_rate", 0.0),
        ("warmup_steps", 0),
        ("weight_decay", -0.1),
        ("beta1", 1.0),
        ("beta2", -0.1),
        ("clip_norm", 0.0),
        ("corpus_lines", 0),
        ("checkpoint_every", 0),
        ("seed", -1),
    ],
)
def test_every_train_setting_is_checked(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{name} must"):
        TrainConfig(**{name: value})  # type: ignore[arg-type]


def test_no_train_setting_is_left_unchecked() -> None:
    checked = {"steps", "batch_size", "learning_rate", "warmup_steps", "weight_decay", "beta1"}
    checked |= {"beta2", "clip_norm", "corpus_lines", "checkpoint_every", "seed"}
    assert {field.name for field in dataclasses.fields(TrainConfig)} == checked
