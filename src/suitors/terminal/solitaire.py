"""The solo game in plain text: the table, numbered choices, hints, and how good the play was."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..errors import IllegalMove, InvalidMove
from ..game import Solo
from ..rules import Card, Refusal
from ..solve import solve
from ..view.solo import SoloView
from ..words.story_solo import SoloNarrator
from ..words.vocabulary import Vocabulary

Show = Callable[[str], None]
Ask = Callable[[str], str]
HINTS = 8
"""How many moves a hint lists."""


def card_label(card: int | None, words: Vocabulary) -> str:
    """A card's name and number; a face-down one."""
    return words.say("face down") if card is None else f"{words.card(card):name} ({words.values[card]})"


def layout(view: SoloView, words: Vocabulary) -> Iterator[str]:
    """The table of a solo game in a few lines."""
    say = words.say

    def named(cards: Iterable[int | None]) -> str:
        return ", ".join(card_label(card, words) for card in cards) or say("none")

    queue = "  ".join(f"{k}:[{card_label(card, words)}]" for k, card in enumerate(view.queue, 1))
    rows = [
        (say("Queue"), queue + (f"  {say('(protected)')}" if view.guarded else "")),
        (say("Hand"), named(view.hand)),
        (say("Agent"), named(view.agent)),
        (say("Pile"), str(view.pile)),
        (say("Discards"), named(view.discards)),
    ]
    if view.attacker is not None:
        rows.append((say("Attack"), card_label(view.attacker, words)))
    if view.calling is not None:
        rows.append((say("Agent plays"), card_label(view.calling, words)))
    return (f"{heading:<12} {text}" for heading, text in rows)


@dataclass
class Loss:
    """What one decision threw away."""

    move: str
    cost: float


@dataclass
class SoloTerminal:
    """One game at the terminal; `ask` reads a line, `show` prints one."""

    game: Solo
    words: Vocabulary
    ask: Ask
    show: Show
    losses: list[Loss] = field(default_factory=list)
    undone: int = 0

    @property
    def narrator(self) -> SoloNarrator:
        """Who tells what has happened."""
        return SoloNarrator(self.game.rules, self.words)

    def say(self, sentence: str) -> str:
        """A sentence in the player's language."""
        translate = self.words.say
        return translate(sentence)

    def play(self) -> bool:
        """Play to the end; whether the game was won. The player may leave with `quit`."""
        say = self.say
        self.show(say("Type a number or a move; also: hint, why MOVE, undo, quit."))
        self._tell(0)
        while not self.game.over:
            self._draw()
            words = self._choose()
            if words is None:
                self.show(say("The game was not finished."))
                return False
            self._act(words)
        self._result()
        return bool(self.game.winners)

    def _act(self, text: str) -> None:
        """Carry out what was typed: a command or a move."""
        command, _, rest = text.partition(" ")
        if command == "hint":
            self._hint()
        elif command == "why":
            self._why(self.words.theme.read_move(rest))
        elif command == "undo":
            self._undo()
        else:
            self._move(self.words.theme.read_move(text))

    def _choose(self) -> str | None:
        """A move, word by word from numbered lists, or a command; None to leave."""
        options, chosen = self.game.legal(), ""
        while chosen not in options:
            words = self._next_words(options, chosen)
            if len(words) > 1 or not chosen:
                for k, word in enumerate(words, 1):
                    self.show(f"  {k:>2}  {self._word(word, chosen)}")
                typed = " ".join(self.ask("> ").split())
                if typed == "quit":
                    return None
                if not typed.isascii() or not typed.isdigit():
                    return typed
                if not 1 <= int(typed[:9]) <= len(words):
                    self.show(self.say("There is no choice {number}.").format(number=typed[:12]))
                    continue
                chosen = f"{chosen} {words[int(typed) - 1]}".strip()
            else:
                chosen = f"{chosen} {words[0]}"
        return chosen

    def _next_words(self, options: list[str], chosen: str) -> list[str]:
        """The words that may follow what is chosen so far."""
        start = f"{chosen} " if chosen else ""
        return list(dict.fromkeys(move[len(start) :].split(" ")[0] for move in options if move.startswith(start)))

    def _word(self, word: str, chosen: str) -> str:
        """A choice as the player reads it, with what the solver's notation calls it."""
        names = {
            "agent": self.say("the agent") if chosen else self.say("play the secret agent"),
            "draw": self.say("draw a card"),
            "hand": self.say("the hand"),
            "offer": self.say("offer"),
        }
        if word.startswith("q"):
            shown = self.game.view(0).queue[int(word[1:]) - 1]
            return f"{word}: {self._card(shown)}"
        card = next((card for card in Card if card.name.lower() == word), None)
        return self._card(card) if card is not None else names[word]

    def _card(self, card: int | None) -> str:
        return card_label(card, self.words)

    def _draw(self) -> None:
        """The layout of the table."""
        self.show("")
        for line in layout(self.game.view(0), self.words):
            self.show(line)

    def _move(self, text: str) -> None:
        """Play a move and note what it threw away."""
        try:
            refusal = self.game.why_not(text)
        except InvalidMove:
            self.show(self.say("That is not a move; a number from the list, or a move such as: {move}").format(
                move=self.game.legal()[0]))  # fmt: skip
            return
        if refusal != Refusal.FINE:
            self._why(text)
            return
        solution = solve(self.game)
        cost = solution.value - dict(solution.moves)[text]
        self.losses.append(Loss(text, cost))
        self.game.play(text)
        self._tell(len(self.game.rounds[-1].rows) - 1)

    def _hint(self) -> None:
        solution = solve(self.game)
        for text, value in solution.moves[:HINTS]:
            self.show(f"  {value:7.2%}  {text}")
        if len(solution.moves) > HINTS:
            more = len(solution.moves) - HINTS
            self.show(self.say("  … and {count} more, none better").format(count=more))

    def _why(self, text: str) -> None:
        """Why a move cannot be chosen."""
        try:
            self.game.parse(text)
            self.show(self.say("That can be played."))
        except InvalidMove:
            self.show(self.say("That is not a move; a number from the list, or a move such as: {move}").format(
                move=self.game.legal()[0]))  # fmt: skip
        except IllegalMove as error:
            reason = self.narrator.reason(error.refusal)
            self.show(self.say("That cannot be played: {reason}.").format(reason=reason))

    def _undo(self) -> None:
        if not self.losses:
            self.show(self.say("There is nothing to take back."))
            return
        self.game.undo()
        self.losses.pop()
        self.undone += 1
        self.show(self.say("Taken back."))

    def _tell(self, first_step: int) -> None:
        """What has happened since a step."""
        for step in range(first_step, len(self.game.rounds[-1].rows)):
            for line in self.narrator.tell(self.game.step_log(-1, step, 0)):
                self.show(f"  · {line.text}")

    def _result(self) -> None:
        """How good the play was: what each decision threw away, and in all."""
        costs = [loss for loss in self.losses if loss.cost > 1e-9]
        total = sum(loss.cost for loss in costs)
        if not costs:
            self.show(self.say("Every move was the best possible."))
        else:
            lost = self.say("Winning chance lost: {total} points in {count} moves.")
            self.show(lost.format(total=f"{100 * total:.1f}", count=len(costs)))
        for loss in sorted(costs, key=lambda loss: -loss.cost):
            self.show(f"  {-loss.cost:7.2%}  {loss.move}")
        if self.undone:
            self.show(self.say("Moves taken back: {count}.").format(count=self.undone))
