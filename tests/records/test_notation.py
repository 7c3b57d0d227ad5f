"""Moves as text: every form of docs/contract.md, Moves, and nothing else."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors import IllegalMove, InvalidMove, Match, Refusal
from suitors.notation import CARD_NAMES, LONGEST, NO_MOVE, UNREADABLE, VOCABULARY, _read_move, read_move, write_move
from suitors.rules import BOXES, edition
from suitors.rules.editions import SIXTEEN
from support.matches import EDITIONS, TABLES, UNTIMED, WITH_SIXTEEN, chance_match
from support.scenes import scene

CHARACTERS, NUMBERS = edition("modern", 2), edition("premium", 2)
SEVEN = ["priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
CARDS = [
    *["jester", "assassin", "spy", "guard", "priest", "cardinal", "baron", "baroness", "handmaid", "sycophant"],
    *["prince", "count", "chancellor", "king", "constable", "countess", "dowager-queen", "princess", "bishop"],
]
BIG = ["{}", "priest", "baron", "handmaid", "king"]


def plays(match: Match, card: str) -> list[str]:
    """The legal plays of one card."""
    return [move for move in match.legal() if move.split()[0] == card]


def big(cards: str, **more: object) -> Match:
    """A five-player Premium scene: seat 0 holds these two cards."""
    return scene("premium", [cards, *BIG[1:]], **more)  # type: ignore[arg-type]


def test_the_vocabulary_is_that_of_the_contract() -> None:
    places = [f"q{place}" for place in range(1, 8)]
    words = ["keep", "look", "none", "redraw", "stay", "agent", "draw", "offer", "hand"]
    assert {*CARD_NAMES, *"0123456789", *places, *words} == VOCABULARY


def test_the_cards_of_the_contract_are_there_in_their_order() -> None:
    assert [name for name in CARD_NAMES if name in CARDS] == CARDS


# The forms


@pytest.mark.parametrize("card", ["handmaid", "countess", "princess"])
@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_a_card_that_chooses_nobody_stands_alone(slug: str, card: str) -> None:
    assert plays(scene(slug, [f"{card} guard", "priest"]), card) == [card]


@pytest.mark.parametrize("card", ["assassin", "count", "constable"])
def test_so_do_these_of_the_large_premium_game(card: str) -> None:
    assert plays(big(f"{card} guard"), card) == [card]


def test_so_do_these_of_the_modern_game() -> None:
    match = scene("modern", ["spy chancellor", "priest"])
    assert match.legal() == ["chancellor", "spy"]


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_a_card_with_nobody_to_choose_stands_alone(slug: str, card: str) -> None:
    assert plays(scene(slug, [f"{card} handmaid", "priest"], protected=[1]), card) == [card]


@pytest.mark.parametrize("card", ["jester", "cardinal", "baroness", "dowager-queen", "bishop"])
def test_so_does_one_of_the_large_premium_game(card: str) -> None:
    assert plays(big(f"{card} count", protected=[1, 2, 3, 4]), card) == [card]


@pytest.mark.parametrize("card", ["priest", "baron", "king"])
@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_a_card_on_one_other_player_is_written_with_the_seat(slug: str, card: str) -> None:
    match = scene(slug, [f"{card} handmaid", "guard", "guard"])
    assert plays(match, card) == [f"{card} 1", f"{card} 2"]


@pytest.mark.parametrize("card", ["jester", "dowager-queen"])
def test_so_is_one_of_the_large_premium_game(card: str) -> None:
    assert plays(big(f"{card} count"), card) == [f"{card} {seat}" for seat in (1, 2, 3, 4)]


@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_a_prince_may_choose_the_own_seat(slug: str) -> None:
    assert plays(scene(slug, ["prince guard", "priest"]), "prince") == ["prince 0", "prince 1"]


@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_a_prince_that_must_fall_on_its_player_is_written_with_the_own_seat(slug: str) -> None:
    assert plays(scene(slug, ["prince guard", "priest"], protected=[1]), "prince") == ["prince 0"]


def test_a_sycophant_may_choose_the_own_seat_and_sometimes_must() -> None:
    assert plays(big("sycophant count"), "sycophant") == [f"sycophant {seat}" for seat in range(5)]
    assert plays(big("sycophant count", protected=[1, 2, 3, 4]), "sycophant") == ["sycophant 0"]


def test_a_cardinal_names_two_seats_the_lower_first() -> None:
    pairs = [f"cardinal {low} {high}" for low in range(5) for high in range(low + 1, 5)]
    assert plays(big("cardinal count"), "cardinal") == pairs


def test_a_baroness_names_one_seat_or_two_the_lower_first() -> None:
    singles = [f"baroness {seat}" for seat in (1, 2, 3, 4)]
    pairs = [f"baroness {low} {high}" for low in (1, 2, 3, 4) for high in range(low + 1, 5)]
    assert plays(big("baroness count"), "baroness") == sorted(singles + pairs)


@pytest.mark.parametrize("slug", [slug for slug in EDITIONS if BOXES[slug].decks[2] == SIXTEEN and slug != "premium"])
def test_a_guard_names_one_of_seven_cards(slug: str) -> None:
    assert plays(scene(slug, ["guard handmaid", "priest"]), "guard") == sorted(f"guard 1 {card}" for card in SEVEN)


def test_a_modern_guard_names_one_of_nine_cards() -> None:
    nine = [*SEVEN, "spy", "chancellor"]
    assert plays(scene("modern", ["guard handmaid", "priest"]), "guard") == sorted(f"guard 1 {card}" for card in nine)


def test_a_premium_guard_names_a_number() -> None:
    small = scene("premium", ["guard handmaid", "priest"])
    assert plays(small, "guard") == [f"guard 1 {number}" for number in range(2, 9)]
    large = [f"guard {seat} {number}" for seat in (1, 2, 3, 4) for number in (0, *range(2, 10))]
    assert plays(big("guard count"), "guard") == large


@pytest.mark.parametrize(("one", "numbers"), [(True, range(10)), (False, [0, *range(2, 10)])])
def test_a_bishop_names_a_number(one: bool, numbers: list[int]) -> None:
    match = big("bishop count", options={"bishop_names_one": one})
    assert plays(match, "bishop") == [f"bishop {seat} {number}" for seat in (1, 2, 3, 4) for number in numbers]


def test_keep_names_the_card_kept_and_then_those_returned() -> None:
    match = scene("modern", ["chancellor spy", "guard"], deck="king priest guard")
    match.play("chancellor")
    assert match.legal() == [
        "keep king priest spy",
        "keep king spy priest",
        "keep priest king spy",
        "keep priest spy king",
        "keep spy king priest",
        "keep spy priest king",
    ]


def test_equal_keep_lines_are_one() -> None:
    match = scene("modern", ["chancellor guard", "king"], deck="guard priest spy")
    match.play("chancellor")
    assert match.legal() == ["keep guard guard priest", "keep guard priest guard", "keep priest guard guard"]


def test_keep_names_two_cards_when_one_was_drawn_and_is_not_asked_when_none_was() -> None:
    match = scene("modern", ["chancellor spy", "guard"], deck="king")
    match.play("chancellor")
    assert match.legal() == ["keep king spy", "keep spy king"]
    match = scene("modern", ["chancellor spy", "guard"], deck=0)
    match.play("chancellor")
    assert match.to_deal


def test_look_names_a_seat_that_traded_or_none() -> None:
    match = big("cardinal count")
    match.play("cardinal 0 3")
    assert (match.turn, match.legal()) == (0, ["look 0", "look 3", "look none"])


def test_the_player_hit_by_a_bishop_answers_redraw_or_stay() -> None:
    match = big("bishop count")
    match.play("bishop 2 3")
    assert (match.turn, match.legal()) == (2, ["redraw", "stay"])


@pytest.mark.parametrize("slug", WITH_SIXTEEN)
def test_two_equal_cards_give_one_move(slug: str) -> None:
    assert scene(slug, ["handmaid handmaid", "priest"]).legal() == ["handmaid"]
    assert len(scene(slug, ["priest priest", "guard", "guard"]).legal()) == 2


# What is no move


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "Guard 1 priest", "guard  1 priest", " guard 1 priest", "guard 1 priest ", "guard 1 priest\n"],
        *["guard\t1 priest", "guard\u00a01 priest", "guard 10 priest", "guard -1 priest", "guard +1 priest"],
        *["guard 1 bischof", "priest q0", "priest q8", "guard \u0661 priest", "dowager queen 1", "dowager_queen 1"],
        *["prêtre 1", "guard 1 priest\x00", "\ud800", "guard,1,priest", "pass", "guard 1 3.0", "0x1"],
    ],
)
def test_other_words_and_other_spaces_are_unreadable(text: str) -> None:
    assert read_move(NUMBERS, text) == read_move(CHARACTERS, text) == UNREADABLE
    match = scene("modern", ["guard handmaid", "priest"])
    with pytest.raises(InvalidMove) as caught:
        match.play(text)
    assert caught.value.code == "unreadable-move"


@pytest.mark.parametrize(
    "text",
    [
        *["0", "hand", "none", "agent", "draw", "offer hand", "offer agent", "q1", "1 guard priest", "keep", "look"],
        *["keep king", "keep king spy guard priest", "keep 1 2", "look king", "look none none", "look 0 1", "redraw 1"],
        *["stay stay", "guard q1 king", "guard 1 2", "guard 1 king king", "guard king 1", "priest king", "king 1 2 3"],
        *["baron q1 hand", "priest 1 king", "guard king", "bishop 1 king", "prince hand", "look hand"],
    ],
)
def test_known_words_that_form_no_move_are_readable_but_illegal(text: str) -> None:
    assert read_move(CHARACTERS, text) == NO_MOVE
    match = scene("modern", ["guard handmaid", "priest"])
    assert match.why_not(text) == Refusal.NO_FORM
    with pytest.raises(IllegalMove) as caught:
        match.play(text)
    assert caught.value.code == "illegal-move"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("guard 1", Refusal.MUST_NAME),
        ("guard", Refusal.MUST_CHOOSE),
        ("guard 1 guard", Refusal.NOT_NAMEABLE),
        ("guard 1 bishop", Refusal.NOT_NAMEABLE),
        ("guard 0 priest", Refusal.NOT_ONESELF),
        ("guard 7 priest", Refusal.NO_SUCH_SEAT),
        ("handmaid 1", Refusal.CHOOSES_NOBODY),
        ("king 1", Refusal.NOT_HELD),
        ("redraw", Refusal.WRONG_STEP),
        ("keep guard handmaid", Refusal.WRONG_STEP),
    ],
)
def test_a_move_that_is_refused_says_why(text: str, refusal: Refusal) -> None:
    assert scene("modern", ["guard handmaid", "priest"]).why_not(text) == refusal


@pytest.mark.parametrize("text", ["cardinal 3 0", "cardinal 1 1"])
def test_two_seats_stand_in_order(text: str) -> None:
    assert big("cardinal count").why_not(text) == Refusal.SEAT_ORDER


def test_a_guard_names_numbers_or_cards_but_never_both() -> None:
    assert scene("premium", ["guard handmaid", "priest"]).why_not("guard 1 priest") == Refusal.NO_FORM
    assert scene("modern", ["guard handmaid", "priest"]).why_not("guard 1 2") == Refusal.NO_FORM


def test_a_long_text_is_read_but_not_remembered() -> None:
    before = _read_move.cache_info().currsize
    assert read_move(CHARACTERS, "0 " * LONGEST + "0") == NO_MOVE
    assert read_move(CHARACTERS, "x" * (LONGEST + 1)) == UNREADABLE
    assert _read_move.cache_info().currsize == before


# Properties


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_legal_move_is_read_as_it_is_written(slug: str, players: int) -> None:
    match = chance_match(slug, players, 1)
    record, again = match.record(), Match(slug, match.players, dealt=False)
    for round_ in record["rounds"]:
        again.deal(round_["deck"], round_["first"])
        for text in round_["moves"]:
            moves, legal = again.moves(), again.legal()
            assert text in legal
            assert legal == sorted(set(legal))
            assert [read_move(again.rules, write_move(again.rules, move)) for move in moves] == moves
            again.play(text)
    assert again.record() == record


@UNTIMED
@given(st.lists(st.sampled_from(sorted(VOCABULARY)), min_size=1, max_size=4), st.booleans())
def test_what_reads_as_a_move_is_written_with_the_same_words(words: list[str], by_number: bool) -> None:
    text = " ".join(words)
    move = read_move(NUMBERS if by_number else CHARACTERS, text)
    assert move != UNREADABLE
    if move != NO_MOVE:
        assert write_move(edition("premium" if by_number else "modern", 2), move) == text


@UNTIMED
@given(st.sampled_from(TABLES), st.integers(0, 30), st.integers(0, 2**32))
def test_a_text_is_legal_exactly_if_it_is_listed(table: tuple[str, int], decisions: int, seed: int) -> None:
    match = chance_match(*table, seed % 5, decisions)
    if match.to_deal:
        match.deal()
    rng, legal = random.Random(seed), match.legal()
    held = [CARD_NAMES[card] for card in match.view(match.turn).hand] + ["look", "keep"]
    for _ in range(50):
        tail = rng.choices([*"01234", *"01234", "6", *held, "king", "none"], k=rng.choice([0, 1, 1, 2, 2, 3]))
        text = " ".join([rng.choice(held), *tail])
        assert (match.why_not(text) == Refusal.FINE) == (text in legal), text
