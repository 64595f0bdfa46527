"""Characters to ids and back."""

import numpy as np

from tinygpt.arrays import Ids


class Tokenizer:
    """One id per character, in the order of `alphabet`."""

    def __init__(self, alphabet: str) -> None:
        """Raise ValueError if the alphabet is empty or repeats a character."""
        if not alphabet or len(set(alphabet)) != len(alphabet):
            raise ValueError(f"an alphabet needs characters, each of them once, got {alphabet!r}")
        self.alphabet = alphabet
        self._id_of = {character: i for i, character in enumerate(alphabet)}

    @classmethod
    def from_text(cls, text: str) -> "Tokenizer":
        """Make a tokenizer for the characters of `text`, in sorted order."""
        return cls("".join(sorted(set(text))))

    @property
    def vocab_size(self) -> int:
        """Number of ids."""
        return len(self.alphabet)

    def encode(self, text: str) -> Ids:
        """Turn text into ids, shape (len(text),). Raises ValueError for an unknown character."""
        for position, character in enumerate(text):
            if character not in self._id_of:
                raise ValueError(
                    f"unknown character {character!r} at position {position}: "
                    f"the alphabet is {self.alphabet!r}"
                )
        return np.array([self._id_of[character] for character in text], dtype=np.int64)

    def decode(self, ids: Ids) -> str:
        """Turn ids into text. Raises ValueError for an id outside the alphabet."""
        for i in ids:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"unknown id {i}: ids go from 0 to {self.vocab_size - 1}")
        return "".join(self.alphabet[i] for i in ids)
