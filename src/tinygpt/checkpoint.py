"""The state of a training run in one .npz file, which is always whole: the old or the new one."""

import json
import os
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tinygpt.arrays import Array, Params
from tinygpt.config import ModelConfig, TrainConfig
from tinygpt.optimizer import AdamW
from tinygpt.tokenizer import Tokenizer
from tinygpt.transformer import init_params

FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint that cannot be loaded. The message names the file and the reason."""


@dataclass(slots=True, kw_only=True)
class TrainState:
    """Everything that the rest of a run depends on."""

    model: ModelConfig
    train: TrainConfig
    tokenizer: Tokenizer
    params: Params
    optimizer: AdamW
    rng: np.random.Generator
    losses: list[float]  # of the steps done, so their number is the step


def save_checkpoint(path: Path, state: TrainState) -> None:
    """Write `state` to `path`.

    Whoever reads, and whatever kills this at any moment, finds the old file or the new one. Raises
    OSError if the file cannot be written; the old one is then untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".part")
    try:
        with aside.open("wb") as file:
            np.savez(file, **_to_arrays(state))
            file.flush()
            os.fsync(file.fileno())  # the bytes are on the disk before the name points to them
        os.replace(aside, path)  # noqa: PTH105
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    _sync_directory(path.parent)


def load_checkpoint(path: Path) -> TrainState:
    """Read what `save_checkpoint` wrote. Raises CheckpointError if it is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return _from_arrays(arrays)
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: there is no such checkpoint") from error
    except KeyError as error:
        raise CheckpointError(f"{path}: the checkpoint lacks {error}") from error
    except (OSError, EOFError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: not a usable checkpoint: {error}") from error


def _to_arrays(state: TrainState) -> dict[str, Any]:
    about = {
        "format": FORMAT,
        "model": asdict(state.model),
        "train": asdict(state.train),
        "alphabet": state.tokenizer.alphabet,
        "rng": state.rng.bit_generator.state,
        "optimizer_t": state.optimizer.t,
    }
    arrays: dict[str, Any] = {
        "about": np.array(json.dumps(about)),
        "losses": np.array(state.losses),
    }
    for group, tensors in _groups(state.params, state.optimizer):
        arrays |= {f"{group}/{name}": tensor for name, tensor in tensors.items()}
    return arrays


def _from_arrays(arrays: dict[str, Any]) -> TrainState:
    about = json.loads(str(arrays["about"]))
    if about["format"] != FORMAT:
        raise ValueError(f"format {about['format']}, but this version reads format {FORMAT}")
    model, train = ModelConfig(**about["model"]), TrainConfig(**about["train"])
    tokenizer = Tokenizer(about["alphabet"])
    if tokenizer.vocab_size != model.vocab_size:
        raise ValueError(
            f"{tokenizer.vocab_size} characters for a vocab_size of {model.vocab_size}"
        )
    rng = np.random.default_rng()
    rng.bit_generator.state = about["rng"]
    params = init_params(model, np.random.default_rng(0))  # for the names and shapes
    optimizer = make_optimizer(train)
    optimizer.t = about["optimizer_t"]
    if optimizer.t:  # before its first step it has no m and v
        optimizer.m, optimizer.v = dict(params), dict(params)
    for group, tensors in _groups(params, optimizer):
        for name, expected in tensors.items():
            tensors[name] = _checked(f"{group}/{name}", arrays[f"{group}/{name}"], expected)
    return TrainState(
        model=model,
        train=train,
        tokenizer=tokenizer,
        params=params,
        optimizer=optimizer,
        rng=rng,
        losses=arrays["losses"].tolist(),
    )


def make_optimizer(train: TrainConfig) -> AdamW:
    """Make the optimiser that `train` describes, before its first step."""
    return AdamW(beta1=train.beta1, beta2=train.beta2, weight_decay=train.weight_decay)


def _groups(params: Params, optimizer: AdamW) -> tuple[tuple[str, Params], ...]:
    return ("param", params), ("adam_m", optimizer.m), ("adam_v", optimizer.v)


def _checked(name: str, found: Array, expected: Array) -> Array:
    if found.shape != expected.shape or found.dtype != np.float64:
        raise ValueError(
            f"{name} is {found.dtype} {found.shape}, but the model needs float64 {expected.shape}"
        )
    if not np.isfinite(found).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return found


def _sync_directory(directory: Path) -> None:
    """Make a rename survive a power cut, where the system allows to open a directory."""
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
