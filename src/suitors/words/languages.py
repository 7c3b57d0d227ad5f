"""The program's own sentences: English in the source, other languages in catalogues (locale/<language>/*.po)."""

from collections.abc import Callable
from functools import lru_cache
from importlib import resources

from .catalogue import read_catalogue

LANGUAGE_NAMES = {"en": "English", "fr": "Français"}
LANGUAGES = tuple(LANGUAGE_NAMES)
"""The languages there are; the first is that of the source."""


@lru_cache
def gettext(lang: str) -> Callable[[str], str]:
    """The function that says a sentence in a language; one that is not translated stays in English."""
    sentences = {} if lang == LANGUAGES[0] else _translations(lang)
    return lambda sentence: sentences.get(sentence, sentence)


@lru_cache
def _translations(lang: str) -> dict[str, str]:
    """All catalogues of a language as one, since each sentence is in one of them only."""
    catalogues = (read_catalogue(text, f"{lang}/{name}") for name, text in catalogue_files(lang).items())
    return {sentence: translation for catalogue in catalogues for sentence, translation in catalogue.items()}


def known_sentences() -> frozenset[str]:
    """Every sentence that the program says, in English: those of the source that have a translation."""
    return frozenset(_translations(LANGUAGES[1]))


def catalogue_files(lang: str) -> dict[str, str]:
    """The texts of a language's catalogues by their file names, sorted."""
    folder = resources.files(__package__).joinpath("locale", lang)
    texts = {path.name: path.read_text("utf-8") for path in folder.iterdir() if path.name.endswith(".po")}
    return dict(sorted(texts.items()))
