"""Friends at one table: they come by a link, play on through lost connections, and see only what is theirs."""

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, Page, expect

from support.browser import Visitor
from support.matches import call
from support.page_players import (
    CHOICES,
    CONNECTED,
    FORGET_CONNECTION,
    KEEP_SOCKETS,
    SCENE,
    accessibility_problems,
    arrive,
    led_on,
    staged,
    watch,
)
from support.servers import API, Caller, Running
from support.stored_tables import Stage

NAMES = ("Ada", "Ben", "Cleo", "Dan")
HAND = r'id=\\?"hand(?!-over)'
"""How a hand, or a card in it, is written in a page or in what its line tells."""

LOST = "Connection lost; trying again …"
MOVED_ON = f"(before) => ({SCENE})() !== before"

AT_STATE = "(state) => Number(document.getElementById('table')?.dataset.state) >= state"
"""Whether a page has heard of a state, or of a later one: the house deals when a rest has been long enough."""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The tables of this module, each of three people on one device; at one of them Ada has a Priest."""
    folder = tmp_path_factory.mktemp("friends") / "data"
    device = Stage(folder, "classic", ["Ada", "Ben", "Cleo"])
    device.deal("princess", "priest", "baron", "king", "handmaid", "countess", "guard", "guard")
    found = {"device": device}
    for name in ("line", "loaded"):
        found[name] = Stage(folder, "classic", ["Ada", "Ben", "Cleo"])
        found[name].deal("princess", "prince", "baron", "king", "handmaid", "countess", "guard", "guard")
    return found


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["device"].folder.parent, stages) as server:
        yield server


class Friends:
    """Several people with a browser each, at one table."""

    def __init__(self, browser: Browser, server: Running, *names: str) -> None:
        self.everybody = {name: Visitor(browser, server) for name in names}
        for visitor in self.everybody.values():
            visitor.prefer(lang="en", wait="off")  # every page shows the table as it is
        self.rng = random.Random(7)

    def __getitem__(self, name: str) -> Visitor:
        return self.everybody[name]

    @property
    def pages(self) -> list[Page]:
        return [visitor.page for visitor in self.everybody.values()]

    def agree(self) -> None:
        """Wait until every page shows the table as it is."""
        somebody = self[NAMES[0]]
        state = somebody.page.request.get(f"{API}/tables/{somebody.table}").json()["state"]
        for page in self.pages:
            page.wait_for_function(AT_STATE, arg=state)

    def deciding(self) -> str | None:
        """The one whose page says that it is their turn; None between two rounds."""
        asked = [name for name, visitor in self.everybody.items() if visitor.page.locator("#table .ask").count()]
        assert len(asked) < 2
        return asked[0] if asked else None

    def move(self) -> None:
        """Let the one whose turn it is play anything; between two rounds one after the other asks for the next one."""
        name = self.deciding()
        page = self[name].page if name else next(page for page in self.pages if page.locator("#deal button").count())
        before = page.get_attribute("#table", "data-state")
        while page.get_attribute("#table", "data-state") == before:
            scene = page.evaluate(SCENE)
            buttons = page.locator(CHOICES if name else "#deal button")
            buttons.nth(self.rng.randrange(buttons.count())).click()
            page.wait_for_function(MOVED_ON, arg=scene)
        self.agree()

    def hands(self) -> list[list[str]]:
        """What everybody holds, as their pages show it."""
        return [hand_on(page) for page in self.pages]

    def leave(self) -> None:
        for visitor in self.everybody.values():
            visitor.leave()


@pytest.fixture
def friends(browser: Browser, server: Running) -> Iterator[Friends]:
    found = Friends(browser, server, *NAMES)
    yield found
    found.leave()


def hand_on(page: Page) -> list[str]:
    """The cards in the own hand."""
    found: list[str] = page.eval_on_selector_all("#hand .held", "found => found.map((held) => held.id)")
    return [held.removeprefix("hand-").removesuffix("-place") for held in found]


def sit(visitor: Visitor, link: str, seat: int, name: str) -> None:
    """Come by a link and sit down."""
    page = watch(visitor, link)
    page.fill(f"#place-{seat} input[name=name]", name)
    with led_on(page):  # one who is known here is shown their seat before they are sent to look anew
        page.click(f"#place-{seat} button:has-text('Join')")
    expect(page.locator(f"#place-{seat} .tag")).to_be_visible()


def invite(host: Visitor, players: int, edition: str = "classic") -> str:
    """Open a table for friends from the first page; the link that is shown there."""
    host.page.goto("/")
    host.page.check("#way-friends")
    host.page.fill("#start input[name=name]", "Ada")
    host.page.check(f"#start input[value={edition}]")
    host.page.select_option("#start select[name=players]", str(players))
    host.page.click("#start button.main")
    host.page.wait_for_function(CONNECTED)
    return host.page.input_value("#invite-link")


def mark(pages: Sequence[Page]) -> None:
    """Leave something on pages that a reload would remove."""
    for page in pages:
        page.evaluate("window.same = true")


def unchanged(pages: Sequence[Page]) -> bool:
    """Whether none of the pages was loaded anew."""
    return all(page.evaluate("window.same === true") for page in pages)


# Four at a private table


def test_four_friends_play_on_through_reloads_lost_lines_and_a_killed_server(
    friends: Friends, browser: Browser, server: Running
) -> None:
    ada, ben, cleo, _ = (friends[name] for name in NAMES)
    late = Visitor(browser, server)
    late.expect_refusals = True
    link = invite(ada, 4)
    assert link == f"{server.address}/tables/{ada.table}"
    drawn = re.search(' d="([^"]+)"', segno.make(link, error="m").svg_inline(border=2))
    assert drawn
    assert ada.page.locator("svg.qr path").last.get_attribute("d") == drawn[1]
    for seat, name in enumerate(NAMES[1:], 1):
        sit(friends[name], link, seat, name)
        expect(ada.page.locator(f"#place-{seat} strong")).to_have_text(name)
    expect(ben.page.locator("#place-3 strong")).to_have_text("Dan")
    expect(watch(late, link).locator("#place-3 strong")).to_have_text("Dan")
    ada.page.click("#begin button")
    for page in friends.pages:
        page.wait_for_selector("#hand .held")
    friends.agree()

    # One with the link but without a seat is shown out, and a stranger does not come in.
    expect(late.page.locator("h1")).to_have_text("That did not work")
    assert "Page not found: this table or page does not exist, or it is private." in late.page.inner_text("#main")
    late.leave()
    stranger = Visitor(browser, server)
    stranger.expect_refusals = True
    for path in ("", "?seat=0", "/replay", "/record"):
        stranger.page.goto(f"/tables/{ada.table}{path}")
        assert "Page not found: this table or page does not exist" in stranger.page.inner_text("#main")
        assert "Ben" not in stranger.page.content()
    stranger.leave()

    friends.move()
    hands = friends.hands()
    ben.page.reload()
    ben.page.wait_for_function(CONNECTED)
    friends.agree()
    assert friends.hands() == hands

    # Cleo is cut off while somebody else plays.
    mark(friends.pages)
    while friends.deciding() in (None, "Cleo"):
        friends.move()
    cleo.expect_refusals = True
    cleo.context.set_offline(True)
    expect(cleo.page.locator("#lost")).to_have_text(LOST)
    expect(cleo.page.locator("#lost")).to_be_visible()
    missed, connected = str(cleo.page.get_attribute("#table", "data-state")), friends.everybody.copy()
    del friends.everybody["Cleo"]
    friends.move()
    assert cleo.page.get_attribute("#table", "data-state") == missed
    friends.everybody = connected
    cleo.context.set_offline(False)
    friends.agree()
    expect(cleo.page.locator("#lost")).to_be_hidden()
    friends.move()

    # The server is killed. Everybody is told; nobody loses a card; nobody has to do anything about it.
    hands, piles = friends.hands(), ada.page.locator(".pile .name").all_inner_texts()
    for visitor in friends.everybody.values():
        visitor.expect_refusals = True
    port, mover = int(server.address.rpartition(":")[2]), friends.deciding()
    hasty = friends[mover or NAMES[1]].page
    for page in friends.pages:
        page.evaluate(FORGET_CONNECTION)
    server.kill()
    for page in friends.pages:
        expect(page.locator("#lost")).to_be_visible()
    hasty.locator(CHOICES if mover else "#deal button").first.click()  # it does no harm
    expect(hasty.locator("#toast")).to_have_text(LOST)
    server.start(port)
    for page in friends.pages:
        page.wait_for_function(CONNECTED)
        expect(page.locator("#lost")).to_be_hidden()
    friends.agree()
    assert friends.hands() == hands
    assert ada.page.locator(".pile .name").all_inner_texts() == piles
    while friends.deciding() is not None:
        friends.move()
    for page in friends.pages:
        expect(page.locator("#verdict")).to_be_visible()
    assert unchanged(friends.pages)
    assert len({page.inner_text("#verdict tbody") for page in friends.pages}) == 1


def test_a_line_that_is_dropped_is_mended_and_shows_the_same_hand_again(
    fresh_visitor: Visitor, stages: dict[str, Stage]
) -> None:
    fresh_visitor.page.add_init_script(KEEP_SOCKETS)
    page = arrive(fresh_visitor, stages["line"], "?seat=2")
    assert hand_on(page) == ["king"]
    page.click("text=Hide my hand and pass the device to Ada")
    page.click("text=I am Ada: show my hand")
    expect(page.locator("#hand")).to_contain_text("Prince")
    hand = hand_on(page)
    mark([page])
    page.evaluate("sockets[0].close()")
    page.wait_for_function("() => sockets[1]?.heard")
    expect(page.locator("#lost")).to_be_hidden()
    assert hand_on(page) == hand
    assert unchanged([page])


# Watching


def test_one_who_watches_sees_no_hand(fresh_visitor: Visitor, server: Running) -> None:
    players = [Caller(server.address, name) for name in NAMES[:3]]
    table = opened(players, open=True)
    frames: list[str] = []
    fresh_visitor.page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    fresh_visitor.page.goto("/tables")
    fresh_visitor.page.click(f"a[href='/tables/{table}']")
    fresh_visitor.page.wait_for_function(CONNECTED)
    start(players, table)
    rng, seen = random.Random(3), 0
    while seen < 12:
        told = [player("GET", f"/tables/{table}/view?seat={seat}") for seat, player in enumerate(players)]
        turn = told[0]["view"]["turn"]
        if turn is None or len({answer["state"] for answer in told}) > 1:
            continue  # the next round is being dealt
        fresh_visitor.page.wait_for_function(AT_STATE, arg=told[0]["state"])
        content = fresh_visitor.page.content()
        assert 'id="watching"' in content
        assert not re.search(HAND, content)
        for seat in range(3):
            held = told[seat]["view"]["hand"]
            assert len(held) == told[0]["view"]["held"][seat] > 0 or seat not in told[0]["view"]["standing"]
            assert fresh_visitor.page.locator(f"#seat-{seat}-hand a.card").count() == 0
            assert fresh_visitor.page.locator(f"#seat-{seat}-hand .back").count() == len(held)
            assert not [name for name in held if f"hand-{name}" in content]
        assert fresh_visitor.page.locator(".line.secret").count() == 0
        move = rng.choice(told[turn]["view"]["legal"])
        players[turn]("POST", f"/tables/{table}/moves", state=told[turn]["state"], seat=turn, move=move)
        seen += 1
    assert len(frames) >= seen
    assert not any(re.search(f"{HAND}|line secret|form=.{{0,2}}act", frame) for frame in frames)


# The lobby


def test_seats_are_taken_left_freed_filled_with_bots_and_given_up(friends: Friends) -> None:
    ada, ben, cleo, _ = (friends[name] for name in NAMES)
    link = invite(ada, 4, "modern")
    sit(ben, link, 2, "Ben")
    sit(cleo, link, 3, "Cleo")
    expect(ada.page.locator("#place-3 strong")).to_have_text("Cleo")
    assert cleo.page.locator("#give-up").count() == 0  # only the host can
    assert cleo.page.locator("#place-2 button").count() == 0  # nobody but the host frees the seat of a person
    ada.page.click("#place-3 button:has-text('Free the seat')")
    expect(cleo.page.locator("#place-3 button:has-text('Join')")).to_be_visible()
    expect(cleo.page.locator("#freed")).to_have_text("The host has freed your seat. You may take another one.")
    assert cleo.page.locator(".tag").count() == 0
    expect(cleo.page.locator("#begin, #fill")).to_have_count(0)
    with led_on(ben.page):
        ben.page.click("#place-2 button:has-text('Leave')")
    expect(ada.page.locator("#place-2 input[name=name]")).to_be_visible()
    expect(ben.page.locator("#place-2 button:has-text('Join')")).to_be_visible()
    assert ben.page.locator("#freed").count() == 0  # who has left needs no telling
    sit(cleo, link, 1, "Cleo II")
    ada.page.click("#place-3 button:has-text('Seat a bot')")
    expect(cleo.page.locator("#place-3 .note")).to_have_text("bot, level 3")
    cleo.page.click("#place-3 button:has-text('Free the seat')")  # whoever sits here may send a bot away
    expect(ada.page.locator("#place-3 input[name=name]")).to_be_visible()
    expect(ada.page.locator("#begin")).to_have_count(0)
    ada.page.click("#fill button")
    for page in (ada.page, ben.page, cleo.page):
        expect(page.locator("#table .note:has-text('bot, level')")).to_have_count(2)
    assert len(set(ada.page.locator("#table li strong").all_inner_texts())) == 4
    ada.page.click("#give-up button")
    for page in (ada.page, ben.page, cleo.page):
        expect(page.locator("#table")).to_contain_text("This table has been given up.")


def test_a_round_is_dealt_when_everybody_who_is_there_has_asked(friends: Friends, server: Running) -> None:
    players = [Caller(server.address, name) for name in NAMES[:3]]
    table = opened(players, rest_s=3600)
    start(players, table)
    finish(players, table)
    for name, player in zip(NAMES, players, strict=False):
        friends[name].be(next(cookie.value or "" for cookie in player.jar))
        watch(friends[name], f"/tables/{table}")
    ada, ben, cleo = friends.pages[:3]
    expect(ada.locator("#awaited")).to_have_text("The next round starts when everybody is ready.")
    ada.click("#deal button")
    expect(ada.locator("#awaited")).to_have_text("Waiting for Ben and Cleo.")
    expect(ada.locator("#deal button")).to_have_count(0)
    assert accessibility_problems(ada) == []
    ben.click("#deal button")
    expect(ada.locator("#awaited")).to_have_text("Waiting for Cleo.")
    expect(cleo.locator("#awaited")).to_have_text("The others are waiting for you.")
    cleo.click("#deal button")
    for page in (ada, ben, cleo):
        expect(page.locator("#where .round")).to_contain_text("Round 2")
        expect(page.locator("#hand .held").first).to_be_visible()


def test_a_name_that_is_being_written_stays_while_others_sit_down(friends: Friends) -> None:
    ada, ben = friends["Ada"], friends["Ben"]
    link = invite(ada, 3)
    page = watch(ben, link)
    page.fill("#place-2 input[name=name]", "Benjamin")
    page.locator("#place-2 button:has-text('Join')").focus()
    sit(friends["Cleo"], link, 1, "Cleo")
    expect(page.locator("#place-1 strong")).to_have_text("Cleo")
    assert page.input_value("#place-2 input[name=name]") == "Benjamin"
    with led_on(page):
        page.click("#place-2 button:has-text('Join')")
    expect(page.locator("#place-2 .tag")).to_be_visible()
    expect(ada.page.locator("#place-2 strong")).to_have_text("Benjamin")


def test_a_table_with_bots_for_empty_seats_is_played(visitor: Visitor) -> None:
    invite(visitor, 3)
    visitor.page.click("#fill button")
    visitor.page.click("#begin button")
    visitor.page.wait_for_selector("#hand .held")
    expect(visitor.page.locator(".state:has-text('bot, level')")).to_have_count(2)


def test_a_bot_plays_for_one_who_goes_and_gives_the_seat_back(friends: Friends) -> None:
    ada, ben = friends["Ada"], friends["Ben"]
    link = invite(ada, 2)
    sit(ben, link, 1, "Ben")
    ada.page.click("#begin button")
    for page in (ada.page, ben.page):
        page.wait_for_selector("#hand .held")
    assert ada.page.locator("#hand-over-1").count() == 0  # Ben is not away
    ben.page.click("#more summary")
    ben.page.click("#hand-over-1 button")
    expect(ada.page.locator("#seat-1 .state.quiet")).to_have_text("a bot stands in")
    ben.page.click("#return-1 button")
    expect(ada.page.locator("#seat-1 .state.quiet")).to_have_count(0)
    expect(ben.page.locator("#hand-over-1")).to_be_visible()


def test_a_rematch_brings_everybody_together_again(friends: Friends, server: Running) -> None:
    players = [Caller(server.address, name) for name in NAMES]
    table = opened(players)
    start(players, table)
    finish(players, table)
    for name, player in zip(NAMES, players, strict=True):
        friends[name].be(next(cookie.value or "" for cookie in player.jar))
        watch(friends[name], f"/tables/{table}")
    first, *others = friends.pages
    with led_on(first):
        first.click("#rematch button")
    for page in others:
        with led_on(page):
            page.click("text=To the rematch")
        assert page.url == first.url != f"{server.address}/tables/{table}"
        expect(page.locator(".lobby")).to_be_visible()
    assert first.locator("#table li strong").all_inner_texts() == list(NAMES)
    others[2].click("#begin button")
    for page in friends.pages:
        page.wait_for_selector("#hand .held")


def opened(players: Sequence[Caller], **more: Any) -> str:
    """A new table, where the first of the players sits."""
    wish = {"edition": "modern", "players": len(players), "pace_ms": 0, "rest_s": 0, "seats": [{}], **more}
    return str(players[0]("POST", "/tables", **wish)["id"])


def start(players: Sequence[Caller], table: str) -> None:
    """Let the others sit down and the match begin."""
    for seat, player in enumerate(players[1:], 1):
        player("PUT", f"/tables/{table}/seats/{seat}", state=player("GET", f"/tables/{table}")["state"])
    players[0]("POST", f"/tables/{table}/start", state=players[0]("GET", f"/tables/{table}")["state"])


def is_between(player: Caller, table: str) -> bool:
    """Whether a round is over, and the next one is not dealt yet."""
    view = player("GET", f"/tables/{table}/view")["view"]
    return bool(view["phase"] == "deal" and view["round"] >= 0)


def finish(players: Sequence[Caller], table: str) -> None:
    """Play a match to its end, by chance, or (where nobody deals) its first round."""
    rng, seats = random.Random(1), range(len(players))
    while players[0]("GET", f"/tables/{table}")["status"] == "playing":
        if players[0]("GET", f"/tables/{table}")["rest_s"] and is_between(players[0], table):
            break
        told = [players[seat]("GET", f"/tables/{table}/legal?seat={seat}") for seat in seats]
        for seat in seats:
            if told[seat]["legal"]:
                move = rng.choice(told[seat]["legal"])
                players[seat]("POST", f"/tables/{table}/moves", state=told[seat]["state"], seat=seat, move=move)


# One device for all


def sealed(page: Page) -> None:
    """Nothing of any hand is in the page, not even where nobody sees it."""
    expect(page.locator("#cover")).to_be_visible()
    content = page.content()
    assert not re.search(HAND, content)
    assert 'id="mine"' not in content
    assert 'form="act"' not in content
    assert 'form="choose"' not in content
    assert "line secret" not in content
    assert page.locator("a.card").count() == page.locator(".pile a.card").count()


def test_three_names_on_one_device(fresh_visitor: Visitor) -> None:
    page = fresh_visitor.page
    frames: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(str(frame))))
    page.goto("/")
    page.check("#start input[value=classic]")
    page.check("#way-pass")
    page.fill("#start input[name=names]", "Ada, Ben, Cleo")
    page.click("#start button.main")
    page.wait_for_selector("#cover")
    page.wait_for_function(CONNECTED)
    rng, turns = random.Random(2), 0
    while turns < 5 and page.locator("#cover").count():
        sealed(page)
        assert not any(re.search(HAND, frame) for frame in frames)
        name = page.inner_text("#cover h2").removeprefix("Pass the device to ")
        page.reload()
        page.wait_for_function(CONNECTED)
        sealed(page)
        page.click("#uncover button")
        expect(page.locator("#mine h2").first).to_contain_text(name)
        expect(page.locator("#hand .held")).to_have_count(2)
        before = page.get_attribute("#table", "data-state")
        while page.get_attribute("#table", "data-state") == before:
            scene = page.evaluate(SCENE)
            buttons = page.locator(CHOICES)
            buttons.nth(rng.randrange(buttons.count())).click()
            page.wait_for_function(MOVED_ON, arg=scene)
        turns += 1
        if page.locator("#uncover").count():  # what the own card has brought is still seen
            expect(page.locator("#mine h2").first).to_contain_text(name)
            frames.clear()
            page.click("#uncover button")
            page.wait_for_selector("#cover")


def test_what_a_priest_has_shown_is_seen_before_the_device_is_passed_on(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages["device"])
    sealed(page)
    page.click("text=I am Ada: show my hand")
    page.click("#hand button:has-text('Priest')")
    page.click("#prompt button:has-text('Ben')")
    expect(page.locator("#news")).to_contain_text("You see that Ben holds the Baron")
    expect(page.locator("#seat-1-hand .name")).to_contain_text("Baron")
    expect(page.locator("#hand .held")).to_have_count(1)
    assert "King" not in page.inner_text("#others")
    page.click("text=Hide my hand and pass the device to Ben")
    sealed(page)
    assert "You see that" not in page.content()
    page.click("text=I am Ben: show my hand")
    expect(page.locator("#hand .held")).to_have_count(2)
    expect(page.locator("#log")).to_contain_text("Ada plays the Priest and looks at your hand")
    assert "You see that" not in page.content()
    expect(page.locator("#seat-0-hand a.card")).to_have_count(0)


def test_a_page_that_was_loaded_for_one_does_not_show_that_hand_to_the_next(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages["loaded"])
    page.click("text=I am Ada: show my hand")
    with led_on(page):
        page.click("text=Show the chances")  # a form that comes back to Ada's hand
    expect(page.locator("#knowledge .bars").first).to_be_visible()
    page.click("#hand button:has-text('Handmaid'), #hand button:has-text('Countess')")
    page.click("text=Hide my hand and pass the device to Ben")
    sealed(page)
    page.reload()
    sealed(page)
    page.wait_for_function(CONNECTED)
    sealed(page)


def test_an_announcement_comes_to_a_table_that_is_open_and_goes_again(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page, data = arrive(visitor, stages["line"]), str(stages["line"].folder)
    page.wait_for_function(CONNECTED)
    expect(page.locator("#announcement")).to_be_hidden()
    assert call("admin", "--data", data, "announce", "We restart at <noon>.").status == 0
    expect(page.locator("#announcement")).to_have_text("We restart at <noon>.")
    expect(page.locator("#announcement")).to_be_visible()
    assert accessibility_problems(page) == []
    assert call("admin", "--data", data, "announce", "--clear").status == 0
    expect(page.locator("#announcement")).to_be_hidden()
