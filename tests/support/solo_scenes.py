"""Solo scenes: a solo game in any wanted position, for tests that speak of one moment of it.

Cards are given and told by their names, those that lie face down in brackets: "(guard) king princess".
"""

from collections.abc import Mapping

from suitors import Card, Solo
from suitors.notation import CARD_NAMES, CARD_OF, place_name
from suitors.rules import NO_CARD, Event, Option, Phase
from suitors.rules.names import End
from suitors.view.match import seen

PILE = 7
"""The draw pile is never larger than at the start (R106)."""


def solo(
    queue: str,
    hand: str,
    *,
    agent: str = "",
    pile: str | int = 3,
    guarded: bool = False,
    shielded: bool = False,
    edition: str = "solitaire",
    options: Mapping[str, Option] | None = None,
) -> Solo:
    """A solo game at a decision of the player.

    `hand` holds two cards, the second one drawn; or one, and then the turn begins and there must be an agent. `pile` is
    the draw pile, top first, or just its size. `guarded`: an opposing Handmaid protects the queue; `shielded`: the
    player is protected during the opponent's next turn. Cards that are not mentioned lie on the discard pile; a scene
    that cannot be is refused.
    """
    match = Solo(edition, options=options, dealt=False)
    t = match.table
    rest = [*map(Card, match.rules.box), Card.PRINCESS]
    line = [_take(rest, word) for word in queue.split()]
    held = [_take(rest, word) for word in hand.split()]
    helper = [_take(rest, word) for word in agent.split()]
    drawn = [_take(rest, word) for word in pile.split()] if isinstance(pile, str) else []
    _check(line, held, helper, rest)
    if isinstance(pile, int):
        drawn = [(rest.pop(0), 0) for _ in range(pile)]
    if len(drawn) > PILE:
        raise ValueError(f"the draw pile never holds {len(drawn)} cards")
    match.start(match.rules.box, 0)
    t.length = len(line)
    for place, (card, up) in enumerate(line):
        t.queue[place], t.up[place] = card, up
    t.hand = held[0][0]
    t.agent, t.agent_up = helper[0] if helper else (NO_CARD, 0)
    t.top = t.bottom - len(drawn)
    t.deck[t.top : t.bottom] = [card for card, _ in drawn]
    t.discards = len(rest)
    t.piles[: t.discards] = rest
    t.guarded, t.shielded = int(guarded), int(shielded)
    if len(held) == 2:
        t.drawn, t.phase = held[1][0], Phase.PLAY
    return match


def _take(rest: list[Card], word: str) -> tuple[Card, int]:
    """The card that a word stands for, and whether it lies face up; it is no longer among the rest."""
    card = CARD_OF[word.strip("()")]
    rest.remove(card)
    return card, int(word == CARD_NAMES[card])


Lying = list[tuple[Card, int]]


def _check(queue: Lying, hand: Lying, agent: Lying, rest: list[Card]) -> None:
    """Refuse what can never be."""
    if not 1 <= len(queue) <= 7 or not 1 <= len(hand) <= 2 or len(agent) > 1:
        raise ValueError("a queue of one to seven cards, a hand of one or two, at most one agent")
    if len(hand) == 1 and not agent:
        raise ValueError("without an agent the card is drawn at once")
    if not all(up for _, up in hand) or (Card.PRINCESS, 0) in [*queue, *agent]:
        raise ValueError("the hand and the Princess are always known")
    if (Card.PRINCESS, 1) not in [queue[-1], *hand, *agent] or Card.PRINCESS in rest:
        raise ValueError("the Princess is the last of the queue, in the hand or the agent")


def _write(card: int, up: int) -> str:
    return CARD_NAMES[card] if up else f"({CARD_NAMES[card]})"


def queue(match: Solo) -> str:
    """The true queue from left to right."""
    t = match.table
    return " ".join(_write(t.queue[k], t.up[k]) for k in range(t.length))


def hand(match: Solo) -> str:
    """The cards in hand, the one drawn behind."""
    return " ".join(CARD_NAMES[card] for card in match.view(0).hand)


def agent(match: Solo) -> str:
    """The true agent; empty if it is gone."""
    t = match.table
    return "" if t.agent == NO_CARD else _write(t.agent, t.agent_up)


def discarded(match: Solo, count: int) -> str:
    """The last so many cards of the discard pile, in order."""
    return " ".join(CARD_NAMES[card] for card in match.view(0).discards[-count:])


def ended(match: Solo) -> str:
    """How the game ended: won, lost, or not at all."""
    return {End.WON: "won", End.LOST: "lost", End.NONE: ""}[End(match.table.ending)]


def told(match: Solo, event: Event) -> list[tuple[str, str | None]]:
    """What the last step told of one kind: (place, card by name, or None if it is hidden)."""
    entries = seen([match.rounds[-1].rows[-1]], 0)
    return [
        (place_name(e.target), None if e.card is None or e.card == NO_CARD else CARD_NAMES[e.card])
        for e in entries
        if e.event == event
    ]
