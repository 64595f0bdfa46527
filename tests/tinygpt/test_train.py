import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tinygpt
import tinygpt.train
from tests.tinygpt.checks import TINY, assert_same_state
from tinygpt.arrays import Ids, Params
from tinygpt.checkpoint import TrainState, load_checkpoint
from tinygpt.config import ModelConfig, TrainConfig
from tinygpt.corpus import make_corpus
from tinygpt.tokenizer import Tokenizer
from tinygpt.train import (
    batch_loss_and_grads,
    clip_grad_norm,
    learning_rate_at,
    main,
    new_state,
    sample_batch,
    train,
)
from tinygpt.transformer import init_params, loss_and_grads

pytestmark = pytest.mark.slow


def test_a_batch_averages_its_sequences() -> None:
    rng = np.random.default_rng(0)
    params = init_params(TINY, rng)
    ids = rng.integers(TINY.vocab_size, size=(3, 4))
    targets = rng.integers(TINY.vocab_size, size=(3, 4))
    loss, grads = batch_loss_and_grads(params, ids, targets, TINY)
    alone = [loss_and_grads(params, *pair, TINY) for pair in zip(ids, targets, strict=True)]
    assert loss == pytest.approx(np.mean([loss for loss, _ in alone]))
    for name, grad in grads.items():
        expected = np.mean([grads_i[name] for _, grads_i in alone], axis=0)
        np.testing.assert_allclose(grad, expected, atol=1e-15)


def test_clipping_keeps_the_direction() -> None:
    grads = {"a": np.array([3.0, 0.0]), "b": np.array([[0.0], [4.0]])}
    assert clip_grad_norm(grads, max_norm=1.0) == 5.0
    np.testing.assert_allclose(grads["a"], [0.6, 0.0])
    np.testing.assert_allclose(grads["b"], [[0.0], [0.8]])


def test_clipping_leaves_small_gradients_alone() -> None:
    grads = {"a": np.array([3.0, 4.0])}
    assert clip_grad_norm(grads, max_norm=6.0) == 5.0
    np.testing.assert_array_equal(grads["a"], [3.0, 4.0])


def test_learning_rate_rises_then_falls() -> None:
    cfg = TrainConfig(learning_rate=0.1, warmup_steps=10)
    assert learning_rate_at(1, cfg) == pytest.approx(0.01)
    assert learning_rate_at(10, cfg) == pytest.approx(0.1)
    assert learning_rate_at(40, cfg) == pytest.approx(0.05)


def test_batches_are_windows_of_the_text() -> None:
    cfg = TrainConfig(batch_size=500)
    batch = sample_batch(np.arange(100, 110), cfg, 4, np.random.default_rng(0))
    assert batch.shape == (500, 5)
    np.testing.assert_array_equal(batch, batch[:, :1] + np.arange(5))
    assert set(batch[:, 0]) == {100, 101, 102, 103, 104, 105}  # the last window ends the text


def _short_run(**settings: float) -> TrainState:
    tokenizer = Tokenizer.from_text(make_corpus(50))
    model = ModelConfig(vocab_size=tokenizer.vocab_size, emb_dim=16, n_layers=1, ff_dim=32)
    cfg = TrainConfig(corpus_lines=50, batch_size=4, warmup_steps=20, **settings)  # type: ignore[arg-type]
    return new_state(model, cfg, tokenizer)


def test_a_short_run_lowers_the_loss() -> None:
    state = _short_run(steps=150)
    train(state, on_step=lambda _: None)
    assert len(state.losses) == 150
    assert np.mean(state.losses[:10]) > 2.5
    assert np.mean(state.losses[-10:]) < 2.0


def test_targets_are_the_next_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Ids, Ids]] = []

    def spy(params: Params, ids: Ids, targets: Ids, cfg: ModelConfig) -> tuple[float, Params]:
        seen.append((ids, targets))
        return batch_loss_and_grads(params, ids, targets, cfg)

    monkeypatch.setattr(tinygpt.train, "batch_loss_and_grads", spy)
    state = _short_run(steps=1)
    train(state, on_step=lambda _: None)
    ((ids, targets),) = seen
    assert ids.shape == targets.shape == (4, 16)
    for row, next_row in zip(ids, targets, strict=True):
        text = state.tokenizer.decode(row) + state.tokenizer.decode(next_row[-1:])
        assert text in make_corpus(50)
        np.testing.assert_array_equal(row[1:], next_row[:-1])


def test_first_step_uses_the_warm_up() -> None:
    """Adam's first step is the learning rate itself, here a twentieth of the peak."""
    state = _short_run(steps=1, learning_rate=0.1)
    train(state, on_step=lambda _: None)
    np.testing.assert_allclose(np.abs(state.params["head_b"]).max(), 0.1 / 20, rtol=1e-4)


def test_gradients_are_clipped_before_the_step() -> None:
    """Clipped to far below Adam's epsilon, they move nothing."""
    state = _short_run(steps=1, clip_norm=1e-14)
    train(state, on_step=lambda _: None)
    assert np.abs(state.params["head_b"]).max() < 1e-8


def test_runs_are_reproducible() -> None:
    first, second, other = _short_run(steps=5), _short_run(steps=5), _short_run(steps=5, seed=1)
    for state in (first, second, other):
        train(state, on_step=lambda _: None)
    assert_same_state(first, second)
    assert first.losses != other.losses


FEW = ["--batch-size", "2", "--sample", "2"]


def test_resume_equals_an_uninterrupted_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, parts = str(tmp_path / "whole.npz"), str(tmp_path / "parts.npz")
    assert main([*FEW, "--steps", "7", "--checkpoint", whole]) == 0
    sample = capsys.readouterr().out

    # Interrupted in its fourth step, with a checkpoint every two; resumed, and then prolonged.
    steps = 0

    def interrupt_fourth(*args: object) -> object:
        nonlocal steps
        steps += 1
        if steps == 4:
            raise KeyboardInterrupt
        return batch_loss_and_grads(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(tinygpt.train, "TrainConfig", _checkpoints_every_two)
    with monkeypatch.context() as patch:
        patch.setattr(tinygpt.train, "batch_loss_and_grads", interrupt_fourth)
        assert main([*FEW, "--steps", "5", "--checkpoint", parts]) == 130
    assert len(load_checkpoint(Path(parts)).losses) == 2
    assert main(["--resume", "--checkpoint", parts]) == 0
    assert len(load_checkpoint(Path(parts)).losses) == 5
    capsys.readouterr()
    assert main(["--resume", "--steps", "7", "--sample", "2", "--checkpoint", parts]) == 0

    assert capsys.readouterr().out == sample
    resumed = load_checkpoint(Path(parts))
    assert resumed.train.checkpoint_every == 2
    resumed.train = load_checkpoint(Path(whole)).train
    assert_same_state(resumed, load_checkpoint(Path(whole)))


def _checkpoints_every_two(**settings: int) -> TrainConfig:
    return TrainConfig(checkpoint_every=2, **settings)


def test_main_trains_saves_and_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs" / "run.npz"
    assert main(["--steps", "3", "--sample", "4", "--checkpoint", str(path)]) == 0
    state = load_checkpoint(path)
    assert len(state.losses) == 3
    assert state.model == ModelConfig(vocab_size=state.tokenizer.vocab_size)  # ln_eps too
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert len(lines) == 6
    assert "of 4 lines follow the grammar" in lines[-1]
    assert "3/3" in captured.err


def test_main_resumes_a_finished_run_to_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "run.npz")
    assert main([*FEW, "--steps", "2", "--checkpoint", path]) == 0
    first = capsys.readouterr().out
    before = Path(path).stat().st_mtime_ns
    assert main(["--resume", "--sample", "2", "--checkpoint", path]) == 0
    assert capsys.readouterr().out == first
    assert Path(path).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "there is no such checkpoint"),
        (["--steps", "-1"], "steps must not be negative, got -1"),
        (["--batch-size", "0"], "batch_size must be positive, got 0"),
        (["--steps", "many"], "invalid int value"),
        (["--temperature", "0"], "temperature must be positive, got 0.0"),
        (["--sample", "-1"], "sample must not be negative, got -1"),
    ],
)
def test_main_refuses_before_it_trains(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--checkpoint", str(tmp_path / "run.npz")])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seed", "1"], "the checkpoint has seed 0, so --resume cannot use 1"),
        (["--batch-size", "3"], "the checkpoint has batch_size 2, so --resume cannot use 3"),
        (["--steps", "1"], "the checkpoint has done 2 steps, so --resume cannot stop at 1"),
    ],
)
def test_resume_refuses_to_become_another_run(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "run.npz")
    assert main([*FEW, "--steps", "2", "--checkpoint", path]) == 0
    with pytest.raises(SystemExit):
        main(["--resume", *arguments, "--checkpoint", path])
    assert message in capsys.readouterr().err


def test_main_without_steps_only_samples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--steps", "0", "--sample", "1", "--checkpoint", str(tmp_path / "a.npz")]) == 0
    assert "of 1 lines" in capsys.readouterr().out


def test_run_as_a_module() -> None:
    source = str(Path(tinygpt.__file__).parent.parent)
    result = subprocess.run(
        [sys.executable, "-m", "tinygpt.train", "--help"],
        env={"PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )
    for option in ("--steps", "--seed", "--checkpoint", "--resume", "--sample", "--temperature"):
        assert option in result.stdout
