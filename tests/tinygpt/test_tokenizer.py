import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tinygpt.checks import property_settings
from tinygpt.tokenizer import Tokenizer


@property_settings
@given(st.text(min_size=1))
def test_round_trip(text: str) -> None:
    tokenizer = Tokenizer.from_text(text)
    ids = tokenizer.encode(text)
    assert ids.shape == (len(text),)
    assert tokenizer.decode(ids) == text
    assert set(ids) == set(range(tokenizer.vocab_size))


def test_ids_follow_the_sorted_alphabet() -> None:
    tokenizer = Tokenizer.from_text("banana")
    assert tokenizer.alphabet == "abn"
    np.testing.assert_array_equal(tokenizer.encode("nab"), [2, 0, 1])


def test_encode_of_nothing() -> None:
    ids = Tokenizer("ab").encode("")
    assert ids.shape == (0,)
    assert ids.dtype == np.int64


def test_unknown_character() -> None:
    with pytest.raises(ValueError, match=r"unknown character 'x' at position 2: .* 'ab'"):
        Tokenizer("ab").encode("abx")


@pytest.mark.parametrize("i", [-1, 2])
def test_unknown_id(i: int) -> None:
    with pytest.raises(ValueError, match=f"unknown id {i}: ids go from 0 to 1"):
        Tokenizer("ab").decode(np.array([0, i]))


@pytest.mark.parametrize("alphabet", ["", "aba"])
def test_alphabet_must_have_each_character_once(alphabet: str) -> None:
    with pytest.raises(ValueError, match="each of them once"):
        Tokenizer(alphabet)
