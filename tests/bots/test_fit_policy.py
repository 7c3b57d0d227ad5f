"""The quick policy is fitted to what was watched, and the file of weights keeps the other parts as they were."""

import random
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suitors.bots import BOTS
from suitors.bots.engine.policy import GUARD_LOG, WEIGHTS
from suitors.bots.positions import public_notes, visible_table
from suitors.bots.weights import GAMES, PARTS, PATH, for_two, game_of, weights
from suitors.knowledge.belief import Belief
from suitors.notation import read_move
from suitors.rules import edition
from suitors.view.match import View
from support.engine_positions import Policy, positions
from support.matches import TABLES
from tools import fit_policy
from tools.fit_policy import Fit, Lessons, games_of, join, read_lessons, see, watch
from tools.train_policy import change_row, places, read_table

SOME = [("classic", 3), ("modern", 4), ("premium", 6)]


def views(slug: str, players: int, seed: int, steps: int) -> list[View]:
    """What seats with a choice see."""
    found = [match.view(match.turn) for match in positions(slug, players, seed, steps)]
    return [view for view in found if len(view.legal) > 1]


def chosen_by(theta: list[float], seen: list[View], seed: int) -> Lessons:
    """What a policy with these weights decides, as it is watched."""
    rng, policy, lessons = random.Random(seed), Policy(theta), []
    for view in seen:
        likely = chances(view, policy)
        lessons.append(see(view, rng.choices(list(likely), list(likely.values()))[0]))
    return join(lessons)


def chances(view: View, policy: Policy) -> dict[str, float]:
    """How likely a policy is to make each move of a view."""
    public = Belief(view).evidence.public
    table = visible_table(view, public)
    scores = policy.scores(table, view.rules, public_notes(public))
    return {text: scores[read_move(view.rules, text)] for text in view.legal}


@pytest.mark.parametrize(("slug", "players"), SOME)
def test_what_was_seen_is_as_likely_as_the_policy_finds_it(slug: str, players: int) -> None:
    theta, rng = Policy().theta, random.Random(2)
    seen = views(slug, players, 3, 30)
    texts = [rng.choice(view.legal) for view in seen]
    fit = Fit(join([see(view, text) for view, text in zip(seen, texts, strict=True)]), np.array(theta))
    wanted = [log(chances(view, Policy(theta))[text]) for view, text in zip(seen, texts, strict=True)]
    assert fit.logs()[fit.chosen] == pytest.approx(wanted, abs=1e-4)
    assert fit.likelihoods()[0] == pytest.approx(np.mean([x for k, x in enumerate(wanted) if k % fit_policy.ASIDE]))


def test_the_weights_are_drawn_towards_where_they_came_from() -> None:
    fit = Fit(chosen_by(Policy().theta, views("modern", 4, 4, 40), 5), np.zeros(WEIGHTS))
    absent = next(place for place in range(WEIGHTS) if place not in fit.index)
    fit.theta[absent] = 1.0
    assert fit.gradient()[absent] == pytest.approx(-fit_policy.DRAWN / fit.learnt.sum())


def test_the_gradient_leads_to_where_what_was_seen_is_likelier() -> None:
    fit = Fit(chosen_by(Policy().theta, views("modern", 4, 4, 40), 5), np.zeros(WEIGHTS))
    slope, before = fit.gradient(), fit.likelihoods()[0]
    for place in np.argsort(-abs(slope))[:5]:
        fit.theta[place] += 1e-4
        assert (fit.likelihoods()[0] - before) / 1e-4 == pytest.approx(slope[place], rel=0.01)
        fit.theta[place] -= 1e-4


def test_weights_are_found_by_which_somebody_plays() -> None:
    """Somebody plays by the weights of self-play, but that chances of a Guard count for three times as much."""
    seen = [view for seed in range(12) for view in views("classic", 4, seed, 60)]
    start = weights(edition("classic", 4))
    theirs = list(start)
    theirs[GUARD_LOG] *= 3
    fit = Fit(chosen_by(theirs, seen, 6), np.array(start))
    learnt, aside = fit.likelihoods()
    fit.run(60)
    assert fit.theta[GUARD_LOG] > 1.3 * start[GUARD_LOG] > 0
    assert all(now > before for now, before in zip(fit.likelihoods(), (learnt, aside), strict=True))


def test_every_table_of_three_and_more_is_watched_in_its_kind_of_game() -> None:
    found = [table for kind in GAMES if not for_two(kind) for table in games_of(kind)]
    assert sorted(found) == sorted(table for table in TABLES if table[1] > 2)
    assert all(game_of(edition(*table)) == kind for kind in GAMES for table in games_of(kind))
    assert not any(games_of(kind) for kind in GAMES if for_two(kind))


def test_the_decisions_of_one_bot_alone_are_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Counter[str]()

    def noting(name: str) -> Any:
        def choose(view: View, rng: random.Random, budget_ms: float) -> str:
            made[name] += len(view.legal) > 1
            return rng.choice(view.legal)

        return choose

    monkeypatch.setattr(fit_policy, "FOLLOWED", noting("followed"))
    monkeypatch.setitem(BOTS, "expert", noting("expert"))
    rng = random.Random(3)
    seen = [lesson for _ in range(3) for lesson in fit_policy.decisions("modern", 4, 1.0, rng)]
    assert len(seen) == made["followed"] > 20
    assert made["expert"] > 20


def write(path: Path, arrays: dict[str, Any]) -> None:
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"about": np.array("[]")}, "was written for other cards or features"),
        ({"values": np.array([float("nan")] * 4)}, "holds no decisions"),
        ({"weights": np.array([0, 1, 2, WEIGHTS])}, "holds no decisions"),
        ({"chosen": np.array([2])}, "holds no decisions"),
        ({"used": np.array([2])}, "holds no decisions"),
    ],
)
def test_a_file_that_was_not_written_for_this_is_named(changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    columns = {"moves": [2], "chosen": [1], "used": [2, 2], "weights": [0, 1, 2, 3], "values": [1.0] * 4}
    arrays = {name: np.array(column) for name, column in columns.items()} | {"about": np.array(fit_policy.ABOUT)}
    write(tmp_path / "sound.npz", arrays)
    with pytest.raises(SystemExit, match="There are 1 decisions"):
        read_lessons(tmp_path)
    write(tmp_path / "broken.npz", arrays | changed)
    with pytest.raises(SystemExit, match=f"broken.npz {said}"):
        read_lessons(tmp_path)


def test_a_torn_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "torn.npz").write_bytes(b"PK")
    with pytest.raises(SystemExit, match=r"torn.npz holds no decisions"):
        read_lessons(tmp_path)


@pytest.mark.parametrize(
    "words", [["16-2"], ["16-3+", "--seconds", "-1"], ["16-3+", "--jobs", "0"], ["16-3+", "--output", "nowhere.bin"]]
)
def test_what_the_command_line_cannot_mean_is_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["fit_policy", *words, "--lessons", str(tmp_path)])
    with pytest.raises(SystemExit) as caught:
        fit_policy.main()
    assert caught.value.code == 2


def watch_a_while(folder: Path) -> list[int]:
    """Watch matches again and again until there is enough to learn from; how many decisions each time."""
    counts: list[int] = []
    while sum(counts) <= fit_policy.ASIDE or len(counts) < 2:
        assert len(counts) < 50
        counts.append(watch("16-3+", 0.2, 0.2, folder, f"seed {len(counts)}"))
    return counts


def test_what_was_watched_is_read_again_whoever_wrote_it(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There are 0 decisions"):
        read_lessons(tmp_path)
    counts = watch_a_while(tmp_path)
    assert len(counts) > 1
    (tmp_path / "torn.part.npz").write_bytes(b"torn")
    lessons = read_lessons(tmp_path)
    assert len(lessons.moves) == len(lessons.chosen) == sum(counts)
    assert (lessons.chosen < lessons.moves).all()
    assert lessons.moves.min() > 1
    assert len(lessons.used) == lessons.moves.sum()
    assert len(lessons.weights) == len(lessons.values) == lessons.used.sum()


def test_a_part_of_the_file_is_written_where_it_is_read(tmp_path: Path) -> None:
    path, at = tmp_path / "policy.bin", places()
    shutil.copy(PATH, path)
    table = read_table(path)
    assert list(at) == list(PARTS)
    assert [part.start for part in at.values()] == [0, *(part.stop for part in at.values())][:-1]
    assert list(at.values())[-1].stop == table.shape[1]
    before, kind = table.copy(), GAMES.index("21-3+")
    table[kind, at["searchers"]] = 0.5
    change_row(path, kind, at["searchers"], table[kind, at["searchers"]])
    after = read_table(path)
    ed = edition("modern", 5)
    assert game_of(ed) == "21-3+"
    assert (after[kind, at["searchers"]] == 0.5).all()
    after[kind, at["searchers"]] = before[kind, at["searchers"]]
    assert (after == before).all()
    assert PATH.read_bytes() != path.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_fits_that_end_at_the_same_time_lose_none(tmp_path: Path) -> None:
    path, part = tmp_path / "policy.bin", places()["searchers"]
    shutil.copy(PATH, path)
    rows = [np.full(part.stop - part.start, float(kind)) for kind in range(len(GAMES))]
    with ThreadPoolExecutor(len(GAMES)) as pool:
        list(pool.map(lambda kind: change_row(path, kind, part, rows[kind]), range(len(GAMES))))
    assert (read_table(path)[:, part] == rows).all()


def test_what_is_fitted_is_written_into_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, at, kind = tmp_path / "policy.bin", places(), GAMES.index("16-3+")
    shutil.copy(PATH, path)
    (tmp_path / "16-3+").mkdir()
    watch_a_while(tmp_path / "16-3+")
    monkeypatch.setattr(fit_policy, "STEPS", 3)
    words = ["fit_policy", "16-3+", "--seconds", "0", "--lessons", str(tmp_path), "--output", str(path)]
    monkeypatch.setattr("sys.argv", words)
    fit_policy.main()
    before, after = read_table(PATH), read_table(path)
    moved = after[kind, at["searchers"]] - before[kind, at["weights"]]
    assert 0 < abs(moved).max() < 1
    after[kind, at["searchers"]] = before[kind, at["searchers"]]
    assert (after == before).all()
