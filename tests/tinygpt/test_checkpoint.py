import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tinygpt
from tests.tinygpt.checks import TINY, assert_same_state
from tinygpt.checkpoint import CheckpointError, TrainState, load_checkpoint, save_checkpoint
from tinygpt.config import TrainConfig
from tinygpt.tokenizer import Tokenizer
from tinygpt.train import new_state

pytestmark = pytest.mark.slow


@pytest.fixture
def state() -> TrainState:
    return make_state(seed=0)


def make_state(seed: int) -> TrainState:
    """Make a state in which every part differs from its starting value."""
    tokenizer = Tokenizer("\nabcdefghij")
    state = new_state(TINY, TrainConfig(steps=9, batch_size=3, seed=seed), tokenizer)
    grads = {name: state.rng.normal(size=value.shape) for name, value in state.params.items()}
    state.optimizer.step(state.params, grads, learning_rate=0.01)
    state.losses = [2.5, 1.25]
    return state


def file_names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_round_trip(state: TrainState, tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.npz"
    save_checkpoint(path, state)
    assert_same_state(load_checkpoint(path), state)
    assert file_names(path.parent) == ["run.npz"]


def test_round_trip_before_the_first_step(tmp_path: Path) -> None:
    state = new_state(TINY, TrainConfig(), Tokenizer("\nabcdefghij"))
    save_checkpoint(tmp_path / "run.npz", state)
    assert_same_state(load_checkpoint(tmp_path / "run.npz"), state)


def test_loaded_arrays_are_not_shared(state: TrainState, tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "run.npz", state)
    loaded = load_checkpoint(tmp_path / "run.npz")
    arrays = [*loaded.params.values(), *loaded.optimizer.m.values(), *loaded.optimizer.v.values()]
    assert len({id(array) for array in arrays}) == len(arrays)


@pytest.mark.parametrize("broken", ["numpy.savez", "os.fsync", "os.replace"])
def test_a_failed_write_leaves_the_old_checkpoint(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.npz"
    save_checkpoint(path, make_state(seed=1))

    def fail(*_args: object, **_arrays: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        with pytest.raises(OSError, match="No space left"):
            save_checkpoint(path, make_state(seed=2))
    assert_same_state(load_checkpoint(path), make_state(seed=1))
    assert file_names(tmp_path) == ["run.npz"]


KILLED_SAVE = """
import os, sys, time
from pathlib import Path
import numpy
from tinygpt.checkpoint import load_checkpoint, save_checkpoint

def stop(*args, **kwargs):
    print("writing", flush=True)
    time.sleep(60)

def write_half(file, **arrays):
    whole = Path(sys.argv[1]).read_bytes()
    file.write(whole[: len(whole) // 2])
    file.flush()
    stop()

path = Path(sys.argv[1])
state = load_checkpoint(path)
state.losses.append(99.0)
if sys.argv[2] == "savez":
    numpy.savez = write_half
else:
    setattr(os, sys.argv[2], stop)
save_checkpoint(path, state)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
@pytest.mark.parametrize("moment", ["savez", "fsync", "replace"])
def test_a_killed_write_leaves_the_old_checkpoint(
    moment: str, state: TrainState, tmp_path: Path
) -> None:
    path = tmp_path / "run.npz"
    save_checkpoint(path, state)
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_SAVE, str(path), moment],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(tinygpt.__file__).parent.parent)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.send_signal(signal.SIGKILL)
        assert process.wait(timeout=10) == -signal.SIGKILL

    assert file_names(tmp_path) == ["run.npz", "run.npz.part"]
    assert_same_state(load_checkpoint(path), state)
    # What the killed process left is in nobody's way.
    state.losses.append(0.5)
    save_checkpoint(path, state)
    assert_same_state(load_checkpoint(path), state)
    assert file_names(tmp_path) == ["run.npz"]


def test_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"run\.npz: there is no such checkpoint"):
        load_checkpoint(tmp_path / "run.npz")


@pytest.mark.parametrize("keep", [0, 1, 100, 5000, -1])
def test_a_cut_file(keep: int, state: TrainState, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    save_checkpoint(path, state)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(CheckpointError, match=r"run\.npz: not a usable checkpoint"):
        load_checkpoint(path)


def test_a_flipped_bit(state: TrainState, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    save_checkpoint(path, state)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"run\.npz: "):
        load_checkpoint(path)


def test_a_single_array_is_not_a_checkpoint(tmp_path: Path) -> None:
    with (tmp_path / "run.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(CheckpointError, match="not a usable checkpoint"):
        load_checkpoint(tmp_path / "run.npz")


def _rewrite(path: Path, **changes: object) -> None:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays.update(changes)
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("param/lnf_g", None, "lacks 'param/lnf_g'"),
        ("adam_v/b1.ln2_b", None, r"lacks 'adam_v/b1\.ln2_b'"),
        ("about", None, "lacks 'about'"),
        ("losses", None, "lacks 'losses'"),
        ("param/lnf_g", np.zeros(13), r"param/lnf_g is float64 \(13,\), .* float64 \(12,\)"),
        ("param/lnf_g", np.zeros(12, np.float32), r"param/lnf_g is float32 \(12,\)"),
        ("adam_m/lnf_b", np.full(12, np.nan), "adam_m/lnf_b holds numbers that are not finite"),
        ("about", np.array("{"), "not a usable checkpoint"),
        ("about", np.array("[]"), "not a usable checkpoint"),
        ("about", np.array('{"format": 2}'), "format 2, but this version reads format 1"),
    ],
)
def test_inconsistent_checkpoints(
    name: str, value: object, message: str, state: TrainState, tmp_path: Path
) -> None:
    path = tmp_path / "run.npz"
    save_checkpoint(path, state)
    _rewrite(path, **{name: value})
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path)


def test_the_alphabet_must_fit_the_model(state: TrainState, tmp_path: Path) -> None:
    state.tokenizer = Tokenizer("abc")
    save_checkpoint(tmp_path / "run.npz", state)
    with pytest.raises(CheckpointError, match="3 characters for a vocab_size of 11"):
        load_checkpoint(tmp_path / "run.npz")
