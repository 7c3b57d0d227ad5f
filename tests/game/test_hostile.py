"""Rubbish from outside, through `suitors replay`: always an answer in the contract's words, never a traceback."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from suitors.records.record import replay, summary
from support.bad_records import changed, put, record, tied
from support.matches import TABLES, UNTIMED, Outcome, call, chance_match

CODES = {
    *("bad-json", "bad-format", "unknown-edition", "bad-players", "bad-option", "bad-seats", "bad-first", "bad-deck"),
    *("unreadable-move", "illegal-move", "after-the-end"),
}
KEYS = ["over", "tokens", "winners", "rounds", "turn", "next"]
GOOD = [record(), tied(), *(chance_match(slug, players, 5, 40).record() for slug, players in TABLES)]
HUNDRED_MB = 100_000_000

Values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10),
    st.sampled_from([10**17, -(10**30), 1.0, 1e300, "", "guard", "guard 1 king", "modern", "\ud800", "q1", [], {}]),
    st.lists(st.integers(0, 3) | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)


def error_of(done: Outcome) -> Any:
    """The error that a call printed alone; everything about it must be as the contract says."""
    assert done.status == 2
    assert done.err == ""
    assert len(done.lines) == 1
    error = done.lines[0]["error"]
    assert list(done.lines[0]) == ["error"]
    assert list(error) == ["code", "round", "ply", "message"]
    assert error["code"] in CODES
    assert isinstance(error["message"], str)
    assert all(error[key] is None or type(error[key]) is int for key in ("round", "ply"))
    assert error["ply"] is None or error["round"] is not None
    return error


def replayed(raw: bytes, *words: str) -> Outcome:
    """A replay of bytes on standard input, which must be good or bad in the contract's words."""
    done = call("replay", "-", *words, given=raw)
    if done.status == 0:
        assert list(done.lines[-1]) == KEYS
    else:
        error_of(done)
    return done


def outside(*words: str) -> Outcome:
    """The program called as a process of its own."""
    done = subprocess.run([sys.executable, "-m", "suitors", *words], capture_output=True, text=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "raw",
    [
        *[b"", b"\n", b"\x00", b"\xff" * 1000, bytes(range(256)) * 40, b"\x7fELF\x02\x01\x01", b"\x1f\x8b\x08\x00"],
        *[b"PK\x03\x04", b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00", b"{" * 10_000, b'"' * 1001, b"\\" * 1000, b"{}\n{}"],
    ],
)
def test_rubbish_is_bad_json(raw: bytes) -> None:
    assert error_of(call("replay", "-", given=raw))["code"] == "bad-json"


@pytest.mark.parametrize("text", ["NaN", "[]", "0", "null", '"record"', "{}", '{"format": []}', "1" * 5000, "1e400"])
def test_what_is_no_record_is_refused(text: str) -> None:
    wanted = "bad-json" if text == "NaN" else "bad-format"
    assert error_of(call("replay", "-", given=text.encode()))["code"] == wanted


def test_an_empty_file_and_rubbish_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    for raw in (b"", b"\x00\xff" * 500):
        file.write_bytes(raw)
        assert error_of(outside("replay", str(file)))["code"] == "bad-json"


@pytest.mark.parametrize(
    ("start", "piece", "code"),
    [(b"", b"[", "bad-json"), (b"", b"9", "bad-format"), (b"", b"x", "bad-json"), (b'"', b"a", "bad-json")],
    ids=["brackets", "digits", "letters", "an open string"],
)
def test_a_line_of_100_megabytes(tmp_path: Path, start: bytes, piece: bytes, code: str) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(start + piece * HUNDRED_MB)
    assert error_of(outside("replay", str(file)))["code"] == code


def test_a_string_of_100_megabytes_inside_a_record(tmp_path: Path) -> None:
    good, long = record(), "a" * HUNDRED_MB
    lines = [
        json.dumps({**good, "extra": long}),
        json.dumps(changed(put("rounds", 1, "moves", 1, value=long))),
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(lines))
    done = outside("replay", "--batch", str(file))
    assert (done.status, done.err, len(done.lines)) == (2, "", 2)
    assert done.lines[0] == summary(replay(good))
    assert done.lines[1]["error"]["code"] == "unreadable-move"
    assert len(done.out) < 10_000


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (["edition"], "unknown-edition"),
        (["players"], "bad-players"),
        (["options", "solo_prince"], "bad-option"),
        (["rounds", 0, "seats"], "bad-seats"),
        (["rounds", 0, "first"], "bad-first"),
        (["rounds", 0, "deck", 0], "bad-deck"),
        (["rounds", 0, "moves", 0], "unreadable-move"),
    ],
)
def test_nesting_near_the_end_of_the_stack(path: list[str | int], code: str) -> None:
    text = json.dumps(changed(put(*path, value="HERE")))
    for levels in range(850, 1001):
        deep = text.replace('"HERE"', "[" * levels + "]" * levels)
        assert error_of(call("replay", "-", "--trace", given=deep.encode()))["code"] == code


# Mutations


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container and key in a record."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        box = waiting.pop()
        keys = list(box) if isinstance(box, dict) else range(len(box)) if isinstance(box, list) else ()
        found += [(box, key) for key in keys]
        waiting += [box[key] for key in keys]
    return found


@UNTIMED
@given(st.data(), st.sampled_from(GOOD))
def test_a_damaged_record_is_good_or_bad_but_never_a_crash(data: st.DataObject, good: Any) -> None:
    bad = copy.deepcopy(good)
    for _ in range(data.draw(st.integers(1, 3))):
        box, key = data.draw(st.sampled_from(places(bad)))
        match data.draw(st.sampled_from(["put", "drop", "double"])):
            case "put":
                box[key] = data.draw(Values)
            case "drop":
                del box[key]
            case _ if isinstance(box, list):
                box.insert(key, box[key])
    raw = json.dumps(bad).encode()
    done = replayed(raw)
    traced = replayed(raw, "--trace")
    assert traced.lines[-1] == done.lines[-1]


@UNTIMED
@given(st.sampled_from(GOOD), st.integers(0, 10**6), st.integers(0, 10**6), st.binary(max_size=4))
@example(GOOD[0], 10**6, 10**6, b"")
def test_a_record_with_bytes_cut_out_and_put_in_is_answered(good: Any, start: int, size: int, new: bytes) -> None:
    raw = json.dumps(good).encode()
    start %= len(raw)
    replayed(raw[:start] + new + raw[start + size % 40 :])


# Many records


def test_a_batch_goes_on_after_bad_lines_and_keeps_their_places() -> None:
    good = json.dumps(record())
    lines = [
        "",
        good,
        "{",
        "[]",
        "  ",
        good.replace("modern", "ancient"),
        "\ufeff" + good,
        good,
        "NaN",
        "\t",
        good + "x",
        good,
    ]
    done = call("replay", "-", "--batch", given="\n".join(lines).encode())
    wanted = summary(replay(record()))
    codes = [row.get("error", {}).get("code") for row in done.lines]
    assert codes == [None, "bad-json", "bad-format", "unknown-edition", "bad-json", None, "bad-json", "bad-json", None]
    assert [row for row in done.lines if "error" not in row] == [wanted] * 3
    assert (done.status, done.err) == (2, "")


def test_a_batch_of_good_records_ends_well() -> None:
    raw = "\n".join(json.dumps(good) for good in GOOD).encode()
    for text in (raw, raw + b"\n", raw.replace(b"\n", b"\r\n\r\n")):
        done = call("replay", "--batch", "-", given=text)
        assert (done.status, done.err) == (0, "")
        assert done.lines == [summary(replay(good)) for good in GOOD]


@pytest.mark.parametrize("raw", [b"", b"\n\n", b" \n\t\n"])
def test_a_batch_of_nothing_prints_nothing(raw: bytes) -> None:
    assert call("replay", "--batch", "-", given=raw) == Outcome(0, "", "")


def test_a_batch_with_a_trace_prints_only_the_error_of_a_bad_record() -> None:
    bad = record()
    bad["rounds"][1]["moves"][1] = "agent"
    lines = [json.dumps(bad), json.dumps(record())]
    done = call("replay", "--batch", "--trace", "-", given="\n".join(lines).encode())
    moves = sum(len(round_["moves"]) for round_ in record()["rounds"])
    assert [next(iter(row)) for row in done.lines] == ["error", *["round"] * moves, "over"]
    assert done.lines[0]["error"]["code"] == "illegal-move"
    assert done.status == 2


def test_a_trace_with_an_error_prints_only_the_error() -> None:
    bad = record()
    bad["rounds"][1]["moves"].append("?")
    error = error_of(call("replay", "--trace", "-", given=json.dumps(bad).encode()))
    assert (error["code"], error["round"], error["ply"]) == ("unreadable-move", 1, 2)


@pytest.mark.parametrize("words", [["--view", "0"], ["--view", "none"]])
def test_a_view_of_a_bad_record_is_only_the_error(words: list[str]) -> None:
    assert error_of(call("replay", "-", *words, given=b"{}"))["code"] == "bad-format"


@pytest.mark.parametrize("name", ["\ud800", "\x00", "\u202e", "é" * 1000, "</script>", '"\\', "\U0010ffff"])
def test_strange_names_pass_through_a_view_unharmed(name: str) -> None:
    data = {**record(), "players": [name, "", name]}
    done = call("replay", "-", "--view", "1", given=json.dumps(data).encode())
    assert done.status == 0
    assert done.out.isascii()
    assert done.lines[0]["players"] == [name, "", name]
