"""Train the model on the corpus, then let it write: `python -m tinygpt.train`."""

# ruff: noqa: T201 - a command line prints
import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tinygpt.arrays import Ids, Params
from tinygpt.checkpoint import (
    TrainState,
    load_checkpoint,
    make_optimizer,
    save_checkpoint,
)
from tinygpt.config import ModelConfig, TrainConfig
from tinygpt.corpus import follows_grammar, make_corpus
from tinygpt.generate import sample_lines
from tinygpt.progress import ProgressBar
from tinygpt.tokenizer import Tokenizer
from tinygpt.transformer import init_params, loss_and_grads

DEFAULT_CHECKPOINT = Path("checkpoints/tinygpt.npz")


def batch_loss_and_grads(
    params: Params, ids: Ids, targets: Ids, cfg: ModelConfig
) -> tuple[float, Params]:
    """Average the loss and the gradients over the sequences of a batch; ids and targets (B, T)."""
    B = len(ids)
    loss, grads = loss_and_grads(params, ids[0], targets[0], cfg)
    for i in range(1, B):
        loss_i, grads_i = loss_and_grads(params, ids[i], targets[i], cfg)
        loss += loss_i
        for name, grad in grads_i.items():
            grads[name] += grad
    for name in grads:
        grads[name] /= B
    return loss / B, grads


def clip_grad_norm(grads: Params, max_norm: float) -> float:
    """Scale all gradients in place so that their joint norm is at most `max_norm`.

    Returns the norm before clipping (Pascanu et al. 2013).
    """
    norm = math.sqrt(sum(float(np.vdot(grad, grad)) for grad in grads.values()))
    if norm > max_norm:
        for name in grads:
            grads[name] *= max_norm / norm
    return norm


def learning_rate_at(step: int, cfg: TrainConfig) -> float:
    """Rise linearly to the peak, then fall with 1/sqrt(step); `step` counts from 1.

    This is the schedule of Vaswani et al. (2017). The end of the run plays no part, so a run that
    is resumed with more steps equals one that was always that long.
    """
    warmup = cfg.warmup_steps
    return cfg.learning_rate * min(step / warmup, math.sqrt(warmup / step))


def sample_batch(text: Ids, cfg: TrainConfig, seq_len: int, rng: np.random.Generator) -> Ids:
    """Cut `batch_size` windows of seq_len + 1 ids out of the text at random: (B, T + 1)."""
    starts = rng.integers(len(text) - seq_len, size=cfg.batch_size)
    batch: Ids = text[starts[:, None] + np.arange(seq_len + 1)]
    return batch


def train(state: TrainState, on_step: Callable[[TrainState], None]) -> None:
    """Take the steps that are left, updating `state` in place; call `on_step` after each."""
    cfg = state.train
    text = state.tokenizer.encode(make_corpus(cfg.corpus_lines))
    while len(state.losses) < cfg.steps:
        batch = sample_batch(text, cfg, state.model.seq_len, state.rng)
        loss, grads = batch_loss_and_grads(state.params, batch[:, :-1], batch[:, 1:], state.model)
        clip_grad_norm(grads, cfg.clip_norm)
        learning_rate = learning_rate_at(len(state.losses) + 1, cfg)
        state.optimizer.step(state.params, grads, learning_rate)
        state.losses.append(loss)
        on_step(state)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = _make_parser()
    args = parser.parse_args(argv)
    chosen = {
        name: getattr(args, name)
        for name in ("steps", "seed", "batch_size")
        if getattr(args, name) is not None
    }
    try:
        _check_sampling(args.sample, args.temperature)
        if args.resume:
            state = load_checkpoint(args.checkpoint)
            state.train = _resumed_config(state, chosen)
        else:
            train_cfg = TrainConfig(**chosen)
            tokenizer = Tokenizer.from_text(make_corpus(train_cfg.corpus_lines))
            model_cfg = ModelConfig(vocab_size=tokenizer.vocab_size)
            state = new_state(model_cfg, train_cfg, tokenizer)
    except ValueError as error:
        parser.error(str(error))
    try:
        train(state, _make_reporter(state, args.checkpoint))
    except KeyboardInterrupt:
        print(
            "\nInterrupted. --resume goes on from the last checkpoint, if there is one.",
            file=sys.stderr,
        )
        return 130
    _print_sample(state, args.sample, args.temperature)
    return 0


def new_state(model_cfg: ModelConfig, train_cfg: TrainConfig, tokenizer: Tokenizer) -> TrainState:
    """Begin a run: one seeded generator makes the parameters and later chooses the batches."""
    rng = np.random.default_rng(train_cfg.seed)
    return TrainState(
        model=model_cfg,
        train=train_cfg,
        tokenizer=tokenizer,
        params=init_params(model_cfg, rng),
        optimizer=make_optimizer(train_cfg),
        rng=rng,
        losses=[],
    )


def _make_parser() -> argparse.ArgumentParser:
    default = TrainConfig()
    parser = argparse.ArgumentParser(
        prog="python -m tinygpt.train",
        description="Train a small GPT on sentences of a small grammar, then print what it writes.",
    )
    add = parser.add_argument
    add("--steps", type=int, help=f"optimiser steps in total (default {default.steps})")
    add("--seed", type=int, help=f"seed of everything random (default {default.seed})")
    add("--batch-size", type=int, help=f"sequences per step (default {default.batch_size})")
    add(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        default=DEFAULT_CHECKPOINT,
        help=f"the run is saved here, every {default.checkpoint_every} steps and at the end "
        "(default %(default)s)",
    )
    add(
        "--resume",
        action="store_true",
        help="go on from the checkpoint, with its settings; a larger --steps makes the run longer, "
        "and a finished run only samples",
    )
    add("--sample", type=int, metavar="N", default=20, help="lines to write (default %(default)s)")
    add(
        "--temperature",
        type=float,
        default=0.8,
        help="1 samples as the model predicts, less keeps to what is likely (default %(default)s)",
    )
    return parser


def _check_sampling(n_lines: int, temperature: float) -> None:
    """Refuse what the sampling would refuse, before a minute of training."""
    if n_lines < 0:
        raise ValueError(f"sample must not be negative, got {n_lines}")
    if not temperature > 0:
        raise ValueError(f"temperature must be positive, got {temperature}")


def _resumed_config(state: TrainState, chosen: dict[str, int]) -> TrainConfig:
    """Let a resumed run be longer, and nothing else: it would be a different run."""
    for name in ("seed", "batch_size"):
        stored = getattr(state.train, name)
        if chosen.get(name, stored) != stored:
            message = f"the checkpoint has {name} {stored}, so --resume cannot use {chosen[name]}"
            raise ValueError(message)
    cfg = replace(state.train, **chosen)
    if cfg.steps < (done := len(state.losses)):
        message = f"the checkpoint has done {done} steps, so --resume cannot stop at {cfg.steps}"
        raise ValueError(message)
    return cfg


def _make_reporter(state: TrainState, path: Path) -> Callable[[TrainState], None]:
    """Show progress after each step, and save now and then and at the end."""
    bar = ProgressBar(state.train.steps, start=len(state.losses))

    def report(state: TrainState) -> None:
        step = len(state.losses)
        bar.update(step, float(np.mean(state.losses[-100:])))
        if step % state.train.checkpoint_every == 0 or step == state.train.steps:
            save_checkpoint(path, state)

    return report


def _print_sample(state: TrainState, n_lines: int, temperature: float) -> None:
    rng = np.random.default_rng(state.train.seed)
    lines = sample_lines(
        state.params, state.tokenizer, n_lines, state.model, rng, temperature=temperature
    )
    for line in lines:
        print(line)
    seen = set(make_corpus(state.train.corpus_lines).splitlines())
    correct = [line for line in lines if follows_grammar(line)]
    new = sum(line not in seen for line in correct)
    print(
        f"\n{len(correct)} of {n_lines} lines follow the grammar; "
        f"{new} of those are not in the training text."
    )


if __name__ == "__main__":
    sys.exit(main())
