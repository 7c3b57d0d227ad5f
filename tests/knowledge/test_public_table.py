"""The table that everybody sees, folded from one seat's log, is the real one; the notes on who knows what are true."""

import random
from collections.abc import Iterator
from itertools import chain

import pytest

from suitors import Match
from suitors.knowledge import evidence
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import ByPolicy
from suitors.knowledge.public import SEEN_UNKNOWN, Public, fold
from suitors.notation import read_move
from suitors.rules import NO_CARD, Card, Edition, Phase, Table
from support.all_deals import SmallGame, chosen, evenly, small
from support.matches import TABLES
from support.random_play import step
from support.scenes import NAMES, cards

FIELDS = ("playing", "standing", "shielded", "discards", "top", "bottom", "mark", "bettor", "favourite", "tokens")


def decisions(slug: str, players: int, seed: int = 0) -> Iterator[Match]:
    """A match by chance, at every decision."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], rng=rng)
    for _ in range(60):
        if match.over:
            break
        if match.turn is not None:
            yield match
        step(match, rng)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_public_field_is_as_at_the_real_table(slug: str, players: int) -> None:
    for match in decisions(slug, players):
        for seat in (None, *range(players)):
            mine, real = fold(match.view(seat)).table, match.table
            assert {name: getattr(mine, name) for name in FIELDS} == {name: getattr(real, name) for name in FIELDS}
            assert mine.piles[: real.discards] == real.piles[: real.discards]
            assert mine.owners[: real.discards] == real.owners[: real.discards]
            assert (mine.spare == NO_CARD) == (real.spare == NO_CARD)
            assert mine.traded == real.traded
            if real.phase != Phase.PLAY:
                assert mine.active == real.active


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_no_hidden_card_lies_on_the_public_table(slug: str, players: int) -> None:
    for match in decisions(slug, players):
        public = fold(match.view(0))
        assert public.table.hand == [NO_CARD] * players
        assert (public.table.drawn, public.table.extra) == (NO_CARD, NO_CARD)
        assert not any(public.table.deck)
        assert sorted(public.own) == sorted(match.view(0).hand)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_whoever_is_noted_to_know_a_card_knows_it_and_it_is_there(slug: str, players: int) -> None:
    notes = 0
    for match in decisions(slug, players, 1):
        known = [match.view(seat).known for seat in range(players)]
        for reader in (None, *range(players)):
            public = fold(match.view(reader))
            for a in range(players):
                for b in range(players):
                    card = public.seen[a * players + b]
                    if card == SEEN_UNKNOWN:
                        assert known[a][b]
                    elif card != NO_CARD:
                        notes += a != b
                        assert card == match.table.hand[b]
                        assert card in known[a][b]
    assert notes > 3


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_nobody_holds_a_card_that_is_noted_as_barred(slug: str, players: int) -> None:
    """It is said of the card from before the draw: whoever must decide may just have drawn such a card."""
    bars = 0
    for match in chain(decisions(slug, players, 2), decisions(slug, players, 3)):
        for reader in (None, 0):
            for seat, barred in enumerate(fold(match.view(reader)).barred):
                held = match.table.hand[seat]
                bars += barred != 0
                assert held == NO_CARD or not barred >> held & 1
    assert bars > 3


Snapshot = tuple[object, ...]


def snapshot(t: Table) -> Snapshot:
    """What a policy can see of a table, the own cards apart."""
    piles = (*t.piles[: t.discards], *t.owners[: t.discards])
    return (
        t.phase,
        t.active,
        t.decider,
        t.traded,
        tuple(t.tokens),
        *(getattr(t, name) for name in FIELDS[:-1]),
        *piles,
    )


def rehearse(slug: str, players: int, seed: int) -> tuple[Match, list[Snapshot]]:
    """A match, some rounds on, and its table before each move of the last round."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], rng=rng)
    before: list[Snapshot] = []
    for _ in range(rng.randrange(10, 40)):
        if match.to_deal:
            match.deal()
            before = []
        elif not match.over:
            before.append(snapshot(match.table))
            match.push(chosen(match.table, match.rules, evenly, rng))
    return match, before


@pytest.mark.parametrize(
    ("slug", "players", "phases"),
    [("premium", 6, (Phase.PLAY, Phase.LOOK, Phase.ANSWER)), ("modern", 3, (Phase.PLAY, Phase.KEEP))],
)
def test_a_policy_is_asked_about_each_table_as_it_was_before_the_move(
    slug: str, players: int, phases: tuple[Phase, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "MOST_CASES", 50)
    asked: list[Snapshot] = []

    def note(t: Table, ed: Edition) -> dict[int, float]:
        if snapshot(t) not in asked[-1:]:
            asked.append(snapshot(t))
        return evenly(t, ed)

    found = set()
    for seed in range(10):
        match, before = rehearse(slug, players, seed)
        asked.clear()
        Belief(match.view(None), ByPolicy(note))
        assert asked == before
        found |= {row[0] for row in before}
    assert found == set(phases)


def small_game(slug: str, players: int, order: str, *lines: str, box: int | None = None) -> SmallGame:
    """A round dealt in this order by seat 0, with these moves made."""
    game = SmallGame(small(slug, players, order, box=box, face_up=0), 0)
    game.start(cards(order))
    for line in lines:
        game.make(read_move(game.ed, line))
    return game


def barred(game: SmallGame, seat: int) -> list[Card]:
    """The cards of the deck that seat 2 knows everybody to know the seat not to hold."""
    bits = fold(game.view(2)).barred[seat]
    return [card for card in Card if game.ed.copies[card] and bits >> card & 1]


def seen_of(public: Public, seat: int, other: int) -> int:
    return public.seen[seat * public.rules.players + other]


def test_a_priest_is_noted_by_the_one_who_looks_the_one_looked_at_and_the_others() -> None:
    game = small_game("modern", 3, "king priest baron guard guard prince spy spy", "priest 1")
    assert seen_of(fold(game.view(0)), 0, 1) == Card.BARON
    assert seen_of(fold(game.view(1)), 0, 1) == Card.BARON
    assert seen_of(fold(game.view(2)), 0, 1) == SEEN_UNKNOWN
    assert seen_of(fold(game.view(None)), 1, 0) == NO_CARD


def test_a_card_that_was_seen_stays_noted_while_others_are_played() -> None:
    order = "king priest baron guard guard prince spy spy"
    kept = small_game("modern", 3, order, "priest 1", "prince 2")
    gone = small_game("modern", 3, order, "priest 1", "baron 2")
    assert seen_of(fold(kept.view(1)), 0, 1) == Card.BARON
    assert seen_of(fold(gone.view(1)), 0, 1) == NO_CARD
    assert seen_of(fold(kept.view(2)), 0, 1) == NO_CARD  # who does not know the card cannot tell whether it stayed


def test_after_a_trade_both_know_what_they_gave() -> None:
    game = small_game("modern", 3, "spy king baron guard priest prince spy", "king 1")
    assert seen_of(fold(game.view(0)), 0, 1) == Card.PRIEST
    assert seen_of(fold(game.view(0)), 1, 0) == Card.BARON
    assert seen_of(fold(game.view(1)), 0, 1) == Card.PRIEST
    assert seen_of(fold(game.view(1)), 1, 0) == Card.BARON
    assert seen_of(fold(game.view(2)), 0, 1) == SEEN_UNKNOWN


def test_a_card_seen_before_a_trade_is_noted_with_its_new_owner() -> None:
    order = "spy priest prince guard guard king spy spy spy"
    game = small_game("modern", 3, order, "priest 2", "king 2")  # Ada sees the Guard, which then goes to Ben
    assert seen_of(fold(game.view(0)), 0, 1) == Card.GUARD
    assert seen_of(fold(game.view(0)), 0, 2) == NO_CARD


def test_a_hit_that_was_not_fatal_bars_all_other_numbers() -> None:
    game = small_game("premium", 3, "king bishop count guard priest baron prince", "bishop 1 5", box=5)
    assert barred(game, 1) == [Card.GUARD, Card.PRIEST, Card.BARON, Card.KING, Card.BISHOP]  # not Prince, not Count
    game.make(read_move(game.ed, "redraw"))
    assert barred(game, 1) == []


def test_a_miss_bars_until_a_card_is_played_that_may_have_been_the_old_one() -> None:
    order = "spy guard handmaid king priest prince priest spy spy"
    assert barred(small_game("modern", 3, order, "guard 1 prince"), 1) == [Card.PRINCE]
    # A Prince played next can only be the card just drawn, so the old one stayed; a Handmaid may be either.
    assert barred(small_game("modern", 3, order, "guard 1 prince", "prince 2"), 1) == [Card.PRINCE]
    assert barred(small_game("modern", 3, order, "guard 1 prince", "handmaid"), 1) == []


def test_a_comparison_bars_what_could_not_have_won() -> None:
    baron = small_game("premium", 3, "handmaid baron priest guard king prince princess", "baron 1")
    assert barred(baron, 0) == [Card.GUARD, Card.PRIEST]
    queen = small_game("premium", 3, "count dowager-queen king guard priest prince princess", "dowager-queen 1", box=5)
    assert barred(queen, 0) == [Card.KING, Card.DOWAGER_QUEEN, Card.PRINCESS]
