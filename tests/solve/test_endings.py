"""Endings solved: the tree is the game, its information sets are what players see, and the strategy an equilibrium."""

import random
from collections import Counter
from collections.abc import Hashable
from functools import cache

import pytest

from suitors import Match
from suitors.bots.ending import worlds_of
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import uniform
from suitors.knowledge.public import fold
from suitors.rules import Card, Phase, Table, edition, new_table
from suitors.rules.editions import Edition
from suitors.solve import endings as tree
from suitors.solve import equilibrium, equity
from suitors.solve.equilibrium import Ending, World
from support.matches import FOR_TWO
from support.scenes import scene
from support.slow_endings import Node, SetKey, cards_of, endings, exploitability, grow, hidden_cards, value, walk

SMALL = 1500
"""Nodes at most of a tree that is grown by hand."""


def worlds(match: Match) -> list[World]:
    """The worlds of a position, as the deciding seat's view gives them."""
    view = match.view(match.turn)
    return list(worlds_of(view, Belief(view), uniform))


@cache
def small_positions(slug: str) -> list[tuple[Match, list[World]]]:
    """Positions whose trees are small but not too small."""
    found = []
    for match in endings(slug, 1, 20):
        some = worlds(match)
        if 30 < Ending(match.rules, some).tree.counters[tree.NODES] < SMALL:
            found.append((match, some))
    return found


def small_endings(slug: str, count: int) -> list[tuple[Match, list[World], Ending]]:
    """Some of them, not yet solved."""
    found = [(match, some, Ending(match.rules, some)) for match, some in small_positions(slug)[:count]]
    assert len(found) == count
    return found


def root_knowledge(match: Match, world: World, seat: int) -> Hashable:
    """What a seat knows in a world, by its own view of the match: the own cards, another's, those under the deck."""
    t, mine, view = world.table, match.view(seat), match.view(match.turn)
    real, other = (cards_of(view, table, 1 - seat) for table in (match.table, t))
    places, known = [], [int(card) for card in mine.known[1 - seat]]
    if known and fold(mine).seen[seat * 2 + 1 - seat] == real[0]:  # it was shown, the others come from under the deck
        places.append(0)
        known.remove(real[0])
    for k in range(len(real) - 1, -1, -1):
        if real[k] in known:
            places.append(k)
            known.remove(real[k])
    assert not known
    under = [t.deck[t.top + place] for place in sorted(mine.under)]
    return cards_of(view, t, seat), tuple(other[k] for k in places), tuple(under)


def by_hand(match: Match, some: list[World]) -> list[tuple[Node, float]]:
    """The trees of all worlds, with their chances."""
    words = {match.rules.spoken[card] for card in hidden_cards([world.table for world in some])}
    total = sum(world.weight for world in some)
    return [
        (
            grow(
                world.table,
                match.rules,
                (root_knowledge(match, world, 0), root_knowledge(match, world, 1)),
                words,
            ),
            world.weight / total,
        )
        for world in some
    ]


def set_ids(ending: Ending) -> list[int | None]:
    """The information set of every node of a solved tree in its order, None where the round is over."""
    rows = [
        ending.tree.nodes[k * tree.NODE : (k + 1) * tree.NODE] for k in range(int(ending.tree.counters[tree.NODES]))
    ]
    return [
        None if row[tree.PLAYER] == tree.TERMINAL else int(row[tree.SET])
        for row in rows
        if row[tree.PLAYER] != tree.ORIGIN
    ]


def strategy_of(ending: Ending, roots: list[tuple[Node, float]]) -> dict[SetKey, list[float]]:
    """The average strategy, by what is known in the tree grown by hand."""
    tree.average(ending.tree, ending.state)
    found: dict[SetKey, list[float]] = {}
    nodes = [node for root, _ in roots for node in walk(root)]
    for node, number in zip(nodes, set_ids(ending), strict=True):
        if node.key is not None and number is not None:
            start = int(ending.tree.sets[number * tree.MEMBERS + tree.OFFSET])
            found[node.key] = [float(chance) for chance in ending.state.now[start : start + len(node.moves)]]
    return found


# The tree


@pytest.mark.parametrize("slug", FOR_TWO)
def test_two_nodes_are_in_one_information_set_if_and_only_if_their_player_has_seen_the_same(slug: str) -> None:
    for match, some, ending in small_endings(slug, 5):
        nodes = [node for root, _ in by_hand(match, some) for node in walk(root)]
        numbers = set_ids(ending)
        assert len(nodes) == len(numbers) == ending.tree.counters[tree.NODES] - len(some)
        pairs = {(node.key, number) for node, number in zip(nodes, numbers, strict=True)} - {(None, None)}
        assert len({key for key, _ in pairs}) == len(pairs)
        assert len({number for _, number in pairs}) == len(pairs) == ending.tree.counters[tree.SETS]


@pytest.mark.parametrize("slug", FOR_TWO)
def test_results_and_moves_are_those_of_the_rules(slug: str) -> None:
    for match, some, ending in small_endings(slug, 4):
        nodes = [node for root, _ in by_hand(match, some) for node in walk(root)]
        size = int(ending.tree.counters[tree.NODES])
        rows = [k for k in range(size) if ending.tree.nodes[k * tree.NODE + tree.PLAYER] != tree.ORIGIN]
        for node, k in zip(nodes, rows, strict=True):
            kind = ending.tree.nodes[k * tree.NODE + tree.PLAYER]
            assert kind == (tree.TERMINAL if node.player is None else node.player)
            if node.player is None:
                assert ending.tree.values[k] == node.value
            else:
                place = ending.tree.nodes[k * tree.NODE + tree.SET] * tree.MEMBERS
                assert ending.tree.sets[place + tree.COUNT] == len(node.moves)
                assert ending.tree.sets[place + tree.OWNER] == node.player


def test_a_guard_may_name_one_card_that_cannot_be_there_but_no_more() -> None:
    match = scene("classic", ["guard handmaid", "king"], deck=1)
    moves = [0] * tree.WIDEST
    hidden = sum(1 << card for card in hidden_cards([match.table]))
    n = tree.list_sensible(match.table, match.rules, hidden, moves, 0)
    named = {move >> 15 & 31 for move in moves[:n] if move >> 15 & 31 != 31}
    possible = {card for card in hidden_cards([match.table]) if card != Card.GUARD}
    assert possible <= named
    assert len(named - possible) == 1
    assert n == len(named) + 1


def test_a_tree_that_is_too_large_says_so() -> None:
    match = endings("classic", 2, 1)[0]
    some = worlds(match)
    assert Ending(match.rules, some, room=64).full
    assert not Ending(match.rules, some[:1], room=1 << 14).full


# The equilibrium


@pytest.mark.parametrize("slug", FOR_TWO)
def test_after_200_iterations_nobody_gains_a_hundredth_by_knowing_the_others_strategy(slug: str) -> None:
    gains = []
    for match, some, ending in small_endings(slug, 4):
        roots = by_hand(match, some)
        ending.improve(5)
        few = exploitability(roots, strategy_of(ending, roots))
        ending.improve(195)
        strategy = strategy_of(ending, roots)
        many = exploitability(roots, strategy)
        assert -1e-9 <= many < 0.01
        gains.append((few, many))
    assert sum(many for _, many in gains) <= sum(few for few, _ in gains)


def test_more_iterations_bring_the_strategy_closer_to_an_equilibrium() -> None:
    match, some, ending = mixed_ending()
    roots = by_hand(match, some)
    found = []
    for rounds in (10, 90, 900):
        ending.improve(rounds)
        found.append(exploitability(roots, strategy_of(ending, roots)))
    assert found[0] > 3 * found[1] > 9 * found[2] > 0


def mixed_ending() -> tuple[Match, list[World], Ending]:
    """An ending whose equilibrium needs chance."""
    match = scene("modern", ["chancellor spy", "prince"], deck="priest princess")
    match.play("chancellor")
    some = [World(match.table, (1, 2), 1.0)]
    return match, some, Ending(match.rules, some)


def test_the_value_of_a_hidden_choice_is_that_of_the_matrix_game() -> None:
    """Ada keeps the Princess or the Spy, Ben's Prince aims at her or at himself; the Priest goes to him.

    Kept Princess: she falls to a Prince on Ada, and wins if Ben discards. Kept Spy: a Prince on Ada makes her draw the
    Princess and win, with the Spy's token; Ben's own Prince makes him draw her.
    """
    lost, won, twice = (1 / (1 + 2.5**-tokens) for tokens in (-1, 1, 2))
    princess = (twice - lost) / (twice - lost + won - lost)  # how often she is kept, so that Ben does not care
    worth = princess * lost + (1 - princess) * twice
    match, some, ending = mixed_ending()
    roots = by_hand(match, some)
    ending.improve(3000)
    strategy = strategy_of(ending, roots)
    assert value(roots, strategy) == pytest.approx(worth, abs=1e-3)
    assert exploitability(roots, strategy) < 1e-3
    chances = ending.strategy(some[0], 0)
    assert chances[match.parse("keep princess priest spy")] == pytest.approx(princess, abs=0.02)
    assert chances[match.parse("keep spy priest princess")] == pytest.approx(1 - princess, abs=0.02)


def test_a_strategy_counts_as_often_as_its_player_comes_there() -> None:
    """The first iteration is played evenly, so that its part of the average can be worked out."""
    match, some, ending = mixed_ending()
    roots, wanted = by_hand(match, some), Counter[SetKey]()

    def visit(node: Node, reach: tuple[float, float]) -> None:
        if node.key is not None and node.player is not None:
            part = reach[node.player] / len(node.moves)
            wanted[node.key] += part  # type: ignore[assignment]
            for child in node.children:
                visit(child, (part, reach[1]) if node.player == 0 else (reach[0], part))

    for root, _ in roots:
        visit(root, (1.0, 1.0))
    ending.improve(1)
    nodes = [node for root, _ in roots for node in walk(root)]
    for node, number in zip(nodes, set_ids(ending), strict=True):
        if node.key is not None and number is not None:
            start = int(ending.tree.sets[number * tree.MEMBERS + tree.OFFSET])
            assert ending.state.sums[start : start + len(node.moves)] == pytest.approx(
                [wanted[node.key]] * len(node.moves)
            )


def test_the_strategy_is_the_same_in_every_world_that_the_player_cannot_tell_apart() -> None:
    for match, some, ending in small_endings("classic", 4):
        ending.improve(50)
        seat = match.turn
        assert seat is not None
        for world in some:
            found = ending.strategy(world, seat)
            assert sum(found.values()) == pytest.approx(1)
            for other in some:
                if other.keys[seat] == world.keys[seat]:
                    assert ending.strategy(other, seat) == found


def test_iterations_in_parts_are_the_same_as_at_once() -> None:
    match, some, parts = small_endings("house", 1)[0]
    whole = Ending(match.rules, some)
    whole.improve(40)
    for rounds in (1, 9, 30):
        parts.improve(rounds)
    assert list(parts.state.sums) == pytest.approx(list(whole.state.sums))
    assert parts.done == whole.done == 40


# Compiled


@pytest.mark.parametrize("slug", FOR_TWO)
def test_the_compiled_tree_and_strategy_are_the_interpreted_ones(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for match, some, ending in small_endings(slug, 3):
        ending.improve(20)
        with monkeypatch.context() as patch:
            patch.setattr(equilibrium, "available", lambda: False)
            plain = Ending(match.rules, some)
            plain.improve(20)
            assert isinstance(plain.tree.nodes, list)
            assert match.turn is not None
            strategies = [plain.strategy(world, match.turn) for world in some]
        size, sets = int(plain.tree.counters[tree.NODES]), int(plain.tree.counters[tree.SETS])
        assert list(ending.tree.counters) == plain.tree.counters
        assert list(ending.tree.nodes[: size * tree.NODE]) == plain.tree.nodes[: size * tree.NODE]
        assert list(ending.tree.sets[: sets * tree.MEMBERS]) == plain.tree.sets[: sets * tree.MEMBERS]
        assert list(ending.tree.values[:size]) == pytest.approx(plain.tree.values[:size], abs=1e-9, rel=0)
        assert list(ending.state.sums) == pytest.approx(plain.state.sums, abs=1e-9, rel=1e-9)
        for world, found in zip(some, strategies, strict=True):
            assert ending.strategy(world, match.turn) == pytest.approx(found, abs=1e-9, rel=0)


# What tokens are worth


def table(ed: Edition, tokens: list[int]) -> Table:
    t = new_table(ed)
    t.tokens = tokens
    return t


@pytest.mark.parametrize("players", [2, 4, 8])
def test_equities_sum_to_one_and_grow_with_the_own_tokens(players: int) -> None:
    ed, rng = edition("premium", players), random.Random(players)
    for _ in range(50):
        tokens = [rng.randrange(ed.goal) for _ in range(players)]
        shares = [equity.equity(table(ed, tokens), ed, seat) for seat in range(players)]
        assert sum(shares) == pytest.approx(1)
        for seat, share in enumerate(shares):
            more = [n + (seat == other) for other, n in enumerate(tokens)]
            gained = equity.equity(table(ed, more), ed, seat)
            assert gained > share
            assert equity.stakes(table(ed, tokens), ed, seat, seat) == pytest.approx(gained)
            loser = (seat + 1) % players
            assert equity.equity(table(ed, more), ed, loser) < shares[loser]
            assert equity.stakes(table(ed, tokens), ed, loser, seat) == pytest.approx(
                equity.equity(table(ed, more), ed, loser)
            )


def test_at_the_end_of_a_match_the_winners_share_it_and_a_tie_break_is_even() -> None:
    ed = edition("modern", 4)
    t = table(ed, [4, 1, 4, 0])
    t.phase, t.champions = Phase.OVER, 0b0101
    assert [equity.equity(t, ed, seat) for seat in range(4)] == [0.5, 0, 0.5, 0]
    t.champions = 0b0001
    assert [equity.equity(t, ed, seat) for seat in range(4)] == [1, 0, 0, 0]
    t.phase, t.tied = Phase.DEAL, 0b1110
    assert [equity.equity(t, ed, seat) for seat in range(4)] == [0, *[pytest.approx(1 / 3)] * 3]
