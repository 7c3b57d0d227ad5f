"""The end of a round explained: against the rules in matches by chance, and word for word in made-up rounds."""

from collections.abc import Mapping

import pytest

from suitors.notation import CARD_OF
from suitors.rules import NO_CARD, NOBODY, Award, Card, End, Event, Option, edition, pack
from suitors.view.match import seen
from suitors.view.memory import Entry
from suitors.words import LANGUAGES
from suitors.words.verdict import Row, Verdict, judge, verdict
from support.matches import TABLES, chance_match
from support.scenes import NAMES, cards, scene
from support.vocabularies import words_of

VARIED: list[Mapping[str, Option]] = [
    {},
    {"house_full_tie": "none", "premium_match_tie": "share", "sycophant_on_actor": "free"},
]


# Against the rules


@pytest.mark.parametrize("options", VARIED)
@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_verdict_is_that_of_the_rules(slug: str, players: int, options: Mapping[str, Option]) -> None:
    for seed in range(6):
        match, before = chance_match(slug, players, seed, options=options), (0,) * players
        for r in match.rounds:
            found = judge(match.rules, match.players, None, seen(r.rows, None), words_of(slug))
            assert tuple(row.seat for row in found.rows) == (r.seats or tuple(range(players)))
            assert tuple(row.seat for row in found.rows if row.won) == r.winners
            gained = {row.seat: row.tokens for row in found.rows}
            assert tuple(old + gained.get(seat, 0) for seat, old in enumerate(before)) == r.tokens
            assert_values_decide(found, r.end)
            before = r.tokens


def assert_values_decide(found: Verdict, end: End) -> None:
    """The numbers in the rows alone explain who won a comparison, except that a Princess beats the Bishop."""
    shown = [row for row in found.rows if row.value is not None]
    assert bool(shown) == (end == End.SHOWDOWN)
    if any(row.card == Card.PRINCESS for row in shown):
        shown = [row for row in shown if row.card != Card.BISHOP]
    best = max(((row.value or 0, row.sum or 0) for row in shown), default=None)
    winning = [row for row in shown if (row.value or 0, row.sum or 0) == best]
    if shown and any(row.won for row in found.rows):
        assert [row for row in found.rows if row.won] == winning
    elif shown:
        assert len(winning) > 1


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_seat_reads_the_same_facts(slug: str, players: int) -> None:
    match = chance_match(slug, players, 1)
    watched = verdict(match.view(None), words_of(match.edition))
    assert watched is not None
    for seat in range(players):
        for lang in LANGUAGES:
            found = verdict(match.view(seat), words_of(match.edition, lang))
            assert found is not None
            assert found.rows == watched.rows
            assert len(found.reasons) == len(watched.reasons)


def test_there_is_no_verdict_before_the_end() -> None:
    match = scene("modern", ["guard priest", "baron"])
    assert verdict(match.view(0), words_of(match.edition)) is None
    match.play("guard 1 baron")
    found = verdict(match.view(0), words_of(match.edition))
    assert found is not None
    assert found.headline == "You win the round."
    assert found.reasons == ("Everybody else is out of the round.",)
    assert found.rows == (Row(0, None, None, None, True, 1), Row(1, Card.BARON, None, None, False, 0))


# Word for word: what lies in the piles, what is shown, what is paid


def made(
    slug: str,
    *,
    piles: list[str],
    hands: list[str],
    paid: list[tuple[int, Award]],
    end: End = End.SHOWDOWN,
    bet: int | None = None,
    after: tuple[Event, tuple[int, ...]] | None = None,
    options: Mapping[str, Option] | None = None,
    me: int | None = None,
) -> dict[str, Verdict]:
    """The verdicts in both languages on a made-up round; an empty hand is a player without a card."""
    players = len(hands)
    told = [Entry(Event.ROUND, 0, (1 << players) - 1, NO_CARD)]
    told += [Entry(Event.MOVED, seat, seat, pack(card)) for seat, pile in enumerate(piles) for card in cards(pile)]
    told += [Entry(Event.BET, 0, bet, NO_CARD)] if bet is not None else []
    if end == End.SHOWDOWN:
        shown = [CARD_OF[hand] if hand else NO_CARD for hand in hands]
        told += [Entry(Event.REVEALED, seat, seat, card) for seat, card in enumerate(shown)]
    told += [Entry(Event.ENDED, NOBODY, end, NO_CARD)]
    told += [Entry(Event.TOKEN, seat, award, NO_CARD) for seat, award in paid]
    told += [Entry(after[0], seat, seat, NO_CARD) for seat in after[1]] if after else []
    rules = edition(slug, players, options)
    return {lang: judge(rules, NAMES[:players], me, told, words_of(slug, lang)) for lang in LANGUAGES}


def texts(found: Verdict) -> list[str]:
    """The headline and the reasons, with "~" for a no-break space."""
    return [text.replace("\u00a0", "~") for text in (found.headline, *found.reasons)]


def test_a_plain_comparison() -> None:
    found = made("modern", piles=["guard", "priest"], hands=["king", "prince"], paid=[(0, Award.ROUND)], me=1)
    assert texts(found["en"]) == [
        "Ada wins the round.",
        "The deck is empty, and hands are shown: Ada – King (7), you – Prince (5).",
    ]
    assert texts(found["fr"]) == [
        "Ada remporte la manche.",
        "Le paquet est vide, on montre les cartes~: Ada – Roi (7), vous – Prince (5).",
    ]


def test_R44_counts_in_the_pile_are_named() -> None:
    hands = ["king", "prince", "guard", "guard", "guard"]
    paid = [(1, Award.ROUND)]
    found = made("premium", piles=["", "count count", "", "", ""], hands=hands, paid=paid, me=1)
    assert texts(found["en"])[2:] == ["With the Count in your pile, your hand counts 7."]
    assert texts(found["fr"])[2:] == ["Avec le Comte dans votre défausse, votre main vaut 7."]
    assert found["en"].rows[1] == Row(1, Card.PRINCE, 7, None, True, 1)
    found = made("premium", piles=["", "count count", "", "", ""], hands=hands, paid=paid)
    assert texts(found["en"])[2:] == ["With the Count in the pile, Ben’s hand counts 7."]
    assert texts(found["fr"])[2:] == ["Avec le Comte dans la défausse, la carte que tient Ben vaut 7."]


def test_R41_the_princess_beats_the_bishop() -> None:
    hands = ["bishop", "princess", "guard", "guard", "guard"]
    found = made("premium", piles=[""] * 5, hands=hands, paid=[(1, Award.ROUND)])
    assert texts(found["en"])[2:] == ["Whatever the numbers, the Bishop is beaten by the Princess."]
    assert texts(found["fr"])[2:] == ["Quels que soient les nombres, l’Évêque s’incline face à la Princesse."]


def test_R24_sums_break_a_tie() -> None:
    found = made("premium", piles=["guard king", "handmaid"], hands=["prince", "prince"], paid=[(0, Award.ROUND)])
    assert texts(found["en"])[2:] == [
        "Ada and Ben are level at 5.",
        "The sums of the piles are compared: Ada – 7, Ben – 4.",
    ]
    assert texts(found["fr"])[2:] == [
        "Ada et Ben sont à égalité, à 5.",
        "On compare la somme des défausses~: Ada – 7, Ben – 4.",
    ]
    assert [row.sum for row in found["en"].rows] == [7, 4]


def test_R25_equal_sums_share_the_round() -> None:
    paid = [(0, Award.ROUND), (1, Award.ROUND)]
    found = made("premium", piles=["guard baron", "handmaid"], hands=["prince", "prince"], paid=paid, me=0)
    assert texts(found["en"])[0] == "You share the round with Ben."
    assert texts(found["en"])[2:] == [
        "You are level with Ben at 5.",
        "The sums of the piles are compared: you – 4, Ben – 4.",
        "The highest sum is shared, and so is the round.",
    ]
    assert texts(found["fr"])[0] == "Vous partagez la manche avec Ben."
    assert texts(found["fr"])[2::2] == [
        "Vous êtes à égalité avec Ben, à 5.",
        "La plus forte somme est partagée, et la manche aussi.",
    ]


def test_R96_equal_sums_may_leave_no_winner() -> None:
    options = {"house_full_tie": "none"}
    found = made("house", piles=["guard baron", "handmaid"], hands=["prince"] * 2, paid=[], options=options)
    assert (texts(found["en"])[0], texts(found["en"])[-1]) == (
        "Nobody wins the round.",
        "The highest sum is shared, so the round has no winner.",
    )
    assert (texts(found["fr"])[0], texts(found["fr"])[-1]) == (
        "Personne ne remporte la manche.",
        "La plus forte somme est partagée~: personne ne l’emporte.",
    )


def test_where_nothing_breaks_a_tie() -> None:
    paid = [(0, Award.ROUND), (2, Award.ROUND)]
    found = made("classic", piles=["guard", "", "king"], hands=["prince", "guard", "prince"], paid=paid)
    assert texts(found["en"])[0] == "Ada and Cleo share the round."
    assert texts(found["en"])[-1] == "This edition has no tie-break, so the round is shared."
    assert texts(found["fr"])[0] == "Ada et Cleo se partagent la manche."
    assert texts(found["fr"])[-1] == "Rien ne départage dans cette édition~: la manche est partagée."
    assert [row.sum for row in found["en"].rows] == [None] * 3


def test_R92_a_player_without_a_card() -> None:
    found = made("house", piles=["prince", "king"], hands=["guard", ""], paid=[(0, Award.ROUND)])
    assert texts(found["en"])[1] == "The deck is empty, and hands are shown: Ada – Guard (1), Ben – no card."
    assert found["fr"].rows[1] == Row(1, None, None, None, False, 0)


def test_R78_a_spy_and_the_match() -> None:
    paid, won = [(1, Award.ROUND), (0, Award.SPY)], (Event.WON, (0, 1))
    found = made("modern", piles=["spy", "priest"], hands=["guard", "king"], paid=paid, after=won, me=0)
    assert texts(found["en"])[:2] == ["You win the match together with Ben!", "Ben wins the round."]
    assert texts(found["en"])[3:] == ["You win a favour token: nobody else still in has the Spy in the pile."]
    assert texts(found["fr"])[:2] == ["Vous gagnez la partie, à égalité avec Ben~!", "Ben remporte la manche."]
    assert texts(found["fr"])[3:] == [
        "Vous gagnez un pion Faveur~: personne d’autre en lice n’a l’Espionne dans sa défausse."
    ]
    assert [row.tokens for row in found["en"].rows] == [1, 1]


def test_R49_a_jester_and_a_tie_break() -> None:
    hands, paid = ["guard", "king", "guard", "guard", "guard"], [(1, Award.ROUND), (0, Award.JESTER)]
    tie = (Event.TIE, (0, 1))
    found = made("premium", piles=["jester", "", "", "", ""], hands=hands, paid=paid, bet=1, after=tie, me=1)
    assert texts(found["en"])[2:] == [
        "Ada wins a token of affection: the Jester had bet on you.",
        "The match is tied between you and Ada: a tie-break round decides it.",
    ]
    assert texts(found["fr"])[2:] == [
        "Ada gagne un gage d’affection~: le Bouffon avait misé sur vous.",
        "Égalité entre vous et Ada~: une manche de départage décidera de la partie.",
    ]


@pytest.mark.parametrize(
    ("award", "english", "french"),
    [
        (
            Award.BISHOP,
            "Ada wins a token of affection: the Bishop named the right number.",
            "Ada gagne un gage d’affection~: l’Évêque a annoncé le bon nombre.",
        ),
        (
            Award.CONSTABLE,
            "Ada wins a token of affection for being knocked out with the Constable in the pile.",
            "Ada gagne un gage d’affection, hors jeu avec le Connétable dans sa défausse.",
        ),
    ],
)
def test_R33_R35_a_token_may_end_the_match_at_once(award: Award, english: str, french: str) -> None:
    won = (Event.WON, (0,))
    found = made("premium", piles=[""] * 5, hands=[""] * 5, paid=[(0, award)], end=End.MATCH_WON, after=won)
    assert texts(found["en"]) == ["Ada wins the match!", english, "The match ends there and then."]
    assert texts(found["fr"]) == ["Ada gagne la partie~!", french, "La partie s’arrête aussitôt."]
    assert not any(row.won for row in found["en"].rows)
