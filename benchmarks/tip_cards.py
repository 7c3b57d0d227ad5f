"""What is measured for each tip of the games for several players, in rows of rounds (tip_rounds.py)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.tip_rounds import BY_CARD, BY_GROUP, Rows
from suitors.rules import Edition
from suitors.rules.names import Aim, Card, Phase

Measured = tuple[NDArray[np.bool_], NDArray[Any]]
"""The rows that count, and a number for every row: a figure is the mean of these numbers over those rows."""


@dataclass(frozen=True)
class Sample:
    """A block of rows, and what is often asked of them."""

    rows: Rows
    ed: Edition

    def __getitem__(self, column: str) -> Any:
        """A column of the rows."""
        return self.rows[column]

    @cached_property
    def value(self) -> Any:
        """The number on the card kept."""
        return np.array([*self.ed.value, -1])[self["kept"]]

    @cached_property
    def truth(self) -> Any:
        """What a Guard should have said, or -1 where there was no chosen player."""
        return np.array([*self.ed.spoken, -1])[self["held"]]

    @cached_property
    def natural(self) -> Any:
        """The plays that the policy chose."""
        return (self["coin"] == 0) & (self["phase"] == Phase.PLAY)

    @cached_property
    def guesses(self) -> Any:
        """The policy's Guards that chose somebody whose card their player did not know."""
        return self.natural & (self["card"] == Card.GUARD) & (self["target"] >= 0) & (self["known"] == 0)

    @cached_property
    def by_card(self) -> Any:
        """The plays whose card a coin decided."""
        return self["coin"] == BY_CARD

    @cached_property
    def by_group(self) -> Any:
        """The decisions whose group a coin decided."""
        return self["coin"] == BY_GROUP

    @cached_property
    def last_turns(self) -> Any:
        """The decisions of players who will not draw again, unless somebody is knocked out before."""
        return self["left"] < self["standing"]

    def played_or_kept(self, card: Card, result: str, where: Any = True) -> dict[str, Measured]:
        """The results of playing a card and of keeping it, where a coin decided between it and another."""
        return {
            "played": (self.by_card & (self["card"] == card) & where, self[result]),
            "kept": (self.by_card & (self["kept"] == card) & where, self[result]),
        }


Figures = Callable[[Sample], Mapping[str, Measured]]


def guard(s: Sample) -> Mapping[str, Measured]:
    """How often two names are right: a common card at first, and the Princess at first and later."""
    first, later = s.guesses & (s["turn"] == 0), s.guesses & (s["turn"] >= 2)
    baron, princess = s.truth == s.ed.spoken[Card.BARON], s.truth == s.ed.spoken[Card.PRINCESS]
    return {"common": (first, baron), "early": (first, princess), "late": (later, princess)}


def after_looking(s: Sample) -> dict[Card | None, Measured]:
    """How often a Guard hits on the turn after a card that looks at hands, and after any other one."""
    guards = s.natural & (s["card"] == Card.GUARD) & (s["target"] >= 0) & (s["turn"] > 0)
    lookers = (Card.PRIEST, Card.BARONESS)
    found: dict[Card | None, Measured] = {card: (guards & (s["before"] == card), s["hit"]) for card in lookers}
    return found | {None: (guards & ~np.isin(s["before"], lookers), s["hit"])}


def priest(s: Sample) -> Mapping[str, Measured]:
    """A Guard after a Priest."""
    found = after_looking(s)
    return {"after": found[Card.PRIEST], "other": found[None]}


def baroness(s: Sample) -> Mapping[str, Measured]:
    """A Guard after a Baroness."""
    found = after_looking(s)
    return {"after": found[Card.BARONESS], "single": found[Card.PRIEST], "other": found[None]}


def cardinal(s: Sample) -> Mapping[str, Measured]:
    """Trading the own low card away in the last turns, or letting two others trade."""
    low = s.value <= s.ed.value[Card.HANDMAID]
    trades = s.by_group & (s["card"] == Card.CARDINAL) & s.last_turns & low
    return {
        "own": (trades & (s["group"] == 1), s["won"]),
        "others": (trades & (s["group"] == 0), s["won"]),
    }


def baron(s: Sample) -> Mapping[str, Measured]:
    """How often a comparison knocks the other out, and what playing or keeping the card brings beside a low one."""
    compared = s.by_card & (s["card"] == Card.BARON) & (s["target"] >= 0)
    least = s.ed.value[Card.PRINCE]
    beside = np.where(s["card"] == Card.BARON, s.value, np.array(s.ed.value)[s["card"]])
    return {
        "high": (compared & (s.value >= least), s["target_out"]),
        "low": (compared & (s.value < least), s["target_out"]),
        **s.played_or_kept(Card.BARON, "won", beside < least),
    }


def handmaid(s: Sample) -> Mapping[str, Measured]:
    """Playing or keeping the card, with anything beside it and with a high card beside it."""
    high = (Card.KING, Card.COUNTESS)
    beside = s.by_card & np.isin(s["kept"], high) & (s["card"] == Card.HANDMAID)
    given = s.by_card & np.isin(s["card"], high) & (s["kept"] == Card.HANDMAID)
    both = {"high_played": (beside, s["won"]), "high_kept": (given, s["won"])}
    return s.played_or_kept(Card.HANDMAID, "won") | both


def sycophant(s: Sample) -> Mapping[str, Measured]:
    """Being knocked out before the next turn, after marking oneself and after marking another."""
    marks = s.by_group & (s["card"] == Card.SYCOPHANT)
    return {
        "own": (marks & (s["group"] == 1), s["out_next"]),
        "others": (marks & (s["group"] == 0), s["out_next"]),
    }


def prince(s: Sample) -> Mapping[str, Measured]:
    """How often somebody else has to discard the Princess: one who has just played the Countess, and any other."""
    blind = s.natural & (s["card"] == Card.PRINCE) & (s["known"] == 0)
    aimed = blind & (s["target"] >= 0) & (s["target"] != s["seat"])
    countess = s["last"] == Card.COUNTESS
    return {"after": (aimed & countess, s["target_out"]), "other": (aimed & ~countess, s["target_out"])}


def count(s: Sample) -> Mapping[str, Measured]:
    """Playing or keeping the card in the first turns."""
    return s.played_or_kept(Card.COUNT, "won", s["turn"] < 2)


def chancellor(s: Sample) -> Mapping[str, Measured]:
    """Keeping the highest of three cards or another, early and late."""
    keeps = s.by_group & (s["phase"] == Phase.KEEP)
    early, late = keeps & (s["left"] > 8), keeps & (s["left"] <= 4)
    high = s["group"] == 1
    won = s["won"]
    return {
        "early_high": (early & high, won),
        "early_low": (early & ~high, won),
        "late_high": (late & high, won),
        "late_low": (late & ~high, won),
    }


def king(s: Sample) -> Mapping[str, Measured]:
    """Playing or keeping the card: rounds won, and being knocked out before the next turn."""
    out = s.played_or_kept(Card.KING, "out_next")
    return s.played_or_kept(Card.KING, "won") | {"played_out": out["played"], "kept_out": out["kept"]}


def countess(s: Sample) -> Mapping[str, Measured]:
    """Playing or keeping the card on the first turn and in the last turns."""
    first = s.played_or_kept(Card.COUNTESS, "won", s["turn"] == 0)
    last = s.played_or_kept(Card.COUNTESS, "won", s.last_turns)
    return {"first_played": first["played"], "first_kept": first["kept"], **last}


def dowager_queen(s: Sample) -> Mapping[str, Measured]:
    """How often a comparison knocks the other out."""
    compared = s.by_card & (s["card"] == Card.DOWAGER_QUEEN) & (s["target"] >= 0)
    low = s.value <= s.ed.value[Card.CARDINAL]
    return {"low": (compared & low, s["target_out"]), "high": (compared & ~low, s["target_out"])}


def princess(s: Sample) -> Mapping[str, Measured]:
    """Rounds won with the card and with others on the first turn; being knocked out after aiming at one who knows."""
    first, held = s.natural & (s["turn"] == 0), s["kept"] == Card.PRINCESS
    at_one = np.array([aim == Aim.OTHER for aim in s.ed.aim])[s["card"]] & (s["phase"] == Phase.PLAY)
    aimed = s.by_group & held & at_one & (s["card"] != Card.KING)
    return {
        "early": (first & held, s["won"]),
        "other": (first & ~held, s["won"]),
        "knower": (aimed & (s["group"] == 1), s["out_next"]),
        "elsewhere": (aimed & (s["group"] == 0), s["out_next"]),
    }


def bishop(s: Sample) -> Mapping[str, Measured]:
    """How often two numbers are right where nothing is known, and what the card is worth played and kept."""
    named = s.natural & (s["card"] == Card.BISHOP) & (s["target"] >= 0) & (s["known"] == 0)
    held = np.array([*s.ed.value, -1])[s["held"]]
    return s.played_or_kept(Card.BISHOP, "tokens") | {
        "guards": (named, held == s.ed.value[Card.GUARD]),
        "barons": (named, held == s.ed.value[Card.BARON]),
    }


def jester(s: Sample) -> Mapping[str, Measured]:
    """How often a bet pays while all are in and when three or two are; what the card is worth played and kept."""
    bets = s.natural & (s["card"] == Card.JESTER) & (s["target"] >= 0)
    paid = s["tokens"] > s["won"]
    return s.played_or_kept(Card.JESTER, "tokens") | {
        "early": (bets & (s["standing"] == s.ed.players), paid),
        "late": (bets & (s["standing"] <= 3), paid),
    }


def assassin(s: Sample) -> Mapping[str, Measured]:
    """Playing or keeping the card: rounds won, and being knocked out before the next turn."""
    out = s.played_or_kept(Card.ASSASSIN, "out_next")
    return s.played_or_kept(Card.ASSASSIN, "won") | {"played_out": out["played"], "kept_out": out["kept"]}


def constable(s: Sample) -> Mapping[str, Measured]:
    """Tokens of a round in which the card was played or kept."""
    return s.played_or_kept(Card.CONSTABLE, "tokens")


def spy(s: Sample) -> Mapping[str, Measured]:
    """Tokens of a round in which the card was played or kept."""
    return s.played_or_kept(Card.SPY, "tokens")


def counting(s: Sample) -> Mapping[str, Measured]:
    """How often a Guard is right in the last turns: the likeliest name by counting, and a name at random."""
    guesses = s.guesses & s.last_turns
    right = (s.truth != s.ed.spoken[Card.GUARD]) / s.ed.name_count[Card.GUARD]
    return {"counted": (guesses, s["counted"]), "blind": (guesses, right)}


def highest(s: Sample) -> Mapping[str, Measured]:
    """How often a Guard is right from the third turn on: the highest possible name, and the likeliest by counting."""
    guesses = s.guesses & (s["turn"] >= 2)
    return {"highest": (guesses, s["highest"]), "counted": (guesses, s["counted"])}


def seen(s: Sample) -> Mapping[str, Measured]:
    """Playing a card that another player knows or keeping it, the other card being unknown."""
    played = s.by_card & (s["card_seen"] == 1) & (s["kept_seen"] == 0)
    kept = s.by_card & (s["card_seen"] == 0) & (s["kept_seen"] == 1)
    return {
        "played": (played, s["won"]),
        "kept": (kept, s["won"]),
        "played_out": (played, s["out_next"]),
        "kept_out": (kept, s["out_next"]),
    }


def showdown(s: Sample) -> Mapping[str, Measured]:
    """How many rounds end with the deck, and how often a hand wins then."""
    ends = s["phase"] == Phase.DEAL
    shown = ends & (s["showdown"] == 1) & (s["kept"] >= 0)
    high = s.value >= s.ed.value[Card.KING]
    return {
        "share": (ends & (s["seat"] == 0), s["showdown"]),
        "high": (shown & high, s["won"]),
        "low": (shown & ~high, s["won"]),
    }


CARD_FIGURES: dict[Card, Figures] = {
    Card.JESTER: jester,
    Card.ASSASSIN: assassin,
    Card.SPY: spy,
    Card.GUARD: guard,
    Card.PRIEST: priest,
    Card.CARDINAL: cardinal,
    Card.BARON: baron,
    Card.BARONESS: baroness,
    Card.HANDMAID: handmaid,
    Card.SYCOPHANT: sycophant,
    Card.PRINCE: prince,
    Card.COUNT: count,
    Card.CHANCELLOR: chancellor,
    Card.KING: king,
    Card.CONSTABLE: constable,
    Card.COUNTESS: countess,
    Card.DOWAGER_QUEEN: dowager_queen,
    Card.PRINCESS: princess,
    Card.BISHOP: bishop,
}
GENERAL_FIGURES: dict[str, Figures] = {
    "counting": counting,
    "highest": highest,
    "seen": seen,
    "showdown": showdown,
}
