"""How rounds and matches end: the last one standing, the showdown, the tokens, the tie-break."""

from .acts import announce, award, in_pile, number, tell
from .editions import Edition
from .names import EVERYBODY, NOBODY, Award, Card, End, Event, Phase
from .seats import has, lowest, only, size, without
from .table import Table


def check_round(t: Table, ed: Edition) -> bool:
    """End the round, or the match, if the card just resolved did; say whether the round is over.

    The order of docs/rulings.md: the last one standing, then a Constable's token, then an empty deck (R11, R32, R33).
    """
    if t.standing & (t.standing - 1) == 0:
        end_round(t, ed, t.standing, End.LAST_STANDING)
    elif t.paid == 1 and leaders(t, ed) != 0:
        end_match(t, ed, End.MATCH_WON)
    elif t.top == t.bottom:
        end_round(t, ed, showdown(t, ed), End.SHOWDOWN)
    else:
        return False
    return True


def end_round(t: Table, ed: Edition, winners: int, ending: int) -> None:
    """Give all tokens that the end of a round gives, then check the match once (R32, R34, R49, R78)."""
    t.winners = winners
    t.ending = ending
    announce(t, Event.ENDED, NOBODY, ending)
    for seat in range(ed.players):
        if has(winners, seat):
            award(t, seat, Award.ROUND)
    if t.favourite != NOBODY and has(winners, t.favourite):
        award(t, t.bettor, Award.JESTER)
    spy = lone_spy(t, ed)
    if spy != NOBODY:
        award(t, spy, Award.SPY)
    close_round(t)
    check_match(t, ed)


def end_match(t: Table, ed: Edition, ending: int) -> None:
    """A token won in mid-round ends the match; nobody wins the round."""
    t.winners = 0
    t.ending = ending
    announce(t, Event.ENDED, NOBODY, ending)
    close_round(t)
    check_match(t, ed)


def close_round(t: Table) -> None:
    """Nobody has to decide any more; protection and marks end with the round (R3, R53)."""
    t.phase = Phase.DEAL
    t.active = t.decider = NOBODY
    t.shielded = 0
    t.mark = t.bettor = t.favourite = NOBODY
    t.tied = 0


def check_match(t: Table, ed: Edition) -> None:
    """Crown the winner or winners of the match, or call for a tie-break round, if a goal is reached."""
    best = leaders(t, ed)
    if best == 0:
        return
    if ed.tie_breaks == 1 and best & (best - 1) != 0:
        t.tied = best
        tell_each(t, ed, Event.TIE, best)
        return
    t.phase = Phase.OVER
    t.champions = best
    tell_each(t, ed, Event.WON, best)


def leaders(t: Table, ed: Edition) -> int:
    """Those at the goal: all of them where a win is shared (R79, R98), else those with most tokens (R34)."""
    most = ed.goal
    if ed.tie_breaks == 1:
        for seat in range(ed.players):
            most = max(most, t.tokens[seat])
    best = 0
    for seat in range(ed.players):
        if t.tokens[seat] >= most:
            best |= only(seat)
    return best


def tell_each(t: Table, ed: Edition, event: int, seats: int) -> None:
    """Announce the same of every seat in a set."""
    for seat in range(ed.players):
        if has(seats, seat):
            announce(t, event, seat, seat)


def showdown(t: Table, ed: Edition) -> int:
    """Reveal the hands; who wins, ties broken by the sums of the piles where the edition does so (R24, R25, R96)."""
    for seat in range(ed.players):
        if has(t.standing, seat):
            tell(t, Event.REVEALED, seat, seat, t.hand[seat], EVERYBODY)
    best = highest(t, ed, contenders(t, ed), False)
    if ed.sums == 1 and size(best) > 1:
        best = highest(t, ed, best, True)
        if ed.void_ties == 1 and size(best) > 1:
            best = 0
    return best


def contenders(t: Table, ed: Edition) -> int:
    """Those who compare hands: a Bishop drops out where a Princess is held, whatever the Counts (R41)."""
    bishop = NOBODY
    princess = NOBODY
    for seat in range(ed.players):
        if has(t.standing, seat):
            if t.hand[seat] == Card.BISHOP:
                bishop = seat
            elif t.hand[seat] == Card.PRINCESS:
                princess = seat
    if bishop != NOBODY and princess != NOBODY:
        return without(t.standing, bishop)
    return t.standing


def highest(t: Table, ed: Edition, seats: int, by_pile: bool) -> int:
    """Those among the seats with the highest number, in the hand or as the sum of the pile."""
    best = 0
    most = -2
    for seat in range(ed.players):
        if has(seats, seat):
            points = pile_sum(t, ed, seat) if by_pile else number(t, ed, seat) + in_pile(t, seat, Card.COUNT)
            if points > most:
                best, most = only(seat), points
            elif points == most:
                best |= only(seat)
    return best


def pile_sum(t: Table, ed: Edition, seat: int) -> int:
    """The sum of the printed values in a player's pile, however the cards came there (R24)."""
    total = 0
    for k in range(t.discards):
        if t.owners[k] == seat:
            total += ed.value[t.piles[k]]
    return total


def lone_spy(t: Table, ed: Edition) -> int:
    """The only player still in with a Spy in the pile, or NOBODY (R77)."""
    owners = 0
    for k in range(t.discards):
        if t.piles[k] == Card.SPY and has(t.standing, t.owners[k]):
            owners |= only(t.owners[k])
    return lowest(owners) if owners & (owners - 1) == 0 else NOBODY


def starters(t: Table, ed: Edition) -> int:
    """The seats that may start the next round: a winner of the last one where one takes part (R68, R97)."""
    seats = t.tied if t.tied else (1 << ed.players) - 1
    return seats & t.winners if seats & t.winners else seats
