"""`suitors verify`: what it says in both languages, what it prints as JSON, and how it ends."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from suitors.fair import commitment, draw, verify
from suitors.game import open_match
from suitors.notation import CARD_NAMES
from support.bad_records import drop, put
from support.matches import Outcome, call
from support.scenes import NAMES
from support.shuffle_protocol import SECRET, base, dealt_match, other_digit, short

CARDS = "[a-z, -]+"


def told(data: Any, *words: str) -> Outcome:
    """What the command says of a record."""
    return call("verify", "-", *words, given=json.dumps(data).encode())


def test_verify_says_that_all_is_honest(tmp_path: Path) -> None:
    data = short(put("rounds", 0, "words", value=["rose"] * 3))
    deal = draw(open_match("modern", NAMES[:3], dealt=False), SECRET, "peony", ["rose"] * 3)
    data["rounds"][0] |= {"first": deal.first, "deck": [CARD_NAMES[card] for card in deal.order], "seal": deal.seal}
    data["shuffle"] |= {"table": "peony", "secret": SECRET.hex(), "commitment": commitment(SECRET)}
    file = tmp_path / "record.json"
    file.write_text(json.dumps(data), "utf-8")
    told_all = "The deals are honest: the secret and the words give exactly these.\nRounds checked: 1.\n"
    shown = f"“peony” and {commitment(SECRET)}"
    reminder = f"This holds only if the table and the commitment shown before the match were {shown}.\n"
    assert call("verify", str(file)) == Outcome(0, told_all + reminder, "")
    noted = ["--commitment", commitment(SECRET).upper(), "--table", "peony", "--word", "0=rose", "--word", "2=rose"]
    assert call("verify", str(file), *noted) == Outcome(0, told_all, "")


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        (
            "en",
            [
                "The deals are NOT honest, or somebody has changed the record:",
                "  The secret does not open the commitment.",
                "  The commitment of the record is not the one noted.",
                "  The table of the record is not the one noted.",
                "  Round 1 of 1 – seat [0-2] should have started.",
                f"  Round 1 of 1 – the deck should have been in this order: {CARDS}.",
                "  Round 1 of 1 – the seal should have been [0-9a-f]{64}.",
                "  Round 1 of 1 – the word of seat 2 is not the one noted.",
                "Rounds checked: 1.",
                *(f"Rounds without a word of seat {seat}: 1." for seat in range(3)),
                "A deal without a seat’s word rests on the server’s secret and the other words alone.",
                "Rounds without any word, whose cards the server alone chose: 1.",
            ],
        ),
        (
            "fr",
            [
                "Les donnes ne sont PAS honnêtes, ou quelqu’un a modifié l’enregistrement\u00a0:",
                "  Le secret n’ouvre pas l’engagement.",
                "  L’engagement de l’enregistrement n’est pas celui qui a été noté.",
                "  La table de l’enregistrement n’est pas celle qui a été notée.",
                "  Manche 1 sur 1 – la place [0-2] aurait dû commencer.",
                f"  Manche 1 sur 1 – le paquet aurait dû être dans cet ordre\u00a0: {CARDS}.",
                "  Manche 1 sur 1 – le sceau aurait dû être [0-9a-f]{64}.",
                "  Manche 1 sur 1 – le mot de la place 2 n’est pas celui qui a été noté.",
                "Manches vérifiées\u00a0: 1.",
                *(f"Manches sans mot de la place {seat}\u00a0: 1." for seat in range(3)),
                "Une donne sans le mot d’une place ne repose que sur le secret du serveur et les autres mots.",
                "Manches sans aucun mot, dont le serveur seul a choisi les cartes\u00a0: 1.",
            ],
        ),
    ],
)
def test_verify_says_everything_that_is_wrong(lang: str, sentences: list[str]) -> None:
    data = short(put("rounds", 0, "words", value=[""] * 3), lambda data: other_digit(data, "shuffle", "secret"))
    due = verify(data).rounds[0].due.first
    data["rounds"][0]["first"] = (due + 1) % 3
    done = told(data, "--commitment", "0" * 64, "--table", "peony", "--word", "2=rose", "--lang", lang)
    assert (done.status, done.err) == (1, "")
    lines = done.out.splitlines()
    assert len(lines) == len(sentences)
    assert [line for line, wanted in zip(lines, sentences, strict=True) if not re.fullmatch(wanted, line)] == []


def test_verify_says_in_which_rounds_a_seat_was_silent() -> None:
    data = base()
    out = told(data).out
    for seat in range(3):
        silent = [str(number) for number, row in enumerate(data["rounds"], 1) if row["words"][seat] == ""]
        assert (f"Rounds without a word of seat {seat}: {', '.join(silent)}.\n" in out) == bool(silent)
    assert "A deal without" in out
    assert "without any word" not in out


def test_words_that_the_server_made_count_as_none() -> None:
    data = short(put("rounds", 0, "words", value=["server:ink", "", "server:rose"]))
    out = told(data).out
    assert all(f"Rounds without a word of seat {seat}: 1.\n" in out for seat in range(3))
    assert "Rounds without any word, whose cards the server alone chose: 1.\n" in out


def test_verify_compares_the_seals_that_were_noted() -> None:
    seals = [row["seal"] for row in base()["rounds"]]
    all_noted = [word for number, seal in enumerate(seals, 1) for word in ("--seal", f"{number}={seal.upper()}")]
    assert told(base(), *all_noted).status == 0
    wrong = told(base(), "--seal", f"1={seals[0]}", "--seal", f"2={seals[0]}")
    assert wrong.status == 1
    assert f"  Round 2 of {len(seals)} – the seal of the record is not the one noted.\n" in wrong.out
    assert "Round 1 of" not in wrong.out
    assert told(base(), "--seal", f"2={seals[0]}", "--json").lines[0]["rounds"][1]["faults"] == ["noted-seal"]


def test_verify_names_the_round_alone_that_is_wrong() -> None:
    done = told(base(lambda data: other_digit(data, "rounds", 1, "seal")))
    count = len(base()["rounds"])
    assert done.status == 1
    assert re.findall("^  (.*?) –", done.out, re.MULTILINE) == [f"Round 2 of {count}"]


def test_the_demo_is_verified_in_french() -> None:
    data = dealt_match("demo", 2, 0)
    assert told(data).out.startswith("Les donnes sont honnêtes\u00a0: le secret et les mots donnent exactement")
    assert told(data, "--lang", "en").out.startswith("The deals are honest:")


def test_verify_prints_json() -> None:
    done = told(base(), "--json")
    assert (done.status, done.lines) == (0, [verify(base()).data()])
    assert list(done.lines[0]) == ["honest", "table", "commitment", "faults", "rounds"]
    for index, (row, dealt) in enumerate(zip(done.lines[0]["rounds"], base()["rounds"], strict=True)):
        assert list(row) == ["round", "faults", "silent", "unheard", "due"]
        assert (row["round"], row["faults"], row["unheard"]) == (index, [], [])
        assert row["due"] == {key: dealt[key] for key in ("first", "deck", "seal")}
    wrong = told(base(), "--json", "--commitment", "0" * 64)
    assert (wrong.status, wrong.lines[0]["honest"], wrong.lines[0]["faults"]) == (1, False, ["commitment"])


@pytest.mark.parametrize(
    ("given_bytes", "words", "named"),
    [
        (b"{", "", "not JSON"),
        (b"[]", "", "A record is a JSON object."),
        (json.dumps(base(drop("shuffle"))).encode(), "", "no shuffle part"),
        (json.dumps(base(put("rounds", 1, "words", 0, value="x" * 65))).encode(), "", "Round 2: A word has at most 64"),
        (json.dumps(base(put("rounds", 1, "seal", value="A" * 64))).encode(), "", "seal of round 2"),
        (json.dumps(base(put("rounds", 0, "moves", 0, value="?"))).encode(), "", "not a move"),
        (json.dumps(base()).encode(), "--commitment 12ab", "--commitment takes 64"),
        (
            json.dumps(base()).encode(),
            "--commitment d47badabd5d05b65…",
            "takes 64 hexadecimal digits, and this has 16:",
        ),
        (json.dumps(base()).encode(), f"--seal 1={'a' * 65}", "--seal takes 64 hexadecimal digits, and this has 65:"),
        (json.dumps(base()).encode(), "--seal 1=rose", "--seal takes 64 hexadecimal digits, not 'rose'"),
        (json.dumps(base()).encode(), "--seal rose", "--seal takes ROUND=HEX"),
        (json.dumps(base()).encode(), f"--seal 0={'a' * 64}", "no round 0"),
        (json.dumps(base()).encode(), f"--seal 99={'a' * 64}", "no round 99"),
        (json.dumps(base()).encode(), "--word rose", "--word takes SEAT=WORD"),
        (json.dumps(base()).encode(), "--word x=rose", "--word takes SEAT=WORD"),
        (json.dumps(base()).encode(), "--word 3=rose", "no seat 3"),
        (json.dumps(base()).encode(), "--lang de", "de"),
    ],
)
def test_verify_refuses_what_cannot_be_checked(given_bytes: bytes, words: str, named: str) -> None:
    for more in ([], ["--json"]):
        done = call("verify", "-", *words.split(), *more, given=given_bytes)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith("suitors: ")
        assert done.err.count("\n") == 1
        assert named in done.err
