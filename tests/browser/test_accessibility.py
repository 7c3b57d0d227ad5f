"""Every page is accessible in all its states: axe finds nothing, in light and dark, in any theme and language."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from suitors.pages.solo_choices import fatal
from suitors.rules import Phase
from suitors.words import THEMES
from support.browser import Visitor
from support.page_players import (
    CONTRAST,
    Player,
    accessibility_problems,
    alone,
    arrive,
    compile_coach,
    drawn_out,
    duel,
    led_on,
    phone,
    staged,
    watch,
    won_rounds,
)
from support.servers import Running
from support.stored_tables import NEVER, Stage

Stages = dict[str, Stage]
Walk = Callable[[Visitor, Stages], Iterator[str]]
"""A way through several states of pages; it stops at each of them and says which it is."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Stages:
    """The tables of this module."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def stage(edition: str = "classic", bots: int = 1, people: tuple[str, ...] = ("Ada",)) -> Stage:
        return Stage(folder, edition, people, ["random"] * bots, pace_ms=NEVER, open=True)

    aimed = stage(bots=3)
    aimed.deal("baron", "guard", "prince", "prince", "guard", "handmaid", "priest", "baron", "king", first=1)
    courts = ("guard", "cardinal", "priest", "baron", "guard", "guard", "baroness")
    return {
        "aimed": aimed.play("handmaid", "priest 0", "baron 2"),
        "countess": duel(stage(), "countess", "guard", "prince"),
        "princess": duel(stage(), "princess", "guard", "priest"),
        "chancellor": duel(stage("modern"), "chancellor", "guard", "priest", "baron", "king"),
        "courts": stage("premium", 4).deal(*courts),
        "bishop": stage("premium", 4)
        .deal("guard", "bishop", "guard", "guard", "baron", "priest", "king", first=1)
        .play("bishop 0 2"),
        "marked": stage("premium", 4)
        .deal("guard", "sycophant", "guard", "priest", "baron", "guard", "jester")
        .play("sycophant 1"),
        "eight": drawn_out(stage("premium", 7)),
        "between": won_rounds(stage(), "0"),
        "over": won_rounds(stage(), "0101010100"),
        "pass": duel(stage(bots=0, people=("Ada", "Ben")), "handmaid", "guard", "priest", "king"),
        "solo": stage("solitaire", 0).deal(),
        "solo-own": alone(stage("solitaire", 0), lambda view: {"baron q1 hand", "baron q2 agent"} <= set(view.legal)),
        "solo-offer": alone(stage("solitaire", 0), lambda view: view.phase == Phase.OFFER),
        "solo-fatal": alone(
            stage("solitaire", 0),
            lambda view: view.phase == Phase.PLAY and any(fatal(view, text) for text in view.legal),
        ),
        "solo-over": alone(stage("solitaire", 0), lambda view: "prince hand" in view.legal and view.pile == 0),
    }


@pytest.fixture(scope="module")
def server(stages: Stages) -> Iterator[Running]:
    with staged(stages["aimed"].folder.parent, stages) as server:
        yield server


# Pages


def walk_first_pages(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = visitor.page
    page.goto("/")
    page.evaluate("() => document.querySelectorAll('details').forEach((found) => (found.open = true))")
    yield "first page, all open"
    for path in ("/tables", "/mine", "/me", "/replay", "/rules", "/rules/premium", "/rules/solitaire"):
        page.goto(path)
        yield path
    visitor.be(stages["over"].key)
    page.goto("/mine")
    yield "games of mine"


def walk_ones_own_pages(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = visitor.page
    visitor.be(stages["over"].key)
    page.goto("/me")
    page.click("text=Make a link")
    link = page.input_value("#transfer-link")
    yield "a link for another device"
    visitor.be(stages["aimed"].key)
    page.goto(link)
    expect(page.locator("main")).to_contain_text("But on this device you are")
    yield "the transfer to a device of somebody's"
    visitor.context.clear_cookies()
    page.goto(link)
    yield "the transfer"
    page.click("text=This is me")
    page.wait_for_url("**/mine")
    visitor.expect_refusals = True
    page.goto(link)
    expect(page.locator("main")).to_contain_text("This link has been used")
    yield "a transfer that is void"
    page.goto("/nowhere")
    yield "a page that is not there"


def walk_lobby(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = visitor.page
    page.goto("/")
    page.select_option("#start select[name=players]", "3")
    page.check("#way-friends")
    page.click("#start button.main")
    page.wait_for_selector(".lobby")
    yield "the lobby of the host"
    visitor.context.clear_cookies()
    watch(visitor, page.url)
    yield "the lobby of a guest"
    with led_on(page):
        page.click("#place-1 button:has-text('Join')")
    expect(page.locator("#place-1 .tag")).to_be_visible()
    yield "the lobby of one who sits"


def walk_lessons(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = visitor.page
    page.goto("/learn")
    yield "the start of the lesson"
    page.goto("/learn/1")
    yield "a lesson"
    page.click("#hand button:has-text('Guard')")
    page.click(".pick >> nth=0")
    page.click("#items-name button >> nth=0")  # seats are items as well
    expect(page.locator(".lesson .answer")).to_be_visible()
    yield "an answer"
    page.goto("/learn/solitaire/3")
    yield "a lesson of the solo game"
    page.goto("/learn/16")
    yield "the end of the lesson"


# Tables


def walk_turn(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page, player = arrive(visitor, stages["aimed"]), Player(visitor)
    yield "my turn"
    player.choose("Guard")
    expect(page.locator(".seat.selectable")).to_have_count(2)
    yield "a card is chosen"
    player.choose("Random 2")
    expect(page.locator("#items-name")).to_be_visible()
    yield "names"
    page.click("#more-details summary")
    page.click("#settings summary")
    yield "names, and all menus open"
    page.keyboard.press("Escape")
    expect(page.locator("#items-name")).to_have_count(0)
    page.evaluate("() => document.getElementById('lost').removeAttribute('hidden')")
    page.evaluate("() => (document.getElementById('toast').textContent = 'The link is copied.')")
    yield "no line"


def walk_knowledge(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = arrive(visitor, stages["aimed"])
    with led_on(page):
        page.click("text=Show the chances")
    expect(page.locator(".hidden-card").first).to_be_visible()
    yield "what I know"


def walk_questions(visitor: Visitor, stages: Stages) -> Iterator[str]:
    arrive(visitor, stages["countess"])
    yield "a card that may not be played"
    arrive(visitor, stages["princess"])
    Player(visitor).choose("Princess")
    yield "a question"
    page, player = arrive(visitor, stages["chancellor"]), Player(visitor)
    player.choose("Chancellor")
    expect(page.locator("#prompt .ask")).to_contain_text("Choose the card you keep")
    yield "a card to keep"
    player.choose("Priest")
    expect(page.locator("#items-order")).to_be_visible()
    yield "the order of the others"


def walk_second_steps(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page, player = arrive(visitor, stages["courts"]), Player(visitor)
    player.choose("Baroness", "Random 1")
    expect(page.locator("text=Only this one")).to_be_visible()
    yield "one of two seats"
    player.go("text=Choose another card")
    player.choose("Cardinal", "Random 1", "Random 2")
    expect(page.locator("#items-look")).to_be_visible()
    yield "a hand to look at"
    arrive(visitor, stages["bishop"])
    expect(page.locator("#items-answer")).to_be_visible()
    yield "an answer to a Bishop"


def walk_waiting(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = arrive(visitor, stages["marked"])
    expect(page.locator("#prompt")).to_contain_text("is thinking")
    yield "waiting for others"
    arrive(visitor, stages["eight"])
    yield "eight players and long piles"
    visitor.context.clear_cookies()
    watch(visitor, f"/tables/{stages['eight'].table}")
    expect(page.locator("#watching")).to_be_visible()
    yield "watching"


def walk_ends(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page = arrive(visitor, stages["between"])
    expect(page.locator("#deal")).to_be_visible()
    yield "between two rounds"
    arrive(visitor, stages["over"])
    expect(page.locator("#rematch")).to_be_visible()
    yield "the match is over"
    page.click("text=Replay the match")
    expect(page.locator("#replay-bar")).to_be_visible()
    yield "a replay"
    page.click("text=Share by link")
    expect(page.locator("#share-link")).to_be_visible()
    yield "a replay that is shared"


def walk_passing(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page, player = arrive(visitor, stages["pass"]), Player(visitor)
    expect(page.locator("#cover")).to_be_visible()
    yield "a covered hand"
    player.go("#uncover button")
    page.click("#hand button:has-text('Handmaid')")
    expect(page.locator("#uncover button")).to_contain_text("pass the device to Ben")
    yield "a device to pass on"


def walk_solitaire(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page, player = arrive(visitor, stages["solo"]), Player(visitor)
    yield "the start of a turn alone"
    player.choose("Draw a card")
    compile_coach()
    page.click("#hints button")
    expect(page.locator("#hints table, #hints .note")).to_be_visible()
    yield "hints"
    arrive(visitor, stages["solo-own"])
    player.choose("Baron")
    yield "a place of the queue"
    player.go(".place-button >> nth=0")
    yield "hand or agent"
    arrive(visitor, stages["solo-offer"])
    yield "an offer"


def walk_end_of_solitaire(visitor: Visitor, stages: Stages) -> Iterator[str]:
    page, player = arrive(visitor, stages["solo-over"]), Player(visitor)
    player.choose("Prince")
    if not page.locator("#prompt .danger").count():
        player.go("button[value='prince hand']")
    expect(page.locator("#prompt .danger")).to_be_visible()
    yield "a question alone"
    player.go("#prompt .danger")
    expect(page.locator("#verdict")).to_be_visible()
    yield "the end of a game alone"
    compile_coach()
    page.click("text=Analysis")
    expect(page.locator("#accounts")).to_be_visible()
    yield "the analysis of a game alone"


WALKS: list[Walk] = [
    walk_first_pages,
    walk_ones_own_pages,
    walk_lobby,
    walk_lessons,
    walk_turn,
    walk_knowledge,
    walk_questions,
    walk_second_steps,
    walk_waiting,
    walk_ends,
    walk_passing,
    walk_solitaire,
    walk_end_of_solitaire,
]


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
def test_a_page_is_accessible(visitor: Visitor, stages: Stages, walk: Walk) -> None:
    for state in walk(visitor, stages):
        assert accessibility_problems(visitor.page) == [], state


def test_problems_would_be_found(visitor: Visitor) -> None:
    visitor.page.goto("/me")
    spoil = "document.documentElement.removeAttribute('lang'); document.querySelector('h1').style.color = 'var(--line)'"
    visitor.page.evaluate(spoil)
    found = accessibility_problems(visitor.page)
    assert {line.partition(":")[0] for line in found} == {"html-has-lang", CONTRAST}


SET_THEME = "([theme, look]) => Object.assign(document.documentElement.dataset, { theme, look })"


@pytest.mark.parametrize(
    ("walk", "state"),
    [
        (walk_first_pages, "first page, all open"),
        (walk_turn, "a card is chosen"),
        (walk_ends, "between two rounds"),
        (walk_solitaire, "the start of a turn alone"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_every_text_has_contrast_in_every_theme_light_and_dark(
    visitor: Visitor, stages: Stages, walk: Walk, state: str
) -> None:
    assert state in walk(visitor, stages)  # and there it stays
    for theme in THEMES:
        for light, ground in (("light", ""), ("dark", ""), ("dark", "var(--page-glow)")):  # the ends of dark gradients
            visitor.page.evaluate(SET_THEME, [theme, light])
            assert accessibility_problems(visitor.page, ground, rules=(CONTRAST,)) == [], (theme, light, ground)


def test_a_french_page_is_accessible(browser: Browser, server: Running, stages: Stages) -> None:
    visitor = Visitor(browser, server, locale="fr-FR", color_scheme="dark")
    page = visitor.page
    for path in ("/", "/learn/1"):
        page.goto(path)
        assert accessibility_problems(page) == [], path
    for name in ("aimed", "solo"):
        arrive(visitor, stages[name])
        assert accessibility_problems(page) == [], name
    visitor.leave()


@pytest.mark.parametrize("walk", [walk_turn, walk_waiting], ids=lambda walk: walk.__name__)
def test_a_small_page_is_accessible(browser: Browser, server: Running, stages: Stages, walk: Walk) -> None:
    visitor = phone(browser, server)
    for state in walk(visitor, stages):
        # the colours are those of wide pages
        assert accessibility_problems(visitor.page, without=(CONTRAST,)) == [], state
    visitor.leave()
