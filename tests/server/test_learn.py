"""Guided games: every step in every language, walked through by its forms, right, wrong and in vain."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import get_args

import pytest
from fastapi.testclient import TestClient

from suitors.coach import Reason
from suitors.game import Match
from suitors.knowledge.belief import Belief
from suitors.notation import CARD_NAMES, CARD_OF
from suitors.pages.lesson import Lesson, find_lesson, first_game, lesson_for
from suitors.pages.lesson_scripts import FIRST, IDEAS, LESSON_OF, LESSONS, SCRIPTS, SIXTEEN, UNTAUGHT, Script
from suitors.pages.preferences import COOKIE, Preferences
from suitors.rules import Refusal, edition
from suitors.words import LANGUAGES, THEMES, gettext
from suitors.words.lesson import lesson_file, lesson_words, opponents, start_words, step_words
from suitors.words.speech import Speaker
from support.servers import new_person

WORDS = 45
"""So many words are read at one step, at most."""

STEPS = SCRIPTS[FIRST].steps["modern"]
LAST = len(STEPS)
EVERYWHERE = [(name, slug) for name, script in SCRIPTS.items() for slug in script.steps]
OFFERED = [(theme, name) for theme in THEMES for name in SCRIPTS if find_lesson(name, Preferences(theme=theme))]


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


def lesson(name: str = FIRST, theme: str = "court", lang: str = "en") -> Lesson:
    found = find_lesson(name, Preferences(theme=theme, lang=lang))
    assert found is not None
    return found


ALL_STEPS = [(theme, name, k) for theme, name in OFFERED for k in range(1, 1 + len(lesson(name, theme).steps))]
TASKS = [(theme, name, k) for theme, name, k in ALL_STEPS if lesson(name, theme).steps[k - 1].task]


def cookie(lang: str, theme: str = "court") -> dict[str, str]:
    return {"accept-language": lang} if theme == "court" else {"cookie": f"{COOKIE}=lang={lang}&theme={theme}"}


def seen(client: TestClient, path: str, lang: str, theme: str = "court") -> str:
    answer = client.get(path, headers=cookie(lang, theme))
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def attempt(client: TestClient, path: str, move: str, lang: str = "en", theme: str = "court") -> tuple[int, str]:
    answer = client.post(path, data={"move": move}, headers=cookie(lang, theme), follow_redirects=False)
    return answer.status_code, unescape(answer.text)


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))


def number_of(key: str) -> int:
    return 1 + [step.key for step in STEPS].index(key)


# The script


@pytest.mark.parametrize(("name", "slug"), EVERYWHERE)
def test_every_scripted_move_is_legal_and_every_task_is_the_learners(name: str, slug: str) -> None:
    played = Lesson(SCRIPTS[name], slug, Preferences())
    for number, step in enumerate(played.steps, 1):
        match = played.match_at(number)  # raises where a move is not legal
        assert not step.task or played.task(number) in match.legal(), step.key
        assert step.task or step is played.steps[-1] or match.turn != 0, step.key


def test_every_card_is_played_in_some_lesson() -> None:
    tasks = {
        step.task.split()[0]
        for script in SCRIPTS.values()
        for steps in script.steps.values()
        for step in steps
        if step.task
    }
    never = {"assassin", "princess"}  # nobody plays these by choice
    untaught = {CARD_NAMES[card] for card in UNTAUGHT}
    missing = {*CARD_OF} - tasks - never - untaught
    assert not missing, (
        f"No lesson teaches {', '.join(sorted(missing))}: write one in src/suitors/pages/lesson_scripts.py, or name "
        "the card in UNTAUGHT there."
    )
    assert not tasks & never
    assert not tasks & untaught, "UNTAUGHT in src/suitors/pages/lesson_scripts.py names a card that a lesson teaches"


@pytest.mark.parametrize("script", LESSONS, ids=lambda script: script.name)
def test_lessons_for_every_theme_have_the_same_sixteen_cards(script: Script) -> None:
    if script.about == IDEAS:
        assert tuple(script.steps) == SIXTEEN
        assert len({tuple(edition(slug, script.players).box) for slug in SIXTEEN}) == 1


def test_the_chances_that_a_lesson_counts_are_exact() -> None:
    match = lesson("counting").match_at(1)
    assert isinstance(match, Match)
    unseen = Belief(match.view(0)).unseen
    higher = {CARD_NAMES[card]: count for card, count in enumerate(unseen) if match.rules.value[card] > 4 and count}
    assert higher == {"prince": 2, "countess": 1}


@pytest.mark.parametrize(
    ("name", "tokens"), [("jester", [1, 0, 1, 0, 0]), ("bishop", [2, 0, 0, 0, 0]), ("ending", [1, 0, 0])]
)
def test_a_lesson_ends_with_the_tokens_of_its_text(name: str, tokens: list[int]) -> None:
    played = lesson(name)
    match = played.match_at(len(played.steps))
    assert list(match.tokens) == tokens


@pytest.mark.parametrize(
    ("slug", "keys", "tokens"),
    [
        ("modern", ("last", "tokens", "showdown", "end"), [1, 2, 4, 5]),
        ("house", ("last", "tokens", "highest", "one_more"), [1, 2, 3, 4]),
        ("premium", ("last", "tokens", "highest", "one_more"), [1, 2, 3, 4]),
    ],
)
def test_the_rounds_end_as_the_texts_say(slug: str, keys: tuple[str, ...], tokens: list[int]) -> None:
    played = Lesson(SCRIPTS[FIRST], slug, Preferences())
    numbers = [1 + [step.key for step in played.steps].index(key) for key in keys]
    assert [played.match_at(number).tokens[0] for number in numbers] == tokens
    match = played.match_at(len(played.steps))
    assert match.rules.goal - match.tokens[0] == 5 - tokens[-1]


def test_every_theme_has_its_guided_game() -> None:
    assert {theme: first_game(Preferences(theme=theme)).edition for theme in THEMES} == {
        "court": "modern",
        "tempest": "premium",
        "mule": "house",
    }


# The words


def test_there_are_words_for_every_step_in_the_order_of_the_game() -> None:
    keys = list(lesson_file()["steps"])
    courses = [steps for script in SCRIPTS.values() for steps in script.steps.values()]
    assert set(keys) == {step.key for steps in courses for step in steps}
    for steps in courses:
        places = [keys.index(step.key) for step in steps]
        assert places == sorted(places)


TEXTS = {"start": lesson_file()["start"], **lesson_file()["steps"]}


def test_every_lesson_says_what_it_is_about() -> None:
    assert set(lesson_file()["lessons"]) == {script.name for script in LESSONS}


@pytest.mark.parametrize("texts", [*TEXTS.values(), *lesson_file()["lessons"].values()])
def test_both_languages_say_the_same_parts(texts: dict[str, dict[str, str]]) -> None:
    assert set(texts) == set(LANGUAGES)
    assert len({frozenset(texts[lang]) for lang in LANGUAGES}) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "name", "number"), ALL_STEPS)
def test_the_words_of_a_step_are_few_and_filled(theme: str, name: str, number: int, lang: str) -> None:
    played = lesson(name, theme, lang)
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
    words = start_words(lesson(theme=theme, lang=lang).words)
    assert len(re.findall(r"[.!?]", words.text)) == 2
    assert "{" not in words.text


def test_the_opponents_have_the_seats_that_the_script_means() -> None:
    assert list(lesson_file()["people"]["en"]) == list(lesson_file()["people"]["fr"]) == ["ben", "cleo", "dora", "ezra"]
    assert opponents("fr") == ("Ben", "Cléo", "Dora", "Ezra")


# The pages


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_beginning_leads_to_the_first_step(client: TestClient, lang: str) -> None:
    page = seen(client, "/learn", lang)
    assert start_words(lesson(lang=lang).words).text in page
    assert 'href="/learn/1"' in page
    for script in LESSONS:
        assert f'href="/learn/{script.name}/1"' in page
        assert lesson_words(script.name, lesson(script.name, lang=lang).words).text in page


@pytest.mark.parametrize("kind", [reason.kind for reason in get_args(Reason)])
def test_a_reason_of_the_coach_leads_to_its_lesson(kind: str) -> None:
    found = lesson_for(kind, Preferences(theme="mule", lang="fr"))
    assert (found is None) == (kind in {"fall", "unmask", "values"})
    assert found is None or found.path == f"/learn/{LESSON_OF[kind]}/1"


@pytest.mark.parametrize(("theme", "names"), [("tempest", {"jester", "king", "ending"}), ("mule", {"king", "ending"})])
def test_a_theme_offers_the_lessons_that_it_has_names_for(client: TestClient, theme: str, names: set[str]) -> None:
    page = seen(client, "/learn", "en", theme)
    offered = {script.name for script in LESSONS if f'href="/learn/{script.name}/1"' in page}
    assert names <= offered == {name for its, name in OFFERED if its == theme and name != FIRST}
    assert "solitaire" not in offered
    assert client.get("/learn/solitaire/1", headers=cookie("en", theme)).status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "name"), OFFERED)
def test_every_step_shows_its_words_beside_a_real_table(client: TestClient, theme: str, name: str, lang: str) -> None:
    played = lesson(name, theme, lang)
    for number in range(1, 1 + len(played.steps)):
        shows_its_words(client, played, number)


def shows_its_words(client: TestClient, played: Lesson, number: int) -> None:
    """Look at the page of a step."""
    lang, theme = played.preferences.lang, played.preferences.theme
    page = seen(client, f"{played.path}/{number}", lang, theme)
    last, words = len(played.steps), step_words(played.steps[number - 1].key, played.words)
    assert words.text in page
    assert words.task in page
    assert '<section class="lesson" id="lesson" aria-labelledby="lesson-title">' in page
    assert '<h1 id="lesson-title" tabindex="-1">' in page
    assert gettext(lang)("Step {step} of {last}").format(step=number, last=last) in page
    assert 'id="table"' in page
    assert (f'href="{played.path}/{number + 1}"' in page) == (number < last)
    assert ('class="main" data-turn="on"' in page) == (not played.task(number) and number < last)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("theme", "name"), OFFERED)
def test_the_right_clicks_lead_through_all_steps_to_the_end(
    client: TestClient, theme: str, name: str, lang: str
) -> None:
    played = lesson(name, theme, lang)
    for number, step in enumerate(played.steps, 1):
        page, task = Form(seen(client, f"{played.path}/{number}", lang, theme)), played.task(number)
        for _ in range(4 if task else 0):
            wanted = [button for button in page.buttons if task.startswith(button["value"] or "?")]
            clicked = max(wanted, key=lambda button: len(button["value"]))
            form, fields = page.forms[clicked["form"]], page.fields[clicked["form"]]
            fields[clicked["name"]] = clicked["value"]
            action = form["action"].partition("#")[0]
            if form["method"] == "post":
                answer = client.post(action, data=fields, headers=cookie(lang, theme), follow_redirects=False)
                assert answer.status_code == 303
                assert answer.headers["location"] == f"{played.path}/{number + 1}#lesson-title"
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
@pytest.mark.parametrize(("theme", "name", "number"), TASKS)
def test_any_other_legal_move_is_answered_kindly(
    client: TestClient, theme: str, name: str, number: int, lang: str
) -> None:
    played = lesson(name, theme, lang)
    for move in [move for move in played.match_at(number).legal() if move != played.task(number)][:2]:
        status, page = attempt(client, f"{played.path}/{number}", move, lang, theme)
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
    status, page = attempt(client, f"/learn/{number_of(key)}", move, lang)
    assert status == 422
    say = gettext(lang)
    why = Speaker((), None, lesson(lang=lang).words).reason(refusal)
    assert f"{say('Not now: {reason}.').format(reason=why)}</p>" in page
    assert step_words(key, lesson(lang=lang).words).task in page


@pytest.mark.parametrize("move", ["", "hello", "priest 1 ", "<script>", "\x00", "x" * 5000])
def test_what_is_no_move_is_answered_as_such(client: TestClient, move: str) -> None:
    status, page = attempt(client, "/learn/1", move)
    assert status == 422
    assert "That is not a move." in page
    assert "<script>" not in page


def test_nothing_can_be_played_where_there_is_nothing_to_do(client: TestClient) -> None:
    for number, step in enumerate(STEPS, 1):
        if not step.task:
            for move in ("", "guard 2 handmaid"):
                status, page = attempt(client, f"/learn/{number}", move)
                assert status == 422
                assert "There is nothing to play at this step: just continue." in page


@pytest.mark.parametrize(
    "path",
    [
        "/learn/0",
        f"/learn/{LAST + 1}",
        "/learn/-1",
        "/learn/one",
        "/learn/1/2",
        "/learn/first/1",
        "/learn/king/0",
        "/learn/king/9",
    ],
)
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
