"""The training text: sentences of a small English grammar.

    sentence = subject verb [ending] "."
    subject  = determiner [adjective] noun

A model has to learn the spelling and two agreements: the noun with its verb ("the owl sings", "the
owls sing"), and "a" or "an" with the sound that follows it. Both fit well inside 16 characters of
context.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np

NOUNS = ("owl", "cat", "hen", "robin", "otter", "goat")
VERBS = ("sing", "sleep", "run", "hide", "dream")
ADJECTIVES = ("", "old", "small", "red", "happy")
SINGULAR_DETERMINERS = ("a", "the", "one")
PLURAL_DETERMINERS = ("the", "two", "some")
ENDINGS = ("", "here", "all day", "in the sun", "by the sea", "at night")


@cache
def all_sentences() -> tuple[str, ...]:
    """List every sentence of the grammar once, in a fixed order."""
    return tuple(dict.fromkeys((*_sentences(plural=False), *_sentences(plural=True))))


def follows_grammar(line: str) -> bool:
    """Say whether `line`, without its newline, is a sentence of the grammar."""
    return line in _sentence_set()


def make_corpus(n_lines: int, seed: int = 0) -> str:
    """Draw `n_lines` sentences, each with a newline. The same arguments give the same text."""
    rng = np.random.default_rng(seed)
    sentences = all_sentences()
    chosen = rng.integers(len(sentences), size=n_lines)
    return "".join(sentences[i] + "\n" for i in chosen)


@cache
def _sentence_set() -> frozenset[str]:
    return frozenset(all_sentences())


def _sentences(*, plural: bool) -> Iterator[str]:
    determiners = PLURAL_DETERMINERS if plural else SINGULAR_DETERMINERS
    for words in product(determiners, ADJECTIVES, NOUNS, VERBS, ENDINGS):
        yield _join(*words, plural=plural)


def _join(  # noqa: PLR0913
    determiner: str, adjective: str, noun: str, verb: str, ending: str, *, plural: bool
) -> str:
    if determiner == "a" and (adjective or noun)[0] in "aeiou":
        determiner = "an"
    if plural:
        noun += "s"
    else:
        verb += "s"
    words = (determiner, adjective, noun, verb, ending)
    return " ".join(word for word in words if word) + "."
