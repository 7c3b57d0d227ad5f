"""The French demo of 2019: rule for rule the classic version, in French (R83-R88)."""

import random
import re
from collections import Counter

import pytest

from suitors import Card, Match, Refusal, SuitorsError
from suitors.rules import BOXES, Event
from suitors.rules.names import End
from suitors.words import load_theme, rules_text
from support.scenes import NAMES, hand, pile, scene, standing, told

# Mise en place


def test_demo_setup_the_sixteen_cards_are_those_of_the_classic_version() -> None:
    rules = Match("demo", NAMES[:2]).rules
    assert Counter(rules.box) == {
        Card.PRINCESS: 1,
        Card.COUNTESS: 1,
        Card.KING: 1,
        Card.PRINCE: 2,
        Card.HANDMAID: 2,
        Card.BARON: 2,
        Card.PRIEST: 2,
        Card.GUARD: 5,
    }


@pytest.mark.parametrize(
    ("card", "value"),
    [
        ("princess", 9),
        ("countess", 8),
        ("king", 7),
        ("prince", 5),
        ("handmaid", 4),
        ("baron", 3),
        ("priest", 2),
        ("guard", 1),
    ],
)
def test_demo_cards_have_the_values_of_2019(card: str, value: int) -> None:
    assert Match("demo", NAMES[:2]).rules.value[Card[card.upper()]] == value


@pytest.mark.parametrize("players", [1, 5])
def test_demo_is_for_two_to_four_players(players: int) -> None:
    with pytest.raises(SuitorsError) as refused:
        Match("demo", NAMES[:players])
    assert refused.value.code == "bad-players"


@pytest.mark.parametrize(("players", "deck", "face_up"), [(2, 10, 3), (3, 12, 0), (4, 11, 0)])
def test_demo_setup_one_card_aside_and_three_face_up_for_two(players: int, deck: int, face_up: int) -> None:
    view = Match("demo", NAMES[:players]).view(None)
    assert view.aside == 1
    assert len(view.face_up) == face_up
    assert view.deck == deck - 1  # the first player has drawn by now


# Fin de la manche, remporter la partie


def test_demo_ends_all_tied_players_win_the_round() -> None:
    match = scene("demo", ["handmaid prince", "guard", "prince"], deck=0, piles={2: "countess"})
    match.play("handmaid")
    assert match.rounds[-1].end == End.SHOWDOWN
    assert match.rounds[-1].winners == (0, 2)
    assert match.rounds[-1].tokens == (1, 0, 1)


@pytest.mark.parametrize(("players", "goal"), [(2, 6), (3, 5), (4, 4)])
def test_demo_match_is_won_at_the_goal(players: int, goal: int) -> None:
    match = scene("demo", ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 1] * players)
    match.play("guard 1 king")
    assert match.winners == (0,)


@pytest.mark.parametrize(("players", "goal"), [(2, 6), (3, 5), (4, 4)])
def test_demo_match_is_not_won_one_token_short(players: int, goal: int) -> None:
    match = scene("demo", ["guard baron", "king", *[None] * (players - 2)], tokens=[goal - 2] * players)
    match.play("guard 1 king")
    assert not match.over


def test_demo_match_may_be_won_by_several() -> None:
    match = scene("demo", ["handmaid prince", "guard", "prince"], deck=0, tokens=[4, 4, 4])
    match.play("handmaid")
    assert match.winners == (0, 2)


# The same play as classic


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_demo_plays_whole_matches_exactly_like_classic(players: int, seed: int) -> None:
    rng = random.Random(seed)
    classic, demo = Match("classic", NAMES[:players], dealt=False), Match("demo", NAMES[:players], dealt=False)
    while not classic.over:
        assert demo.to_deal == classic.to_deal
        assert demo.legal() == classic.legal()
        if classic.to_deal:
            assert demo.next_first == classic.next_first
            deck, first = rng.sample([Card(card) for card in classic.rules.box], 16), rng.choice(classic.next_first)
            classic.deal(deck, first)
            demo.deal(deck, first)
        else:
            move = rng.choice(classic.legal())
            classic.play(move)
            demo.play(move)
        assert (demo.turn, demo.tokens) == (classic.turn, classic.tokens)
        for seat in [*range(players), None]:
            assert demo.view(seat).known == classic.view(seat).known
    assert demo.over
    assert demo.winners == classic.winners
    assert demo.record()["rounds"] == classic.record()["rounds"]


# Rulings


@pytest.mark.parametrize("other", ["handmaid", "princess"])
def test_R83_the_countess_may_be_played_freely(other: str) -> None:
    assert scene("demo", [f"countess {other}", "guard", "baron"]).legal() == ["countess", other]


@pytest.mark.parametrize("other", ["king", "prince"])
def test_R83_the_countess_is_forced_with_the_king_or_a_prince(other: str) -> None:
    assert scene("demo", [f"countess {other}", "guard", "baron"]).legal() == ["countess"]


def test_R83_others_cannot_tell_whether_the_countess_was_forced() -> None:
    forced = scene("demo", ["countess king", "guard", "priest"], aside="handmaid")
    free = scene("demo", ["countess handmaid", "guard", "priest"], aside="king")
    forced.play("countess")
    free.play("countess")
    assert forced.view(1) == free.view(1)


def test_R84_the_baron_compares_in_secret() -> None:
    match = scene("demo", ["baron handmaid", "guard", "priest"])
    match.play("baron 2")
    assert match.view(2).known[0] == (Card.HANDMAID,)
    assert match.view(1).known[0] == ()
    assert told(match, Event.SHOWED) == [(2, 0, None), (0, 2, None)]


def test_R84_the_priest_looks_in_secret() -> None:
    match = scene("demo", ["priest handmaid", "king", "baron"])
    match.play("priest 1")
    assert match.view(0).known[1] == (Card.KING,)
    assert match.view(2).known[1] == ()


def test_R85_the_prince_may_be_played_on_any_player() -> None:
    match = scene("demo", ["prince handmaid", "guard", "baron"], deck="king guard guard")
    assert match.legal() == ["handmaid", "prince 0", "prince 1", "prince 2"]
    match.play("prince 2")
    assert (pile(match, 2), hand(match, 2)) == ("baron", "king")


def test_R85_a_player_under_a_handmaid_cannot_even_be_chosen() -> None:
    match = scene("demo", ["priest guard", "king", "baron"], protected=[1])
    assert match.why_not("priest 1") == Refusal.PROTECTED


def test_R85_leaving_the_round_is_not_leaving_the_match() -> None:
    match = scene("demo", ["princess guard", "king", None])
    match.play("princess")
    assert match.rounds[-1].winners == (1,)
    match.deal()
    assert standing(match) == (0, 1, 2)


def test_R86_the_garde_names_seven_characters() -> None:
    named = ["baron", "countess", "handmaid", "king", "priest", "prince", "princess"]
    assert scene("demo", ["guard guard", "king"]).legal() == [f"guard 1 {name}" for name in named]


@pytest.mark.parametrize("name", ["chancellor", "spy"])
def test_R86_chancelier_and_espionne_cannot_be_named(name: str) -> None:
    assert scene("demo", ["guard baron", "king", "priest"]).why_not(f"guard 1 {name}") == Refusal.NOT_NAMEABLE


def test_R87_any_letter_writer_starts_the_first_round() -> None:
    assert Match("demo", NAMES[:3], dealt=False).next_first == (0, 1, 2)


def test_R87_the_winner_starts_the_later_rounds() -> None:
    match = scene("demo", ["handmaid guard", "king", "baron"], deck=0)
    match.play("handmaid")
    assert match.next_first == (1,)


def test_demo_speaks_french_unless_asked_otherwise() -> None:
    assert BOXES["demo"].language == "fr"
    assert rules_text("demo", None) == rules_text("demo", "fr")
    assert rules_text("demo", None) != rules_text("demo", "en")


FRENCH = {
    Card.GUARD: "Garde",
    Card.PRIEST: "Prêtre",
    Card.BARON: "Baron",
    Card.HANDMAID: "Servante",
    Card.PRINCE: "Prince",
    Card.KING: "Roi",
    Card.COUNTESS: "Comtesse",
    Card.PRINCESS: "Princesse",
}


@pytest.mark.parametrize("card", list(FRENCH))
def test_demo_cards_have_their_french_names(card: Card) -> None:
    assert load_theme("court").name(card, "fr") == FRENCH[card]


@pytest.mark.parametrize("card", list(FRENCH))
def test_demo_rules_list_each_card_with_value_name_and_copies(card: Card) -> None:
    rules = Match("demo", NAMES[:2]).rules
    assert f"{rules.value[card]}  {FRENCH[card]} ×{rules.copies[card]}\N{NO-BREAK SPACE}:" in rules_text("demo", None)


@pytest.mark.parametrize("name", ["Chancelier", "Espionne"])
def test_R86_the_rules_do_not_list_chancelier_and_espionne_among_the_cards(name: str) -> None:
    text = rules_text("demo", None)
    assert name in text
    assert f"{name} ×" not in text


@pytest.mark.parametrize(
    "word",
    ["pion Faveur", "quitte la manche", "Mélangez", "défaussée", "défausse", "Échangez", "égalité", "carte Référence"],
)
def test_R88_the_french_words_have_their_accents(word: str) -> None:
    assert word in " ".join(rules_text("demo", None).split())


def test_R88_no_word_has_lost_its_accents_or_the_letters_under_them() -> None:
    lost = "Mlangez dfausse dfauss Prtre galit limin dbut manires ct cart cache rvlent rsoudre prcdente remport"
    bare = "Melangez defausse Pretre egalite elimine debut manieres cote ecartee cachee Echangez protege piochee jouee"
    words = set(re.findall(r"\w+", rules_text("demo", None)))
    assert words & {*lost.split(), *bare.split()} == set()


def test_R88_the_french_text_has_no_character_of_a_broken_extraction() -> None:
    assert not set(rules_text("demo", None)) & set("�\xad\x00ÃÂ")
