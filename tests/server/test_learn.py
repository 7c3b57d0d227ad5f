"""The guided first game: every step in every language, walked through by its forms, right, wrong and in vain."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from fastapi.testclient import TestClient

from suitors.pages.lesson import Course, course_for
from suitors.pages.lesson_steps import COURSES
from suitors.pages.preferences import COOKIE, Preferences
from suitors.rules import Refusal
from suitors.words import LANGUAGES, THEMES, gettext
from suitors.words.lesson import lesson_file, opponents, start_words, step_words
from suitors.words.speech import Speaker
from support.servers import new_person

WORDS = 45
"""So many words are read at one step, at most."""

STEPS = COURSES["modern"]
LAST = len(STEPS)
ALL_STEPS = [(theme, k) for theme in THEMES for k in range(1, 1 + len(course_for(Preferences(theme=theme)).steps))]


class Form(HTMLParser):
    """The forms of a page by their ids, and the buttons that send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self.fields: dict[str, dict[str, str]] = {}
        self.buttons: list[dict[str, str]] = []
        self.form = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self.form = given.get("id", "")
            self.forms[self.form], self.fields[self.form] = given, {}
        elif tag == "input":
            self.fields[self.form][given["name"]] = given.get("value", "")
        elif tag == "button" and given.get("form") in ("choose", "act"):
            self.buttons.append(given)


def course(theme: str = "court", lang: str = "en") -> Course:
    return course_for(Preferences(theme=theme, lang=lang))


def cookie(lang: str, theme: str = "court") -> dict[str, str]:
    return {"accept-language": lang} if theme == "court" else {"cookie": f"{COOKIE}=lang={lang}&theme={theme}"}


def seen(client: TestClient, path: str, lang: str, theme: str = "court") -> str:
    answer = client.get(path, headers=cookie(lang, theme))
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def attempt(client: TestClient, number: int, move: str, lang: str = "en", theme: str = "court") -> tuple[int, str]:
    headers = cookie(lang, theme)
    answer = client.post(f"/learn/{number}", data={"move": move}, headers=headers, follow_redirects=False)
    return answer.status_code, unescape(answer.text)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))


def number_of(key: str) -> int:
    return 1 + [step.key for step in STEPS].index(key)


# The script


@pytest.mark.parametrize("slug", COURSES)
def test_every_scripted_move_is_legal_and_every_task_is_the_learners(slug: str) -> None:
    played = Course(slug, Preferences())
    for number, step in enumerate(played.steps, 1):
        match = played.match_at(number)  # raises where a move is not legal
        assert (match.turn == 0) == bool(step.task), step.key
        assert not step.task or played.task(number) in match.legal(), step.key


@pytest.mark.parametrize(
    ("slug", "keys", "tokens"),
    [
        ("modern", ("last", "tokens", "showdown", "end"), [1, 2, 4, 5]),
        ("house", ("last", "tokens", "highest", "one_more"), [1, 2, 3, 4]),
        ("premium", ("last", "tokens", "highest", "one_more"), [1, 2, 3, 4]),
    ],
)
def test_the_rounds_end_as_the_texts_say(slug: str, keys: tuple[str, ...], tokens: list[int]) -> None:
    played = Course(slug, Preferences())
    numbers = [1 + [step.key for step in played.steps].index(key) for key in keys]
    assert [played.match_at(number).tokens[0] for number in numbers] == tokens
    match = played.match_at(len(played.steps))
    assert match.rules.goal - match.tokens[0] == 5 - tokens[-1]


def test_every_theme_has_its_guided_game() -> None:
    assert {theme: course(theme).edition for theme in THEMES} == {
        "court": "modern",
        "tempest": "premium",
        "mule": "house",
    }


# The words


def test_there_are_words_for_every_step_in_the_order_of_the_game() -> None:
    keys = list(lesson_file()["steps"])
    assert set(keys) == {step.key for steps in COURSES.values() for step in steps}
    for steps in COURSES.values():
        places = [keys.index(step.key) for step in steps]
        assert places == sorted(places)


@pytest.mark.parametrize("key", ["start", *lesson_file()["steps"]])
def test_both_languages_say_the_same_parts(key: str) -> None:
    texts = lesson_file()["start"] if key == "start" else lesson_file()["steps"][key]
    assert set(texts) == set(LANGUAGES)
    assert len({frozenset(texts[lang]) for lang in LANGUAGES}) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "number"), ALL_STEPS)
def test_the_words_of_a_step_are_few_and_filled(theme: str, number: int, lang: str) -> None:
    played = course(theme, lang)
    words, task = step_words(played.steps[number - 1].key, played.words), played.task(number)
    read = f"{words.text} {words.task}"
    assert len(re.findall(r"[\w’-]+", read)) <= WORDS
    assert not re.search(r"[{}]|  ", f"{words.title} {read.strip()} {words.wrong}")
    assert bool(words.task) == bool(task)
    others = set(played.match_at(number).legal()) - {task} if task else set()
    assert bool(words.wrong) == bool(others)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_beginning_says_in_two_sentences_what_this_is(theme: str, lang: str) -> None:
    words = start_words(course(theme, lang).words)
    assert len(re.findall(r"[.!?]", words.text)) == 2
    assert "{" not in words.text


def test_the_opponents_have_the_seats_that_the_script_means() -> None:
    assert list(lesson_file()["people"]["en"]) == list(lesson_file()["people"]["fr"]) == ["ben", "cleo"]
    assert opponents("fr") == ("Ben", "Cléo")


# The pages


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_beginning_leads_to_the_first_step(client: TestClient, lang: str) -> None:
    page = seen(client, "/learn", lang)
    assert start_words(course(lang=lang).words).text in page
    assert 'href="/learn/1"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "number"), ALL_STEPS)
def test_every_step_shows_its_words_beside_a_real_table(client: TestClient, theme: str, number: int, lang: str) -> None:
    played, page = course(theme, lang), seen(client, f"/learn/{number}", lang, theme)
    last, words = len(played.steps), step_words(played.steps[number - 1].key, played.words)
    assert words.text in page
    assert words.task in page
    assert '<section class="lesson" id="lesson" aria-labelledby="lesson-title">' in page
    assert '<h1 id="lesson-title" tabindex="-1">' in page
    assert gettext(lang)("Step {step} of {last}").format(step=number, last=last) in page
    assert 'id="table"' in page
    assert (f'href="/learn/{number + 1}"' in page) == (number < last)
    assert ('class="main" data-turn="on"' in page) == (not played.task(number) and number < last)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_right_clicks_lead_through_all_steps_to_the_end(client: TestClient, theme: str, lang: str) -> None:
    played = course(theme, lang)
    for number, step in enumerate(played.steps, 1):
        page, task = Form(seen(client, f"/learn/{number}", lang, theme)), played.task(number)
        for _ in range(4 if task else 0):
            wanted = [button for button in page.buttons if task.startswith(button["value"] or "?")]
            clicked = max(wanted, key=lambda button: len(button["value"]))
            form, fields = page.forms[clicked["form"]], page.fields[clicked["form"]]
            fields[clicked["name"]] = clicked["value"]
            action = form["action"].partition("#")[0]
            if form["method"] == "post":
                answer = client.post(action, data=fields, headers=cookie(lang, theme), follow_redirects=False)
                assert answer.status_code == 303
                assert answer.headers["location"] == f"/learn/{number + 1}#lesson-title"
                break
            page = Form(client.get(action, params=fields, headers=cookie(lang, theme)).text)
        else:
            assert not task, step.key
            assert not page.buttons, step.key


def test_the_end_offers_a_real_game(client: TestClient) -> None:
    page = Form(seen(client, f"/learn/{LAST}", "en"))
    assert page.forms["real"] | {"class": ""} == {"method": "post", "action": "/tables", "id": "real", "class": ""}
    assert page.fields["real"] == {"way": "bots", "edition": "modern", "players": "3", "bot": "novice"}
    answer = new_person(client, "Dora").post("/tables", data=page.fields["real"], follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/tables/")


def test_what_is_chosen_so_far_is_in_the_address(client: TestClient) -> None:
    page = text_of(seen(client, "/learn/1?chosen=priest", "en"))
    assert "Priest: choose a player." in page
    assert "Your turn: choose a card to play." in text_of(seen(client, "/learn/1?chosen=%00nonsense", "en"))


# Moves that do not lead on


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "number"), [(t, k) for t, k in ALL_STEPS if course(t).steps[k - 1].task])
def test_any_other_legal_move_is_answered_kindly(client: TestClient, theme: str, number: int, lang: str) -> None:
    played = course(theme, lang)
    for move in [move for move in played.match_at(number).legal() if move != played.task(number)][:3]:
        status, page = attempt(client, number, move, lang, theme)
        assert status == 200
        assert step_words(played.steps[number - 1].key, played.words).wrong in page
        assert gettext(lang)("Step {step} of {last}").format(step=number, last=len(played.steps)) in page


@pytest.mark.parametrize(
    ("key", "move", "refusal"),
    [
        ("countess", "prince 1", Refusal.COUNTESS_FIRST),
        ("prince", "prince 2", Refusal.PROTECTED),
        ("guard", "guard 2 priest", Refusal.OUT_OF_ROUND),
        ("guard", "guard 1 guard", Refusal.NOT_NAMEABLE),
        ("spy", "king 1", Refusal.NOT_HELD),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_illegal_move_is_answered_by_why(
    client: TestClient, key: str, move: str, refusal: Refusal, lang: str
) -> None:
    status, page = attempt(client, number_of(key), move, lang)
    assert status == 422
    say = gettext(lang)
    why = Speaker((), None, course(lang=lang).words).reason(refusal)
    assert f"{say('Not now: {reason}.').format(reason=why)}</p>" in page
    assert step_words(key, course(lang=lang).words).task in page


@pytest.mark.parametrize("move", ["", "hello", "priest 1 ", "<script>", "\x00", "x" * 5000])
def test_what_is_no_move_is_answered_as_such(client: TestClient, move: str) -> None:
    status, page = attempt(client, 1, move)
    assert status == 422
    assert "That is not a move." in page
    assert "<script>" not in page


def test_nothing_can_be_played_where_there_is_nothing_to_do(client: TestClient) -> None:
    for number, step in enumerate(STEPS, 1):
        if not step.task:
            for move in ("", "guard 2 handmaid"):
                status, page = attempt(client, number, move)
                assert status == 422
                assert "There is nothing to play at this step: just continue." in page


@pytest.mark.parametrize("path", ["/learn/0", f"/learn/{LAST + 1}", "/learn/-1", "/learn/one", "/learn/1/2"])
def test_there_are_no_other_steps(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404
    assert client.post(path, data={"move": "priest 1"}).status_code == 404


def test_the_learner_has_their_own_name_at_the_table(ada: TestClient, client: TestClient) -> None:
    assert 'aria-label="Ada"' in seen(ada, "/learn/1", "en")
    assert 'aria-label="Guest"' in seen(client, "/learn/1", "en")


def test_the_guided_game_is_told_in_the_learners_theme(client: TestClient) -> None:
    page = seen(client, "/learn/1", "en", "mule")
    assert 'data-theme="mule"' in page
    assert "Play Pritcher & Channis" in page
