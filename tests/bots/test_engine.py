"""What the engine notes in simulated rounds is true, and its policy is a fair way to play by what a player may see."""

import random
from collections.abc import Iterator
from math import exp, log
from typing import Any

import numpy as np
import pytest

from suitors import Match
from suitors.bots import opponents
from suitors.bots.engine import compiling, deals, policy
from suitors.bots.engine import odds as odds_of
from suitors.bots.engine.buffers import PolicyBuffers
from suitors.bots.positions import public_notes
from suitors.fast.layout import wide_edition, wide_record
from suitors.knowledge.belief import Belief
from suitors.knowledge.notes import BARRED, LEFT, NOTES, SEATS, fresh_notes, step
from suitors.knowledge.public import fold
from suitors.rules import BLANK, NO_CARD, Card, Edition, Phase, Table, copy_table
from suitors.rules.choices import count_names, nth_name
from suitors.rules.names import CARDS, first_of, third_of
from suitors.view.match import View
from support.all_deals import chosen, evenly
from support.engine_positions import Policy, dealt
from support.matches import TABLES
from support.scenes import NAMES

Notes = list[int]
Noted = tuple[Match, Notes]
SOME = [("classic", 2), ("house", 3), ("modern", 2), ("modern", 4), ("premium", 4), ("premium", 6), ("premium", 8)]


def noted(slug: str, players: int, seed: int = 0, steps: int = 45) -> Iterator[Noted]:
    """A match by chance at every decision, and the notes of its round, made by the engine's own steps."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match, notes = Match(slug, NAMES[:players], dealt=False, rng=rng), [0] * NOTES
    for _ in range(steps):
        if match.over:
            match = Match(slug, NAMES[:players], dealt=False, rng=rng)
        if match.to_deal:
            match.deal()
            table = copy_table(match.table)
            fresh_notes(notes, table, match.rules)
        else:
            move = chosen(match.table, match.rules, evenly, rng)
            step(table, match.rules, notes, move)
            match.push(move)
            assert vars(table) == vars(match.table)
        if match.turn is not None:
            yield match, notes


def standing(match: Match) -> tuple[int, ...]:
    return match.view(None).standing


def pairs(match: Match) -> Iterator[tuple[int, int]]:
    """Two different seats that are still in the round."""
    yield from ((a, b) for a in standing(match) for b in standing(match) if a != b)


# Notes


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_card_that_is_noted_as_known_is_held_and_its_knower_knows_it(slug: str, players: int) -> None:
    found = 0
    for match, notes in noted(slug, players):
        known = [match.view(seat).known for seat in range(players)]
        for a, b in pairs(match):
            card = notes[a * SEATS + b]
            if card != NO_CARD:
                found += 1
                assert card == match.table.hand[b]
                assert card in known[a][b]
    assert found > 5


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_nobody_holds_from_before_the_draw_what_is_noted_as_barred(slug: str, players: int) -> None:
    found = 0
    for match, notes in noted(slug, players, 1):
        for seat in standing(match):
            found += notes[BARRED + seat] != 0
            assert not notes[BARRED + seat] >> match.table.hand[seat] & 1
    assert found > 5


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_the_copies_noted_as_left_are_those_not_in_sight(slug: str, players: int) -> None:
    for match, notes in noted(slug, players, 2, 30):
        view = match.view(None)
        sight: list[int] = [*view.face_up, *(card for pile in view.piles for card in pile)]
        assert notes[LEFT:] == [match.rules.copies[card] - sight.count(card) for card in Card]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_notes_made_from_a_view_are_those_of_the_simulated_round(slug: str, players: int) -> None:
    """Barred cards, copies and what the reader knows to the letter.

    A view does not say what others saw of each other, or of a card before the reader got it by a trade: that may be
    blank or forgotten, but never something else.
    """
    for match, notes in noted(slug, players, 3, 18):
        for reader in standing(match):
            belief = Belief(match.view(reader))
            mine = public_notes(belief.evidence.public)
            assert mine[LEFT:] == notes[LEFT:]
            for seat in standing(match):
                assert mine[BARRED + seat] == notes[BARRED + seat]
            for a, b in pairs(match):
                card, true = mine[a * SEATS + b], notes[a * SEATS + b]
                if a == reader or players == 2:
                    assert card == true
                else:
                    assert card in (true, NO_CARD) or (card == BLANK and true != NO_CARD)


@pytest.mark.parametrize(("slug", "players"), SOME)
def test_notes_about_an_opponent_are_the_same_but_for_what_its_reader_cannot_name(slug: str, players: int) -> None:
    for match, _ in noted(slug, players, 4):
        view = match.view(match.turn)
        mine, theirs = public_notes(Belief(view).evidence.public), opponents.certain_notes(fold(view))
        assert theirs == [NO_CARD if k < BARRED and note == BLANK else note for k, note in enumerate(mine)]


def test_what_others_have_seen_is_settled_by_the_deal() -> None:
    match = dealt("classic", ["guard", "guard", "king"], "priest handmaid")
    match.play("priest 2")
    notes = public_notes(Belief(match.view(1)).evidence.public)
    assert notes[2] == BLANK
    deals.resolve_seen(notes, match.table)
    assert notes[2] == Card.KING
    assert notes.count(Card.KING) == 1


# The policy


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_chances_sum_to_one_over_exactly_the_legal_moves_in_their_order(slug: str, players: int) -> None:
    asked = Policy()
    for match, notes in noted(slug, players, 5, 30):
        before, kept = vars(copy_table(match.table)), notes[:]
        chances = asked.scores(match.table, match.rules, notes)
        assert list(chances) == match.moves()
        assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
        assert all(chance > 0 for chance in chances.values())
        assert (vars(match.table), notes) == (before, kept)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_chances_do_not_depend_on_cards_that_the_player_cannot_see(slug: str, players: int) -> None:
    asked, rng = Policy(), random.Random(6)
    for match, notes in noted(slug, players, 6, 30):
        chances = asked.scores(match.table, match.rules, notes)
        t, me = copy_table(match.table), match.turn
        for seat in range(players):
            if seat != me:
                t.hand[seat] = rng.choice(match.rules.box)
        t.deck = rng.sample(t.deck, len(t.deck))
        t.spare = rng.choice(match.rules.box)
        assert asked.scores(t, match.rules, notes) == chances


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_score_is_the_sum_of_the_features_that_training_sees(slug: str, players: int) -> None:
    asked = Policy()
    odds, rows, index, value, *_ = asked.buffers
    for match, notes in noted(slug, players, 7, 30):
        t, ed = match.table, match.rules
        chances = asked.scores(t, ed, notes)
        scores = []
        for move in chances:
            n = policy.features(t, ed, notes, odds, rows, move, index, value)
            assert n <= policy.MOST_FEATURES
            scores.append(sum(asked.theta[index[k]] * value[k] for k in range(n)))
        shares = [exp(score - max(scores)) for score in scores]
        assert list(chances.values()) == pytest.approx([share / sum(shares) for share in shares], abs=1e-12)


def counted(view: View, notes: Notes, seat: int) -> list[float]:
    """The chances of the cards in another's hand, as the deciding player would count them."""
    assert view.seat is not None
    known = notes[view.seat * SEATS + seat]
    barred = notes[BARRED + seat] if known == NO_CARD else ~(1 << known)
    sight: list[int] = [*view.face_up, *view.hand, *(card for pile in view.piles for card in pile)]
    unseen = [copies - sight.count(card) for card, copies in enumerate(view.rules.copies)]
    ways = [0 if barred >> card & 1 else max(n, card == known) for card, n in enumerate(unseen)]
    return [n / sum(ways) for n in ways]


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_hands_are_weighed_by_the_copies_that_the_player_does_not_see(slug: str, players: int) -> None:
    asked = Policy()
    for match, notes in noted(slug, players, 8, 20):
        view = match.view(match.turn)
        odds_of.weigh_hands(match.table, match.rules, notes, asked.buffers.odds, asked.buffers.rows)
        for seat in view.standing:
            if seat != view.seat:
                row = asked.buffers.rows[seat]
                check_row(asked, match.rules, row, counted(view, notes, seat))


def check_row(asked: Policy, ed: Edition, row: int, chances: list[float]) -> None:
    """The row holds these chances, those of the words for these cards, and those of their numbers."""
    odds = asked.buffers.odds
    assert odds[row : row + CARDS] == pytest.approx(chances)
    for k in range(count_names(ed, Card.GUARD)):
        name = nth_name(ed, Card.GUARD, k)
        said = sum(chance for card, chance in enumerate(chances) if ed.spoken[card] == name)
        assert odds[row + odds_of.SPOKEN + name] == pytest.approx(said)
    for number in range(10):
        below = sum(chance for card, chance in enumerate(chances) if chance and ed.value[card] < number)
        assert odds_of.lower(odds, row, number) == pytest.approx(below)
    mean = sum(ed.value[card] * chance for card, chance in enumerate(chances) if chance)
    assert odds_of.mean_number(odds, row) == pytest.approx(mean)


def achieved(match: Match, notes: Notes, move: int) -> dict[int, float]:
    """What a card may achieve on another player, worked out from the chances of the cards there."""
    view, ed, foe, name = match.view(match.turn), match.rules, first_of(move), third_of(move)
    hand: list[int] = list(view.hand)
    hand.remove(move & 31)
    kept = ed.value[hand[0]]
    chances = {card: chance for card, chance in enumerate(counted(view, notes, foe)) if chance}
    lower = sum(chance for card, chance in chances.items() if ed.value[card] < kept)
    higher = sum(chance for card, chance in chances.items() if ed.value[card] > kept)
    mean = sum(chance * ed.value[card] for card, chance in chances.items())
    named = sum(chance for card, chance in chances.items() if ed.spoken[card] == name)
    number = sum(chance for card, chance in chances.items() if ed.value[card] == name)
    found: dict[int, dict[int, float]] = {
        Card.GUARD: {policy.GUARD_LOG: log(max(odds_of.TINY, named)), policy.GUARD_SURE: float(named > 0.999)},
        Card.BARON: {policy.BARON_WIN: lower, policy.BARON_LOSE: higher},
        Card.DOWAGER_QUEEN: {policy.DOWAGER_WIN: higher, policy.DOWAGER_LOSE: lower},
        Card.PRINCE: {policy.PRINCE_PRINCESS: chances.get(Card.PRINCESS, 0.0), policy.PRINCE_VALUE: mean / 10},
        Card.KING: {policy.KING_GAIN: (mean - kept) / 10},
        Card.BISHOP: {policy.BISHOP_CHANCE: number},
        Card.PRIEST: {policy.PEEK_KNOWN: float(notes[match.table.active * SEATS + foe] != NO_CARD)},
    }
    return found.get(move & 31, {})


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 5), ("premium", 6)])
def test_what_a_card_may_achieve_on_another_player_is_a_feature(slug: str, players: int) -> None:
    odds, rows, index, value, *_ = Policy().buffers
    for match, notes in noted(slug, players, 11, 30):
        t, ed = match.table, match.rules
        odds_of.weigh_hands(t, ed, notes, odds, rows)
        for move in match.moves():
            if t.phase == Phase.PLAY and first_of(move) not in (BLANK, t.active):
                n = policy.features(t, ed, notes, odds, rows, move, index, value)
                found = dict(zip(index[:n], value[:n], strict=True))
                for feature, wanted in achieved(match, notes, move).items():
                    assert found[feature] == pytest.approx(wanted, abs=1e-12)


def test_a_guard_is_scored_by_the_logarithm_of_its_chance() -> None:
    match = dealt("classic", ["guard", "guard"], "handmaid king", lying="guard guard prince prince")
    view, asked = match.view(0), Policy([0.0] * policy.WEIGHTS)
    notes, unseen = public_notes(Belief(view).evidence.public), Belief(view).unseen
    asked.theta[policy.GUARD_LOG] = 1.0
    chances = asked.scores(match.table, match.rules, notes)
    hidden = sum(unseen)
    for card in (Card.PRIEST, Card.BARON, Card.KING, Card.PRINCESS):
        ratio = chances[match.parse(f"guard 1 {card.name.lower()}")] / chances[match.parse("handmaid")]
        assert log(ratio) == pytest.approx(log(unseen[card] / hidden))
    ratio = chances[match.parse("guard 1 prince")] / chances[match.parse("handmaid")]
    assert ratio == pytest.approx(odds_of.TINY if unseen[Card.PRINCE] == 0 else unseen[Card.PRINCE] / hidden)


# The policy asked about somebody else's play


def asked_card_by_card(view: View, t: Table, notes: Notes, move: int) -> list[float]:
    """The policy's chance of the move for each card that may lie beside it."""
    found = [0.0] * CARDS
    for other in range(CARDS):
        if view.rules.copies[other]:
            t.hand[t.active], t.drawn = other, move & 31
            found[other] = Policy().scores(t, view.rules, notes).get(move, 0.0)
    return found


@pytest.mark.parametrize(("slug", "players"), SOME)
def test_chances_of_a_play_are_those_of_asking_card_by_card_interpreted_and_compiled(slug: str, players: int) -> None:
    asked, rng, plays = Policy(), random.Random(3), 0
    for match, notes in noted(slug, players, 10, 16):
        if match.table.phase == Phase.PLAY:
            plays += 1
            move = rng.choice(match.moves())
            wanted = asked_card_by_card(match.view(match.turn), copy_table(match.table), notes, move)
            found = [0.0] * CARDS
            policy.play_chances(copy_table(match.table), match.rules, notes, asked.theta, asked.buffers, move, found)
            assert found == wanted
            table, rules, compiled = wide_record(match.table), wide_edition(match.rules), np.zeros(CARDS)
            buffers: tuple[Any, ...] = tuple(map(np.array, asked.buffers))
            compiling.play_chances(
                table, rules, np.array(notes), np.array(asked.theta), PolicyBuffers(*buffers), move, compiled
            )
            assert compiled.tolist() == pytest.approx(wanted, abs=1e-12, rel=0)
    assert plays > 6
