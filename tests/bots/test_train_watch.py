"""What is written down of a bot that is watched: its own decisions, as the network of the game is asked for them."""

import random
from argparse import ArgumentParser
from math import inf
from pathlib import Path

import numpy as np
import pytest

from suitors import Match
from suitors.bots.learned import choosing
from suitors.bots.learned.network import network_for
from suitors.bots.learned.sight import sight
from suitors.lab.acting import move_of
from suitors.lab.sizes import actions_at, common_inputs
from suitors.lab.space import space
from suitors.notation import read_move
from suitors.rules import edition
from suitors.view.match import View
from tools.train.options import add_game, check_game, sizes
from tools.train.watch import Lessons, Watcher, decisions, read_lessons, seeds, watch

GAMES = [("classic", [2]), ("modern", [2]), ("classic", [3, 4]), ("modern", [3, 4, 5, 6]), ("premium", [5, 6, 7, 8])]
"""Editions with the sizes of table of one network."""

Seen = list[tuple[View, str]]
"""Views with what the bot did."""


def watcher_of(slug: str, players: list[int]) -> Watcher:
    """A watcher at the tables of one network."""
    return Watcher(slug, players, score=len(players) > 1)


def watched(slug: str, players: list[int], matches: int = 1) -> Seen:
    """What a quick bot decides in so many matches at each table."""
    rng = random.Random(f"watched {slug}{players}")
    found = [list(decisions("novice", slug, number, 1.0, rng)) for number in players for _ in range(matches)]
    return [decision for match in found for decision in match]


def read(folder: Path, slug: str, players: list[int]) -> Lessons:
    """The lessons in a folder, as long as the network of the game reads and answers them."""
    eds = [edition(slug, number) for number in players]
    about, lessons = read_lessons(folder)
    assert about == {"edition": slug, "players": players, "score": len(players) > 1}
    assert lessons.asked.shape[1] == len(common_inputs(eds, len(players) > 1))
    return lessons


def written(folder: Path, slug: str, players: list[int]) -> tuple[Seen, Lessons]:
    """What was watched, and the lessons that were made of it, in the same order."""
    seen, watcher = watched(slug, players), watcher_of(slug, players)
    for view, text in seen:
        watcher.see(view, text)
    watcher.write(folder)
    lessons = read(folder, slug, players)
    assert len(seen) == len(lessons.players) == len(lessons.asked) == len(lessons.masks) == len(lessons.actions) > 0
    return seen, lessons


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_decisions_are_read_as_they_were_noted(slug: str, players: list[int], tmp_path: Path) -> None:
    seen, watcher = watched(slug, players), watcher_of(slug, players)
    files = {}
    for part in (seen[::2], seen[1::2]):
        for view, text in part:
            watcher.see(view, text)
        noted, there = watcher.rows, set(tmp_path.iterdir())
        watcher.write(tmp_path)
        assert watcher.rows == []
        (path,) = set(tmp_path.iterdir()) - there
        files[path] = noted
    noted = [row for path in sorted(files) for row in files[path]]
    lessons = read(tmp_path, slug, players)
    assert lessons.players.tolist() == [number for number, *_ in noted]
    assert np.array_equal(lessons.asked, [asked for _, asked, _, _ in noted])
    assert np.array_equal(lessons.masks, [mask for _, _, mask, _ in noted])
    assert lessons.actions.tolist() == [action for *_, action in noted]
    assert len(noted) == len(seen)


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_the_actions_of_a_lesson_are_the_legal_moves_and_the_choice_is_one_of_them(
    slug: str, players: list[int], tmp_path: Path
) -> None:
    widest = edition(slug, players[-1])
    seen, lessons = written(tmp_path, slug, players)
    for (view, text), mask, chosen in zip(seen, lessons.masks, lessons.actions.tolist(), strict=True):
        own, table = space(view.rules), sight(view).table
        local = {number: action for action, number in enumerate(actions_at(view.rules, widest))}
        moves = {number: move_of(table, own, local[number]) for number in np.flatnonzero(mask).tolist()}
        assert sorted(moves.values()) == sorted(read_move(view.rules, legal) for legal in view.legal)
        assert moves[chosen] == read_move(view.rules, text)


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_the_inputs_of_a_lesson_are_those_that_the_network_of_the_game_is_asked(
    slug: str, players: list[int], tmp_path: Path
) -> None:
    seen, lessons = written(tmp_path, slug, players)
    assert lessons.players.tolist() == [view.rules.players for view, _ in seen]
    assert set(lessons.players.tolist()) == set(players)
    for (view, _), row in zip(seen, lessons.asked, strict=True):
        network = network_for(view.rules)
        numbers = np.array(sight(view).numbers, np.int8)[network.columns]
        assert row.tolist() == ((numbers >= network.low) & (numbers <= network.high)).tolist()


class Followed(Match):
    """A match that notes who played what, and of how many moves."""

    there: list["Followed"]

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.there.append(self)
        self.played: list[tuple[int, int, str]] = []

    def play(self, text: str) -> object:  # type: ignore[override]
        assert self.turn is not None
        self.played.append((self.turn, len(self.legal()), text))
        return super().play(text)


@pytest.mark.parametrize("others", [0.0, 0.4, 1.0])
def test_only_choices_of_the_seats_that_are_watched_are_noted_to_the_end_of_the_match(
    others: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_network = list[int]()

    def first_move(view: View, rng: random.Random) -> str:
        assert view.seat is not None
        by_network.append(view.seat)
        return view.legal[0]

    monkeypatch.setattr("tools.train.watch.OTHERS", others)
    monkeypatch.setattr("tools.train.watch.Match", Followed)
    monkeypatch.setattr(choosing, "choose", first_move)
    rng, seats, forced = random.Random(5), list[set[int | None]](), 0
    for _ in range(12):
        Followed.there = []
        by_network.clear()
        noted = list(decisions("novice", "classic", 4, 1.0, rng))
        (match,) = Followed.there
        assert match.over
        assert all(len(view.legal) > 1 and text in view.legal for view, text in noted)
        seats.append({view.seat for view, _ in noted})
        assert seats[-1].isdisjoint(by_network)
        choices = [(seat, text) for seat, count, text in match.played if count > 1]
        assert [(view.seat, text) for view, text in noted] == [choice for choice in choices if choice[0] in seats[-1]]
        assert len(noted) + len(by_network) == len(choices)
        forced += len(match.played) - len(choices)
    assert forced > 0
    counts = {len(found) for found in seats}
    assert counts == {0.0: {4}, 1.0: {1}}.get(others, counts)
    assert len(counts) > 1 or others in (0.0, 1.0)
    assert set().union(*seats) == {0, 1, 2, 3}


def test_all_decisions_are_in_files_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compile_bots", "use_cores"):
        monkeypatch.setattr(f"tools.train.watch.{name}", lambda *_: None)
    monkeypatch.setattr("tools.train.watch.PAUSE", inf)
    count = watch("novice", "classic", [3, 4], True, 0.05, 1.0, tmp_path, "1")
    assert len(read(tmp_path, "classic", [3, 4]).actions) == count > 0
    (path,) = tmp_path.iterdir()
    monkeypatch.setattr("tools.train.watch.PAUSE", 0.0)
    count += watch("novice", "classic", [3, 4], True, 0.05, 1.0, tmp_path, "2")
    assert len(read(tmp_path, "classic", [3, 4]).actions) == count
    assert path in tmp_path.iterdir()


def test_processes_watch_matches_of_their_own_and_the_widest_table_is_the_last() -> None:
    assert len(set(seeds("1", 4))) == 4
    assert sizes("4,3,10") == [3, 4, 10]


def test_lessons_of_two_games_are_not_put_together(tmp_path: Path) -> None:
    written(tmp_path, "classic", [2])
    other = watcher_of("modern", [2])
    other.see(*watched("modern", [2])[0])
    other.write(tmp_path)
    with pytest.raises(SystemExit, match="lessons of two games"):
        read_lessons(tmp_path)
    with pytest.raises(SystemExit, match="no lessons"):
        read_lessons(tmp_path / "none")


@pytest.mark.parametrize(
    ("words", "said"), [("klassik", "invalid choice"), ("classic --players 2,9", "2, 3, 4 players, not 9")]
)
def test_a_game_that_there_is_not_is_refused(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_game(parser)
    with pytest.raises(SystemExit) as stopped:
        check_game(parser, parser.parse_args(words.split()))
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
