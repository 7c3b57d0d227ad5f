"""Names that people give and others have to read: what can be in them, and how those at one table are told apart."""

import unicodedata
from collections.abc import Iterable

from ...rules import find_box
from ..errors import Refused

LONGEST_NAME = 32
"""Letters in the longest name of a person or a bot."""

LONGEST_TITLE = 60
"""Letters in the longest name of an edition of one's own."""

MOST_MARKS = 4
"""Marks upon one letter: with more of them it would cover what stands above and below."""

ROOM = frozenset({"Zs", "Mn", "Mc"})
"""Spaces and marks may be in a name; control, format (direction!) and line characters may not."""

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""

UNSEEN = ((0x034F, 0x034F), (0x17B4, 0x17B5), (0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Marks that show nothing: names that differ in them look the same. (Behind an emoji, keyboards add one.)"""

NUMERALS = ("", " II", " III", " IV", " V", " VI", " VII", " VIII")
"""What tells equal names at one table apart; it has eight seats at most."""


def check_name(name: str) -> str:
    """The name with single spaces and without marks that show nothing, if it is one that can be shown to others."""
    name = " ".join("".join(c for c in name if not _is_unseen(c)).split())
    if not can_be_shown(name, LONGEST_NAME):
        sentence = f"A name has 1 to {LONGEST_NAME} letters, numbers or signs, and nothing invisible."
        raise Refused(422, "bad-name", sentence)
    return name


def check_title(slug: str) -> None:
    """Refuse an edition of one's own with a name that cannot be shown to others."""
    name = find_box(slug).name
    if name and not can_be_shown(name, LONGEST_TITLE):
        sentence = (
            f"The name of an edition has {LONGEST_TITLE} letters, numbers or signs at most, and nothing invisible."
        )
        raise Refused(422, "bad-edition", sentence)


def can_be_shown(name: str, longest: int) -> bool:
    """Whether a name can be shown to others: something is to be seen, nothing is invisible, and no mark runs wild."""
    shown = [c for c in name if unicodedata.category(c)[0] in "LNPS" and c not in BLANK]
    room = [c for c in name if unicodedata.category(c) in ROOM]
    return bool(shown) and len(name) <= longest and len(shown) + len(room) == len(name) and _marks(name) <= MOST_MARKS


def tell_apart(name: str, taken: Iterable[str]) -> str:
    """The name, with a numeral behind it where somebody has it already, however it is written."""
    known = {_key(other) for other in taken}
    return next(name + numeral for numeral in NUMERALS if _key(name + numeral) not in known)


def _key(name: str) -> str:
    """What is the same of names that can hardly be told apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def _is_unseen(c: str) -> bool:
    return any(first <= ord(c) <= last for first, last in UNSEEN)


def _marks(name: str) -> int:
    """The most marks that stand upon one letter."""
    most = run = 0
    for c in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.category(c) == "Mn" else 0
        most = max(most, run)
    return most
