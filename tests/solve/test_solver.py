"""The exact solver of the solo game: against a second one, compiled against interpreted, its book, and by hand."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.game import Solo
from suitors.notation import CARD_OF, write_move
from suitors.rules import NO_CARD, Card, Edition, Phase, SoloTable, edition
from suitors.solve import Solution, compiled, solve
from suitors.solve.book import read_book, start
from suitors.solve.memo import Memo
from suitors.solve.positions import OPPONENT, pack_position, unseen_bits
from suitors.solve.solo import evaluate
from suitors.solve.solver import solve_keys
from suitors.solve.turns import value_of
from support.matches import UNTIMED
from support.scenes import names
from support.slow_solver import SecondOpinion, copy_solo, face_down, lay

TINY = 1e-12
SWITCHES = pytest.mark.parametrize("sw", range(4))
RETINUE = [word for word in CARD_OF if word in ("guard", "priest", "baron", "handmaid", "prince", "king", "countess")]
COPIES = dict(zip(RETINUE, (5, 2, 2, 2, 2, 1, 1), strict=True))
KINDS = {CARD_OF[word]: kind for kind, word in enumerate([*RETINUE, "princess"], 1)}
PHASES = (Phase.START, Phase.PLAY, Phase.AGENT, Phase.OFFER)
HANDS = range(1, 8)


def options(sw: int) -> dict[str, str]:
    return {"solo_prince": ("replace", "remove")[sw & 1], "solo_last_card": ("win", "strict")[sw >> 1]}


def rules(sw: int) -> Edition:
    return edition("solitaire", 1, options(sw))


@cache
def second(sw: int) -> SecondOpinion:
    return SecondOpinion(rules(sw))


@cache
def memo(sw: int) -> Memo:
    return Memo(evaluate)


def packed(t: SoloTable, mine: bool) -> int:
    """A table at the beginning of a turn as the solver's number."""
    behind = t.queue[t.length - 1] == Card.PRINCESS
    length = t.length - behind
    queue = sum(KINDS[Card(t.queue[k])] << 3 * k for k in range(length) if t.up[k])
    agent = 0 if t.agent == NO_CARD else KINDS[Card(t.agent)] if t.agent_up else 9
    unseen = sum(1 << unseen_bits(KINDS[Card(card)]) for card in face_down(t))
    shield = t.guarded if mine else t.shielded
    return pack_position(queue, length, behind, KINDS[Card(t.hand)], agent, shield, unseen) | (not mine) << OPPONENT


# Positions by chance


def late_games(sw: int, seeds: range, most: int) -> Iterator[Solo]:
    """Every decision with few unseen cards in games by chance, in which the agent is kept and nobody loses in haste."""
    for seed in seeds:
        rng = random.Random(seed)
        game = Solo(options=options(sw), rng=rng)
        while not game.over:
            if len(face_down(game.table)) <= most:
                yield game
            moves = game.moves()
            rng.shuffle(moves)
            early = len(face_down(game.table)) > most
            game.push(next((move for move in moves if goes_on(game, move, early)), moves[0]))


def goes_on(game: Solo, move: int, early: bool) -> bool:
    if early and write_move(game.rules, move) == "agent":
        return False
    twin = game.copy()
    twin.push(move)
    return not twin.over


class Position(NamedTuple):
    """A table at the beginning of a turn: the player's, or the opponent's."""

    table: SoloTable
    mine: bool
    sw: int

    @property
    def key(self) -> int:
        return packed(self.table, self.mine)


@cache
def scattered(sw: int) -> list[Position]:
    """Positions laid out by chance, whether or not a game would come to them."""
    rng = random.Random(f"scattered/{sw}")
    return [scatter(rng, sw) for _ in range(150)]


def scatter(rng: random.Random, sw: int) -> Position:
    bag = rng.sample(RETINUE, counts=list(COPIES.values()), k=15)
    princess = rng.choice(("queue", "queue", "queue", "hand", "agent"))
    if princess != "queue":
        bag.remove("king")  # only he can have brought her
    unseen = [bag.pop() for _ in range(rng.choice((1, 2, 3, 3, 4, 4, 5)))]
    downs = rng.randint(0, len(unseen))
    mine = rng.random() < 0.5
    # The opponent's turn with one card left is decided before the solver looks at it, unless by the strict switch.
    least = 1 if princess != "queue" and (mine or sw & 2) else 0 if mine else 1 if princess == "queue" else 2
    queue = ["?" if k < downs else bag.pop() for k in range(max(least, rng.randint(0, 4)))]
    rng.shuffle(queue)
    downs -= queue.count("?")
    agent = rng.choice(("", "?" if downs > 0 or len(unseen) > queue.count("?") else "", bag.pop()))
    return Position(
        lay(
            rules(sw),
            " ".join([*queue, "princess"] if princess == "queue" else queue),
            "princess" if princess == "hand" else bag.pop(),
            "princess" if princess == "agent" else agent,
            " ".join(unseen),
            guarded=mine and rng.random() < 0.2,
            shielded=not mine and rng.random() < 0.2,
        ),
        mine,
        sw,
    )


# Two solvers


@SWITCHES
def test_every_legal_move_of_every_phase_has_the_value_that_a_second_solver_finds(sw: int) -> None:
    met = set()
    for game in late_games(sw, range(35), 5):
        t, told = game.table, dict(solve(game).moves)
        met.add(Phase(t.phase))
        found = {write_move(game.rules, move): second(sw).chance_after(t, move) for move in game.moves()}
        assert told == pytest.approx(found, abs=TINY), game.record()
    assert met == set(PHASES)


@SWITCHES
def test_the_value_of_a_reached_turn_is_the_one_that_a_second_solver_finds(sw: int) -> None:
    starts = [copy_solo(game.table) for game in late_games(sw, range(200, 270), 5) if game.table.phase == Phase.START]
    assert len(starts) > 20
    for t in starts:
        assert value_of(memo(sw), packed(t, True), sw) == pytest.approx(second(sw).chance(t), abs=TINY), face(t)


@SWITCHES
def test_both_solvers_agree_on_turns_of_both_sides_laid_out_by_chance(sw: int) -> None:
    for t, mine, _ in scattered(sw):
        expected = second(sw).chance_before(t, mine)
        assert value_of(memo(sw), packed(t, mine), sw) == pytest.approx(expected, abs=TINY), (mine, face(t))


def face(t: SoloTable) -> str:
    """A table in words, for a failure."""
    queue = " ".join(names([t.queue[k]]) if t.up[k] else "?" for k in range(t.length))
    agent = "none" if t.agent == NO_CARD else names([t.agent]) if t.agent_up else "?"
    protected = f"guarded {t.guarded} shielded {t.shielded}"
    return f"{queue} | hand {names([t.hand])} | agent {agent} | unseen {names(sorted(face_down(t)))} | {protected}"


def test_positions_laid_out_by_chance_are_of_many_kinds() -> None:
    everything = [position for sw in range(4) for position in scattered(sw)]
    values = [value_of(memo(sw), packed(t, mine), sw) for t, mine, sw in everything]
    assert sum(0.0 < value < 1.0 for value in values) > 200
    assert {mine for _, mine, _ in everything} == {True, False}
    assert {t.agent_up for t, _, _ in everything if t.agent != NO_CARD} == {0, 1}


@SWITCHES
@pytest.mark.parametrize("bits", [3, 16])
def test_compiled_and_interpreted_solvers_agree_however_small_the_memory(sw: int, bits: int) -> None:
    keys = [position.key for position in scattered(sw)]
    values = np.zeros(len(keys))
    compiled.VALUES(compiled.new_memory(bits), np.array(keys), sw, values)
    assert values.tolist() == pytest.approx([value_of(memo(sw), key, sw) for key in keys], abs=TINY)


# Solutions


def test_values_are_probabilities_best_first_and_the_best_is_the_position_s() -> None:
    for game in late_games(0, range(300, 350), 6):
        solution = solve(game)
        values = [value for _, value in solution.moves]
        assert sorted(move for move, _ in solution.moves) == game.legal()
        assert all(0.0 <= value <= 1.0 for value in values)
        assert all(better >= worse for better, worse in pairwise(values))
        assert solution.value == values[0]


@pytest.mark.parametrize(
    ("agent", "moves", "value"), [("princess", ["agent"], 0.0), ("guard", ["agent", "guard q1"], 1.0)]
)
def test_a_finished_game_is_worth_what_it_came_to(agent: str, moves: list[str], value: float) -> None:
    game = Solo()
    game.table = lay(game.rules, "princess", "guard", agent, "priest")
    for move in moves:
        game.play(move)
    assert game.over
    assert solve(game) == Solution(value, ())


# Positions as numbers

FIELDS = (18, 3, 1, 4, 4, 1, 13)
"""How wide each part of a packed position is."""

PARTS = st.tuples(
    st.lists(st.integers(0, 7), max_size=6),
    st.integers(0, 1),
    st.integers(1, 8),
    st.integers(0, 9),
    st.integers(0, 1),
    st.tuples(*(st.integers(0, count) for count in COPIES.values())),
)
"""A retinue, whether the Princess stands behind it, hand, agent, protection, how many of each kind are unseen."""

Parts = tuple[list[int], int, int, int, int, tuple[int, ...]]


def fields(parts: Parts) -> tuple[int, ...]:
    retinue, behind, hand, agent, shield, counts = parts
    queue = sum(kind << 3 * place for place, kind in enumerate(retinue))
    unseen = sum(count << unseen_bits(kind) for kind, count in enumerate(counts, 1))
    return queue, len(retinue), behind, hand, agent, shield, unseen


@given(PARTS)
@UNTIMED
def test_unpacking_gives_back_what_was_packed(parts: Parts) -> None:
    key, found = pack_position(*fields(parts)), []
    for width in FIELDS:
        found.append(key & (1 << width) - 1)
        key >>= width
    assert tuple(found) == fields(parts)
    assert key == 0


@given(PARTS, PARTS)
@UNTIMED
def test_different_positions_are_different_numbers(one: Parts, other: Parts) -> None:
    assert (pack_position(*fields(one)) == pack_position(*fields(other))) == (one == other)


@given(PARTS.filter(lambda parts: len(parts[0]) < 6))
@UNTIMED
def test_queues_that_differ_only_in_length_are_different_numbers(parts: Parts) -> None:
    longer = ([*parts[0], 0], *parts[1:])
    assert pack_position(*fields(parts)) != pack_position(*fields(longer))


@given(PARTS)
@UNTIMED
def test_a_turn_of_the_player_is_never_taken_for_one_of_the_opponent(parts: Parts) -> None:
    assert pack_position(*fields(parts)) >> OPPONENT == 0


# The book


@SWITCHES
def test_the_first_turn_follows_from_the_rest_of_the_book(sw: int) -> None:
    book = read_book(sw)
    known = Memo(evaluate)
    known.update(book)
    played = random.Random(sw).sample([key for key in book if key >> OPPONENT], 300)
    for key in [*map(start, HANDS), *played]:
        assert evaluate(known, key, sw) == pytest.approx(book[key], abs=TINY)
    assert len(known) == len(book), "a value was missing in the book and had to be worked out"


@SWITCHES
def test_values_of_the_second_turn_are_those_worked_out_without_the_book(sw: int) -> None:
    book, starts = read_book(sw), set(map(start, HANDS))
    keys = random.Random(sw).sample(sorted(key for key in book if not key >> OPPONENT and key not in starts), 3)
    assert solve_keys(keys, sw) == pytest.approx({key: book[key] for key in keys}, abs=TINY)


# By hand: STRICT is the other way of R128, REMOVE that of R120

WIN, REMOVE, STRICT, BOTH = range(4)


def chance(
    queue: str, hand: str, unseen: str = "", *, agent: str = "", sw: int = WIN, mine: bool = True, shield: bool = False
) -> object:
    """The chance of winning before a turn, on which both solvers agree; what is not in a `?` place is the pile."""
    t = lay(rules(sw), queue, hand, agent, unseen, guarded=mine and shield, shielded=shield and not mine)
    value = value_of(Memo(evaluate), packed(t, mine), sw)
    assert value == pytest.approx(SecondOpinion(rules(sw)).chance_before(t, mine), abs=TINY)
    return pytest.approx(value, abs=TINY)


def test_a_guard_takes_a_lone_princess() -> None:
    assert chance("princess", "guard", "countess") == 1


def test_without_a_card_to_draw_or_an_agent_the_game_is_lost() -> None:
    assert chance("princess", "guard") == 0


def test_an_agent_needs_no_pile() -> None:
    assert chance("princess", "countess", agent="guard") == 1


def test_an_unknown_agent_is_as_good_as_the_card_on_the_pile() -> None:
    assert chance("princess", "countess", "guard baron", agent="?") == 1 / 2


def test_a_lone_princess_must_not_be_left_to_act() -> None:
    assert chance("princess", "priest", "handmaid") == 0


def test_waiting_for_the_last_of_the_retinue_wins_where_striking_it_would_lose() -> None:
    assert chance("priest princess", "guard", "countess handmaid") == 1


def test_a_guarded_princess_cannot_be_taken() -> None:
    assert chance("princess", "guard", "guard countess", shield=True) == 0


def test_the_countess_keeps_a_prince_in_the_hand_from_winning() -> None:
    assert chance("princess", "countess", "prince") == 0


def test_the_countess_does_not_bind_a_prince_who_is_the_agent() -> None:
    assert chance("princess", "countess", agent="prince") == 1


def test_a_king_takes_a_lone_princess_and_leaves_a_lone_card_behind() -> None:
    assert chance("princess", "king", "baron") == 1
    assert chance("princess", "king", "baron", sw=STRICT) == 1


def test_a_lone_guard_is_harmless_unless_the_last_card_is_strict() -> None:
    assert chance("guard", "princess", "countess") == 1
    assert chance("guard", "princess", "countess", sw=STRICT) == 0


def test_a_lone_baron_or_king_is_unresolved_even_if_the_last_card_is_strict() -> None:
    assert chance("baron", "priest", "countess", sw=STRICT) == 1
    assert chance("king", "priest", "countess", sw=STRICT) == 1


def test_a_handmaid_saves_from_a_strict_last_card() -> None:
    assert chance("guard", "princess", "handmaid", sw=STRICT) == 1


def test_a_lone_face_down_card_under_strict_rules() -> None:
    # Drawing the Countess leaves Guard or Baron: 1/2. The Guard names the Baron, the Baron compares the Princess: 1.
    assert chance("?", "princess", "countess guard baron", sw=STRICT) == 5 / 6
    assert chance("?", "princess", "countess guard baron") == 1


def test_a_guess_at_a_lone_face_down_card_under_strict_rules() -> None:
    # A second Guard drawn: the rest is harmless or unresolved, 1. Priest or Baron drawn: the other or a Guard, 1/2.
    assert chance("?", "guard", "guard priest baron", sw=STRICT) == 2 / 3


def test_a_prince_on_the_queue_wants_a_pile_unless_he_removes() -> None:
    assert chance("guard", "priest", agent="prince") == 0
    assert chance("guard", "priest", agent="prince", sw=REMOVE) == 1
    assert chance("guard", "priest", agent="prince", sw=STRICT) == 0
    assert chance("guard", "priest", agent="prince", sw=BOTH) == 1


def test_an_opposing_baron_before_the_princess_is_deadly_without_protection() -> None:
    assert chance("baron princess", "countess", "guard", mine=False) == 0
    assert chance("baron princess", "countess", "guard", mine=False, shield=True) == 1


def test_an_opposing_baron_compares_with_an_unknown_card() -> None:
    assert chance("baron ?", "priest", "guard baron", mine=False) == 1 / 2


def test_an_opposing_baron_spares_an_equal_card() -> None:
    assert chance("baron ?", "priest", "priest baron king", mine=False) == 1 / 3


def test_an_opposing_prince_changes_the_hand_and_two_of_three_cards_are_met() -> None:
    assert chance("prince princess", "guard", "countess handmaid guard", mine=False) == 2 / 3


def test_an_opposing_prince_is_deadly_when_the_pile_is_empty() -> None:
    assert chance("prince princess", "guard", mine=False) == 0


def test_an_opposing_king_hands_the_princess_over() -> None:
    assert chance("king princess", "countess", "priest", mine=False) == 1


def test_a_face_down_agent_stands_in_for_the_hand_before_a_guard() -> None:
    assert chance("guard princess", "guard", "countess handmaid", agent="?", mine=False) == 1
    assert chance("guard princess", "guard", "handmaid", agent="countess", mine=False) == 0
