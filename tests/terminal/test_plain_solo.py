"""The solo game in plain text, played by a script; and `suitors solve`."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from suitors import Solo
from suitors.cli.root import cli
from suitors.records.record import load
from suitors.solve import solve
from suitors.terminal.solitaire import SoloTerminal
from support.vocabularies import words_of


def table(lines: list[str], lang: str = "en", seed: int = 4) -> tuple[SoloTerminal, list[str]]:
    """A game whose player types these lines and then leaves, and all that it shows."""
    shown: list[str] = []
    typed: Iterator[str] = iter([*lines, "quit"])
    game = Solo(rng=random.Random(seed))
    return SoloTerminal(game, words_of(game.edition, lang), lambda prompt: next(typed), shown.append), shown


def moves(played: SoloTerminal) -> list[str]:
    found: list[str] = played.game.record()["rounds"][0]["moves"]
    return found


def test_numbers_choose_word_by_word() -> None:
    played, _ = table(["2", "1", "1", "1"])
    played.play()
    assert moves(played) == ["draw", "guard q1 baron"]


def test_a_move_may_be_typed_whole() -> None:
    played, _ = table(["draw", "guard q3 king"])
    played.play()
    assert moves(played) == ["draw", "guard q3 king"]


def test_the_table_shows_no_face_down_card() -> None:
    played, shown = table([])
    played.play()
    queue = next(line for line in shown if line.startswith("Queue"))
    assert queue.count("face down") == 6
    assert queue.endswith("7:[Princess (8)]")


def test_a_hint_lists_the_solvers_values() -> None:
    played, shown = table(["hint"])
    played.play()
    assert f"  {solve(played.game).value:7.2%}  draw" in shown


def test_why_explains_a_refusal_and_changes_nothing() -> None:
    played, shown = table(["draw", "why baron q1 hand", "baron q1 hand", "why q", "why guard q1 king"])
    played.play()
    assert shown.count("That cannot be played: that card is not in the hand.") == 2
    assert any(line.startswith("That is not a move") for line in shown)
    assert "That can be played." in shown
    assert moves(played) == ["draw"]


def test_undo_takes_back_and_is_counted() -> None:
    played, shown = table(["undo", "draw", "undo"])
    played.play()
    assert "There is nothing to take back." in shown
    assert played.undone == 1
    assert moves(played) == []


def test_a_number_beyond_the_list_is_refused() -> None:
    played, shown = table(["99", "0", "9" * 5000])
    played.play()
    assert shown.count(f"There is no choice {'9' * 12}.") == 1
    assert shown.count("There is no choice 99.") == 1
    assert shown.count("There is no choice 0.") == 1


@pytest.mark.parametrize(("lang", "heading"), [("en", "Winning chance lost"), ("fr", "Chances de gagner perdues")])
def test_a_whole_game_ends_with_what_was_thrown_away(lang: str, heading: str) -> None:
    played, shown = table([], lang)
    rng = random.Random(2)
    played.ask = lambda prompt: rng.choice(played.game.legal())
    assert played.play() == bool(played.game.winners)
    total = sum(loss.cost for loss in played.losses)
    assert any(line.startswith(heading) and f" {100 * total:.1f} points" in line for line in shown)


def test_the_best_moves_throw_nothing_away() -> None:
    played, shown = table([])
    played.ask = lambda prompt: solve(played.game).moves[0][0]
    played.play()
    assert "Every move was the best possible." in shown


def test_the_command_writes_a_record_that_replays(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ["solitaire", "--seed", "4", "--record", str(path)]
    assert CliRunner().invoke(cli, words, input="draw\nguard q1 baron\n").exit_code == 0
    assert load(path.read_bytes()).record()["rounds"][0]["moves"] == ["draw", "guard q1 baron"]


def test_solve_prints_the_value_of_each_legal_move(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(Solo(rng=random.Random(4)).record()), "utf-8")
    answer = json.loads(CliRunner().invoke(cli, ["solve", str(path), "--json"]).output)
    assert [row["move"] for row in answer["moves"]] == ["draw", "agent"]
    assert answer["value"] == answer["moves"][0]["value"]
    assert len(CliRunner().invoke(cli, ["solve", str(path)]).output.splitlines()) == 3
