"""What the coach says, in both languages and to different readers."""

import random
import re
from dataclasses import replace
from typing import get_args

import pytest

from suitors.coach import BestReplyValuer, Mark
from suitors.coach.judgement import Judgement, MoveValue
from suitors.coach.reasons import (
    Comparison,
    Exposed,
    Fall,
    Finder,
    GoodGuess,
    Guess,
    Last,
    Reason,
    Telling,
    Trade,
    Unmask,
    Values,
    WrongGuess,
    values_of,
)
from suitors.rules import Card, edition
from suitors.words import LANGUAGES
from suitors.words.coach import CoachSpeaker
from support.matches import TABLES, chance_match
from support.scenes import NAMES
from support.vocabularies import words_of

BARON = Guess(Card.GUARD, 1, int(Card.BARON), False, 0.08, 1, 12, "counted")
PRINCE = Guess(Card.GUARD, 1, int(Card.PRINCE), False, 0.42, 2, 12, "played")
NUMBER = Guess(Card.BISHOP, 2, 5, True, 1.0, 2, 12, "seen")
REASONS: list[Reason] = [
    WrongGuess(BARON, PRINCE),
    WrongGuess(BARON, NUMBER),
    GoodGuess(PRINCE),
    Comparison(Card.BARON, Card.PRIEST, 1, 0.25, 0.75),
    Comparison(Card.BARON, Card.COUNTESS, 1, 0.9, 0.05),
    Fall(Card.PRINCESS),
    Unmask(1, 0.5),
    Trade(Card.COUNTESS, 1, 0.8),
    Telling((Card.KING, Card.PRINCE), 0.46),
    Exposed(Card.KING, 1),
    Last(1, Card.PRIEST, 0.2, Card.PRINCE, 0.9),
    Values("guard 1 priest", 0.4, "handmaid", 0.6, False),
    Values("guard 1 priest", 0.4, "handmaid", 0.6, True),
]


def speaker(lang: str = "en", me: int | None = 0, slug: str = "modern", players: int = 3) -> CoachSpeaker:
    return CoachSpeaker(edition(slug, players), NAMES[:players], me, words_of(slug, lang))


def worse(reason: Reason, lang: str = "en", me: int | None = 0) -> str:
    return speaker(lang, me).why_worse(reason, 0)


@pytest.mark.parametrize(
    ("reason", "english"),
    [
        (REASONS[0], "You named the Baron: 8%. The Prince was at 42% (by what was played before)."),
        (
            REASONS[1],
            "You named the Baron for Ben: 8%. The number 5 for Cleo was at 100% (the card was shown).",
        ),
        (REASONS[2], "Naming the Prince for Ben would have hit in 42% of cases (by what was played before)."),
        (REASONS[3], "With the Priest, the hand was behind that of Ben in 75% of cases, ahead in 25%."),
        (REASONS[5], "Whoever discards the Princess is out of the round."),
        (
            REASONS[8],
            "Playing the Countess without need speaks of a King or a Prince: 46%, as a spectator sees it.",
        ),
        (
            REASONS[10],
            "The deck was empty: the Priest was higher than the card of Ben in 20% of cases, the Prince in 90%.",
        ),
        (REASONS[11], "Handmaid wins the round in 60.0% of cases, Guard – Ben – Priest in 40.0%."),
    ],
)
def test_a_sentence_has_the_facts(reason: Reason, english: str) -> None:
    assert worse(reason) == english


def test_somebody_else_is_named() -> None:
    assert worse(REASONS[0], me=None).startswith("Ada named the Baron: 8%.")
    assert worse(REASONS[0], "fr", me=None).startswith("Ada a nommé le Baron\u00a0: 8\u00a0%.")
    assert worse(REASONS[0], "fr").startswith("Vous avez nommé le Baron")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_reason_has_its_sentence(lang: str) -> None:
    assert {type(reason) for reason in REASONS} == set(get_args(Reason))
    said = [worse(reason, lang) for reason in REASONS]
    assert len(set(said)) == len(said)
    assert all(re.fullmatch(r"[^{}]+\.", text) for text in said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_for_a_good_move_has_its_sentence(lang: str) -> None:
    there = speaker(lang)
    good = [
        there.why_good(reason) for reason in REASONS if isinstance(reason, GoodGuess | Comparison | Unmask | Values)
    ]
    assert all(re.fullmatch(r"[^{}]+\.", text) for text in good)
    with pytest.raises(ValueError, match="not good"):
        there.why_good(Fall(Card.PRINCESS))


def test_what_a_chancellor_keeps_is_told_from_what_goes_under_the_deck() -> None:
    move = "keep princess chancellor handmaid"
    assert speaker().move(move) == "keeping Princess (Chancellor, Handmaid under the deck)"
    assert speaker("fr").move(move) == "garder Princesse (Chancelier, Servante sous le paquet)"
    assert speaker().move("keep princess guard") == "keeping Princess (Guard under the deck)"


def test_values_tell_of_the_match_where_the_round_hardly_differs() -> None:
    worse, better = MoveValue("handmaid", 0.450, 0.30, 0.01), MoveValue("spy", 0.451, 0.40, 0.01)
    assert values_of(worse, better) == Values("handmaid", 0.30, "spy", 0.40, of_match=True)
    assert values_of(replace(worse, round=0.2), better).of_match is False


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_move_of_every_edition_has_words(slug: str, players: int, lang: str) -> None:
    there = speaker(lang, None, slug, players)
    match = chance_match(slug, players, 3)
    for data in match.record()["rounds"]:
        for text in data["moves"]:
            assert re.fullmatch(r"[^{}_]+", there.move(text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sentences_of_matches_say_the_percents_of_their_reasons(lang: str) -> None:
    rng, there = random.Random(2), speaker(lang, None, "modern", 3)
    match, believe = chance_match("modern", 3, 2, decisions=0), BestReplyValuer().belief
    for _ in range(60):
        if match.over:
            break
        if match.to_deal:
            match.deal()
            continue
        view = match.view(match.turn)
        if len(view.legal) > 1:
            played, best = (MoveValue(move, 0.5, 0.5, 0.0) for move in rng.sample(view.legal, 2))
            found = Finder(view, believe).against(Judgement((best, played), played, best, 1.0, 0.1, (0.1, 0.1)))
            text = there.why_worse(found, view.seat or 0)
            for chance in chances(found):
                assert there.chance(chance, 1 if isinstance(found, Values) else 0) in text
        match.push(rng.choice(match.moves()))


def chances(reason: Reason) -> list[float]:
    """The chances that a reason's sentence has to state."""
    match reason:
        case WrongGuess():
            return [reason.named.chance, reason.better.chance]
        case GoodGuess():
            return [reason.guess.chance]
        case Comparison():
            return [reason.ahead] if reason.ahead > reason.behind else [reason.ahead, reason.behind]
        case Trade():
            return [reason.lower]
        case Last() | Values():
            return [reason.chance, reason.better]
        case Unmask() | Telling():
            return [reason.chance]
        case _:
            return []


def test_what_is_not_certain_does_not_read_so() -> None:
    there = speaker()
    chances = (0, 1e-12, 0.0004, 0.004, 0.5, 0.9951, 0.9999, 1 - 1e-12, 1)
    assert [there.chance(chance) for chance in chances] == [
        "0%", "0%", "<0.1%", "0.4%", "50%", "99.5%", ">99.9%", "100%", "100%"
    ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_marks_have_words(lang: str) -> None:
    assert len({speaker(lang).mark(mark) for mark in Mark}) == len(Mark)


def test_moves_of_a_solo_game_are_said_by_their_places() -> None:
    alone = CoachSpeaker(edition("solitaire", 1), ["Ada"], 0, words_of("solitaire"))
    assert alone.move("guard q1 priest") == "Guard on place 1, naming Priest"
