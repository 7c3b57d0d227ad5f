"""The belief's chances are those of brute force: every deck order, every hidden choice, on tables of 7 to 9 cards."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import ByPolicy, Likelihood, Uniform, uniform
from suitors.knowledge.public import Public
from suitors.notation import read_move
from suitors.rules import Card, Edition, Event, Phase, Table, Verb
from suitors.rules.names import first_of
from suitors.view.match import seen
from suitors.view.memory import Entry
from support.all_deals import (
    Policy,
    SmallGame,
    Worlds,
    chosen,
    evenly,
    small,
    stated,
    told,
    with_mild_whims,
    with_whims,
)
from support.scenes import cards

TABLES = {
    "two Chancellors for two": small("modern", 2, "chancellor chancellor guard guard priest princess king", face_up=0),
    "Chancellors for three": small("modern", 3, "chancellor chancellor chancellor guard guard guard priest prince"),
    "Chancellors and Barons": small("modern", 3, "chancellor chancellor baron baron guard guard king"),
    "nine cards": small("modern", 2, "chancellor chancellor king king king guard guard guard prince", face_up=1),
    "Barons": small("modern", 3, "baron baron baron guard guard priest prince prince"),
    "ties of four": small("modern", 4, "baron baron guard guard guard priest priest priest"),
    "the court": small("classic", 2, "king prince countess guard guard handmaid princess", face_up=1),
    "the court for three": small("premium", 3, "king king prince countess prince guard guard"),
    "Princes": small("premium", 2, "prince prince prince guard guard princess handmaid handmaid", face_up=0),
    "Handmaids": small("demo", 3, "handmaid handmaid handmaid guard guard priest baron"),
    "three aside": small("house", 2, "prince prince guard guard guard king priest priest"),
    "none aside": small("house", 4, "prince prince guard guard baron baron king"),
    "Cardinals": small("premium", 3, "cardinal cardinal baroness guard guard assassin jester", box=5),
    "Cardinals for four": small("premium", 4, "cardinal cardinal guard guard priest assassin assassin", box=5),
    "Dowager Queens": small(
        "premium", 3, "dowager-queen dowager-queen baron constable constable countess prince", box=5
    ),
    "Bishops": small("premium", 3, "bishop bishop count count prince constable constable", box=5),
    "Bishops for two": small("premium", 2, "bishop bishop baroness baron cardinal cardinal priest", box=5),
    "Sycophants": small("premium", 4, "sycophant sycophant guard guard cardinal baroness assassin", box=5),
    "Sycophants and Counts": small("premium", 3, "sycophant sycophant count count jester prince prince", box=5),
}
CHANCELLORS = [name for name in TABLES if "Chancellors" in name]
GAMES = 3
"""So many rounds on each table, with each policy."""


class LikesHighCards(Uniform):
    """Chance, but for a Chancellor's choice: any order, the more likely the higher the card that is kept."""

    def kept(self, public: Public, seat: int) -> list[float]:
        return [1.0 + max(value, 0) + seat for value in public.rules.value]


def liking_high_cards(t: Table, ed: Edition) -> dict[int, float]:
    """The weights, which need not sum to 1, of the moves of one who likes to keep high cards."""
    chances = evenly(t, ed)
    if t.phase == Phase.KEEP:
        return {move: chance * (1.0 + ed.value[first_of(move)] + t.decider) for move, chance in chances.items()}
    return chances


POLICIES: dict[str, tuple[Policy, Likelihood]] = {
    "by chance": (evenly, uniform),
    "by a policy": (with_whims, ByPolicy(with_whims)),
    "by a mild policy": (with_mild_whims, ByPolicy(with_mild_whims)),
    "by a liking for what is kept": (liking_high_cards, LikesHighCards()),
}
CASES = [(table, policy) for table in TABLES for policy in ("by chance", "by a policy")]
CASES += [(table, "by a liking for what is kept") for table in CHANCELLORS]


def rounds(table: str, policy: Policy) -> Iterator[tuple[SmallGame, list[int]]]:
    """Rounds by chance, each with the moves that will be made in it."""
    ed = TABLES[table]
    for seed in range(GAMES):
        rng = random.Random(f"{table}/{policy.__name__}/{seed}")
        order = list(ed.box)
        rng.shuffle(order)
        rehearsal, game = (SmallGame(ed, len(table) % ed.players) for _ in range(2))
        rehearsal.start(order)
        made = []
        while not rehearsal.over:
            made.append(chosen(rehearsal.table, ed, policy, rng))
            rehearsal.make(made[-1])
        game.start(order)
        yield game, made


def assert_same(belief: Belief, worlds: Worlds) -> None:
    """Every chance that the belief states is that of the worlds."""
    mine, true = stated(belief), worlds.chances()
    assert mine.keys() == true.keys()
    for place, chances in mine.items():
        assert chances.keys() == true[place].keys()
        for card in Card:
            assert abs(chances.get(card, 0.0) - true[place].get(card, 0.0)) < 1e-9, (place, card.name)
    assert belief.error == 0


def check(game: SmallGame, made: list[int], policy: str) -> None:
    """Make the moves; after the deal and after each of them, every reader's belief is that of their worlds."""
    chooses, likelihood = POLICIES[policy]
    seats = (None, *range(game.ed.players))
    readers = [Worlds(game.ed, seat, game.first, chooses, game.table) for seat in seats]
    for worlds in readers:
        assert_same(Belief(game.view(worlds.seat), likelihood), worlds)
    for move in made:
        game.make(move)
        for worlds in readers:
            worlds.step(move, game.table)
            assert_same(Belief(game.view(worlds.seat), likelihood), worlds)


@pytest.mark.parametrize(("table", "policy"), CASES)
def test_every_chance_is_the_one_that_brute_force_finds(table: str, policy: str) -> None:
    for game, made in rounds(table, POLICIES[policy][0]):
        check(game, made, policy)


SCRIPTS = {
    "a tie, a card of it shown, a tie": (
        small("modern", 3, "guard guard guard guard priest priest baron baron prince"),
        "priest baron guard guard guard prince guard baron priest",
        "baron 1, prince 0, baron 1",
    ),
    "a tie, then a trade with one of the two": (
        small("modern", 3, "guard guard guard priest priest baron handmaid king"),
        "priest baron guard handmaid guard priest king guard",
        "baron 1, priest 0, king 0",
    ),
    "a protection that ended": (
        small("classic", 2, "handmaid handmaid guard guard guard priest king", face_up=0),
        "king handmaid guard guard handmaid guard priest",
        "handmaid, handmaid, guard, guard 0 king",
    ),
    "a mark that bound": (
        small("premium", 3, "sycophant sycophant guard guard guard baroness prince", box=5),
        "guard sycophant guard prince guard sycophant baroness",
        "sycophant 2, guard 2 3, baroness 0 1",
    ),
    "a Bishop's hit and what the answer says": (
        small("premium", 3, "bishop bishop count count prince prince guard", box=5),
        "guard bishop count prince prince bishop count",
        "bishop 1 5, stay, bishop 0 5, redraw",
    ),
}


@pytest.mark.parametrize("policy", ["by chance", "by a mild policy"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_brute_force_agrees_where_one_thing_leads_to_another(script: str, policy: str) -> None:
    ed, order, lines = SCRIPTS[script]
    game = SmallGame(ed, 0)
    game.start(cards(order))
    check(game, [read_move(ed, line) for line in lines.split(", ")], policy)


def test_choosing_by_chance_is_the_policy_of_equal_chances() -> None:
    for table in ("Chancellors for three", "Sycophants", "Bishops"):
        for game, made in rounds(table, evenly):
            for move in made:
                game.make(move)
                for seat in (None, 0, 1):
                    plain, asked = (stated(Belief(game.view(seat), how)) for how in (uniform, ByPolicy(evenly)))
                    for place, chances in plain.items():
                        assert asked[place] == pytest.approx(chances, abs=1e-12)


def test_the_small_rounds_show_every_card_and_every_event() -> None:
    played: Counter[int] = Counter()
    events: Counter[int] = Counter()
    for table in TABLES:
        for policy in (evenly, with_whims):
            for game, made in rounds(table, policy):
                for move in made:
                    game.make(move)
                    played[move & 31] += 1
                    events.update(entry.event for entry in seen(game.rows[-1:], None))
    assert {*Card} - played.keys() == {Card.SPY}
    assert played.keys() >= {Verb.KEEP, Verb.LOOK, Verb.REDRAW, Verb.STAY}
    within = {event for event in Event if Event.DREW <= event <= Event.REVEALED} - {Event.DEALT}
    assert within - events.keys() == set()
    assert events[Event.EQUAL] >= 4
    assert played[Verb.KEEP] >= 15


def test_a_world_tells_what_the_view_tells() -> None:
    for game, made in rounds("Cardinals", evenly):
        for move in made:
            game.make(move)
            for seat in (None, 0, 1, 2):
                rows = told(game.table, seat)
                entries = [Entry(Event(rows[k] or 0), *rows[k + 1 : k + 4]) for k in range(0, len(rows), 4)]  # type: ignore[arg-type]
                assert tuple(entries) == seen(game.rows[-1:], seat)
