"""Practice: puzzles chosen, solved and missed by their forms, ratings that count once, and one's own mistakes again."""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from suitors.coach import Decision, Mark, MoveValue
from suitors.coach.kept import Judged, write_line
from suitors.coach.puzzles import LEVELS, THEMES, Puzzle, daily_puzzle, load_puzzles, select
from suitors.coach.rating import PracticeRating
from suitors.coach.reasons import Fall
from suitors.pages.practice import exercise_context
from suitors.rules import BOXES, Card
from suitors.server.domain.practice import LEARNT
from suitors.server.web.practice import today
from suitors.words import LANGUAGES
from suitors.words import THEMES as WORD_THEMES
from support.page_players import won_rounds
from support.servers import API, in_process, json_of, key_of, new_person, on_loop, server_of, use_key
from support.stored_tables import NEVER, Stage

MOVES = {"countess": 0.62, "princess": 0.3}
"""What the moves of the mistake are worth."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """A match that is over, in whose second round Ada has discarded her Princess."""
    folder = tmp_path_factory.mktemp("practice") / "data"
    return won_rounds(Stage(folder, "classic", ("Ada",), ("random",), pace_ms=NEVER), "0101010100").write()


@pytest.fixture(scope="module")
def client(stage: Stage) -> Iterator[TestClient]:
    with in_process(stage.folder) as client:
        yield client


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def page_of(who: TestClient, path: str, lang: str = "en", status: int = 200) -> str:
    answer = who.get(path, headers={"accept-language": lang}, follow_redirects=False)
    assert answer.status_code == status, answer.text
    return answer.text if status == 200 else answer.headers["location"]


def answer(who: TestClient, path: str, move: str, lang: str = "en", status: int = 200, **fields: str) -> str:
    sent = who.post(path, data={"move": move, **fields}, headers={"accept-language": lang})
    assert sent.status_code == status, sent.text
    return sent.text


def wrong_move(puzzle: Puzzle) -> str:
    return puzzle.exercise.moves[-1].move


SOME = [select(edition=slug)[0] for slug in BOXES]
"""A puzzle of each edition."""


# One puzzle


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.edition)
def test_a_puzzle_is_shown_on_the_board_and_its_answer_tells_everything(
    client: TestClient, puzzle: Puzzle, lang: str
) -> None:
    somebody, path = new_person(client, "Zoe"), f"/practice/{puzzle.id}"
    page = page_of(client, path, lang)
    assert 'id="table"' in page
    assert f'action="{path}#lesson-title"' in page
    assert ("Zoe" in page_of(somebody, path, lang)) == (puzzle.players > 1)
    right, wrong = answer(somebody, path, puzzle.exercise.best, lang), answer(client, path, wrong_move(puzzle), lang)
    given_up = answer(client, path, "", lang)
    assert 'class="answer right"' in right
    assert 'class="answer wrong"' in wrong
    assert 'class="answer wrong"' in given_up
    for told in (right, wrong, given_up):
        assert told.count("<tr") - 1 >= len(puzzle.exercise.moves)
        assert "{" not in text_of(told.partition('id="lesson"')[2].partition("</section>")[0])


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.edition)
def test_before_the_answer_a_page_tells_nothing_of_the_solution(client: TestClient, puzzle: Puzzle) -> None:
    """Another solution of the same position makes the same page."""
    page, asked = page_of(client, f"/practice/{puzzle.id}"), {}
    exercise = puzzle.exercise
    worst = exercise.moves[::-1]
    other = type(exercise)(exercise.edition, exercise.view, worst, worst[0].move, 0.5, {})

    def kept(found: Any, context: Any, preferences: Any, chosen: str = "", given: Any = None) -> Any:
        asked["context"] = exercise_context(other, context, preferences, chosen, given)
        return asked["context"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("suitors.server.web.practice.exercise_context", kept)
        assert page_of(client, f"/practice/{puzzle.id}") == page
    assert asked


def test_words_are_chosen_one_by_one_and_carry_the_filter_along(client: TestClient) -> None:
    puzzle = next(puzzle for puzzle in select(theme="counting") if puzzle.exercise.best.startswith("guard"))
    path = f"/practice/{puzzle.id}"
    page = page_of(client, f"{path}?theme=counting&level={puzzle.level}&chosen=guard")
    assert 'id="items-' in page
    assert page.count('name="theme" value="counting"') == 2
    done = answer(client, path, puzzle.exercise.best, theme="counting", level=puzzle.level)
    assert f'href="/practice/next?theme=counting&amp;level={puzzle.level}"' in done


def test_what_is_no_move_or_no_puzzle_is_refused(client: TestClient) -> None:
    somebody, puzzle = new_person(client, "Ben"), SOME[0]
    assert "illegal-move" in answer(somebody, f"/practice/{puzzle.id}", "dance", status=422)
    assert "Your rating" not in page_of(somebody, "/practice")
    for path in ("/practice/00000000", "/practice/mistakes/none/0/0"):
        assert somebody.get(path).status_code == 404
        assert somebody.post(path, data={"move": ""}).status_code == 404


# Ratings and progress


def rating_in(page: str) -> int:
    found = re.search(r"Your rating: (\d+)", text_of(page))
    assert found
    return int(found[1])


def test_only_the_first_attempt_at_a_puzzle_counts(client: TestClient) -> None:
    somebody, puzzle = new_person(client, "Cleo"), select(level="hard")[0]
    path, start = f"/practice/{puzzle.id}", PracticeRating()
    expected = start.after(puzzle.rating, solved=True)
    first = answer(somebody, path, puzzle.exercise.best)
    assert rating_in(first) == round(expected.rating)
    assert f"(+{round(expected.rating) - round(start.rating)})" in text_of(first)
    assert "Your rating" not in answer(somebody, path, wrong_move(puzzle))
    other = select(level="easy")[0]
    lower = expected.after(other.rating, solved=False)
    assert rating_in(answer(somebody, f"/practice/{other.id}", wrong_move(other))) == round(lower.rating)
    page = page_of(somebody, "/practice")
    assert rating_in(page) == round(lower.rating)
    assert f"1 of 2 solved, {len(load_puzzles())} in all" in text_of(page)


def test_who_has_not_been_here_is_known_after_the_first_answer(client: TestClient) -> None:
    stranger = new_person(client, "Stranger")
    stranger.cookies.clear()
    answer(stranger, f"/practice/{SOME[1].id}", SOME[1].exercise.best)
    assert rating_in(page_of(stranger, "/practice")) > PracticeRating().rating


def test_the_next_puzzle_is_one_that_was_not_tried_and_fits_the_choice(client: TestClient) -> None:
    somebody, own = new_person(client, "Dora"), select(theme="baron", edition="house")
    for puzzle in own[1:]:
        answer(somebody, f"/practice/{puzzle.id}", "")
    goal = page_of(somebody, "/practice/next?theme=baron&edition=house", status=303)
    assert goal == f"/practice/{own[0].id}?theme=baron&edition=house"
    for level in LEVELS:
        found = page_of(client, f"/practice/next?level={level}&theme=nonsense", status=303)
        assert load_puzzles()[found[10:18]].level == level


def test_a_choice_that_nothing_fits_is_told(client: TestClient) -> None:
    goal = page_of(client, "/practice/next?theme=keep&edition=solitaire", status=303)
    assert goal == "/practice?theme=keep&edition=solitaire"
    assert "There is no such puzzle" in page_of(client, goal)


@pytest.mark.parametrize("theme", WORD_THEMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_puzzles_are_offered_by_subject(client: TestClient, lang: str, theme: str) -> None:
    cookie = {"cookie": f"suitors-reader=lang={lang}&theme={theme}"}
    page = client.get("/practice", headers=cookie).text
    for subject in THEMES:
        assert f'href="/practice/next?theme={subject}"' in page
    assert "{" not in text_of(page)


def test_the_puzzle_of_the_day_is_the_same_for_everybody(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    day = today()
    monkeypatch.setattr("suitors.server.web.practice.today", lambda: day)
    puzzle, somebody = daily_puzzle(day), new_person(client, "Emil")
    for who in (client, somebody):
        assert page_of(who, "/practice/daily", status=303) == f"/practice/{puzzle.id}"
    assert "Puzzle of " in page_of(client, f"/practice/{puzzle.id}")
    answer(somebody, f"/practice/{puzzle.id}", puzzle.exercise.best)
    assert "· solved" in text_of(page_of(somebody, "/practice"))


# Mistakes again


def blunder(**changes: Any) -> Decision:
    best, played = (MoveValue(move, chance, chance, 0.001) for move, chance in MOVES.items())
    given: dict[str, Any] = {
        "round": 1,
        "ply": 0,
        "seat": 0,
        "move": played.move,
        "best": best.move,
        "moves": (best, played),
        "before": best.match,
        "after": played.match,
        "loss": 0.32,
        "interval": (0.3, 0.34),
        "stake": 0.5,
        "room": 0.16,
        "mark": Mark.BLUNDER,
        "exact": False,
        "reason": Fall(Card.PRINCESS),
    }
    return Decision(**{**given, **changes})


@pytest.fixture(scope="module")
def ada(client: TestClient, stage: Stage) -> TestClient:
    """Ada, one of whose matches has been analysed: it has one mistake of hers, and one of the bot's."""
    person = use_key(new_person(client, "Nobody"), stage.key)
    good, theirs = blunder(round=0, mark=Mark.BEST, reason=None), blunder(round=3, seat=1)
    text = "\n".join(write_line(Judged(decision, None, 0.5)) for decision in (good, blunder(), theirs))
    stored = server_of(client).store.analyses
    on_loop(client, lambda: stored.keep("digest", text, 1))
    known = on_loop(client, lambda: server_of(client).people.find(stage.key))
    on_loop(client, lambda: stored.note_seats("digest", stage.table, {0: known.id}, 1))
    return person


def test_ones_own_mistakes_come_again_until_they_are_solved_twice_in_a_row(ada: TestClient, stage: Stage) -> None:
    path = f"/practice/mistakes/{stage.table}/1/0"
    assert "1 to solve" in text_of(page_of(ada, "/practice"))
    assert page_of(ada, "/practice/mistakes", status=303) == path
    assert "Round 2 of one of your games" in page_of(ada, path)
    assert "You made a mistake here." in page_of(ada, path)
    assert "Whoever discards the Princess is out of the round." in text_of(answer(ada, path, "princess"))
    assert "Right!" in answer(ada, path, "countess")
    assert "Not the best" in answer(ada, path, "princess"), "it begins anew"
    for times in range(LEARNT):
        assert page_of(ada, "/practice/mistakes", status=303) == path, times
        assert "Right!" in answer(ada, path, "countess")
    assert page_of(ada, "/practice/mistakes", status=303) == "/practice"
    assert "until you have solved them twice in a row" in page_of(ada, "/practice")
    assert "Your rating" not in page_of(ada, "/practice"), "they are not rated"


def test_mistakes_are_nobody_elses(ada: TestClient, client: TestClient, stage: Stage) -> None:
    other = new_person(client, "Flora")
    assert page_of(other, "/practice/mistakes", status=303) == "/practice"
    for path in (f"/practice/mistakes/{stage.table}/1/0", f"/practice/mistakes/{stage.table}/3/0"):
        assert other.get(path).status_code == 404
        assert other.post(path, data={"move": "countess"}).status_code == 404
    assert ada.get(f"/practice/mistakes/{stage.table}/3/0").status_code == 404, "that was the bot's"


def test_mistakes_that_cannot_be_read_any_more_do_not_come_again(client: TestClient) -> None:
    """An analysis that another version has kept, beside one of a match that was as good as lost."""
    gina, stored = new_person(client, "Gina"), server_of(client).store.analyses
    known = on_loop(client, lambda: server_of(client).people.find(key_of(gina) or ""))
    line = write_line(Judged(blunder(ply=2, stake=3e-7, interval=(2e-7, 3e-7)), None, 0.5))
    for digest, text in (("tiny", line), ("older", line.replace('"room"', '"space"'))):
        on_loop(client, partial(stored.keep, digest, text, 1))
        on_loop(client, partial(stored.note_seats, digest, digest, {0: known.id}, 1))
    assert "1 to solve" in text_of(page_of(gina, "/practice"))


# The API


def test_programs_find_puzzles_and_try_them(client: TestClient) -> None:
    program, puzzle = new_person(client, "Program"), select("baron", "modern")[-1]
    listed = json_of(program.get(f"{API}/puzzles", params={"theme": "baron", "edition": "modern"}))["puzzles"]
    assert [line["id"] for line in listed] == [one.id for one in select("baron", "modern")]
    assert len(json_of(client.get(f"{API}/puzzles"))["puzzles"]) == len(load_puzzles())
    asked = json_of(client.get(f"{API}/puzzles/{puzzle.id}"))
    assert asked == puzzle.public_data(solved=False)
    assert set(asked) == {"id", "edition", "rating", "view"}
    found = json_of(program.post(f"{API}/puzzles/{puzzle.id}/attempts", json={"move": puzzle.exercise.best}), 201)
    assert (found["solved"], found["best"]) == (True, puzzle.exercise.best)
    assert found["rating"] == pytest.approx(PracticeRating().after(puzzle.rating, solved=True).rating)
    again = json_of(program.post(f"{API}/puzzles/{puzzle.id}/attempts", json={"move": wrong_move(puzzle)}), 201)
    assert (again["solved"], again["rating"]) == (False, None)
    assert json_of(client.get(f"{API}/puzzles/daily"))["id"] in load_puzzles()


def test_programs_are_told_what_is_wrong(client: TestClient) -> None:
    program, path = new_person(client, "Program"), f"{API}/puzzles/{SOME[0].id}/attempts"
    assert json_of(client.get(f"{API}/puzzles/none"), 404)["error"]["code"] == "not-found"
    assert json_of(client.get(f"{API}/puzzles", params={"theme": "love"}), 422)["error"]["code"] == "bad-request"
    assert json_of(program.post(path, json={"move": "dance"}), 422)["error"]["code"] == "illegal-move"
    stranger = new_person(client, "Stranger")
    stranger.cookies.clear()
    assert json_of(stranger.post(path, json={"move": "dance"}), 401)["error"]["code"] == "who-are-you"
