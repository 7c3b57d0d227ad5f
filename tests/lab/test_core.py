"""What the laboratory's numbers say: actions are the legal moves, observations the view, and nothing else."""

import copy
import os
import pickle
import random
import signal
from collections import Counter
from typing import Any

import numpy as np
import pytest

from suitors import Match, SuitorsError, actions
from suitors.fast.batch import all_games
from suitors.fast.games import STATE, seed_chance
from suitors.knowledge.notes import NOTES
from suitors.lab import masks
from suitors.lab.acting import action_of, move_of, write_mask
from suitors.lab.memory import memory_size
from suitors.lab.observing import observe
from suitors.lab.space import HISTORY, MARKS, SEAT, SLOT, Space, space
from suitors.lab.stepping import (
    begin_round,
    episode_over,
    learn_deal,
    take_action,
    take_move,
    write_rewards,
)
from suitors.lab.vector import VectorEnv
from suitors.notation import CARD_OF, read_move
from suitors.records.record import replay
from suitors.rules import Card, Phase, edition, new_table
from suitors.rules.choices import count_moves, nth_move
from suitors.rules.table import FIELDS, clear
from suitors.rules.turn import deal
from suitors.view import View
from support.other_worlds import other_world, same_moves
from support.random_play import position

GAMES = all_games()
COMPILED = [("modern", 3), ("premium", 6)]
"""Games that are compiled here, which takes some seconds each; together they have every card and kind of decision."""


class Episode:
    """One table of the laboratory, interpreted, beside a match of the same decks."""

    def __init__(self, slug: str, players: int, seed: int, whole: bool = True) -> None:
        self.ed, self.whole = edition(slug, players), whole
        self.space = space(self.ed, full=True)
        self.table, self.rng = new_table(self.ed), [0] * STATE
        self.order, self.notes = [0] * self.ed.cards, [0] * NOTES
        self.memories, self.past = [0] * memory_size(players), [0] * (HISTORY * SLOT)
        self.match = Match(slug, [f"P{k}" for k in range(players)])
        seed_chance(self.rng, 7, seed)
        self.begin()

    def begin(self) -> None:
        clear(self.table, self.ed)
        begin_round(self.table, self.ed, self.notes, self.memories, self.past, self.order, self.rng)
        self.match = Match(self.match.edition, self.match.players, dealt=False)
        self.deal_there()

    def deal_there(self) -> None:
        self.match.deal([Card(card) for card in self.order], self.table.active)

    def act(self, action: int) -> list[float] | None:
        """Take an action; the rewards where the episode is over."""
        self.match.push(move_of(self.table, self.space, action))
        take_action(self.table, self.ed, self.notes, self.memories, self.past, self.space, action)
        if episode_over(self.table, self.whole):
            rewards = [0.0] * self.ed.players
            write_rewards(self.table, self.ed, self.whole, rewards)
            self.begin()
            return rewards
        if self.table.phase == Phase.DEAL:
            begin_round(self.table, self.ed, self.notes, self.memories, self.past, self.order, self.rng)
            self.deal_there()
        return None

    def mask(self) -> list[int]:
        mask = [9] * self.space.actions
        write_mask(self.table, self.ed, self.space, mask)
        return mask

    def observation(self, seat: int) -> list[int]:
        into = [0] * self.space.size
        observe(self.table, self.ed, self.notes, self.memories, self.past, self.space, seat, into)
        return into


def some(mask: list[int], rng: random.Random) -> int:
    return rng.choice([action for action, legal in enumerate(mask) if legal])


def rotated(text: str, me: int, players: int) -> str:
    """The text of an action with its seats as they are at the table."""
    card, *rest = text.split()
    seats = 2 if card in ("baroness", "cardinal") else 1
    if card in ("keep", "redraw", "stay"):
        return text
    at = sorted((int(word) + me) % players for word in rest[:seats] if word != "none")
    return " ".join([card, *(map(str, at) if at else rest[:seats]), *rest[seats:]])


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_masks_are_the_legal_moves_under_the_numbers_of_the_action_table(slug: str, players: int) -> None:
    rng, table = random.Random(f"{slug}{players}"), actions(slug, players)
    episode = Episode(slug, players, 1)
    assert episode.space.actions == len(table)
    for _ in range(150):
        me, mask, view = episode.table.decider, episode.mask(), episode.match.view(episode.match.turn)
        legal = {action for action, bit in enumerate(mask) if bit}
        if view.legal[0].startswith("keep"):
            assert legal == set(table.legal(view))
        else:
            assert {rotated(table.texts[action], me, players) for action in legal} == set(view.legal)
        moves = [nth_move(episode.table, episode.ed, k) for k in range(count_moves(episode.table, episode.ed))]
        found = [action_of(episode.table, episode.ed, episode.space, move) for move in moves]
        assert sorted(found) == sorted(legal)
        assert [move_of(episode.table, episode.space, action) for action in found] == moves
        episode.act(some(mask, rng))


def counted(cards: Any) -> Counter[int]:
    return Counter(int(card) for card in cards)


def decoded(s: Space, numbers: list[int], start: int) -> Counter[int]:
    """Cards that an observation counts, by their numbers."""
    return Counter(
        {
            card: numbers[start + s.kind[card]]
            for card in range(len(s.kind))
            if s.kind[card] >= 0 and numbers[start + s.kind[card]]
        }
    )


def check_seat(s: Space, numbers: list[int], view: View, me: int, seat: int) -> None:
    """What an observation says of a seat is what the view says."""
    at = s.seats_at + (seat - me) % s.players * s.stride
    marks = dict(zip(SEAT, numbers[at : at + MARKS], strict=True))
    assert marks == {
        "in round": seat in view.standing,
        "taking part": seat in view.playing,
        "protected": seat in view.protected,
        "tokens": view.tokens[seat],
        "decides": view.turn == seat,
        "turn": view.active == seat,
        "marked": view.mark == seat,
        "bets": view.bettor == seat,
        "bet on": view.favourite == seat,
        "traded": marks["traded"],
    }
    assert decoded(s, numbers, at + MARKS) == counted(view.piles[seat])
    if seat != me:
        assert decoded(s, numbers, at + MARKS + s.kinds) == counted(view.known[seat])


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_observations_say_what_the_view_says(slug: str, players: int) -> None:
    rng = random.Random(f"seen {slug}{players}")
    episode = Episode(slug, players, 2)
    s = episode.space
    for _ in range(120):
        for me in range(players):
            numbers, view = episode.observation(me), episode.match.view(me)
            assert numbers[s.phase_at : s.phase_at + 4] == [view.phase == Phase.PLAY + k for k in range(4)]
            assert numbers[s.table_at] == view.deck
            assert decoded(s, numbers, s.hand_at) == counted(view.hand)
            assert decoded(s, numbers, s.open_at) == counted(view.face_up)
            assert decoded(s, numbers, s.under_at) == counted(view.under.values())
            for seat in range(players):
                check_seat(s, numbers, view, me, seat)
            sight = counted(view.face_up) + counted(view.under.values())
            for seat in range(players):
                sight += counted(view.piles[seat]) + counted(view.known[seat])
            hidden = {card: episode.ed.copies[card] - sight[card] for card in Card if episode.ed.copies[card]}
            assert decoded(s, numbers, s.unseen_at) == Counter({int(card): n for card, n in hidden.items() if n})
        episode.act(some(episode.mask(), rng))


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_observations(slug: str, players: int) -> None:
    rng, found = random.Random(f"worlds {slug}{players}"), 0
    for _ in range(200):
        match = position((slug, players, {}), rng, rng.randrange(2, 20))
        seat = match.turn
        if seat is None or found == 3:
            continue
        here = same_moves(match.record(), seat)
        there = same_moves(other_world(match, rng), seat)
        if here and there and here[1] == there[1] and here[0].table.deck != there[0].table.deck:
            one, other = (replayed(world[0].record(), seat) for world in (here, there))
            assert one == other
            found += 1
    assert found == 3


def replayed(record: dict[str, Any], seat: int) -> tuple[list[int], list[int]]:
    """What a seat observes at the end of a record's last round, and what it may do."""
    match = replay(record)
    episode = Episode(match.edition, len(match.players), 0)
    t, last = episode.table, record["rounds"][-1]
    before = (
        replay({**record, "rounds": record["rounds"][:-1]}).table
        if len(record["rounds"]) > 1
        else new_table(match.rules)
    )
    for field in FIELDS:
        setattr(t, field.name, getattr(before, field.name))
    deal(t, episode.ed, [int(CARD_OF[name]) for name in last["deck"]], last["first"])
    learn_deal(t, episode.ed, episode.notes, episode.memories, episode.past)
    for text in last["moves"]:
        move = read_move(episode.ed, text)
        take_move(t, episode.ed, episode.notes, episode.memories, episode.past, episode.space, move)
    assert t.decider == seat
    return episode.observation(seat), episode.mask()


@pytest.mark.parametrize(("slug", "players", "whole"), [(*game, k % 2 == 0) for k, game in enumerate(COMPILED)])
def test_the_vector_steps_as_single_tables_do(slug: str, players: int, whole: bool) -> None:
    size, rng = 5, random.Random(f"vector {slug}")
    tables = VectorEnv(slug, players, size, seed=7, episode="match" if whole else "round", full=True, threads=2)
    singles = [Episode(slug, players, k, whole) for k in range(size)]
    for _ in range(250):
        for k, single in enumerate(singles):
            assert tables.seats[k] == single.table.decider
            assert tables.masks[k].tolist() == single.mask()
            assert tables.observations[k].tolist() == single.observation(single.table.decider)
        chosen = [some(single.mask(), rng) for single in singles]
        tables.step(chosen)
        for k, single in enumerate(singles):
            rewards = single.act(chosen[k])
            assert bool(tables.over[k]) == (rewards is not None)
            assert tables.rewards[k].tolist() == np.asarray(rewards or [0.0] * players, np.float32).tolist()


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_masks_are_the_same_from_rows_made_beforehand(slug: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def store_word(numbers: Any, at: int, word: int) -> None:
        numbers.reshape(-1)[at : at + masks.WORD] = np.frombuffer(np.int64(word).tobytes(), np.int8)

    monkeypatch.setattr(masks, "store_word", store_word)
    episode, rng = Episode(slug, players, 2), random.Random(f"rows {slug}{players}")
    plays, opens = masks.mask_rows(episode.ed, episode.space)
    for _ in range(150):
        rows = np.full((2, episode.space.actions), 9, np.int8)
        masks.look_up_mask(episode.table, episode.ed, episode.space, plays, opens, rows, 1)
        assert (rows[0] == 9).all()
        assert rows[1].tolist() == episode.mask()
        episode.act(some(episode.mask(), rng))


def test_actions_that_are_not_legal_change_nothing() -> None:
    tables = VectorEnv("modern", 3, 3, threads=1)
    before = tables.observations.copy()
    legal = tables.masks.argmax(axis=1)
    for wrong in ([*legal[:2], int(np.argmin(tables.masks[2]))], [*legal[:2], -1], [*legal[:2], 999], legal[:2]):
        with pytest.raises(ValueError, match=r"legal at table 2|3 actions are needed"):
            tables.step(wrong)
    assert (tables.observations == before).all()


@pytest.mark.parametrize("wrong", [0.5, 1 << 32, 1 << 70, True, None, "1"])
def test_actions_are_whole_numbers_that_fit(wrong: Any) -> None:
    tables = VectorEnv("modern", 3, 2, threads=1)
    before, legal = tables.observations.copy(), tables.masks.argmax(axis=1).tolist()
    with pytest.raises(ValueError, match=r"whole numbers|not legal at table 0"):
        tables.step([legal[0] + wrong if type(wrong) in (int, float) else wrong] * 2)
    assert (tables.observations == before).all()


def test_a_vector_takes_numbers_of_numpy() -> None:
    given: tuple[Any, ...] = np.int64(3), np.int64(2), np.uint64(1 << 63)
    tables: Any = VectorEnv("modern", given[0], given[1], seed=given[2], threads=1)
    assert (tables.observations == VectorEnv("modern", 3, 2, seed=1 << 63, threads=1).observations).all()
    tables.reset(np.int32(-3))
    assert (tables.observations == VectorEnv("modern", 3, 2, seed=-3, threads=1).observations).all()
    for seed in (None, 1.5, "1"):
        with pytest.raises(SuitorsError, match="A seed is a whole number, not"):
            tables.reset(seed)


def test_copies_and_forks_of_a_vector_go_on_by_themselves() -> None:
    tables = VectorEnv("modern", 3, 6, seed=2, threads=2)
    tables.step(tables.masks.argmax(axis=1))
    twins = [copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))]
    forked = in_a_fork(tables)
    for each in (tables, *twins):
        each.step(each.masks.argmax(axis=1))
        assert each.observations.tobytes() == tables.observations.tobytes() == forked


def in_a_fork(tables: VectorEnv) -> bytes:
    """What is observed after a step that another process takes."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        tables.step(tables.masks.argmax(axis=1))
        os.write(writing, tables.observations.tobytes())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        found = told.read()
    os.waitpid(child, 0)
    return found


def test_actions_chosen_by_chance_are_legal_and_leave_the_deals_alone() -> None:
    one, other = (VectorEnv("modern", 3, 300, seed=5, threads=threads) for threads in (1, 2))
    expected, chosen = np.zeros(one.space.actions), np.zeros(one.space.actions)
    for _ in range(30):
        other.sample_actions()
        sample = one.sample_actions()
        expected += (one.masks / one.masks.sum(axis=1, keepdims=True)).sum(axis=0)
        chosen += np.bincount(sample, minlength=one.space.actions)
        for tables in (one, other):
            tables.step(sample)
        assert (one.observations == other.observations).all()
    assert (np.abs(chosen - expected) <= 4 * np.sqrt(expected)).all()
    one.reset(5)
    other.reset(6)
    assert (one.observations != other.observations).any()


def test_rewards_of_a_round_are_tokens_less_those_of_the_others() -> None:
    tables = VectorEnv("modern", 3, 64, threads=1)
    rng, seen = np.random.default_rng(3), set[tuple[float, ...]]()
    for _ in range(60):
        tables.step((rng.random(tables.masks.shape) * tables.masks).argmax(axis=1))
        assert np.abs(tables.rewards.sum(axis=1)).max() < 1e-6
        seen |= {tuple(map(float, row)) for row in tables.rewards[tables.over]}
    assert {(1.0, -0.5, -0.5), (-0.5, 1.0, -0.5), (-0.5, -0.5, 1.0)} <= seen


@pytest.mark.parametrize(
    ("slug", "players", "size", "episode"),
    [
        ("modern", 3.0, 4, "round"),
        ("modern", "3", 4, "round"),
        ("modern", 3, 1.5, "round"),
        ("modern", 3, None, "round"),
        ("nope", 2, 4, "round"),
        ("classic", 9, 4, "round"),
        ("classic", 2, 0, "round"),
        ("solitaire", 1, 4, "round"),
        ("classic", 2, 4, "week"),
    ],
)
def test_what_cannot_be_a_vector_is_refused_in_a_sentence(slug: str, players: Any, size: Any, episode: Any) -> None:
    with pytest.raises(ValueError, match=r" .* .*\.$"):
        VectorEnv(slug, players, size, episode=episode)


@pytest.mark.parametrize("options", [{"colour": 1}, {"bishop_names_one": "no"}, 5])
def test_a_vector_refuses_switches_that_there_are_not(options: Any) -> None:
    with pytest.raises(SuitorsError, match="switch"):
        VectorEnv("modern", 3, 2, options=options)
