"""How a round ended and why, in plain sentences and as a table: what is read once the hands are down."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ..rules import NO_CARD, Award, Card, Edition, End, Event, Phase
from ..rules.names import is_card, verb_of
from ..view.match import View, seats
from ..view.memory import Entry
from .speech import PAYING, Speaker
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Row:
    """What a player of the round ended with."""

    seat: int
    card: int | None  # shown in the comparison, or fallen with
    value: int | None  # what it counted in the comparison, Counts included
    sum: int | None  # of the pile, where that had to break a tie
    won: bool
    tokens: int  # gained in this round


@dataclass(frozen=True)
class Verdict:
    """Who won a round, why, and with what."""

    headline: str
    reasons: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass
class Account:
    """The facts of a finished round, added up from what one seat was told."""

    rules: Edition
    playing: tuple[int, ...] = ()
    piles: dict[int, list[int]] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)  # the hands compared; NO_CARD is no card at all
    fallen: set[int] = field(default_factory=set)
    tokens: list[tuple[int, Award]] = field(default_factory=list)
    favourite: int = 0  # on whom the Jester bet
    end: End = End.NONE
    tied: list[int] = field(default_factory=list)
    champions: list[int] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Take in the next entry of the round."""
        event, actor, target, card = entry
        match event:
            case Event.ROUND:
                self.playing = seats(target)
                self.piles = {seat: [] for seat in self.playing}
            case Event.MOVED:
                if card is not None and is_card(verb_of(card)):
                    self.piles[actor].append(verb_of(card))
            case Event.DISCARDED:
                if card is not None:
                    self.piles[actor].append(card)
            case Event.REVEALED:
                if card is not None:
                    self.shown[actor] = card
            case Event.OUT:
                self.fallen.add(actor)
            case Event.TOKEN:
                self.tokens.append((actor, Award(target)))
            case Event.BET:
                self.favourite = target
            case Event.ENDED:
                self.end = End(target)
            case Event.TIE:
                self.tied.append(actor)
            case Event.WON:
                self.champions.append(actor)
            case Event.FACE_UP | Event.DEALT | Event.DREW | Event.TOOK_ASIDE | Event.FOUND_NONE | Event.RETURNED:
                pass
            case Event.FIZZLED | Event.SHOWED | Event.MISSED | Event.HIT | Event.EQUAL | Event.TRADED | Event.RECEIVED:
                pass
            case Event.SHIELDED | Event.UNSHIELDED | Event.MARKED:
                pass
            case _:
                assert_never(event)

    @property
    def winners(self) -> list[int]:
        """Who won the round."""
        return [seat for seat, award in self.tokens if award == Award.ROUND]

    def bonus(self, seat: int) -> int:
        """What the Counts in a pile add to the hand (R44)."""
        return self.piles[seat].count(Card.COUNT)

    def value(self, seat: int) -> int:
        """What a shown hand counts; no card is below every card (R92)."""
        card = self.shown[seat]
        return NO_CARD if card == NO_CARD else self.rules.value[card] + self.bonus(seat)

    def beaten_bishop(self) -> int | None:
        """The seat whose Bishop is beaten because a Princess was shown (R41)."""
        if Card.PRINCESS not in self.shown.values():
            return None
        return next((seat for seat, card in self.shown.items() if card == Card.BISHOP), None)

    def level(self) -> list[int]:
        """Those who share the highest hand, before any sums."""
        points = {seat: self.value(seat) for seat in self.shown if seat != self.beaten_bishop()}
        return [seat for seat in points if points[seat] == max(points.values())]

    def sums(self) -> dict[int, int]:
        """The sums of the piles that break a tie, where they do (R24)."""
        level = self.level()
        if len(level) < 2 or not self.rules.sums:
            return {}
        return {seat: sum(self.rules.value[card] for card in self.piles[seat]) for seat in level}

    def row(self, seat: int) -> Row:
        """What a player ended with."""
        fell = self.piles[seat][-1] if seat in self.fallen else None
        card = self.shown.get(seat, fell)
        return Row(
            seat=seat,
            card=None if card == NO_CARD else card,
            value=self.value(seat) if self.shown.get(seat, NO_CARD) != NO_CARD else None,
            sum=self.sums().get(seat),
            won=seat in self.winners,
            tokens=sum(winner == seat for winner, _ in self.tokens),
        )


class Judge(Speaker):
    """Explains the end of a round to one seat, or to a spectator."""

    def __init__(self, account: Account, players: Sequence[str], me: int | None, words: Vocabulary) -> None:
        super().__init__(players, me, words)
        self.account = account

    def verdict(self) -> Verdict:
        """The whole of it."""
        account = self.account
        at_once = account.end == End.MATCH_WON
        headline = self.match_to(account.champions) if account.champions else self.round_to(account.winners)
        reasons = [self.round_to(account.winners)] if account.champions and not at_once else []
        if account.end == End.SHOWDOWN:
            reasons += [self.shown(), *self.comparison()]
        if account.end == End.LAST_STANDING:
            reasons.append(self.say("Everybody else is out of the round."))
        reasons += [self._bonus(seat, award) for seat, award in account.tokens if award != Award.ROUND]
        if at_once:
            reasons.append(self.say("The match ends there and then."))
        if account.tied:
            reasons.append(self.tied(account.tied))
        return Verdict(headline, tuple(reasons), tuple(account.row(seat) for seat in account.playing))

    def shown(self) -> str:
        """Who showed what."""
        shown = {seat: None if card == NO_CARD else card for seat, card in self.account.shown.items()}
        return self.hands(shown, self.account.rules.value)

    def comparison(self) -> list[str]:
        """What counted beside the numbers shown, and how a tie was broken."""
        say, account, reasons = self.say, self.account, list[str]()
        for seat in account.shown:
            if account.bonus(seat):
                yours = say("With {card} in your pile, your hand counts {number}.")
                theirs = say("With {card} in the pile, {player}’s hand counts {number}.")
                words = {"card": self.card(Card.COUNT), "player": self.who(seat), "number": account.value(seat)}
                reasons.append(self.by(seat, yours, theirs).format(**words))
        if account.beaten_bishop() is not None:
            beaten = say("Whatever the numbers, {bishop} is beaten by {princess}.")
            reasons.append(beaten.format(bishop=self.card(Card.BISHOP), princess=self.card(Card.PRINCESS)))
        return reasons + (self._tie() if len(account.level()) > 1 else [])

    def _tie(self) -> list[str]:
        """Who was level in the comparison, and what came of it."""
        say, account = self.say, self.account
        level, sums = account.level(), account.sums()
        you, they = say("You are level with {others} at {number}."), say("{players} are level at {number}.")
        reasons = [self.among(level, you, they, number=account.value(level[0]))]
        if not sums:
            return [*reasons, say("This edition has no tie-break, so the round is shared.")]
        items = [say("{player} – {number}").format(player=self.who(seat), number=sums[seat]) for seat in sums]
        reasons.append(say("The sums of the piles are compared: {sums}.").format(sums=", ".join(items)))
        if list(sums.values()).count(max(sums.values())) > 1:
            void = say("The highest sum is shared, so the round has no winner.")
            reasons.append(say("The highest sum is shared, and so is the round.") if account.winners else void)
        return reasons

    def _bonus(self, seat: int, award: Award) -> str:
        """Why a token was won that is not for the round."""
        say = self.say
        match award:
            case Award.SPY:
                you = say("You win {token:a}: nobody else still in has {card} in the pile.")
                they = say("{actor} wins {token:a}: nobody else still in has {card} in the pile.")
            case Award.JESTER:
                you = say("You win {token:a}: {card} had bet on {target}.")
                they = say("{actor} wins {token:a}: {card} had bet on {target}.")
            case Award.CONSTABLE:
                you = say("You win {token:a} for being knocked out with {card} in your pile.")
                they = say("{actor} wins {token:a} for being knocked out with {card} in the pile.")
            case _:
                you = say("You win {token:a}: {card} named the right number.")
                they = say("{actor} wins {token:a}: {card} named the right number.")
        words = {"token": self.token(), "card": self.card(PAYING[award]), "target": self.who(self.account.favourite)}
        return self.by(seat, you, they).format(actor=self.who(seat), **words)


def verdict(view: View, words: Vocabulary) -> Verdict | None:
    """How the last round ended, from what the seat of the view saw of it; None while one is being played."""
    if view.round < 0 or view.phase not in (Phase.DEAL, Phase.OVER):
        return None
    return judge(view.rules, view.players, view.seat, view.log[view.round], words)


def judge(rules: Edition, players: Sequence[str], me: int | None, told: Iterable[Entry], words: Vocabulary) -> Verdict:
    """How a finished round ended, from all that it told a seat (None: a spectator)."""
    account = Account(rules)
    for entry in told:
        account.add(entry)
    return Judge(account, players, me, words).verdict()
