"""The log of matches played by chance: every event can be told to everybody, well, and without telling a secret."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from suitors import Match
from suitors.rules import NO_CARD, Card, Event, Verb
from suitors.rules.names import first_of, second_of, third_of, verb_of
from suitors.view.match import seen
from suitors.view.memory import Entry
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.speech import PAYING, LogLine
from suitors.words.story import Narrator
from suitors.words.verdict import judge
from support.matches import TABLES, chance_match
from support.vocabularies import words_of

SEEDS = 4
"""So many whole matches at every table hold every event, the rarest being a tie for the match."""

KINDS = {"round", "move", "effect", "secret", "out", "token", "end"}
WRITTEN = [(*table, theme) for table in TABLES for theme in THEMES if table[0] in load_theme(theme).editions]
CLUMSY = {
    "en": re.compile(r"[{}]|(?i:\b(the|an?) (the|an?)\b)|\ba [AEIOU]|  | [.,;:!]|None|^[a-z]"),
    "fr": re.compile(
        r"[{}]|\b(le|la|un|une|du|au) (le|la|l’|un|une)\b|\b(de|à) les?\b|\bla l’|\b[ld]’ |  | [.,;:!]|None|^[a-z]"
        r"|\b(le|la|de|que) [AEIOUÉÊaeiouéê]"
    ),
}
"""Doubled or wrong articles, missing elisions, holes, stray spaces, small letters at the beginning."""


@cache
def played(slug: str, players: int) -> Match:
    """A match of up to 120 decisions; where the house may leave a round without a winner, it does."""
    return chance_match(slug, players, 7, 120, {"house_full_tie": "none"} if slug == "house" else None)


def steps(match: Match, seat: int | None) -> Iterator[tuple[Entry, ...]]:
    """What each step told a seat, from the first to the last."""
    for index, r in enumerate(match.rounds):
        for step in range(len(r.rows)):
            yield match.step_log(index, step, seat)


def readers(match: Match) -> list[int | None]:
    return [None, *range(len(match.players))]


def narrator(match: Match, seat: int | None, lang: str = "en", theme: str = "court") -> Narrator:
    return Narrator(match.rules, match.players, seat, words_of(match.edition, lang, theme))


def test_clumsy_sentences_are_found() -> None:
    bad = ["Ada plays the The Mule.", "Ada names a Assassin.", "You draw .", "{card}", "the deck"]
    assert [text for text in bad if not CLUMSY["en"].search(text)] == []
    bad = ["Ada joue le le Garde.", "grâce à le Roi", "la l’Espionne", "le Assassin", "que Ada", "vous", "à les"]
    assert [text for text in bad if not CLUMSY["fr"].search(text)] == []
    good = "Plus personne d’autre en lice\u00a0: Ada gagne un gage grâce à l’Évêque."
    assert not CLUMSY["fr"].search(good)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("slug", "players", "theme"), WRITTEN)
def test_everything_is_told_to_everybody_in_good_sentences(slug: str, players: int, theme: str, lang: str) -> None:
    match = played(slug, players)
    for seat in readers(match):
        tells = narrator(match, seat, lang, theme)
        lines = [line for told in steps(match, seat) for line in tells.tell(told)]
        assert {line.kind for line in lines} <= KINDS
        assert [line.text for line in lines if CLUMSY[lang].search(line.text)] == []
        assert all(line.text.endswith((".", "!")) for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("slug", "players", "theme"), WRITTEN)
def test_every_verdict_is_in_good_sentences(slug: str, players: int, theme: str, lang: str) -> None:
    match = played(slug, players)
    for r in match.rounds:
        for seat in readers(match) if r.end else []:
            found = judge(match.rules, match.players, seat, seen(r.rows, seat), words_of(slug, lang, theme))
            assert [text for text in (found.headline, *found.reasons) if CLUMSY[lang].search(text)] == []


def test_every_event_there_is_can_be_told() -> None:
    events = set()
    for seed, (slug, players) in product(range(SEEDS), TABLES):
        match = chance_match(slug, players, seed)
        for seat in readers(match):
            tells = narrator(match, seat, LANGUAGES[seed % 2])
            for told in steps(match, seat):
                tells.tell(told)
                events |= {entry.event for entry in told}
    assert events == set(Event)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_move_has_a_line_and_no_step_is_long(slug: str, players: int) -> None:
    match = played(slug, players)
    for told in steps(match, None):
        assert 1 <= len(narrator(match, None).tell(told)) <= 8


# Secrets


def named(lines: list[LogLine]) -> set[Card]:
    """The cards that some sentences name."""
    court, text = load_theme("court"), " ".join(line.text for line in lines)
    return {card for card in Card if re.search(rf"\b{court.name(card, 'en')}\b", text)}


def visible(told: tuple[Entry, ...]) -> set[int]:
    """The cards that a seat could read in what it was told."""
    cards = set()
    for entry in told:
        if entry.event == Event.MOVED and entry.card is not None:
            cards |= {verb_of(entry.card), third_of(entry.card)}
            cards |= {first_of(entry.card), second_of(entry.card)} if verb_of(entry.card) == Verb.KEEP else set()
        elif entry.card not in (None, NO_CARD):
            cards.add(entry.card)
    return cards


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_no_card_is_named_that_the_reader_was_not_told(slug: str, players: int) -> None:
    match = played(slug, players)
    for seat in readers(match):
        for told in steps(match, seat):
            allowed = visible(told) | {Card.ASSASSIN, *PAYING.values()}
            assert named(narrator(match, seat).tell(told)) <= allowed


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_those_who_watch_read_no_secret(slug: str, players: int) -> None:
    match = played(slug, players)
    assert not [
        line for told in steps(match, None) for line in narrator(match, None).tell(told) if line.kind == "secret"
    ]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_player_who_is_shown_no_card_reads_of_none(slug: str, players: int) -> None:
    """A seat given what a spectator sees is told the same things, and no more."""
    match = played(slug, players)
    for told in steps(match, None):
        for seat in range(players):
            assert named(narrator(match, seat).tell(told)) <= named(narrator(match, None).tell(told))
