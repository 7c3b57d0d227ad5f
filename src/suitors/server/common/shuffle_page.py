"""What the page of a table says of its shuffle, and what the check in the page needs besides the record."""

import json
from dataclasses import dataclass

from ... import fair
from ...notation import CARD_NAMES
from ..domain.table import OVER, PLAYING, WAITING, HostedTable


@dataclass(frozen=True)
class WordInfo:
    """The word of a seat of the visitor's."""

    seat: int
    name: str
    word: str
    own: bool  # it was given, and not made by the server


@dataclass(frozen=True)
class ShuffleInfo:
    """What binds the server, the words of the visitor's seats while they may change, and how to check it all."""

    commitment: str
    seals: tuple[str, ...]
    words: tuple[WordInfo, ...]
    rounds: str  # words and seal of each, as JSON for the page's script
    check: str  # what its check needs besides the record, when the match is over
    command: str  # for a shell, then


def shuffle_info(table: HostedTable, yours: tuple[int, ...]) -> ShuffleInfo:
    """The shuffle of a table as its page shows it to somebody with these seats."""
    seats = yours if table.status in (WAITING, PLAYING) else ()
    own = ((k, table.seats[k]) for k in seats)
    over = table.status == OVER
    return ShuffleInfo(
        commitment=table.commitment,
        seals=tuple(dealt["seal"] for dealt in table.shuffles),
        words=tuple(WordInfo(k, seat.name, seat.word, fair.is_own(seat.word)) for k, seat in own),
        rounds=json.dumps(table.shuffles),
        check=_check_data(table) if over else "",
        command=_command(table) if over else "",
    )


def _check_data(table: HostedTable) -> str:
    """What the rules say and the record does not: the deck in standard order, and who might have started each round."""
    deck = [CARD_NAMES[card] for card in table.started_match.rules.box]
    return json.dumps({"table": table.id, "deck": deck, "starters": table.starters})


def _command(table: HostedTable) -> str:
    """How to check the record with Suitors; `=` binds values that begin with a dash."""
    seals = "".join(f" --seal {number}={dealt['seal']}" for number, dealt in enumerate(table.shuffles, 1))
    return f"suitors verify record.json --table={table.id} --commitment {table.commitment}{seals}"
