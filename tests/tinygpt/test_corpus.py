import pytest

from tinygpt.corpus import all_sentences, follows_grammar, make_corpus


@pytest.mark.parametrize(
    "line",
    [
        "an owl sings.",
        "a small owl sings.",
        "an old cat sleeps in the sun.",
        "the otter hides here.",
        "the otters hide here.",
        "two happy goats dream at night.",
    ],
)
def test_sentences(line: str) -> None:
    assert follows_grammar(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "an owl sings",  # no full stop
        "a owl sings.",
        "an small owl sings.",
        "an owl sing.",
        "two owl sing.",
        "two owls sings.",
        "one owls sing.",
        "owl sings.",
        "an old small owl sings.",
        "an owl sings here at night.",
        "an owl  sings.",
        "an owl sings.\n",
        "An owl sings.",
    ],
)
def test_not_sentences(line: str) -> None:
    assert not follows_grammar(line)


def test_corpus_is_deterministic() -> None:
    assert make_corpus(50, seed=1) == make_corpus(50, seed=1)
    assert make_corpus(50, seed=1) != make_corpus(50, seed=2)
    assert make_corpus(60).startswith(make_corpus(50))
    assert make_corpus(3) == PINNED


PINNED = """\
some robins sing in the sun.
the happy owls hide here.
the hens sing.
"""


def test_every_line_of_the_corpus_follows_the_grammar() -> None:
    lines = make_corpus(500).splitlines()
    assert len(lines) == 500
    assert all(follows_grammar(line) for line in lines)


def test_sentences_are_listed_once() -> None:
    sentences = all_sentences()
    # determiners x adjectives x nouns x verbs x endings, singular and plural
    assert len(sentences) == len(set(sentences)) == 2 * 3 * 5 * 6 * 5 * 6


def test_the_training_text_leaves_sentences_to_invent() -> None:
    assert len(set(make_corpus(2000).splitlines())) < 0.4 * len(all_sentences())
