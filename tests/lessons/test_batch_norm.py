import numpy as np
import pytest

from lessons.batch_norm import (
    batch_norm_forward,
    influence_of_others,
    show_influence_of_others,
)
from lessons.block import BlockSizes, draw_block

SIZES = BlockSizes(sequences=3, tokens=5, features=7)


def test_each_feature_is_normalised_over_batch_and_positions() -> None:
    x, *_ = draw_block(SIZES)
    out = batch_norm_forward(x, np.ones(7), np.zeros(7))
    np.testing.assert_allclose(out.mean(axis=(0, 1)), np.zeros(7), atol=1e-12)
    np.testing.assert_allclose(out.std(axis=(0, 1)), np.ones(7), atol=1e-4)
    assert np.abs(out.mean(axis=-1)).max() > 0.1  # not the tokens


def test_entries_by_hand() -> None:
    x = np.array([[[1.0, 0.0]], [[3.0, 4.0]]])  # feature 0: mean 2, deviation 1; feature 1: 2, 2
    out = batch_norm_forward(x, np.array([10.0, 1.0]), np.array([0.5, -1.0]), eps=0.0)
    np.testing.assert_allclose(out, [[[-9.5, -2.0]], [[10.5, 0.0]]])


@pytest.mark.parametrize("index", [(0, 0, 0), (2, 4, 6)])
def test_one_entry_moves_its_feature_everywhere_and_no_other(index: tuple[int, int, int]) -> None:
    x, gamma, beta, _ = draw_block(SIZES)
    before = batch_norm_forward(x, gamma, beta)
    x[index] += 1.0
    moved = batch_norm_forward(x, gamma, beta) != before
    assert moved[..., index[2]].all()
    assert not np.delete(moved, index[2], axis=-1).any()


def test_only_batch_norm_lets_one_sequence_touch_another() -> None:
    influence = influence_of_others()
    assert influence["layer norm"] == 0.0
    assert influence["batch norm"] > 0.5


def test_the_influence_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show_influence_of_others()
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "layer norm: the first sequence changes by up to 0.0000"
    assert printed[1].endswith(f"{influence_of_others()['batch norm']:.4f}")
