"""Each reason is true: its numbers are those of the belief, checked by playing the move with the real rules."""

import random
from collections.abc import Callable, Iterator
from typing import get_args

import pytest

from suitors import Match
from suitors.bots.positions import visible_table
from suitors.coach import BestReplyValuer, hint
from suitors.coach.judgement import Judgement, MoveValue
from suitors.coach.reasons import (
    LIKELY,
    NEAR,
    SUSPECTED,
    Comparison,
    Exposed,
    Fall,
    Finder,
    GoodGuess,
    Guess,
    Last,
    Reason,
    Telling,
    Trade,
    Unmask,
    Values,
    WrongGuess,
)
from suitors.knowledge.belief import Belief
from suitors.notation import read_move
from suitors.rules import Card, Event, Table, copy_table, play
from suitors.rules.names import first_of, verb_of
from suitors.rules.table import COLUMNS
from suitors.view.match import View
from support.matches import TABLES, chance_match
from support.scenes import scene

believe = BestReplyValuer().belief


def judgement(played: str, best: str, values: tuple[float, float] = (0.2, 0.6)) -> Judgement:
    """A judgement that prefers one move to another."""
    worse, better = (MoveValue(move, value, value, 0.01) for move, value in zip((played, best), values, strict=True))
    return Judgement((better, worse), worse, better, 1.0, values[1] - values[0], (0.3, 0.5))


def reason(match: Match, played: str, best: str) -> Reason:
    """Why one move is worse than another, for whoever is to decide."""
    return Finder(match.view(match.turn), believe).against(judgement(played, best))


# With the real rules


def after(view: View, belief: Belief, move: str, target: int, card: Card) -> tuple[Table, set[int]]:
    """The table after a move if the target held this card, and the events that the move told."""
    t, deal = visible_table(belief.view, belief.evidence.public), belief.sample(random.Random(1))
    for seat in view.standing:
        if seat != view.seat:
            t.hand[seat] = deal.hands[seat][0]
    t.deck[t.top : t.bottom] = list(deal.deck)
    if deal.aside and view.rules.spare:
        t.spare = deal.aside[0]
    t = copy_table(t)
    t.hand[target] = card
    play(t, view.rules, read_move(view.rules, move))
    return t, {t.rows[k] for k in range(0, t.told, COLUMNS)}


def chance_of(view: View, belief: Belief, target: int, true: Callable[[Card], bool]) -> float:
    """The chance that something is true of the card that a seat holds."""
    return sum(chance for card, chance in belief.hands[target][0].items() if true(card))


def check_guess(view: View, belief: Belief, guess: Guess, move: str) -> None:
    def hits(card: Card) -> bool:
        _, told = after(view, belief, move, guess.target, card)
        return Event.HIT in told or (Event.OUT in told and Event.MISSED not in told and card != Card.ASSASSIN)

    assert verb_of(read_move(view.rules, move)) == guess.card
    assert guess.chance == pytest.approx(chance_of(view, belief, guess.target, hits))
    assert guess.hidden == belief.hidden
    assert guess.copies == sum(belief.unseen[card] for card in belief.kinds if hits(card))
    if guess.why == "counted":
        assert guess.chance == pytest.approx(guess.copies / guess.hidden, abs=NEAR)
    if guess.why in ("seen", "traded"):
        assert view.known[guess.target]
        assert guess.chance == pytest.approx(1)


def check_comparison(view: View, belief: Belief, found: Comparison, move: str) -> None:
    def out(seat: int) -> Callable[[Card], bool]:
        return lambda card: not after(view, belief, move, found.target, card)[0].standing >> seat & 1

    # a round that ends at once has everybody's result in its last standing set
    assert found.ahead == pytest.approx(chance_of(view, belief, found.target, out(found.target)))
    assert found.behind == pytest.approx(chance_of(view, belief, found.target, out(view.seat or 0)))


def check(view: View, belief: Belief, found: Reason, played: str, best: str) -> None:
    """Hold a reason against the belief and the rules."""
    value = view.rules.value
    match found:
        case WrongGuess():
            check_guess(view, belief, found.named, played)
            check_guess(view, belief, found.better, best)
            assert found.better.chance > found.named.chance
        case GoodGuess():
            check_guess(view, belief, found.guess, best)
            assert found.guess.chance >= LIKELY
        case Comparison():
            check_comparison(view, belief, found, best if found.ahead > found.behind else played)
        case Fall():
            t, _ = after(view, belief, played, view.seat or 0, view.hand[0])
            assert not t.standing >> (view.seat or 0) & 1
        case Unmask():
            assert found.target == first_of(read_move(view.rules, best))
            fallen = chance_of(view, belief, found.target, lambda card: card == Card.PRINCESS)
            assert found.chance == pytest.approx(fallen)
        case Trade():
            kept = list(view.hand)
            kept.remove(Card.KING)
            assert kept == [found.given]
            lower = chance_of(view, belief, found.target, lambda card: value[card] < value[found.given])
            assert found.lower == pytest.approx(lower)
        case Telling():
            assert verb_of(read_move(view.rules, played)) == Card.COUNTESS
            assert SUSPECTED < found.chance <= 1 + 1e-9
        case Exposed():
            assert found.card in view.hand
            assert found.by in view.standing
            assert found.by != view.seat
        case Last():
            assert view.deck == 0
            assert {found.kept, found.other} <= set(view.hand)
            for card, chance in ((found.kept, found.chance), (found.other, found.better)):
                below = chance_of(view, belief, found.target, lambda held, card=card: value[held] < value[card])  # type: ignore[misc]
                assert chance == pytest.approx(below)
        case Values():
            assert (found.move, found.best) == (played, best)
            assert found.better > found.chance


def decisions(slug: str, players: int, seed: int) -> Iterator[View]:
    """The views of a match by chance, where there is a choice."""
    match = chance_match(slug, players, seed, decisions=40)
    there = Match(slug, match.players, dealt=False)
    for played in match.rounds:
        there.start(played.deck, played.first)
        for move in played.moves:
            view = there.view(there.turn)
            if len(view.legal) > 1:
                yield view
            there.push(move)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_reason_is_true(slug: str, players: int) -> None:
    rng = random.Random(f"{slug}/{players}")
    kinds = set()
    for seed in range(2):
        for view in decisions(slug, players, seed):
            finder = Finder(view, believe)
            for _ in range(4):
                played, best = rng.sample(view.legal, 2)
                found = finder.against(judgement(played, best))
                check(view, finder.belief, found, played, best)
                kinds.add(type(found))
            good = finder.favour(judgement(played, best))
            assert isinstance(good, GoodGuess | Comparison | Unmask | Values)
            check(view, finder.belief, good, played, best)
    assert len(kinds) > 2


def test_all_kinds_of_reasons_are_met_in_matches() -> None:
    rng, kinds = random.Random(3), set()
    for seed in range(40):
        for view in decisions("modern", 2, seed):
            played, best = rng.sample(view.legal, 2)
            kinds.add(type(Finder(view, believe).against(judgement(played, best))))
    assert kinds == set(get_args(Reason))


# By hand


def test_what_was_named_and_what_was_likelier() -> None:
    match = scene("classic", ["guard priest", "prince"], deck=5)
    found = reason(match, "guard 1 king", "guard 1 baron")
    assert isinstance(found, WrongGuess)
    assert (found.named.name, found.better.name) == (Card.KING, Card.BARON)
    assert found.better.chance == pytest.approx(2 / 11)
    assert found.named.chance == 0
    assert found.better.why == "counted"


def test_a_card_that_was_seen_is_certain() -> None:
    match = scene("classic", ["priest baron", "prince"], deck="guard guard handmaid guard baron")
    match.play("priest 1")
    match.play("guard 0 king")
    found = reason(match, "guard 1 king", "guard 1 prince")
    assert isinstance(found, WrongGuess)
    assert (found.better.chance, found.named.chance) == pytest.approx((1, 0))
    assert found.better.why == "seen"


def test_a_card_that_was_traded_away_is_certain() -> None:
    match = scene("classic", ["king baron", "prince"], deck="guard guard handmaid guard priest")
    match.play("king 1")
    match.play("guard 0 king")
    found = reason(match, "guard 1 king", "guard 1 baron")
    assert isinstance(found, WrongGuess)
    assert found.better.chance == pytest.approx(1)
    assert found.better.why == "traded"


def test_a_comparison_that_is_behind() -> None:
    match = scene("classic", ["baron guard", "prince"], deck=5)
    found = reason(match, "baron 1", "guard 1 priest")
    assert isinstance(found, Comparison)
    assert found.ahead == 0
    assert found.behind > 0.5
    good = reason(scene("classic", ["baron countess", "prince"], deck=5), "countess", "baron 1")
    assert isinstance(good, Comparison)
    assert good.ahead > 0.9


def test_throwing_the_princess_away() -> None:
    match = scene("classic", ["princess prince", "guard"], deck=5)
    assert reason(match, "princess", "prince 1") == Fall(Card.PRINCESS)
    assert reason(match, "prince 0", "prince 1") == Fall(Card.PRINCESS)


def test_the_last_card_of_the_round_wants_the_higher_one_kept() -> None:
    match = scene("classic", ["handmaid countess", "baron"], deck=0)
    found = reason(match, "countess", "handmaid")
    assert isinstance(found, Last)
    assert (found.kept, found.other, found.target) == (Card.HANDMAID, Card.COUNTESS, 1)
    assert found.better > found.chance


def test_the_countess_speaks_of_a_king_or_a_prince_as_a_spectator_sees_it() -> None:
    match = scene("classic", ["countess handmaid", "guard"], deck=8, face_up="guard guard priest")
    found = reason(match, "countess", "handmaid")
    assert isinstance(found, Telling)
    assert found.cards == (Card.KING, Card.PRINCE)
    match.play("countess")
    held = believe(match.view(None)).hands[0][0]
    assert found.chance == pytest.approx(held[Card.KING] + held[Card.PRINCE])


def test_a_countess_that_has_to_be_played_is_no_lie() -> None:
    finder = Finder(scene("classic", ["countess king", "guard"], deck=8).view(0), believe)
    move = read_move(finder.rules, "countess")
    assert finder.telling(move, move) is None


def test_a_card_that_the_other_has_seen_was_kept() -> None:
    match = scene("classic", ["priest prince", "priest"], deck="baron baron guard guard")
    match.play("priest 1")
    match.play("priest 0")
    found = reason(match, "baron 1", "prince 1")
    assert isinstance(found, Comparison | Exposed)
    finder = Finder(match.view(0), believe)
    baron, prince = (read_move(match.rules, move) for move in ("baron 1", "prince 1"))
    assert finder.exposed(baron, prince) == Exposed(Card.PRINCE, 1)
    assert finder.exposed(prince, baron) is None


def test_values_are_the_last_resort_and_say_what_tells() -> None:
    match = scene("classic", ["handmaid priest", "guard"], deck=5)
    finder = Finder(match.view(0), believe)
    assert finder.against(judgement("priest 1", "handmaid")) == Values("priest 1", 0.2, "handmaid", 0.6, False)
    worse, better = MoveValue("priest 1", 0.7, 0.2, 0.0), MoveValue("handmaid", 0.6, 0.3, 0.0)
    odd = Judgement((better, worse), worse, better, 1.0, 0.1, (0.05, 0.15))
    assert finder.against(odd) == Values("priest 1", 0.2, "handmaid", 0.3, True)


def test_a_hint_gives_the_best_move_and_why() -> None:
    match = scene("classic", ["priest baron", "prince"], deck="guard guard handmaid guard baron")
    match.play("priest 1")
    match.play("guard 0 king")
    found = hint(match.view(0), budget_ms=5)
    assert found is not None
    assert found.move == "guard 1 prince"
    assert found.round == pytest.approx(1)
    assert isinstance(found.reason, GoodGuess)
    assert found.reason.guess.why == "seen"
