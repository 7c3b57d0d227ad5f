"""Tables of data: a row a match, a round and a decision, from Python and as files."""

import csv
import json
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import suitors
from suitors import Match, Solo
from suitors.game import Play
from suitors.records import RecordError, load
from suitors.records.frames import DECISIONS, MATCHES, ROUNDS, tables
from support.matches import call, chance_match


def test_every_match_round_and_decision_is_a_row() -> None:
    matches: list[Play] = [chance_match("modern", 3, 1), chance_match("premium", 5, 2, 30), Solo(seed=1)]
    found = suitors.frames([matches[0], matches[1].record(), json.dumps(matches[2].record())])
    assert [list(table.columns) for table in tables(found).values()] == [list(MATCHES), list(ROUNDS), list(DECISIONS)]
    for table in tables(found).values():
        for name, column in table.columns.items():
            assert {type(cell) for cell in column} == {table.kinds[name]}, name
    assert found.matches["edition"] == ["modern", "premium", "solitaire"]
    assert found.matches["over"] == [True, matches[1].over, False]
    assert len(found.rounds["match"]) == sum(len(match.rounds) for match in matches)
    moves = [move for match in matches for played in match.record()["rounds"] for move in played["moves"]]
    assert found.decisions["move"] == moves
    assert sum(found.rounds["decisions"]) == sum(found.matches["decisions"]) == len(moves)
    for columns in (found.matches, found.rounds, found.decisions):
        assert len({len(column) for column in columns.values()}) == 1


def test_a_decision_is_what_its_player_saw() -> None:
    match = chance_match("classic", 2, 4, 9)
    found = suitors.frames([match]).decisions
    again = load(json.dumps({**match.record(), "rounds": [{**match.record()["rounds"][0], "moves": []}]}))
    assert found["seat"][0] == again.turn
    assert found["legal"][0] == len(again.legal())
    assert found["hand"][0].split() == [card.name.lower() for card in again.view(again.turn).hand]
    assert (found["phase"][0], found["deck"][0], found["ply"][:2]) == ("play", 9, [0, 1])


def test_a_bad_record_leaves_the_tables_as_they_were() -> None:
    found, record = suitors.frames([chance_match("classic", 2, 4)]), chance_match("classic", 2, 5).record()
    before = json.dumps(found.decisions)
    record["rounds"][0]["moves"].append("guard 0 guard")
    with pytest.raises(RecordError):
        found.add(record)
    assert json.dumps(found.decisions) == before


def written(path: Path, *records: Any) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return str(path)


def test_records_are_written_as_csv(tmp_path: Path) -> None:
    many = written(tmp_path / "many.jsonl", chance_match("modern", 2, 1).record(), chance_match("house", 3, 1).record())
    one = tmp_path / "one.json"
    one.write_text(json.dumps(chance_match("classic", 2, 3).record(), indent=1), "utf-8")
    done = call("export", many, str(one), "--output", str(tmp_path / "out"))
    assert (done.status, done.out.startswith("matches.csv: 3 rows, rounds.csv: ")) == (0, True)
    with (tmp_path / "out" / "decisions.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["match"] for row in rows} == {"0", "1", "2"}
    assert list(rows[0]) == list(DECISIONS)


def test_a_bad_record_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", chance_match("modern", 2, 1).record(), {"format": 1})
    done = call("export", path, "--output", str(tmp_path))
    assert (done.status, done.err) == (2, 'suitors: x.jsonl, record 2: A record says "format": "suitors-record/1".\n')
    (tmp_path / "no.json").write_bytes(b"{")
    assert call("export", str(tmp_path / "no.json"), "--output", str(tmp_path)).status == 2


def test_an_edition_of_ones_own_stands_there_whole() -> None:
    own = {"base": "modern", "cards": {"guard": 4, "king": 2, "spy": 2}}
    found = suitors.frames([Match(own, ["Ada, Ben", "\ud800é"], {"house_full_tie": "none"}, seed=1)]).matches
    assert json.loads(found["edition"][0]) == own
    assert json.loads(found["options"][0]) == {"house_full_tie": "none"}
    assert found["names"] == ['["Ada, Ben", "\\ud800é"]']
    assert json.loads(found["names"][0]) == ["Ada, Ben", "\ud800é"]


def test_names_that_no_file_can_hold_are_written_all_the_same(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", Match("modern", ["\ud800", "\udfff"], seed=1).record())
    assert call("export", path, "--output", str(tmp_path)).status == 0
    with (tmp_path / "matches.csv").open(newline="", encoding="utf-8") as file:
        assert json.loads(next(csv.DictReader(file))["names"]) == ["\ud800", "\udfff"]


def test_parquet_needs_its_library_and_gets_the_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, given = written(tmp_path / "x.jsonl", chance_match("modern", 2, 1).record()), dict[str, Any]()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = call("export", path, "--format", "parquet", "--output", str(tmp_path))
    assert (done.status, "pip install 'suitors[data]'" in done.err) == (2, True)
    arrow, parquet = ModuleType("pyarrow"), ModuleType("pyarrow.parquet")
    vars(arrow).update({kind: partial(str, kind) for kind in ("int64", "bool_", "string")})
    vars(arrow).update(schema=dict, table=lambda columns, schema: (columns, schema), parquet=parquet)
    vars(parquet).update(write_table=lambda table, where: given.update({where.name: table}))
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    assert call("export", path, "--format", "parquet", "--output", str(tmp_path)).status == 0
    assert sorted(given) == ["decisions.parquet", "matches.parquet", "rounds.parquet"]
    columns, schema = given["matches.parquet"]
    assert list(columns) == list(schema) == list(MATCHES)
    assert (schema["match"], schema["over"], schema["names"]) == ("int64", "bool_", "string")
