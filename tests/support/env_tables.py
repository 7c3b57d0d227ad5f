"""Tables of environments beside matches: what both say of the same cards and moves."""

from typing import Any

from suitors import Match
from suitors.envs.single import SingleTable
from suitors.lab.stepping import learn_deal, take_move
from suitors.notation import CARD_OF, read_move
from suitors.records.record import replay
from suitors.rules import Card, new_table
from suitors.rules.table import FIELDS
from suitors.rules.turn import deal


class Beside:
    """A match that follows the table of an environment, action by action."""

    def __init__(self, single: SingleTable, slug: str) -> None:
        self.single, self.rounds = single, single.rounds
        self.match = Match(slug, [f"P{seat}" for seat in range(single.rules.players)], dealt=False)
        self.deal()

    def deal(self) -> None:
        """Deal the round that the table has just dealt."""
        t = self.single.table
        self.match.deal([Card(card) for card in t.deck[: self.single.rules.cards]], t.active)

    def follow(self, move: int) -> None:
        """Play the move that the table has played."""
        self.match.push(move)
        if self.single.rounds > self.rounds:
            self.rounds = self.single.rounds
            self.deal()


def play_record(single: SingleTable, record: dict[str, Any]) -> None:
    """Bring a table to the end of a record's last round."""
    *earlier, last = record["rounds"]
    before = replay({**record, "rounds": earlier}).table if earlier else new_table(single.rules)
    for field in FIELDS:
        setattr(single.table, field.name, getattr(before, field.name))
    deal(single.table, single.rules, [int(CARD_OF[name]) for name in last["deck"]], last["first"])
    learn_deal(single.table, single.rules, single.notes, single.memories, single.past)
    for text in last["moves"]:
        move = read_move(single.rules, text)
        take_move(single.table, single.rules, single.notes, single.memories, single.past, single.space, move)
