"""The sizes of observations that the documentation states."""

import re

from suitors.fast.batch import all_games
from suitors.lab.space import space
from suitors.rules import edition
from support.repository import ROOT


def test_the_documentation_states_the_size_of_every_observation() -> None:
    text = (ROOT / "docs" / "laboratory.md").read_text(encoding="utf-8")
    stated = re.findall(r"^\| `([\w`, -]+)` \| (\d) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    found = {(slug, int(row[1]), *map(int, row[2:])) for row in stated for slug in row[0].split("`, `")}
    sizes = set()
    for slug, players in all_games():
        compact, full = (space(edition(slug, players), full) for full in (False, True))
        sizes.add((slug, players, compact.size, full.size, compact.actions))
    assert found == sizes
