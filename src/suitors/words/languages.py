"""The program's own sentences: English in the source, other languages in catalogues (locale/<language>/*.po)."""

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
    """The translations of a language: all its catalogues as one, since each sentence stands in one of them only."""
    if lang == LANGUAGES[0]:
        return standard.NullTranslations()
    from babel.messages.catalog import Catalog  # noqa: PLC0415 - only needed away from English
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    whole, compiled = Catalog(locale=lang), io.BytesIO()
    for text in catalogue_files(lang).values():
        for message in read_po(io.BytesIO(text)):
            if message.id:
                whole.add(message.id, message.string)
    write_mo(compiled, whole)
    compiled.seek(0)
    return standard.GNUTranslations(compiled)


def catalogue_files(lang: str) -> dict[str, bytes]:
    """The catalogues of a language by their file names, sorted."""
    folder = resources.files(__package__).joinpath("locale", lang)
    texts = {path.name: path.read_bytes() for path in folder.iterdir() if path.name.endswith(".po")}
    return dict(sorted(texts.items()))
