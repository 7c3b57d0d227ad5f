"""Words for tests: what a reader is told in an edition, a language and a theme."""

from suitors.words import load_theme
from suitors.words.vocabulary import Vocabulary, vocabulary


def words_of(slug: str | None, lang: str = "en", theme: str = "court") -> Vocabulary:
    """The vocabulary of an edition."""
    return vocabulary(load_theme(theme), slug, lang)
