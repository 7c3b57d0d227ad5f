"""`suitors analyse`: lines and JSON, seats, languages, and what is wrong said in a sentence."""

import json
import random
from typing import Any

import pytest

from suitors import Solo
from suitors.cli import analyse as analyse_module
from suitors.coach import analyse
from suitors.coach.data import analysis_data
from support.matches import call, chance_match

MATCH = chance_match("modern", 2, 4)
RECORD = json.dumps(MATCH.record()).encode()
QUICK = ("--budget-ms", "2")


def test_json_is_the_analysis_with_a_sentence_for_each_reason() -> None:
    done = call("analyse", "-", "--json", *QUICK, given=RECORD)
    assert done.status == 0
    (found,) = done.lines
    texts = [row["reason"].pop("text") for row in found["decisions"] if row["reason"]]
    assert texts
    assert all(text.endswith(".") for text in texts)
    assert found == json.loads(json.dumps(analysis_data(analyse(MATCH.record(), budget_ms=2))))


def test_a_seat_and_a_seed_can_be_chosen() -> None:
    (found,) = call("analyse", "-", "--json", "--seat", "1", "--seed", "5", *QUICK, given=RECORD).lines
    assert {row["seat"] for row in found["decisions"]} == {1}
    assert [account["seat"] for account in found["accounts"]] == [1]
    assert found["seed"] == 5


def test_lines_tell_every_decision_and_the_accounts() -> None:
    done = call("analyse", "-", *QUICK, given=RECORD)
    lines = done.out.splitlines()
    rounds = [line for line in lines if line.startswith("Round ")]
    assert rounds == [f"Round {k + 1}" for k in range(len(MATCH.rounds))]
    decided = sum(len(played.moves) for played in MATCH.rounds)
    assert sum(line.lstrip()[:1].isdigit() for line in lines) == decided
    assert [line.split(":")[0] for line in lines if "at the start" in line] == list(MATCH.players)
    assert any("better: " in line for line in lines)
    assert done.err == "" or done.err.startswith("Compiling")


def test_the_lines_are_said_in_french_and_to_a_seat() -> None:
    done = call("analyse", "-", "--lang", "fr", "--seat", "0", *QUICK, given=RECORD)
    assert "Manche 1\n" in done.out
    assert "points par le jeu" in done.out
    assert f" 1. {MATCH.players[0]}\u00a0: " in done.out
    assert f"{MATCH.players[1]}\u00a0: " not in done.out


def test_a_solo_game_is_told_too() -> None:
    rng = random.Random(3)
    game = Solo(rng=rng)
    while not game.over:
        game.play(rng.choice(game.legal()))
    done = call("analyse", "-", given=json.dumps(game.record()).encode())
    assert done.status == 0
    assert "at the start" in done.out


def test_a_match_of_which_nothing_is_played_has_no_decisions() -> None:
    (found,) = call("analyse", "-", "--json", given=changed(rounds=[])).lines
    assert found["decisions"] == []


def changed(**keys: Any) -> bytes:
    return json.dumps({**MATCH.record(), **keys}).encode()


@pytest.mark.parametrize(
    ("words", "given", "sentence"),
    [
        ((), b"{", "suitors: "),
        ((), changed(format="x"), 'A record says "format"'),
        ((), changed(edition="ancient"), "ancient"),
        (("--seat", "2"), RECORD, "There is no seat 2: seats are 0 to 1."),
        (("--seat", "9"), RECORD, "9 is not in the range"),
        (("--budget-ms", "0"), RECORD, "a budget is more than 0"),
        (("--budget-ms", "nan"), RECORD, "a budget is more than 0"),
        (("--seed", "x"), RECORD, "'x' is not a valid integer"),
    ],
)
def test_bad_input_gets_a_sentence_and_status_2(words: tuple[str, ...], given: bytes, sentence: str) -> None:
    done = call("analyse", "-", *words, given=given)
    assert done.status == 2
    assert done.out == ""
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1


def test_a_fault_is_printed_as_json_where_json_is_wanted() -> None:
    done = call("analyse", "-", "--json", given=changed(players=["Ada"]))
    assert done.status == 2
    assert done.lines[0]["error"]["code"] == "bad-players"


def test_an_interrupt_loses_nothing_that_was_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    told = analyse_module.Report._decision
    count = iter(range(3))

    def interrupted(self: Any, decision: Any) -> Any:
        if next(count, None) is None:
            raise KeyboardInterrupt
        return told(self, decision)

    monkeypatch.setattr(analyse_module.Report, "_decision", interrupted)
    done = call("analyse", "-", *QUICK, given=RECORD)
    assert done.status == 130
    assert sum(line.lstrip()[:1].isdigit() for line in done.out.splitlines()) == 3
