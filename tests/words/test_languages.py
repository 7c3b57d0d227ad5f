"""Languages: our own reader of catalogues agrees with Babel's, dates too, and a plain install speaks them all."""

import subprocess
import sys
from datetime import date
from io import StringIO

import pytest
from babel.dates import format_date
from babel.messages.pofile import read_po

from suitors.words import LANGUAGES, gettext
from suitors.words.catalogue import read_catalogue
from suitors.words.dates import short_date
from suitors.words.languages import catalogue_files

CATALOGUES = [(lang, name) for lang in LANGUAGES[1:] for name in catalogue_files(lang)]
ESCAPES = r"""
# A comment.
msgid ""
msgstr "Language: fr\n"

#: somewhere.py:1
msgid "one \"quoted\"\ttab"
msgstr ""
"un « cité »\t"
"tab\n"
  # indented
msgid "back\\slash\\n"
msgstr "barre\\oblique\\n"
msgid "not translated"
msgstr ""
#~ msgid "obsolete"
#~ msgstr "obsolète"
"""


def babel_reads(text: str) -> dict[str, str]:
    """The translated messages of a catalogue, as Babel reads them."""
    return {str(found.id): str(found.string) for found in read_po(StringIO(text)) if found.id and found.string}


@pytest.mark.parametrize(("lang", "name"), CATALOGUES)
def test_our_reader_agrees_with_babel(lang: str, name: str) -> None:
    text = catalogue_files(lang)[name]
    read = read_catalogue(text, name)
    assert read == babel_reads(text)
    assert all(gettext(lang)(sentence) == translation for sentence, translation in read.items())


def test_quotes_escapes_and_comments_are_read_as_babel_reads_them() -> None:
    read = read_catalogue(ESCAPES, "test.po")
    assert read == babel_reads(ESCAPES)
    assert read == {'one "quoted"\ttab': "un « cité »\ttab\n", "back\\slash\\n": "barre\\oblique\\n"}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (5, 'msgid "alone"'),
        (5, 'msgstr "alone"'),
        (5, 'msgid "open\nmsgstr "ouvert"'),
        (5, 'msgid "escape"\nmsgstr "\\q"'),
        (5, 'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "un"\nmsgstr[1] "plusieurs"'),
        (5, 'msgctxt "menu"\nmsgid "open"\nmsgstr "ouvrir"'),
        (7, 'msgid "a"\nmsgstr "b"\nstray'),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_named_with_its_line(line: int, wrong: str) -> None:
    with pytest.raises(ValueError, match=rf"^test\.po, line {line}: "):
        read_catalogue(f'# A comment.\n\nmsgid "fine"\nmsgstr "bien"\n{wrong}\n', "test.po")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("month", range(1, 13))
def test_dates_are_written_as_the_unicode_consortium_does(lang: str, month: int) -> None:
    for day in (date(2026, month, 1), date(1999, month, 28)):
        assert short_date(day, lang) == format_date(day, "medium", locale=lang)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("rules modern", "Mise en place"),
        ("bots", "Niveau"),
        ("rules", "suitors rules ÉDITION"),
    ],
)
def test_a_plain_install_speaks_french_without_babel(command: str, sentence: str) -> None:
    arguments = ["suitors", *command.split(), "--lang", "fr"]
    program = f"import sys; sys.modules['babel'] = None; import suitors, suitors.cli; sys.argv = {arguments}"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; suitors.cli.main()"], capture_output=True, check=True, encoding="utf-8"
    )
    assert sentence in done.stdout
