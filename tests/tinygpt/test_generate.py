import numpy as np
import pytest

import tinygpt.generate
from tests.tinygpt.checks import TINY, random_params
from tinygpt.arrays import Array, Ids, Params
from tinygpt.config import ModelConfig
from tinygpt.generate import generate, next_id, sample_lines
from tinygpt.tokenizer import Tokenizer
from tinygpt.transformer import ForwardCache, forward, init_params

TOKENIZER = Tokenizer("\nabcdefghij")  # vocab_size 11, as TINY has


@pytest.fixture
def params() -> Params:
    rng = np.random.default_rng(0)
    return random_params(init_params(TINY, rng), rng)


def test_same_seed_same_ids(params: Params) -> None:
    prompt = np.array([1, 2])
    first, second, other = (
        generate(params, prompt, 30, TINY, np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)
    np.testing.assert_array_equal(first[:2], prompt)
    assert first.shape == (32,)
    assert ((first >= 0) & (first < TINY.vocab_size)).all()
    np.testing.assert_array_equal(prompt, [1, 2])


def test_only_the_last_seq_len_ids_count(params: Params) -> None:
    tail = np.array([4, 8, 2, 0, 6])
    assert len(tail) == TINY.seq_len
    continuations = [
        generate(params, np.array([*head, *tail]), 20, TINY, np.random.default_rng(1))[-20:]
        for head in (list[int](), [1, 1, 1], [9, 3, 10, 7])
    ]
    np.testing.assert_array_equal(continuations[0], continuations[1])
    np.testing.assert_array_equal(continuations[0], continuations[2])


def test_all_of_the_last_seq_len_ids_are_read(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []

    def spy(params: Params, ids: Ids, cfg: ModelConfig) -> tuple[Array, ForwardCache]:
        read.append(ids.tolist())
        return forward(params, ids, cfg)

    monkeypatch.setattr(tinygpt.generate, "forward", spy)
    ids = generate(params, np.array([1, 2, 3]), 6, TINY, np.random.default_rng(0)).tolist()
    assert read == [ids[max(0, end - TINY.seq_len) : end] for end in range(3, 9)]


def test_samples_follow_the_probabilities(params: Params) -> None:
    rng, prompt = np.random.default_rng(0), np.array([1, 2])
    logits, _ = forward(params, prompt, TINY)
    P = np.exp(logits[-1] / 2.0) / np.exp(logits[-1] / 2.0).sum()
    drawn = [next_id(params, prompt, TINY, rng, temperature=2.0) for _ in range(2000)]
    found = np.bincount(drawn, minlength=TINY.vocab_size) / len(drawn)
    np.testing.assert_allclose(found, P, atol=4 * (0.25 / len(drawn)) ** 0.5)  # 4 deviations


def test_low_temperature_takes_the_likeliest(params: Params) -> None:
    rng, prompt = np.random.default_rng(0), np.array([1, 2])
    logits, _ = forward(params, prompt, TINY)
    drawn = {next_id(params, prompt, TINY, rng, temperature=1e-3) for _ in range(20)}
    assert drawn == {int(logits[-1].argmax())}


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan")])
def test_temperature_must_be_positive(params: Params, temperature: float) -> None:
    with pytest.raises(ValueError, match="temperature must be positive"):
        next_id(params, np.array([1]), TINY, np.random.default_rng(0), temperature)


def test_an_empty_prompt_is_refused(params: Params) -> None:
    with pytest.raises(ValueError, match="1 <= T <= 5"):
        generate(params, np.array([], dtype=np.int64), 1, TINY, np.random.default_rng(0))


def test_sample_lines(params: Params) -> None:
    first, second = (
        sample_lines(params, TOKENIZER, 7, TINY, np.random.default_rng(2)) for _ in range(2)
    )
    assert first == second
    assert len(first) == 7
    assert not any("\n" in line for line in first)


def test_sample_lines_cuts_a_line_that_does_not_end(params: Params) -> None:
    params["head_b"][0] = -1e9  # never a newline
    lines = sample_lines(params, TOKENIZER, 3, TINY, np.random.default_rng(0), max_length=10)
    assert [len(line) for line in lines] == [10, 10, 10]
