"""What can be wrong with what a caller gives: the errors, their reasons, and the checks that raise them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .notation import CARD_OF
from .rules import BOXES, SWITCHES, BadEdition, Card, Edition, Option, Refusal, check_dealable, find_box, own_slug


class SuitorsError(ValueError):
    """Something a caller asked for cannot be done; `code` is the code of docs/contract.md.

    Examples:
        >>> from suitors import Match
        >>> try:
        ...     Match("modern", ["Ada"])
        ... except SuitorsError as error:
        ...     print(error.code, "-", error)
        bad-players - modern is for 2 to 6 players, not for 1.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self))


class InvalidMove(SuitorsError):
    """The text is no move of any kind.

    Examples:
        >>> str(InvalidMove("attack"))
        "'attack' is not a move: words like 'guard 1 priest', single spaces between."
    """

    def __init__(self, text: object) -> None:
        super().__init__(
            "unreadable-move", f"{brief(text)} is not a move: words like 'guard 1 priest', single spaces between."
        )
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text,)


class IllegalMove(SuitorsError):
    """The move may not be played now; `refusal` says why.

    Examples:
        >>> error = IllegalMove("king 1", Refusal.NOT_HELD)
        >>> error.refusal.name, str(error)
        ('NOT_HELD', "'king 1' is not legal now: that card is not in the hand.")
    """

    def __init__(self, text: str, refusal: Refusal) -> None:
        super().__init__("illegal-move", f"{brief(text)} is not legal now: {REASONS[refusal].format_map(TITLES)}.")
        self.text = text
        self.refusal = refusal

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.refusal)


def brief(given: object) -> str:
    """What was given, as Python would write it, cut where it is long."""
    shown = repr(given[:60] if isinstance(given, str) else given)
    return shown if len(shown) <= 62 and (not isinstance(given, str) or len(given) <= 60) else shown[:60] + "…"


REASONS: dict[Refusal, str] = {
    Refusal.NO_DECISION: "no decision is due",
    Refusal.WRONG_STEP: "another kind of decision is due",
    Refusal.NOT_HELD: "that card is not in the hand",
    Refusal.COUNTESS_FIRST: "{countess} must be played while {king} or {prince} is held too",
    Refusal.CHOOSES_NOBODY: "the card has nobody to choose, so nothing may follow its name",
    Refusal.MUST_CHOOSE: "somebody must be chosen",
    Refusal.NO_SUCH_SEAT: "there is no such seat",
    Refusal.NOT_ONESELF: "the card cannot choose its own player",
    Refusal.OUT_OF_ROUND: "that player is not in the round",
    Refusal.PROTECTED: "that player is protected by {handmaid}",
    Refusal.MARK_IGNORED: "the player marked by {sycophant} must be chosen",
    Refusal.ONE_SEAT: "the card chooses one player, not two",
    Refusal.TWO_SEATS: "the card chooses two players",
    Refusal.SEAT_ORDER: "two different seats are needed, the lower one first",
    Refusal.NAMES_NOTHING: "the card names nothing",
    Refusal.MUST_NAME: "the card must name something",
    Refusal.NOT_NAMEABLE: "that cannot be named",
    Refusal.WRONG_CARDS: "the cards named must be exactly those in the hand",
    Refusal.DID_NOT_TRADE: "only a seat that has just traded can be looked at",
    Refusal.NO_FORM: "the words do not form a move of this edition",
    Refusal.NO_SUCH_PLACE: "the queue is not that long",
    Refusal.PRINCESS_SHIELDED: "{princess} cannot be chosen while somebody stands in front",
    Refusal.OWN_CARD: "the own card must be named too, hand or agent",
    Refusal.NO_AGENT: "there is no agent",
    Refusal.PILE_EMPTY: "there is no card to draw",
}
"""What each refusal means; the cards in it are named as the reader's theme does."""

TITLES = {card.name.lower(): f"the {card.name.title()}" for card in Card}
"""The cards as programmers read of them."""


def check_edition(given: object, *, as_text: bool = True) -> str:
    """What an edition is known by (rules/own.py): its slug, or the text of the object of one's own.

    An object is given as it is or, with `as_text`, as its text.
    """
    if isinstance(given, str) and given in BOXES:
        return given
    data = _object(given) if as_text or not isinstance(given, str) else None
    if data is None:
        raise SuitorsError("unknown-edition", f"There is no edition {given!r:.40}; there are {', '.join(BOXES)}.")
    try:
        return own_slug(data)
    except BadEdition as error:
        raise SuitorsError("bad-edition", str(error)) from None


def _object(given: object) -> object:
    """The object of an edition of one's own, given as it is or as its text; None where it is neither."""
    if isinstance(given, Mapping):
        return given
    if not isinstance(given, str) or not given.startswith("{"):
        return None
    try:
        found: object = json.loads(given)
    except (ValueError, RecursionError):
        return None
    return found


def check_dealt(rules: Edition) -> None:
    """Refuse an edition whose rounds cannot be dealt or played with so many players."""
    try:
        check_dealable(rules)
    except BadEdition as error:
        raise SuitorsError("bad-edition", str(error)) from None


def edition_name(slug: str) -> str:
    """What a sentence calls an edition: its slug, or the name of one's own."""
    box = find_box(slug)
    return (f"'{box.name:.60}'" if box.name else f"This edition, made from {box.base},") if box.base else slug


def check_players(slug: str, players: object) -> tuple[str, ...]:
    """The names, if they are as many as the edition allows."""
    if not isinstance(players, list | tuple) or not all(isinstance(name, str) for name in players):
        raise SuitorsError("bad-players", "The players must be a list of names.")
    allowed = find_box(slug).players
    if len(players) not in allowed:
        raise SuitorsError(
            "bad-players", f"{edition_name(slug)} is for {allowed[0]} to {allowed[-1]} players, not for {len(players)}."
        )
    return tuple(players)


def check_options(options: object) -> dict[str, Option]:
    """All switches, those not given at their defaults."""
    if not isinstance(options, Mapping):
        raise SuitorsError("bad-option", "The options must be an object of switches.")
    for key, value in options.items():
        if key not in SWITCHES:
            raise SuitorsError("bad-option", f"There is no switch {key!r:.40}; there are {', '.join(SWITCHES)}.")
        if not any(type(value) is type(good) and value == good for good in SWITCHES[key]):
            good = " or ".join(repr(good) for good in SWITCHES[key])
            raise SuitorsError("bad-option", f"The switch {key} may be {good}, not {value!r:.40}.")
    return {key: values[0] for key, values in SWITCHES.items()} | dict(options)


def check_deck(deck: object, box: Sequence[int]) -> tuple[int, ...]:
    """The deck as numbers, if it is exactly the cards of the edition in some order."""
    if not isinstance(deck, list | tuple):
        raise SuitorsError("bad-deck", "The deck must be a list of cards.")
    for card in deck:
        if not isinstance(card, Card) and (not isinstance(card, str) or card not in CARD_OF):
            raise SuitorsError("bad-deck", f"The deck holds {card!r:.40}, which is no card.")
    order = tuple([int(CARD_OF[card] if isinstance(card, str) else card) for card in deck])
    if sorted(order) != list(box):
        raise SuitorsError("bad-deck", f"The deck must be exactly the {len(box)} cards of the edition, in any order.")
    return order
