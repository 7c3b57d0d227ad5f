"""Deals drawn from a belief, and beliefs that are themselves drawn because there is too much to sum up."""

import random
from collections import Counter
from collections.abc import Mapping
from math import log
from typing import Any

import pytest

from suitors import Match
from suitors.knowledge import evidence
from suitors.knowledge.belief import Belief, Deal
from suitors.knowledge.likelihood import ByPolicy, uniform
from suitors.rules import Card, Edition, Table, Verb
from suitors.view.match import View
from support.all_deals import Place, Policy, SmallGame, Worlds, chosen, evenly, lie, moves, small, stated, with_whims
from support.matches import TABLES
from support.random_play import step
from support.scenes import NAMES, cards

ONCE_IN_A_MILLION = 1e-6


def spread(deal: Deal) -> dict[Place, int]:
    """The cards of a deal by their places, in the order of `lie`."""
    found: dict[Place, int] = {
        ("hand", seat, k): card for seat, hand in enumerate(deal.hands) for k, card in enumerate(hand)
    }
    found |= {("aside", 0, k): card for k, card in enumerate(deal.aside)}
    return found | {("deck", 0, k): card for k, card in enumerate(deal.deck)}


def strain(times: int, of: int, chance: float) -> float:
    """How far a frequency is from its chance: Chernoff bounds the chance of this or worse by 2 * exp(-strain)."""
    chance = min(max(chance, 1e-300), 1.0)
    often = times / of
    total = often * log(often / chance) if often else 0.0
    if often < 1:
        total += (1 - often) * log((1 - often) / max(1 - chance, 1e-300))
    return of * total


def assert_drawn(counts: Mapping[Any, int], chances: Mapping[Any, float], of: int, comparisons: int) -> None:
    """The counts fit the chances; of so many comparisons, one fails by chance once in a million runs."""
    most = log(2 * comparisons / ONCE_IN_A_MILLION)
    for outcome in counts.keys() | chances.keys():
        assert strain(counts.get(outcome, 0), of, chances.get(outcome, 0.0)) < most, outcome


def position(slug: str, players: int, seed: int) -> tuple[Match, View]:
    """A match some steps on, as one of those in the round sees it."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], rng=rng)
    for _ in range(rng.randrange(2, 14)):
        if not match.over:
            step(match, rng)
    return match, match.view(rng.choice((None, *range(players))))


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_deals_use_the_unseen_cards_and_keep_to_what_is_known(slug: str, players: int) -> None:
    rng = random.Random(4)
    for seed in range(8):
        match, view = position(slug, players, seed)
        belief, true = Belief(view), lie(match.table, match.rules)
        chances = stated(belief)
        for _ in range(4):
            deal = belief.sample(rng)
            found = spread(deal)
            assert found.keys() == true.keys()
            assert sorted(found.values()) == sorted(true.values())
            assert all(chances[place].get(Card(card), 0.0) > 0 for place, card in found.items())
            if view.seat is not None:
                assert deal.hands[view.seat] == view.hand
            for seat, known in enumerate(view.known):
                assert not Counter(map(int, known)) - Counter(deal.hands[seat])
            assert all(deal.deck[place] == card for place, card in view.under.items())


@pytest.mark.parametrize(
    ("slug", "players"), [("premium", 3), ("premium", 6), ("modern", 2), ("modern", 4), ("house", 2)]
)
def test_deals_are_as_frequent_as_the_chances_say(slug: str, players: int) -> None:
    rng, draws, tables = random.Random(9), 400, 4
    for seed in range(tables):
        _, view = position(slug, players, seed + 100)
        belief = Belief(view)
        counts: dict[Place, Counter[Any]] = {place: Counter() for place in stated(belief)}
        for _ in range(draws):
            for place, card in spread(belief.sample(rng)).items():
                counts[place][card] += 1
        for place, chances in stated(belief).items():
            assert_drawn(counts[place], chances, draws, comparisons=tables * len(counts) * len(Card))


@pytest.mark.parametrize("policy", [evenly, with_whims])
def test_whole_deals_are_as_frequent_as_brute_force_says(policy: Policy) -> None:
    """Not only card by card: a Chancellor's choice and a tie couple the cards, and the deals must show it."""
    rng, draws = random.Random(5), 1500
    likelihood = uniform if policy is evenly else ByPolicy(policy)
    table = small("modern", 3, "chancellor chancellor baron baron guard guard guard")
    for seed in range(3):
        game = SmallGame(table, 0)
        order = list(table.box)
        random.Random(seed + 3).shuffle(order)
        game.start(order)
        worlds = Worlds(table, None, 0, policy, game.table)
        while not game.over:
            joint = worlds.joint()
            belief = Belief(game.view(None), likelihood)
            counts: Counter[Any] = Counter(tuple(spread(belief.sample(rng)).values()) for _ in range(draws))
            assert_drawn(counts, joint, draws, comparisons=60 * len(joint))
            move = chosen(game.table, table, policy, rng)
            game.make(move)
            worlds.step(move, game.table)


def keeps_high_cards(t: Table, ed: Edition) -> dict[int, float]:
    """A policy with a taste: the higher what it keeps and the lower what it plays, the likelier the move."""
    tastes = {}
    for move in moves(t, ed):
        card = move >> 5 & 31 if move & 31 == Verb.KEEP else move & 31
        value = ed.value[card] if card < len(ed.value) else 0
        tastes[move] = 1.0 + (value if move & 31 == Verb.KEEP else 9 - value)
    return {move: taste / sum(tastes.values()) for move, taste in tastes.items()}


def after_chancellors(seed: int) -> tuple[View, int]:
    """A view of a round of three in which Chancellors were played, and how often others did."""
    rng = random.Random(seed)
    match = Match("modern", NAMES[:3], dealt=False)
    order = list(match.rules.box)
    rng.shuffle(order)
    for card in cards("chancellor chancellor"):
        order.remove(card)
    order = [*order[:4], Card.CHANCELLOR, Card.CHANCELLOR, *order[4:]]
    match.start(tuple(order), 0)
    for _ in range(7):
        if match.turn is None:
            break
        options = [move for move in match.moves() if move & 31 in (Card.CHANCELLOR, Verb.KEEP)]
        calm = [move for move in match.moves() if move & 31 in (Card.HANDMAID, Card.PRIEST, Card.SPY)]
        match.push(rng.choice(options or calm or match.moves()))
    keeps = sum(move & 31 == Verb.KEEP for move in match.rounds[-1].moves)
    return match.view(2), keeps


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5])
def test_a_belief_that_had_to_be_thinned_is_near_the_exact_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everywhere within three stated errors, which are an upper bound; on average well within one."""
    view, keeps = after_chancellors(seed)
    assert keeps == 1
    exact = Belief(view, ByPolicy(keeps_high_cards))
    monkeypatch.setattr(evidence, "MOST_CASES", 60)
    rough = Belief(view, ByPolicy(keeps_high_cards))
    assert exact.error == 0
    assert len(exact.evidence.cases) > 60 == len(rough.evidence.cases)
    assert 0.5 * 60**-0.5 < rough.error < 0.113  # at the price of a third of the cases: they were drawn well
    right, mine = stated(exact), stated(rough)
    kinds = [card for card in Card if exact.unseen[card]]
    gaps = [abs(right[place].get(card, 0.0) - mine[place].get(card, 0.0)) for place in right for card in kinds]
    assert max(gaps) < 3 * rough.error
    assert sum(gaps) / len(gaps) < rough.error / 4


def test_many_thinned_beliefs_are_right_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draw of cases has no bias: averaged over 30 draws, no chance is far off."""
    view, _ = after_chancellors(0)
    exact = stated(Belief(view, ByPolicy(keeps_high_cards)))
    sums: dict[tuple[Place, Card], float] = {}
    runs = range(50, 80)
    for most in runs:
        monkeypatch.setattr(evidence, "MOST_CASES", most)
        monkeypatch.setattr(random, "Random", lambda _, most=most, kind=random.Random: kind(most))
        rough = Belief(view, ByPolicy(keeps_high_cards))
        monkeypatch.undo()
        for place, chances in stated(rough).items():
            for card, chance in chances.items():
                sums[place, card] = sums.get((place, card), 0.0) + chance / len(runs)
    for place, chances in exact.items():
        for card, chance in chances.items():
            assert abs(sums.get((place, card), 0.0) - chance) < 0.1 / 3, (place, card.name)


def test_two_thinnings_err_more_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    view, keeps = next(found for seed in range(6, 40) if (found := after_chancellors(seed))[1] == 2)
    monkeypatch.setattr(evidence, "MOST_CASES", 60)
    rough = Belief(view, ByPolicy(keeps_high_cards))
    assert keeps == 2
    assert rough.evidence.error == pytest.approx((2 * 0.25 / 60) ** 0.5)
    assert rough.error > rough.evidence.error
    for chances in stated(rough).values():
        assert sum(chances.values()) == pytest.approx(1)


def test_choices_by_chance_need_no_thinning() -> None:
    for seed in range(20):
        belief = Belief(after_chancellors(seed)[0])
        assert belief.error == 0
        assert len(belief.evidence.cases) <= 36
