"""Deals drawn for a search fit the belief, and the search is the same compiled, counts right and finds what wins."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from suitors import Match
from suitors.bots import BOTS, arrays, best_reply, search, tree_search
from suitors.bots.engine import compiling, deals, reply
from suitors.bots.engine.policy import WEIGHTS
from suitors.bots.positions import belief_arrays, public_notes, visible_table
from suitors.bots.tree_search import TREE_FIXED, SearchWorker, TreeSearch
from suitors.fast.compiler import kernel
from suitors.fast.games import STATE, seed_chance
from suitors.fast.layout import to_table, wide_edition, wide_record
from suitors.knowledge.belief import Belief
from suitors.rules import NO_CARD, Phase, Table, copy_table
from suitors.rules.choices import MOST_MOVES
from suitors.rules.names import CARDS
from suitors.view.match import View
from support.all_deals import stated
from support.engine_positions import dealt, positions, some_positions
from support.matches import TABLES

Hidden = dict[tuple[str, int], int]


class Dealer:
    """Draws deals for a view as a search does."""

    def __init__(self, view: View, seed: int = 1) -> None:
        assert view.seat is not None
        self.view, self.me = view, view.seat
        self.belief = Belief(view)
        self.arrays = belief_arrays(self.belief)
        self.rng = [0] * STATE
        seed_chance(self.rng, seed, 0)

    def draw(self) -> Table:
        """A table with its hidden cards filled in."""
        t = visible_table(self.belief.view, self.belief.evidence.public)
        deals.draw_deal(t, self.view.rules, self.me, self.arrays, [0] * MOST_MOVES, self.rng)
        return t

    def hidden(self, t: Table) -> Hidden:
        """Where it put them."""
        found = {("hand", seat): t.hand[seat] for seat in self.view.standing if seat != self.me}
        found |= {("deck", k): t.deck[t.top + k] for k in range(self.view.deck)}
        return found | ({("aside", 0): t.spare} if t.spare != NO_CARD else {})


def views(slug: str, players: int, seed: int, count: int, steps: int = 40) -> Iterator[View]:
    """What deciding seats see."""
    for match in some_positions(slug, players, seed, count, steps):
        yield match.view(match.turn)


# Deals


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_deal_uses_the_unseen_cards_and_keeps_to_what_is_known(slug: str, players: int) -> None:
    for view in views(slug, players, 1, 8):
        dealer = Dealer(view)
        chances = {(where, a or k): row for (where, a, k), row in stated(dealer.belief).items()}
        for _ in range(5):
            t = dealer.draw()
            found = dealer.hidden(t)
            left = list(dealer.belief.unseen)
            for card in found.values():
                left[card] -= 1
            assert min(left) >= 0
            assert sum(left) == (0 if t.spare != NO_CARD else view.aside)
            for seat, known in enumerate(view.known):
                assert seat == view.seat or not known or found["hand", seat] == known[0]
            assert all(found["deck", place] == card for place, card in view.under.items())
            assert t.hand[dealer.me] == view.hand[0]
            assert all(chances[place].get(card, 0.0) > 0 for place, card in found.items())  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("slug", "players"), [("classic", 2), ("house", 2), ("modern", 2), ("modern", 4), ("premium", 3), ("premium", 6)]
)
def test_deals_are_as_frequent_as_the_belief_says(slug: str, players: int) -> None:
    """Within five standard errors, each of some thousand frequencies: chance alone fails once in a thousand runs."""
    draws = 800
    for view in views(slug, players, 2, 3):
        dealer = Dealer(view)
        counts: Counter[tuple[tuple[str, int], int]] = Counter()
        for _ in range(draws):
            counts.update(dealer.hidden(dealer.draw()).items())
        for (where, a, k), row in stated(dealer.belief).items():
            place = (where, a or k)
            if where != "hand" or a != view.seat:
                for card in range(CARDS):
                    chance = row.get(card, 0.0)  # type: ignore[call-overload]
                    error = (chance * (1 - chance) / draws) ** 0.5
                    if where != "aside" or view.rules.spare:
                        assert abs(counts[place, card] / draws - chance) <= 5 * error + 1 / draws


def test_cards_that_a_tie_couples_are_dealt_together() -> None:
    match = dealt("classic", ["guard", "handmaid", "handmaid", "priest"], "guard baron king")
    for text in ("guard 3 king", "baron 2", "king 0"):
        match.play(text)
    dealer = Dealer(match.view(3))
    drawn = [dealer.draw() for _ in range(200)]
    assert all(t.hand[1] == t.hand[0] for t in drawn)  # Cleo's hand, as good as Ben's, went to Ada
    assert len({t.hand[1] for t in drawn}) > 2


@kernel
def compiled_deal(tables: Any, eds: Any, me: int, belief: Any, pool: Any, rng: Any) -> None:
    deals.draw_deal(tables[0], eds[0], me, belief, pool, rng)


@pytest.mark.parametrize(("slug", "players"), [("house", 2), ("modern", 4), ("premium", 7)])
def test_the_same_stream_gives_the_same_deals_compiled(slug: str, players: int) -> None:
    assert compiling.MODULES  # which registers what the kernel calls
    for view in views(slug, players, 3, 5):
        dealer = Dealer(view)
        pool, rng = np.zeros(MOST_MOVES, np.int64), np.array(dealer.rng)
        for _ in range(10):
            record = wide_record(visible_table(dealer.belief.view, dealer.belief.evidence.public), quiet=False)
            compiled_deal(record, wide_edition(view.rules), dealer.me, dealer.arrays, pool, rng)
            t = dealer.draw()
            assert dealer.hidden(to_table(record[0])) == dealer.hidden(t)
            assert rng.tolist() == dealer.rng


# The search


def searched(view: View, iterations: int, at_random: float = 0.0) -> SearchWorker:
    """A search with weights that make every feature count."""
    position = TreeSearch(view, Belief(view), random.Random(8))
    rng = random.Random(9)
    position.theta = [rng.gauss(0, 0.5) for _ in range(WEIGHTS)]
    found = SearchWorker(position, [at_random] * view.rules.players, 0, TREE_FIXED)
    found.simulate(iterations)
    return found


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 6)])
@pytest.mark.parametrize("at_random", [0.0, 0.4])
def test_the_compiled_search_grows_the_interpreted_tree(
    slug: str, players: int, at_random: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for view in views(slug, players, 4, 2):
        compiled = searched(view, 60, at_random)
        with monkeypatch.context() as patch:
            for module in (arrays, tree_search):
                patch.setattr(module, "available", lambda: False)
            interpreted = searched(view, 60, at_random)
            assert isinstance(interpreted.tree.keys, list)
        assert compiled.visits() == interpreted.visits()
        assert list(compiled.tree.keys) == interpreted.tree.keys
        assert list(compiled.tree.visits) == interpreted.tree.visits
        assert list(compiled.tree.totals) == pytest.approx(interpreted.tree.totals, abs=1e-9)


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_each_simulated_round_but_the_first_tries_a_move(slug: str, players: int) -> None:
    """The first one makes the root of the tree and plays on by the policy."""
    for view in views(slug, players, 5, 3):
        found = searched(view, 1)
        assert not any(found.visits().values())
        found.simulate(199)
        assert sum(found.visits().values()) == 199
        assert set(found.visits()) == set(found.search.moves.values())


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 5)])
def test_each_simulated_round_counts_once_with_its_result_wherever_it_came_through(slug: str, players: int) -> None:
    for view in views(slug, players, 8, 2):
        found = searched(view, 100)
        for _ in range(60):
            visits, totals = np.array(found.tree.visits), np.array(found.tree.totals)
            found.simulate(1)
            more, gained = found.tree.visits - visits, found.tree.totals - totals
            assert set(more.tolist()) == {0, 1}
            assert gained[more == 1] == pytest.approx(gained[more == 1][0])
            assert not gained[more == 0].any()


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_a_result_lies_between_losing_and_winning_about_a_token(slug: str, players: int) -> None:
    for view in views(slug, players, 6, 2):
        found = searched(view, 100)
        root = reply.slot_of(found.tree.keys, reply.observe(*root_of(found)), False)
        assert found.tree.visits[root] == 100
        assert -1.5 < found.tree.totals[root] / 100 < 3


def root_of(found: SearchWorker) -> tuple[Any, ...]:
    position = found.search
    return position.table, position.notes, position.rules, position.view.seat, 1


def test_positions_that_look_alike_to_the_player_are_one_and_others_are_not() -> None:
    for match in positions("premium", 5, 7, 30):
        position = TreeSearch(match.view(match.turn), Belief(match.view(match.turn)), random.Random(1))
        t, notes, me = position.table, position.notes, match.turn
        assert me is not None
        key = reply.observe(t, notes, match.rules, me, 1)
        other = copy_table(t)
        other.hand = [card if seat == me else 3 for seat, card in enumerate(t.hand)]
        other.deck = [4] * len(t.deck)
        assert reply.observe(other, notes, match.rules, me, 1) == key
        other.hand[me] = (t.hand[me] + 1) % CARDS
        assert reply.observe(other, notes, match.rules, me, 1) != key


def test_anothers_keep_stays_hidden_in_the_hash_of_what_was_seen() -> None:
    def key_after(text: str, me: int) -> int:
        match = dealt("modern", ["chancellor", "guard"], "guard priest baron")
        match.play("chancellor")
        assert match.table.phase == Phase.KEEP
        notes = public_notes(Belief(match.view(0)).evidence.public)
        return reply.advance(match.table, match.rules, notes, me, match.parse(text), 1)

    keeps = ("keep guard priest baron", "keep guard baron priest", "keep baron priest guard")
    assert len({key_after(text, 1) for text in keeps}) == 1
    assert len({key_after(text, 0) for text in keeps}) == 3


# What wins is found


def after(match: Match, *texts: str) -> Match:
    for text in texts:
        match.play(text)
    return match


SCENES: dict[str, tuple[Callable[[], Match], set[str]]] = {
    "a Guard names the card that a Priest has shown": (
        lambda: after(dealt("classic", ["priest", "king"], "handmaid guard guard"), "priest 1", "guard 0 baron"),
        {"guard 1 king"},
    ),
    "a Guard names the number that a Priest has shown": (
        lambda: after(dealt("premium", ["priest", "king"], "handmaid guard guard"), "priest 1", "guard 0 3"),
        {"guard 1 6"},
    ),
    "a Baron is played that is known to win": (
        lambda: after(dealt("modern", ["priest", "guard"], "prince spy baron"), "priest 1", "spy"),
        {"baron 1"},
    ),
    "a Prince makes a Princess fall who was seen": (
        lambda: after(dealt("house", ["priest", "princess"], "baron guard prince"), "priest 1", "guard 0 king"),
        {"prince 1"},
    ),
}


@pytest.mark.parametrize("bot", ["search", "expert"])
@pytest.mark.parametrize("what", SCENES)
def test_what_wins_now_is_played(bot: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search, best_reply):
        monkeypatch.setattr(module, "ITERATIONS", 500)
    make, wanted = SCENES[what]
    match = make()
    assert match.turn == 0
    for seed in range(3):
        assert BOTS[bot](match.view(0), random.Random(seed), None) in wanted


@pytest.mark.parametrize("bot", ["beginner", "novice", "counting", "search", "expert"])
def test_the_princess_is_never_played_where_something_else_can_be(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search, best_reply):
        monkeypatch.setattr(module, "ITERATIONS", 500)
    for slug, players in (("classic", 2), ("modern", 3), ("premium", 2), ("premium", 5), ("house", 4)):
        for card in ("guard", "priest", "baron", "handmaid", "prince", "king", "countess"):
            hands = ["princess", *["guard"] * (players - 1)]
            move = BOTS[bot](dealt(slug, hands, card).view(0), random.Random(card), None)
            assert move.startswith(card)
            assert move != "prince 0"


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_a_countess_that_must_be_played_is_played(bot: str) -> None:
    for slug, other in (("classic", "king"), ("modern", "prince"), ("premium", "king"), ("house", "prince")):
        match = dealt(slug, [other, "guard"], "countess")
        for budget in (None, 1.0):
            assert BOTS[bot](match.view(0), random.Random(1), budget) == "countess"
