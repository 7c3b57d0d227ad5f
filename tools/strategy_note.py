"""Makes the figures of docs/solitaire.md with the solver: `python tools/strategy_note.py [GAMES]`."""

import random
import sys
from collections import Counter

from suitors import Card, Solo
from suitors.rules import edition
from suitors.solve import over_all, solve
from suitors.solve.book import read_book, start
from suitors.solve.tables import kind_of

CARDS = [Card.GUARD, Card.PRIEST, Card.BARON, Card.HANDMAID, Card.PRINCE, Card.KING, Card.COUNTESS]


def name(card: Card) -> str:
    """A card's English name."""
    return card.name.capitalize()


def deal(hand: Card, drawn: Card, rng: random.Random) -> Solo:
    """A new game with this hand and this first draw; the rest lies anywhere."""
    rest = [Card(card) for card in edition("solitaire", 1).box]
    rest.remove(hand)
    rest.remove(drawn)
    rng.shuffle(rest)
    game = Solo(dealt=False)
    game.deal([*rest[:6], hand, rest[6], drawn, *rest[7:]], 0)
    return game


def hands() -> None:
    """The value of each starting hand, for each setting of the switches."""
    print("| hand | default | `remove` | `strict` | both |\n| --- | ---: | ---: | ---: | ---: |")
    books = [read_book(sw) for sw in range(4)]
    for card in CARDS:
        print(f"| {name(card)} | " + " | ".join(f"{book[start(kind_of(card))]:.4f}" for book in books) + " |")
    totals = [over_all({card: book[start(kind_of(card))] for card in CARDS}) for book in books]
    print("| all | " + " | ".join(f"{total:.10f}" for total in totals) + " |")


def first_moves() -> None:
    """The best first play for each pair of cards."""
    rng = random.Random(1)
    print("\n| held | best first play | value | runner-up with the other card |\n| --- | --- | ---: | ---: |")
    for k, hand in enumerate(CARDS):
        for drawn in CARDS[k:]:
            if hand == drawn and edition("solitaire", 1).copies[hand] == 1:
                continue
            game = deal(hand, drawn, rng)
            game.play("draw")
            moves = solve(game).moves
            best, value = moves[0]
            other = next((f"{v:.4f} `{m}`" for m, v in moves if m.split()[0] != best.split()[0]), "–")
            print(f"| {name(hand)}, {name(drawn)} | `{best}` | {value:.4f} | {other} |")


def habits(games: int) -> None:
    """How the best play looks over random deals."""
    rng, plays, agents, first_agents, won, lengths = random.Random(2), Counter[str](), 0, 0, 0, Counter[int]()
    for _ in range(games):
        game, turn, called = Solo(rng=rng), 0, 0
        while not game.over:
            move = solve(game).moves[0][0]
            if move in ("agent", "draw"):
                turn += 1
                called = called or (turn if move == "agent" else 0)
            elif not move.startswith("offer"):
                plays[move.split()[0]] += 1
            game.play(move)
        agents += bool(called)
        first_agents += called == 1
        won += bool(game.winners)
        lengths[turn] += 1
    print(f"\n{games} random deals: won {won / games:.1%}; the agent was called in {agents / games:.1%} of games, "
          f"on the first turn in {first_agents / games:.1%}.")  # fmt: skip
    total = sum(plays.values())
    print("Cards played: " + ", ".join(f"{card} {count / total:.1%}" for card, count in plays.most_common()) + ".")


if __name__ == "__main__":
    hands()
    first_moves()
    habits(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
