"""Records: every fault with its code and place, and the order of faults (docs/contract.md, Errors of records)."""

import pytest

from suitors import Match
from suitors.history import FORMAT
from suitors.records.record import RecordError, load, replay, summary
from suitors.rules import SWITCHES
from support.bad_records import SHARED, Change, changed, drop, fault, put, record
from support.matches import TABLES, chance_match

# Every fault


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"{} {}", b'{"format": NaN}', "[]".encode("utf-16")])
def test_bad_json(raw: bytes) -> None:
    with pytest.raises(RecordError) as caught:
        load(raw)
    assert (caught.value.code, caught.value.round, caught.value.ply) == ("bad-json", None, None)


@pytest.mark.parametrize("data", [None, True, 1, 1.5, "", [], [record()], {}])
def test_a_record_is_an_object_with_a_format(data: object) -> None:
    assert fault(data) == ("bad-format", None, None)


@pytest.mark.parametrize(
    "value", [None, 1, "suitors-record/2", "suitors-record/1 ", ["suitors-record/1"], FORMAT.upper()]
)
def test_another_format_is_bad(value: object) -> None:
    assert fault(changed(put("format", value=value))) == ("bad-format", None, None)


@pytest.mark.parametrize("value", [None, 1, {}, "[]", {"0": {}}])
def test_rounds_that_are_no_list_are_bad(value: object) -> None:
    assert fault(changed(put("rounds", value=value))) == ("bad-format", None, None)
    assert fault(changed(drop("rounds"))) == ("bad-format", None, None)


@pytest.mark.parametrize("value", [None, 1, "", "Modern", "modern ", ["modern"], True])
def test_unknown_edition(value: object) -> None:
    assert fault(changed(put("edition", value=value))) == ("unknown-edition", None, None)
    assert fault(changed(drop("edition"))) == ("unknown-edition", None, None)


@pytest.mark.parametrize("value", [None, 3, "Ada", {}, [], ["Ada"], ["Ada"] * 7, ["Ada", 1, "Ben"], ["Ada", None]])
def test_bad_players(value: object) -> None:
    assert fault(changed(put("players", value=value))) == ("bad-players", None, None)
    assert fault(changed(drop("players"))) == ("bad-players", None, None)


def test_players_may_have_equal_or_empty_names() -> None:
    assert summary(replay(changed(put("players", value=["", "", "Ada"])))) == summary(replay(record()))


@pytest.mark.parametrize("value", [None, [], "", 0, True, {"bishop": True}, {"Bishop_names_one": True}, {"": None}])
def test_options_that_are_no_switches_are_bad(value: object) -> None:
    assert fault(changed(put("options", value=value))) == ("bad-option", None, None)


@pytest.mark.parametrize("value", [None, 1, 0, 1.0, "true", "", [], {}, "fizzle "])
@pytest.mark.parametrize("key", SWITCHES)
def test_a_switch_has_only_its_own_values(key: str, value: object) -> None:
    assert fault(changed(put("options", value={key: value}))) == ("bad-option", None, None)


@pytest.mark.parametrize("key", SWITCHES)
def test_every_switch_is_accepted_in_every_edition(key: str) -> None:
    for slug, players in TABLES:
        for value in SWITCHES[key]:
            data = {"format": FORMAT, "edition": slug, "players": [""] * players, "options": {key: value}, "rounds": []}
            assert replay(data).options[key] == value


def test_options_may_be_missing() -> None:
    assert summary(replay(changed(drop("options")))) == summary(replay(record()))


@pytest.mark.parametrize("value", [None, 1, "", [], {}, {"first": 0, "deck": []}, {"moves": None}, {"moves": {}}])
def test_a_round_is_an_object_with_a_list_of_moves(value: object) -> None:
    assert fault(changed(put("rounds", 0, value=value))) == ("bad-format", 0, None)
    assert fault(changed(put("rounds", 1, value=value))) == ("bad-format", 1, None)


def test_a_round_needs_its_moves_even_if_there_are_none() -> None:
    assert fault(changed(drop("rounds", 1, "moves"))) == ("bad-format", 1, None)
    assert replay(changed(put("rounds", 1, "moves", value=[]))).turn is not None


def test_a_round_after_an_unfinished_one_is_bad() -> None:
    data = record()
    assert fault({**data, "rounds": [*data["rounds"], data["rounds"][0]]}) == ("bad-format", 2, None)


@pytest.mark.parametrize("value", [None, True, False, 1.0, 0.0, "0", [0], -1, 3, 10**17, 10**30, 1e400])
def test_bad_first(value: object) -> None:
    assert fault(changed(put("rounds", 0, "first", value=value))) == ("bad-first", 0, None)
    assert fault(changed(drop("rounds", 0, "first"))) == ("bad-first", 0, None)


def test_only_a_winner_of_the_round_before_may_start_the_next() -> None:
    data = record()
    winners = summary(replay(data))["rounds"][0]["winners"]
    for seat in {0, 1, 2} - set(winners):
        assert fault(changed(put("rounds", 1, "first", value=seat))) == ("bad-first", 1, None)


@pytest.mark.parametrize(
    "value",
    [None, "guard", {}, [], ["guard"], [1] * 21, [["guard"]] * 21, ["guard"] * 21, record()["rounds"][0]["deck"][1:]],
)
def test_bad_deck(value: object) -> None:
    assert fault(changed(put("rounds", 0, "deck", value=value))) == ("bad-deck", 0, None)
    assert fault(changed(drop("rounds", 0, "deck"))) == ("bad-deck", 0, None)


def test_a_deck_of_another_edition_or_with_a_card_too_many_is_bad() -> None:
    deck = record()["rounds"][0]["deck"]
    other = ["guard" if card == "spy" else card for card in deck]
    for value in (other, [*deck, "guard"], [card.upper() for card in deck], Match("premium", [""] * 5).record()):
        assert fault(changed(put("rounds", 0, "deck", value=value))) == ("bad-deck", 0, None)


@pytest.mark.parametrize("value", [None, [], [0, 1, 2], [0], 0])
def test_the_key_seats_is_bad_in_any_round_that_is_no_tie_break(value: object) -> None:
    assert fault(changed(put("rounds", 0, "seats", value=value))) == ("bad-seats", 0, None)
    assert fault(changed(put("rounds", 1, "seats", value=value))) == ("bad-seats", 1, None)


@pytest.mark.parametrize("value", [None, 1, [], ["guard"], {}, "", "Guard 1 king", "guard  1 king", "guard 10 king"])
def test_unreadable_move(value: object) -> None:
    assert fault(changed(put("rounds", 0, "moves", 1, value=value))) == ("unreadable-move", 0, 1)


@pytest.mark.parametrize("value", ["bishop 1 1", "guard", "guard 8 king", "q1", "agent", "offer hand", "redraw", "0"])
def test_illegal_move(value: str) -> None:
    assert fault(changed(put("rounds", 1, "moves", 0, value=value))) == ("illegal-move", 1, 0)


@pytest.mark.parametrize("value", ["handmaid", "guard 1 king", "nonsense", "", None, 1])
def test_a_move_after_the_end_of_its_round(value: object) -> None:
    ply = len(record()["rounds"][0]["moves"])
    assert fault(changed(lambda data: data["rounds"][0]["moves"].append(value))) == ("after-the-end", 0, ply)


@pytest.mark.parametrize("value", [None, [], {}, {"moves": []}, SHARED])
def test_a_round_after_the_end_of_the_match(value: object) -> None:
    data = chance_match("premium", 2, 3).record()
    assert fault({**data, "rounds": [*data["rounds"], value]}) == ("after-the-end", len(data["rounds"]), None)


# The order of faults

FAULTS: list[tuple[Change, tuple[str, int | None, int | None]]] = [
    (put("format", value=""), ("bad-format", None, None)),
    (put("edition", value=""), ("unknown-edition", None, None)),
    (put("players", value=[]), ("bad-players", None, None)),
    (put("options", value=None), ("bad-option", None, None)),
    (put("rounds", 0, "seats", value=[0, 1, 2]), ("bad-seats", 0, None)),
    (put("rounds", 0, "first", value=9), ("bad-first", 0, None)),
    (put("rounds", 0, "deck", value=[]), ("bad-deck", 0, None)),
    (put("rounds", 0, "moves", 0, value="agent"), ("illegal-move", 0, 0)),
    (put("rounds", 0, "moves", 1, value="?"), ("unreadable-move", 0, 1)),
    (lambda data: data["rounds"][0]["moves"].append("king"), ("after-the-end", 0, len(record()["rounds"][0]["moves"]))),
    (put("rounds", 1, "seats", value=None), ("bad-seats", 1, None)),
    (put("rounds", 1, "deck", value=None), ("bad-deck", 1, None)),
    (put("rounds", 1, "moves", 0, value="q7"), ("illegal-move", 1, 0)),
    (lambda data: data["rounds"].append(None), ("bad-format", 2, None)),
]


@pytest.mark.parametrize("later", range(1, len(FAULTS)))
def test_of_two_faults_the_first_is_reported(later: int) -> None:
    assert fault(changed(FAULTS[later][0])) == FAULTS[later][1]
    for change, place in FAULTS[:later]:
        assert fault(changed(change, FAULTS[later][0])) == place


@pytest.mark.parametrize("change", [change for change, _ in FAULTS[1:4]])
def test_rounds_that_are_no_list_come_before_the_edition(change: Change) -> None:
    assert fault(changed(change, put("rounds", value=None))) == ("bad-format", None, None)


@pytest.mark.parametrize("change", [change for change, _ in FAULTS[4:7]])
def test_the_form_of_a_round_comes_before_what_is_in_it(change: Change) -> None:
    assert fault(changed(change, drop("rounds", 0, "moves"))) == ("bad-format", 0, None)


@pytest.mark.parametrize("rest", [None, {}, {"moves": [], "seats": [0]}])
def test_an_unfinished_round_comes_before_the_form_of_the_next(rest: object) -> None:
    data = changed(put("rounds", 0, "moves", value=record()["rounds"][0]["moves"][:-1]), put("rounds", 1, value=rest))
    with pytest.raises(RecordError, match="not finished"):
        replay(data)
    assert fault(data) == ("bad-format", 1, None)


def test_bad_json_comes_before_everything() -> None:
    with pytest.raises(RecordError) as caught:
        load(b'{"format": 1, "rounds": NaN}')
    assert caught.value.code == "bad-json"
