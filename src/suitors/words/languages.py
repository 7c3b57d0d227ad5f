"""The program's own sentences: English in the source, other languages in catalogues (locale/*.po)."""

import gettext as standard
import io
from collections.abc import Callable
from functools import lru_cache
from importlib import resources

LANGUAGES = ("en", "fr")
"""The languages there are; the first is that of the source."""


@lru_cache
def gettext(lang: str) -> Callable[[str], str]:
    """The function that says a sentence in a language."""
    return catalogue(lang).gettext


@lru_cache
def catalogue(lang: str) -> standard.NullTranslations:
    """The translations of a language, read from its catalogue."""
    if lang == LANGUAGES[0]:
        return standard.NullTranslations()
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - only needed away from English
    from babel.messages.pofile import read_po  # noqa: PLC0415

    text = resources.files(__package__).joinpath("locale", f"{lang}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(text)))
    compiled.seek(0)
    return standard.GNUTranslations(compiled)
