"""Golden records: whole matches of every edition and number of players, with their traces."""

import json
from pathlib import Path

import pytest

from suitors.records.record import summary, trace
from suitors.rules import BOXES
from support.repository import load_script

FILES = sorted(Path(__file__).parent.glob("*.json"))


def test_every_edition_and_number_of_players_has_its_record() -> None:
    wanted = {f"{slug}-{players}" for slug, box in BOXES.items() for players in box.players}
    missing = ", ".join(sorted(wanted - {file.stem for file in FILES}))
    assert not missing, f"tests/golden/make.py has yet to write: {missing}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_record(file: Path) -> None:
    golden = json.loads(file.read_text("ascii"))
    match, passed = trace(golden["record"])
    assert passed == golden["trace"]
    assert summary(match) == golden["result"]
    assert match.over


def test_make_would_change_nothing() -> None:
    make = load_script("tests/golden/make.py")
    texts = {make.path(*game).stem: make.text_of(*game) for game in make.games()}
    changed = [file.stem for file in FILES if file.read_text("ascii") != texts.get(file.stem)]
    assert not changed, f"python3 tests/golden/make.py would write anew, or no more: {', '.join(changed)}"
