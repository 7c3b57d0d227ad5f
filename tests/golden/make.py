"""Makes the golden records: `python tests/golden/make.py` writes them anew.

Run it only when a rule was meant to change, and read what changed: these files are the memory of the rules.
"""

import json
import random
from pathlib import Path

from suitors.game import Play, open_match
from suitors.records.record import summary, trace
from suitors.rules import BOXES, Option

HERE = Path(__file__).parent
SWITCHED: list[tuple[str, int, dict[str, Option]]] = [
    ("premium", 3, {"premium_match_tie": "share"}),
    ("premium", 7, {"sycophant_on_actor": "free", "bishop_names_one": False}),
    ("house", 2, {"house_full_tie": "none"}),
    ("solitaire", 1, {"solo_prince": "remove", "solo_last_card": "strict"}),
]


def games() -> list[tuple[str, int, dict[str, Option]]]:
    """Every edition with every number of players, and some with the switches turned."""
    plain: list[tuple[str, int, dict[str, Option]]] = [
        (slug, players, {}) for slug, box in BOXES.items() for players in box.players
    ]
    return plain + SWITCHED


def path(slug: str, players: int, options: dict[str, Option]) -> Path:
    """Where the golden record of a game is."""
    return HERE / f"{slug}-{players}{'-switched' if options else ''}.json"


def whole_match(slug: str, players: int, options: dict[str, Option]) -> Play:
    """A match played at random from a fixed seed; an unlikely move is preferred, so that rare ones occur."""
    rng = random.Random(f"golden {slug} {players} {sorted(options)}")
    match = open_match(slug, [f"Player {seat}" for seat in range(players)], options, rng=rng)
    while not match.over:
        if match.to_deal:
            match.deal()
        else:
            kinds: dict[str, list[str]] = {}
            for text in match.legal():
                kinds.setdefault(text.split(" ")[0], []).append(text)
            match.play(rng.choice(kinds[rng.choice(sorted(kinds))]))
    return match


def golden(record: dict[str, object]) -> dict[str, object]:
    """A record with the trace and the result that it must give."""
    match, passed = trace(record)
    return {"record": record, "trace": passed, "result": summary(match)}


def text_of(slug: str, players: int, options: dict[str, Option]) -> str:
    """What the golden record of a game holds by the rules of today."""
    match = whole_match(slug, players, options)
    return json.dumps(golden(match.record()), separators=(",", ":")) + "\n"


def main() -> None:
    """Write all golden records."""
    for game in games():
        path(*game).write_text(text_of(*game), "ascii")


if __name__ == "__main__":
    main()
