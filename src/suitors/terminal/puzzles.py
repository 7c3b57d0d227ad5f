"""A puzzle in plain text: what has happened, the table as the seat knows it, numbered moves, and the solution."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..coach.puzzles import Puzzle
from ..view.match import View
from ..view.solo import SoloView
from ..words.editions import edition_title
from ..words.practice import ExerciseSpeaker, about_puzzle, theme_titles
from ..words.story import Narrator
from ..words.story_solo import SoloNarrator
from ..words.vocabulary import Vocabulary
from .solitaire import card_label, layout


@dataclass
class PuzzleTerminal:
    """One puzzle at the terminal; `ask` reads a line, `show` prints one."""

    puzzle: Puzzle
    words: Vocabulary
    ask: Callable[[str], str]
    show: Callable[[str], None]

    def play(self) -> bool:
        """Show the puzzle and ask for a move, then tell the solution; whether it was solved."""
        self.show_position()
        speaker, moves = self.speaker, self.puzzle.exercise.view.legal
        for k, move in enumerate(moves, 1):
            self.show(f"  {k:>2}  {speaker.move(move)}")
        tried = self._choose()
        self.show_solution(tried)
        return bool(tried) and self.puzzle.exercise.solves(tried)

    def show_position(self) -> None:
        """What the seat knows."""
        puzzle, view, words = self.puzzle, self.puzzle.exercise.view, self.words
        title = edition_title(puzzle.edition, words.lang)
        self.show(f"{title} · {about_puzzle(puzzle, words.say)} · {puzzle.id}")
        for line in self._told(view):
            self.show(f"  · {line}")
        self.show("")
        for line in layout(view, words) if isinstance(view, SoloView) else self._table(view):
            self.show(line)

    def show_solution(self, tried: str = "") -> None:
        """The verdict, why, and what every move is worth."""
        exercise, speaker = self.puzzle.exercise, self.speaker
        for line in (speaker.verdict(tried), *speaker.reasons(tried)):
            self.show(line)
        for value in exercise.moves:
            self.show(
                "  " + "  ".join(f"{chance:>7}" for chance in speaker.chances(value)) + f"  {speaker.move(value.move)}"
            )
        self.show(theme_titles(self.words)[self.puzzle.theme])

    @property
    def speaker(self) -> ExerciseSpeaker:
        """Who tells what came of an answer."""
        return ExerciseSpeaker(self.puzzle.exercise, self.words)

    def _told(self, view: View | SoloView) -> list[str]:
        """What has happened in the round."""
        if isinstance(view, SoloView):
            told = SoloNarrator(view.rules, self.words).tell(view.log[-1])
        else:
            told = Narrator(view.rules, view.players, view.seat, self.words).tell(view.log[-1])
        return [line.text for line in told]

    def _table(self, view: View) -> Iterator[str]:
        """The seats with their tokens, piles and cards that are known, then the deck and the own hand."""
        say = self.words.say
        names = [f"{name} ({say('you')})" if seat == view.seat else name for seat, name in enumerate(view.players)]
        width = max(map(len, names))
        for seat, name in enumerate(names):
            state = [] if seat in view.standing else [say("out of the round")]
            state += [say("protected")] if seat in view.protected else []
            known = [] if seat == view.seat else [card_label(card, self.words) for card in view.known[seat]]
            told = "; ".join((", ".join(card_label(card, self.words) for card in view.piles[seat]) or "–", *state))
            held = f"  [{', '.join(known)}]" if known else ""
            yield f"{name:<{width}}  {view.tokens[seat]:>2}  {told}{held}"
        yield f"{say('Deck')}: {view.deck}"
        yield f"{say('Hand')}: {', '.join(card_label(card, self.words) for card in view.hand)}"

    def _choose(self) -> str:
        """A move by its number or in the notation; none at the end of input."""
        legal = self.puzzle.exercise.view.legal
        while typed := " ".join(self.ask("> ").split()):
            if typed in ("quit", *legal):
                return "" if typed == "quit" else typed
            if typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= len(legal):
                return legal[int(typed) - 1]
            self.show(self.words.say("There is no choice {number}.").format(number=typed[:12]))
        return ""
