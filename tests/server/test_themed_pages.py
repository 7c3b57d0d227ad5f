"""Pages in a theme: everything people read is the theme's, and the people and the credits have pages."""

import json
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from suitors.notation import CARD_OF
from suitors.pages.preferences import COOKIE
from suitors.rules import BOXES
from suitors.words import LANGUAGES, THEMES, load_theme
from suitors.words.credits import all_credits, kit_credits
from suitors.words.story import Narrator
from support.court_words import court_words
from support.matches import chance_match
from support.servers import new_person
from support.vocabularies import words_of


def cookie(theme: str, lang: str) -> dict[str, str]:
    return {"cookie": f"{COOKIE}=lang={lang}&theme={theme}"}


def without_plain_titles(page: str) -> str:
    """A page without the editions that its theme has no names for; panels may lie in panels."""
    kept, depth = "", 0
    for part in re.split(r"(<details[^>]*>|</details>)", page):
        if part.startswith("<details") and (depth or 'class="plain-titles"' in part):
            depth += 1
        if not depth:
            kept += part
        if part == "</details>" and depth:
            depth -= 1
    return kept


def read(page: str) -> str:
    """What people read of a page, without the editions that its theme has no names for."""
    page = without_plain_titles(page)
    page = re.sub(
        r'<select name="theme">.*?</select>|<nav class="links".*?</nav>|<(script|style).*?</\1>', " ", page, flags=re.S
    )
    texts = re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', page)
    return unescape(" ".join([re.sub(r"<[^>]*>", " ", page), *texts]))


def test_court_words_are_found() -> None:
    assert court_words("The Princess reads a letter; the Guards wait.", "en") == ["Princess", "letter", "Guards"]
    assert court_words("Une lettre scellée pour la Princesse", "fr") == ["lettre", "scellée", "Princesse"]
    assert court_words("Suitors · Love Letter", "en") == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/learn",
        "/learn/1",
        "/learn/8",
        "/learn/countess/1",
        "/learn/ending/1",
        "/people/mule",
        "/rules/house",
        "/tables",
        "/me",
    ],
)
def test_a_page_in_the_mules_theme_has_no_word_of_the_court(client: TestClient, path: str, lang: str) -> None:
    page = client.get(path, headers=cookie("mule", lang))
    assert page.status_code == 200
    assert court_words(read(page.text), lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_match_in_the_mules_theme_has_no_word_of_the_court(client: TestClient, lang: str) -> None:
    match, ada = chance_match("house", 3, 2), new_person(client, "Ada")
    answer = ada.post("/games", data={"text": json.dumps(match.record())}, follow_redirects=False)
    for step in (0, 3, 10, 30, 10_000):
        page = ada.get(answer.headers["location"], params={"step": step, "eyes": "0"}, headers=cookie("mule", lang))
        assert page.status_code == 200
        assert court_words(read(page.text), lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", BOXES["house"].players)
def test_the_log_of_the_mules_theme_has_no_word_of_the_court(players: int, lang: str) -> None:
    for seed in range(5):
        match = chance_match("house", players, seed)
        narrator = Narrator(match.rules, match.players, 0, words_of("house", lang, "mule"))
        for number, r in enumerate(match.rounds):
            for step in range(len(r.rows)):
                for line in narrator.tell(match.step_log(number, step, 0)):
                    assert court_words(line.text, lang) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/people/court"])
def test_the_same_test_finds_them_in_the_courts(client: TestClient, path: str, lang: str) -> None:
    assert court_words(read(client.get(path, headers=cookie("court", lang)).text), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_people_of_a_theme_are_all_on_its_page(client: TestClient, theme: str, lang: str) -> None:
    page, words = client.get(f"/people/{theme}", headers=cookie("court", lang)), load_theme(theme)
    text = unescape(page.text)
    assert words.about(lang) in text
    assert words_of(words.editions[0], lang, theme).premise() in text
    for slug in words.cards:
        people = words.persons(CARD_OF[slug], lang)
        for person in people:
            assert person.name in text
            assert person.line in text
            assert f"#{person.emblem}" in text
        assert words.portrait(CARD_OF[slug], lang, 0 if people else None).title in text


def test_the_people_of_the_visitors_theme_come_first(client: TestClient) -> None:
    answer = client.get("/people", headers=cookie("mule", "en"), follow_redirects=False)
    assert answer.headers["location"] == "/people/mule"
    assert client.get("/people/space").status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everybody_is_credited(client: TestClient, lang: str) -> None:
    text = unescape(client.get("/credits", headers=cookie("court", lang)).text)
    for credit in all_credits(lang):
        assert credit.work in text
        assert all(name in text for name in credit.names)
    for name in ("Seiji Kanai", "John Zinser", "Jan Van Regenmortel", "Isaac Asimov"):
        assert name in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_kit_credits_who_designed_what_is_in_it(lang: str) -> None:
    assert "John Zinser" in kit_credits("premium", "court", lang)
    assert "Asimov" in kit_credits("house", "mule", lang)
    assert "Asimov" not in kit_credits("house", "court", lang)
    assert "Regenmortel" in kit_credits("solitaire-2019", "court", lang)
    assert all("Seiji Kanai" in kit_credits(slug, "court", lang) for slug in BOXES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_live_table_in_the_mules_theme_has_no_word_of_the_court(client: TestClient, lang: str) -> None:
    ada = new_person(client, "Ada")
    ada.headers["cookie"] = "; ".join([f"{name}={value}" for name, value in ada.cookies.items()])
    ada.headers["cookie"] += f"; {COOKIE}=lang={lang}&theme=mule"
    form = {"way": "bots", "edition": "house", "players": "3", "bot": "novice"}
    opened = ada.post("/tables", data=form, follow_redirects=False)
    page = ada.get(opened.headers["location"])
    assert 'id="table"' in page.text
    assert court_words(read(page.text), lang) == []
