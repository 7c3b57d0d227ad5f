"""The shuffle that can be checked: the protocol of docs/shuffle.md, and what `verify` finds."""

import json
import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors import SuitorsError
from suitors.fair import FORMAT, LONGEST_WORD, Deal, Noted, ShuffleError, commitment, draw, new_secret, verify
from suitors.game import Play, open_match
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.records.record import RecordError, replay
from support.bad_records import Change, drop, put, tied
from support.matches import TABLES, UNTIMED
from support.scenes import NAMES
from support.shuffle_protocol import (
    DECKS,
    PAGE,
    SECRET,
    SOLO,
    base,
    by_hand,
    dealt_match,
    example,
    other_digit,
    short,
    starters_by_hand,
)


def test_the_example_of_the_page_can_be_recomputed() -> None:
    wanted = example()
    assert by_hand(SECRET, "peony", 0, ["rose", "été"], [0, 1], DECKS["classic", 2]) == wanted
    deal = draw(open_match("classic", ["", ""], dealt=False), SECRET, "peony", ["rose", "été"])
    assert deal == Deal(wanted["first"], tuple(CARD_OF[card] for card in wanted["deck"]), wanted["seal"])
    assert commitment(SECRET) == wanted["commitment"]


def test_the_page_lists_the_deck_of_every_table() -> None:
    missing = sorted({*TABLES, *SOLO} - set(DECKS))
    assert not missing, f"docs/shuffle.md has no deck for {missing}"
    assert sorted(DECKS) == sorted([*TABLES, *SOLO])
    for (slug, players), cards in DECKS.items():
        assert [CARD_OF[card] for card in cards] == list(open_match(slug, [""] * players, dealt=False).rules.box)
    assert ", ".join(CARD_NAMES) in re.sub(r"\s+", " ", PAGE)


@pytest.mark.parametrize(("slug", "players"), [*TABLES, *SOLO])
def test_whole_matches_are_honest_and_follow_the_page(slug: str, players: int) -> None:
    for seed in range(2):
        data = dealt_match(slug, players, seed)
        verdict = verify(json.loads(json.dumps(data)))
        assert verdict.honest
        assert len(verdict.rounds) == len(data["rounds"])
        shuffle = data["shuffle"]
        for index, (row, found) in enumerate(zip(data["rounds"], verdict.rounds, strict=True)):
            starters = starters_by_hand(data, index)
            secret = bytes.fromhex(shuffle["secret"])
            due = by_hand(secret, shuffle["table"], index, row["words"], starters, DECKS[slug, players])
            assert {key: row[key] for key in ("first", "deck", "seal")} == {key: due[key] for key in row if key in due}
            assert due["commitment"] == shuffle["commitment"]
            assert found.silent == tuple(seat for seat, word in enumerate(row["words"]) if word == "")


@pytest.mark.parametrize(("players", "seed"), [(2, 84), (5, 28), (6, 20), (8, 88)])
def test_tie_break_rounds_are_honest(players: int, seed: int) -> None:
    data = dealt_match("premium", players, seed)
    assert "seats" in data["rounds"][-1]
    assert verify(data).honest
    assert len(data["rounds"][-1]["words"]) == players
    due = starters_by_hand(data, len(data["rounds"]) - 1)
    assert [data["rounds"][-1]["first"]] == due


@UNTIMED
@given(
    st.sampled_from([*TABLES, *SOLO]),
    st.binary(min_size=32, max_size=32),
    st.text(max_size=80),
    st.lists(st.text(max_size=LONGEST_WORD), min_size=8, max_size=8),
)
def test_any_secret_table_and_words_deal_as_the_page_says(
    kind: tuple[str, int], secret: bytes, table: str, words: list[str]
) -> None:
    slug, players = kind
    match = open_match(slug, NAMES[:players], dealt=False)
    deal = draw(match, secret, table, words[:players])
    assert deal == draw(match, secret, table, tuple(words[:players]))
    due = by_hand(secret, table, 0, words[:players], range(players), DECKS[kind])
    assert (deal.first, [CARD_NAMES[card] for card in deal.order], deal.seal) == (
        due["first"],
        due["deck"],
        due["seal"],
    )
    assert sorted(deal.order) == list(match.rules.box)


@UNTIMED
@given(st.lists(st.lists(st.text(max_size=4), min_size=3, max_size=3), min_size=2, max_size=2, unique_by=tuple))
def test_other_words_give_another_deal(words: list[list[str]]) -> None:
    match = open_match("modern", NAMES[:3], dealt=False)
    assert len({draw(match, SECRET, "peony", given_words).seal for given_words in words}) == 2


def test_no_part_can_run_into_the_next() -> None:
    match = open_match("modern", NAMES[:3], dealt=False)
    alike = [("t", ["a", "b", ""]), ("t", ["ab", "", ""]), ("t", ["a,1:b", "", ""]), ("t", ["", "a", "b"])]
    alike += [("t,1:0,1:a", ["b", "", ""]), ("t0", ["a", "b", ""]), ("", ["t", "a", "b"])]
    assert len({draw(match, SECRET, table, words).seal for table, words in alike}) == len(alike)


def test_secrets_are_random_and_commitments_differ() -> None:
    some = {new_secret() for _ in range(50)}
    assert {len(secret) for secret in some} == {32}
    assert len({commitment(secret) for secret in some}) == len(some) == 50


def test_there_is_no_deal_where_no_round_has_to_start() -> None:
    match = open_match("classic", NAMES[:2])
    with pytest.raises(SuitorsError, match="not over yet"):
        draw(match, SECRET, "peony", ["", ""])
    over = replay(dealt_match("classic", 2, 1))
    with pytest.raises(SuitorsError, match="match is over"):
        draw(over, SECRET, "peony", ["", ""])


@pytest.mark.parametrize(
    ("secret", "table", "words"),
    [
        (SECRET[1:], "", ["", ""]),
        (SECRET + b"0", "", ["", ""]),
        (SECRET, "\ud800", ["", ""]),
        (SECRET, "", [""]),
        (SECRET, "", ["", "", ""]),
        (SECRET, "", ["", "x" * 65]),
        (SECRET, "", ["\udfff", ""]),
        (SECRET, "", ["", None]),
    ],
)
def test_draw_refuses_bad_secrets_tables_and_words(secret: bytes, table: str, words: list[str]) -> None:
    with pytest.raises(ShuffleError) as caught:
        draw(open_match("classic", NAMES[:2], dealt=False), secret, table, words)
    assert caught.value.code == "bad-shuffle"


# Chance


def chi_square(seen: Counter[Any], cells: int) -> float:
    mean = seen.total() / cells
    return sum((number - mean) ** 2 / mean for number in seen.values()) + (cells - len(seen)) * mean


@pytest.mark.parametrize(("slug", "players"), [("classic", 3), ("modern", 6), ("premium", 7), ("solitaire", 1)])
def test_every_place_and_every_starter_is_as_likely(slug: str, players: int) -> None:
    match, rng = open_match(slug, NAMES[:players], dealt=False), random.Random(5)
    deals = [draw(match, rng.randbytes(32), "peony", [""] * players) for _ in range(3000)]
    size = len(match.rules.box)
    for card in ("countess", "king"):
        places = Counter(deal.order.index(CARD_OF[card]) for deal in deals)
        assert chi_square(places, size) < size + 6 * (2 * size) ** 0.5
    assert chi_square(Counter(deal.first for deal in deals), players) < players + 6 * (2 * players) ** 0.5
    step = 2 if size % 2 == 0 else 3
    both = Counter((deal.first, deal.order.index(CARD_OF["king"]) % step) for deal in deals)
    assert chi_square(both, step * players) < step * players + 6 * (2 * step * players) ** 0.5


# What is caught


def found(data: dict[str, Any], noted: Noted | None = None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The faults of the whole and of each round; a record with any is not honest."""
    verdict = verify(data, noted)
    rounds = [row.faults for row in verdict.rounds]
    assert verdict.honest == (not verdict.faults and not any(rounds) and not any(row.unheard for row in verdict.rounds))
    assert verdict.data()["honest"] == verdict.honest
    return verdict.faults, rounds


def test_another_secret_is_caught() -> None:
    faults, rounds = found(base(lambda data: other_digit(data, "shuffle", "secret")))
    assert faults == ("secret",)
    assert all(row[-2:] == ("deck", "seal") for row in rounds)


def test_another_commitment_is_caught() -> None:
    faults, rounds = found(base(lambda data: other_digit(data, "shuffle", "commitment")))
    assert faults == ("secret",)
    assert not any(rounds)


def test_a_secret_and_commitment_exchanged_together_do_not_give_the_deals() -> None:
    shuffle = {"secret": SECRET.hex(), "commitment": commitment(SECRET)}
    faults, rounds = found(base(lambda data: data["shuffle"].update(shuffle)))
    assert faults == ()
    assert all(row[-2:] == ("deck", "seal") for row in rounds)


@pytest.mark.parametrize("table", ["", "table-4 ", "Table-4", "table-5"])
def test_another_table_is_caught(table: str) -> None:
    faults, rounds = found(base(put("shuffle", "table", value=table)))
    assert faults == ()
    assert all(row[-2:] == ("deck", "seal") for row in rounds)


@pytest.mark.parametrize("seat", range(3))
def test_another_word_is_caught_in_its_round(seat: int) -> None:
    for word in ("other", "rosé", "e\u0301te\u0301"):
        faults, rounds = found(base(put("rounds", 1, "words", seat, value=word)))
        assert faults == ()
        assert [index for index, row in enumerate(rounds) if row] == [1]


def test_words_that_change_seats_are_caught() -> None:
    words = base()["rounds"][2]["words"]
    assert len(set(words)) > 1
    rounds = found(base(put("rounds", 2, "words", value=[*words[1:], words[0]])))[1]
    assert [index for index, row in enumerate(rounds) if row] == [2]


def test_a_swap_in_the_deck_is_caught() -> None:
    deck = short()["rounds"][0]["deck"]
    for place in range(1, len(deck)):
        swapped = [deck[place], *deck[1:place], deck[0], *deck[place + 1 :]]
        faults = () if swapped == deck else ("deck",)
        assert found(short(put("rounds", 0, "deck", value=swapped))) == ((), [faults])


def test_another_starter_is_caught() -> None:
    first = short()["rounds"][0]["first"]
    for seat in range(3):
        assert found(short(put("rounds", 0, "first", value=seat))) == ((), [() if seat == first else ("first",)])


@pytest.mark.parametrize("seat", [0, 1])
def test_in_premium_another_winner_may_not_start(seat: int) -> None:
    """Where the order of seats decides, a starter that `replay` lets pass is caught."""
    rounds = [row | {"words": ["", ""], "seal": "0" * 64} for row in tied(2)["rounds"]]
    rounds[1] |= {"first": seat, "moves": []}
    data = {**tied(), "rounds": rounds, "shuffle": base()["shuffle"]}
    assert ("first" in found(data)[1][1]) == (seat == 1)


@pytest.mark.parametrize("index", [0, 1, -1])
def test_another_seal_is_caught(index: int) -> None:
    faults, rounds = found(base(lambda data: other_digit(data, "rounds", index, "seal")))
    assert faults == ()
    assert rounds.pop(index) == ("seal",)
    assert not any(rounds)


def test_a_deal_of_another_round_is_caught() -> None:
    def one_late(match: Play, *rest: Any) -> Deal:
        deal = draw(match, *rest)
        if len(match.rounds) != 2:
            return deal
        past = match.copy()
        past.rounds.pop()
        return Deal(deal.first, draw(past, *rest).order, deal.seal)

    rounds = found(dealt_match("house", 3, 0, one_late))[1]
    assert [index for index, row in enumerate(rounds) if row] == [2]
    assert rounds[2] == ("deck",)


HASHES = ("commitment", "secret", "seal")


@UNTIMED
@given(st.data())
def test_no_single_change_goes_unnoticed(data: st.DataObject) -> None:
    record = base()
    row = data.draw(st.sampled_from(record["rounds"]))
    places = [*((record["shuffle"], key) for key in record["shuffle"]), (row, "seal")]
    box, key = data.draw(st.sampled_from([*places, *((row["words"], seat) for seat in range(3))]))
    texts = st.text("0123456789abcdef", min_size=64, max_size=64) if key in HASHES else st.text(max_size=LONGEST_WORD)
    box[key] = data.draw(texts.filter(lambda text: text != box[key]))
    if key == "format":
        with pytest.raises(ShuffleError):
            verify(record)
    else:
        assert not verify(record).honest


NOT_HEX: list[object] = [
    None,
    1,
    True,
    "",
    [],
    "0" * 63,
    "0" * 65,
    "A" * 64,
    "g" * 64,
    " " + "0" * 63,
    "٠" * 64,
    "0" * 64 + "\n",
]


@pytest.mark.parametrize("value", NOT_HEX)
@pytest.mark.parametrize("path", [("shuffle", "secret"), ("shuffle", "commitment"), ("rounds", 1, "seal")])
def test_hashes_are_64_hexadecimal_digits_in_lower_case(path: tuple[str | int, ...], value: object) -> None:
    for change in (put(*path, value=value), drop(*path)):
        with pytest.raises(ShuffleError, match="64 hexadecimal digits"):
            verify(base(change))


BAD: list[tuple[tuple[str | int, ...], list[object]]] = [
    (("shuffle",), [None, [], FORMAT, 1]),
    (("shuffle", "format"), [None, 1, "suitors-shuffle/2", FORMAT.upper(), [FORMAT]]),
    (("shuffle", "table"), [None, 1, ["table-4"], "\ud83d"]),
    (("rounds", 1, "words"), [None, {}, "abc", [], ["", ""], [""] * 4]),
    (("rounds", 1, "words", 2), [None, 0, [""], "x" * 65, "💌" * 65, "a\udc00"]),
]


@pytest.mark.parametrize(
    "change",
    [change for path, values in BAD for change in (drop(*path), *(put(*path, value=value) for value in values))],
)
def test_the_form_of_the_shuffle_part(change: Change) -> None:
    with pytest.raises(ShuffleError) as caught:
        verify(base(change))
    assert caught.value.code == "bad-shuffle"
    assert str(caught.value).endswith(".")


def test_a_bad_record_comes_before_a_bad_shuffle_part() -> None:
    for change in (put("edition", value="ancient"), put("rounds", 0, "moves", 0, value="?"), drop("rounds", 0, "deck")):
        with pytest.raises(RecordError):
            verify(base(change, drop("shuffle")))
    with pytest.raises(RecordError):
        verify([])


def test_extra_keys_and_unfinished_matches_are_fine() -> None:
    assert verify(base(put("shuffle", "note", value=1), put("rounds", 0, "note", value=None))).honest
    assert verify(short()).honest
    assert verify(base(put("rounds", value=[]))).rounds == ()


def test_what_was_noted_is_compared() -> None:
    data = short(put("rounds", 0, "words", value=["rose", "", "ink"]))
    shuffle = data["shuffle"]
    assert found(data, Noted(shuffle["commitment"], shuffle["table"], {0: "rose", 1: ""}))[0] == ()
    assert found(data, Noted("0" * 64, "elsewhere"))[0] == ("commitment", "table")
    assert verify(data, Noted(words={2: "rose", 0: "ink", 1: ""})).rounds[0].unheard == (0, 2)
    for seat in (-1, 3):
        with pytest.raises(SuitorsError, match=f"no seat {seat}"):
            verify(data, Noted(words={seat: ""}))
