"""A bot for Suitors in Python, with the standard library alone. It speaks version 2 of the protocol (docs/bots.md).

It counts the cards that it has seen, remembers what a Guard has ruled out, and plays the move with the best chances one
play ahead. Try it: suitors match --bots "random,cmd2:python3 bot.py" --games 100
"""

import json
import random
import sys
from collections import Counter
from typing import Any

Message = dict[str, Any]

HELLO: Message = {
    "type": "hello",
    "protocol": 2,
    "name": "Python example",
    "version": "1.0",
    "options": {"seed": {"type": "integer", "default": 1, "min": 0, "max": 1000000}},
}


class Player:
    """One seat at one table at a time."""

    def __init__(self) -> None:
        self.rng = random.Random()
        self.cards: dict[str, Message] = {}  # the cards of the deck with their values and copies
        self.seat = 0
        self.ruled_out: dict[int, set[str]] = {}  # by seat: what was named in vain since it last changed its hand
        self.named = ""

    def answer(self, message: Message) -> Message | None:
        """The answer to a message; None where there is none to give."""
        kind = message["type"]
        if kind == "hello":
            return HELLO
        if kind == "options":
            self.rng.seed(message["values"]["seed"])
            return {"type": "ready"}
        if kind == "match":
            self.cards, self.seat = message["rules"]["cards"], message["seat"]
        if kind == "round":
            self.ruled_out = {}
        for entry in message.get("log", []):
            self.learn(entry)
        if kind == "question":
            return {"type": "move", "move": self.choose(message)}
        return None

    def learn(self, entry: Message) -> None:
        """Keep in mind what a Guard has ruled out; whoever plays, discards or trades may hold anything again."""
        event = entry["event"]
        if event in ("moved", "discarded", "traded", "received"):
            for key in ("seat", "target"):
                self.ruled_out.pop(entry.get(key, -1), None)
        if event == "moved":
            self.named = (entry["move"] or "").split(" ")[-1]
        if event == "missed" and "target" in entry:
            self.ruled_out.setdefault(entry["target"], set()).add(self.named)

    def choose(self, question: Message) -> str:
        """The move with the best score; chance decides between equals."""
        legal: list[str] = question["legal"]
        if "known" not in question:  # the solo game
            return self.rng.choice(legal)
        return max(legal, key=lambda move: (self.score(move.split(" "), question), self.rng.random()))

    def score(self, words: list[str], question: Message) -> float:
        """How good a move is: about the chance that it wins the round, as far as one play can tell."""
        played, hand = words[0], list(question["hand"])
        if played == "keep":
            return self.value(words[1])
        if played not in self.cards:  # redraw, stay, look
            return 0.0 if words[-1] == "none" else 0.1
        hand.remove(played)
        kept = hand[0] if hand else played
        score = 0.03 * self.value(kept)
        if played == "princess":
            return -2.0
        if "names" in self.cards[played] and len(words) == 3:
            chances = self.chances(int(words[1]), question)
            return score + sum(chance for card, chance in chances.items() if self.is_called(card, words[2]))
        if len(words) == 2:
            return score + self.score_target(played, kept, int(words[1]), question)
        return score + (0.2 if played == "handmaid" else 0.0)

    def score_target(self, played: str, kept: str, target: int, question: Message) -> float:
        """What the card does to the one who is chosen."""
        chances = self.chances(target, question)
        if played == "baron":
            mine = self.value(kept)
            return sum(p * ((mine > self.value(card)) - (mine < self.value(card))) for card, p in chances.items())
        if played == "prince":
            if target == self.seat:
                return -2.0 if kept == "princess" else -0.2
            return 0.1 + chances.get("princess", 0.0)
        if played == "king":
            return 0.03 * sum(p * (self.value(card) - self.value(kept)) for card, p in chances.items())
        return 0.1

    def chances(self, seat: int, question: Message) -> dict[str, float]:
        """The chance of every card to be in that hand."""
        known = question["known"][seat]
        if known:
            return {card: count / len(known) for card, count in Counter(known).items()}
        seen = Counter(question["face_up"]) + Counter(question["under"].values())
        for cards in [*question["piles"], *question["known"]]:
            seen += Counter(cards)
        left = {card: data["copies"] - seen[card] for card, data in self.cards.items()}
        barred = self.ruled_out.get(seat, set())
        likely = {card: n for card, n in left.items() if n > 0 and not any(self.is_called(card, b) for b in barred)}
        total = sum(likely.values())
        return {card: n / total for card, n in likely.items()}

    def value(self, card: str) -> int:
        """The number on a card."""
        return int(self.cards[card]["value"])

    def is_called(self, card: str, name: str) -> bool:
        """Whether this is what a Guard or a Bishop calls the card: by its name, or by its number."""
        return name in (card, str(self.value(card)))


def main() -> None:
    """Answer every line until the arena says goodbye."""
    player = Player()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "quit":
            break
        answer = player.answer(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
