"""The page of an analysis: all moves with their marks, the chances of every seat, and one decision in full."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..coach import Account, Decision, Mark
from ..coach.judgement import ERRORS, TO_PRACTISE
from ..coach.kept import Judged, make_accounts
from ..game import Match, Play, Solo
from ..notation import CARD_OF, write_move
from ..words.coach import CoachSpeaker
from ..words.editions import edition_title
from ..words.numbers import decimal
from .analysis_chart import Chart, ChartLine, columns_of, line_of, marks_of, place, points_text
from .analysis_parts import AccountPart, DecisionPart, MarkSign, MoveLine, RoundLines, ValueLine
from .cards import CardRenderer
from .chances import HiddenCard, hidden_cards
from .lesson import Link, lesson_for
from .positions import Position, SoloPosition, known_position, known_solo, true_position, true_solo
from .preferences import Preferences
from .solo_board import unseen_copies

GLYPHS = {Mark.BEST: "✓", Mark.GOOD: "≈", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}
"""What stands for a mark beside its colour and its shape."""

FIRST_MOVES = 6
"""Moves whose values are shown at first."""

LEVELS = (0.0, 0.5, 1.0)


@dataclass(frozen=True)
class AnalysisRequest:
    """Which step of which analysis is asked for, and whose line."""

    home: str  # the address of the table or of the record
    step: int
    seat: int | None = None  # whose line is chosen
    play: bool = False  # goes on by itself
    me: int | None = None  # the visitor's own seat
    shared: bool = False  # it is a kept record, which anybody with the link may see
    hinted: frozenset[tuple[int, int]] = frozenset()  # the decisions with a hint: round and index of the move

    @property
    def path(self) -> str:
        """The address of the page."""
        return f"{self.home}/analysis"

    @property
    def replay(self) -> str:
        """The page that shows the same at the table."""
        return self.home if self.shared else f"{self.home}/replay"


class AnalysisPage:
    """All that the page of one step shows."""

    def __init__(
        self,
        match: Play,
        position: Play,
        asked: AnalysisRequest,
        state: str,
        judged: Sequence[Judged | None],
        preferences: Preferences,
    ) -> None:
        self.match, self.position, self.asked, self.state, self.judged = match, position, asked, state, judged
        self.preferences = preferences
        self.words = preferences.words_for(match.edition)
        self.renderer = CardRenderer(match.rules, self.words)
        self.speaker = CoachSpeaker(match.rules, match.players, asked.me, self.words)
        self.steps = sum(1 + len(played.moves) for played in match.rounds)
        self.step = min(max(asked.step, 0), self.steps - 1)
        self.solo = isinstance(match, Solo)
        self.seat = asked.seat if asked.seat in range(len(match.players)) else None

    @cached_property
    def due(self) -> list[int]:
        """The step of each decision."""
        found, step = list[int](), 0
        for played in self.match.rounds:
            found += range(step, step + len(played.moves))
            step += 1 + len(played.moves)
        return found

    @cached_property
    def decisions(self) -> list[tuple[int, Decision]]:
        """The decisions that are judged, each with its step."""
        pairs = zip(self.due, self.judged, strict=True)
        return [(step, judged.decision) for step, judged in pairs if judged is not None]

    @cached_property
    def made_accounts(self) -> tuple[Account, ...]:
        """The accounts of all seats, by what is judged so far."""
        return make_accounts(self.match, self.judged)

    @property
    def current(self) -> Judged | None:
        """The decision at this step, if it is judged."""
        return self.judged[self.due.index(self.step)] if self.step in self.due else None

    def context(self) -> dict[str, Any]:
        """What the template needs."""
        return {
            "edition": self.match.edition,
            "page": self,
            "title": edition_title(self.match.edition, self.preferences.lang),
            "asked": self.asked,
            "seats": tuple(self.match.players),
            "rounds": self.rounds,
            "chart": self.chart(),
            "decision": self.decision(),
            "known": self.known(),
            "truth": self.truth(),
            "chances": self.chances(),
            "unseen": self.unseen(),
            "accounts": self.accounts() if self.state == "done" else (),
            "signs": [self.sign(mark) for mark in Mark],
        }

    # Where to go

    def link(self, step: int, play: bool = False) -> str:
        """The address of a step."""
        seat = "" if self.seat is None else f"&seat={self.seat}"
        return f"{self.asked.path}?step={step}{seat}{'&play=1' if play else ''}"

    def mistake(self, way: int) -> int | None:
        """The step of the next mistake (1), or of the one before (-1): of the chosen seat, or of all."""
        found = [step for step, decision in self.decisions if decision.mark in ERRORS and self._chosen(decision)]
        there = [step for step in found if (step - self.step) * way > 0]
        return min(there, key=lambda step: abs(step - self.step), default=None)

    def _chosen(self, decision: Decision) -> bool:
        return self.seat in (None, decision.seat)

    @property
    def playing(self) -> bool:
        """Whether the page goes on by itself."""
        return self.asked.play and self.step + 1 < self.steps

    @property
    def decider(self) -> str:
        """Who has to decide at this step."""
        return "" if self.position.turn is None else self.match.players[self.position.turn]

    @property
    def mine(self) -> bool:
        """Whether that is the visitor."""
        return self.position.turn is not None and self.position.turn == self.asked.me

    @property
    def missed(self) -> bool:
        """Whether the visitor could have done better here: practice has such decisions again."""
        here = (decision.mark for step, decision in self.decisions if step == self.step)
        return self.mine and not TO_PRACTISE.isdisjoint(here)

    @property
    def ending(self) -> str:
        """What is to be said where no decision follows."""
        say, played = self.words.say, self.position.rounds[-1]
        if not played.end:
            return say("The record ends here.")
        if self.solo:
            won = self.words.tell("The letter has reached {princess}: you win.")
            return won if self.position.winners else say("The letter is lost.")
        ends = [self.speaker.round_to(played.winners)]
        return " ".join(ends + ([self.speaker.match_to(self.position.winners)] if self.position.over else []))

    @property
    def count(self) -> int:
        """How many decisions are judged."""
        return len(self.decisions)

    # Parts

    def sign(self, mark: Mark) -> MarkSign:
        """A mark as the page shows it."""
        return MarkSign(mark.value, GLYPHS[mark], self.speaker.mark(mark))

    def _sign_of(self, decision: Decision) -> MarkSign | None:
        return None if decision.forced else self.sign(decision.mark)

    @cached_property
    def rounds(self) -> tuple[RoundLines, ...]:
        """The list of moves."""
        return tuple(self._rounds())

    def _rounds(self) -> Iterator[RoundLines]:
        number = 0
        for index, played in enumerate(self.match.rounds):
            count = len(played.moves)
            end = self.due[number] + count if count else self._step_of_deal(index)
            moves = tuple(self._move_line(index, ply, number + ply) for ply in range(count))
            result = self.speaker.round_to(played.winners) if played.end and not self.solo else ""
            yield RoundLines(index + 1, moves, result, end, end == self.step)
            number += count

    def _step_of_deal(self, round_: int) -> int:
        return sum(1 + len(played.moves) for played in self.match.rounds[:round_])

    def _move_line(self, round_: int, ply: int, number: int) -> MoveLine:
        judged, step = self.judged[number], self.due[number]
        decision = None if judged is None else judged.decision
        return MoveLine(
            step=step,
            name=self.match.players[self._actor(round_, ply)],
            move=self.speaker.move(write_move(self.match.rules, self.match.rounds[round_].moves[ply])),
            mark=None if decision is None else self._sign_of(decision),
            chance="" if decision is None else self.speaker.chance(decision.after),
            judged=decision is not None,
            hinted=(round_, ply) in self.asked.hinted,
            current=step == self.step,
        )

    def _actor(self, round_: int, ply: int) -> int:
        """The seat that made a move."""
        return 0 if self.solo else self.match.step_log(round_, ply + 1, None)[0].actor

    def chart(self) -> Chart:
        """The lines of all seats, that of the chosen one above the others."""
        steps, chosen = self.steps, self.seat
        order = sorted(range(len(self.match.players)), key=lambda seat: seat == chosen)
        ended = self.state == "done"
        lines = []
        for seat in order:
            points = line_of(self.made_accounts[seat], self.decisions, steps, ended) if self.count else []
            lines.append(ChartLine(seat, self.match.players[seat], points_text(points), chosen in (None, seat)))
        return Chart(
            lines=tuple(lines),
            marks=marks_of(self.decisions, chosen, steps),
            columns=columns_of(steps),
            rounds=tuple(
                place(self._step_of_deal(index) + 1, 0, steps)[0] for index in range(1, len(self.match.rounds))
            ),
            now=place(self.step + 1, 0, steps)[0],
            levels=tuple((place(0, level, steps)[1], self.preferences.percent(level)) for level in LEVELS),
        )

    def decision(self) -> DecisionPart | None:
        """The decision at this step."""
        if self.step not in self.due:
            return None
        line = next(line for lines in self.rounds for line in lines.moves if line.current)
        judged = self.current
        decision = None if judged is None else judged.decision
        values = () if decision is None else tuple(self._values(decision))
        shown = [line for k, line in enumerate(values) if k < FIRST_MOVES or line.played]
        return DecisionPart(
            name=line.name,
            move=line.move,
            hinted=line.hinted,
            mark=line.mark,
            chance="" if decision is None else self.speaker.chance(decision.after, 1),
            loss=self.speaker.loss(decision) if decision is not None and decision.loss else "",
            reason=self._reason(decision),
            lesson=self._lesson(decision),
            exact=decision is not None and decision.exact,
            values=tuple(shown),
            more=tuple(line for line in values if line not in shown),
            judged=decision is not None,
        )

    def _reason(self, decision: Decision | None) -> str:
        if decision is None or decision.reason is None:
            return ""
        return self.speaker.why_worse(decision.reason, decision.seat)

    def _lesson(self, decision: Decision | None) -> Link | None:
        if decision is None or decision.reason is None:
            return None
        return lesson_for(decision.reason.kind, self.preferences)

    def _values(self, decision: Decision) -> Iterator[ValueLine]:
        for value in decision.moves:
            yield ValueLine(
                move=self.speaker.move(value.move),
                round=self.speaker.chance(value.round, 1),
                match=self.speaker.chance(value.match, 1),
                error="" if decision.exact else f"± {self.speaker.points(value.error)}",
                played=value.move == decision.move,
                best=value.move == decision.best,
            )

    def known(self) -> Position | SoloPosition | None:
        """What the one who decided knew; nothing where nobody decides."""
        if self.position.turn is None:
            return None
        if isinstance(self.position, Solo):
            return known_solo(self.position.view(0), self.renderer)
        assert isinstance(self.position, Match)
        return known_position(self.position.view(self.position.turn), self.renderer)

    def truth(self) -> Position | SoloPosition:
        """What was so."""
        if isinstance(self.position, Solo):
            return true_solo(self.position, self.renderer)
        assert isinstance(self.position, Match)
        return true_position(self.position, self.renderer)

    def chances(self) -> tuple[HiddenCard, ...]:
        """What the hidden cards might have been, for the one who decided."""
        judged = self.current
        if judged is None or judged.hidden is None or not isinstance(self.position, Match):
            return ()
        return hidden_cards(self.position.view(judged.decision.seat), judged.hidden, self.renderer, self.preferences)

    def unseen(self) -> tuple[tuple[str, int], ...]:
        """In a solo game: how many copies of each character lay face down."""
        if not isinstance(self.position, Solo):
            return ()
        counts: Mapping[int, int] = unseen_copies(self.position.view(0))
        return tuple(
            (face.name, counts[CARD_OF[face.slug]]) for face in self.renderer.deck() if counts[CARD_OF[face.slug]]
        )

    def accounts(self) -> tuple[AccountPart, ...]:
        """What the match came to for each player."""
        return tuple(map(self._account_part, self.made_accounts))

    def _account_part(self, account: Account) -> AccountPart:
        speaker = self.speaker
        accuracy = "–" if account.accuracy is None else decimal(account.accuracy, self.preferences.lang, 0)
        return AccountPart(
            name=self.match.players[account.seat],
            accuracy=accuracy,
            marks=tuple((self.sign(mark), account.marks.get(mark, 0)) for mark in Mark),
            start=speaker.chance(account.start, 1),
            skill=speaker.points(account.skill, signed=True),
            luck=speaker.points(account.luck, signed=True),
            result=speaker.chance(account.result, 1),
        )
