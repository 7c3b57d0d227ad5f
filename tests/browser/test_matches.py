"""Matches on a page: by click, by key and by touch, from the first page to the verdict."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from suitors import Belief, Card, View
from suitors.knowledge.belief import Chances
from suitors.words import load_theme
from support.browser import Visitor
from support.page_players import (
    CHOICES,
    CONNECTED,
    KeyboardPlayer,
    Player,
    TouchPlayer,
    arrive,
    duel,
    led_on,
    move_by_api,
    phone,
    staged,
    view_of,
    won_rounds,
)
from support.servers import Running
from support.stored_tables import NEVER, Stage


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """The tables of this module."""
    folder = tmp_path_factory.mktemp("server") / "data"

    def stage(edition: str = "classic", bots: int = 1, pace_ms: int = 0) -> Stage:
        return Stage(folder, edition, ["Ada"], ["random"] * bots, pace_ms=pace_ms)

    protected = stage(bots=3, pace_ms=NEVER)
    protected.deal("baron", "guard", "prince", "prince", "guard", "handmaid", "priest", "baron", "king", first=1)
    return {
        "match": stage().deal(),
        "keys": won_rounds(stage(), "10101010").deal(),
        "animated": stage(bots=2).deal(),
        "won": duel(won_rounds(stage(), "00000"), "guard", "baron", "king"),
        "protected": protected.play("handmaid", "priest 0", "baron 2"),
        "solo": stage("solitaire", bots=0).deal(
            "baron", "king", "guard", "priest", "handmaid", "guard", "prince", "guard"
        ),
        "countess": duel(stage(), "countess", "guard", "prince"),
        "prince": duel(stage(pace_ms=NEVER), "prince", "guard", "priest"),
        "princess": duel(stage(), "princess", "guard", "priest"),
        "dangers": duel(stage(), "princess", "guard", "priest"),
        "seen": duel(stage(pace_ms=NEVER), "guard", "king", "priest", "countess", "baron").play("priest 1", "countess"),
        "hidden": duel(stage(pace_ms=NEVER), "guard", "king", "baron"),
        "asked": duel(stage(pace_ms=NEVER), "guard", "king", "baron"),
        "equal": duel(stage(pace_ms=NEVER), "guard", "king", "guard"),
        "rest": duel(stage(pace_ms=NEVER), "handmaid", "guard", "baron"),
        "guards": duel(stage(), "guard", "countess", "guard", "king", "priest"),
    }


@pytest.fixture(scope="module")
def server(stages: dict[str, Stage]) -> Iterator[Running]:
    with staged(stages["match"].folder.parent, stages) as server:
        yield server


# By click


def test_one_click_on_the_first_page_leads_to_the_first_move(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.page.click("text=Play now")
    page, player = visitor.page, Player(visitor)
    page.wait_for_function(CONNECTED)
    player.come()
    while not player.asked:  # the bots were first, and that was the end of it
        player.go("#deal button")
    cards, pile = page.locator("#hand .held"), page.locator("#mine .pile li")
    expect(cards).to_have_count(2)
    before = pile.count()
    expect(page.locator("#others .seat")).to_have_count(2)
    page.evaluate("window.same = true")
    while pile.count() == before:
        player.begin()
    expect(page.locator("#log-lines li", has_text="You play").first).to_be_visible()
    assert page.evaluate("window.same")


def test_a_whole_match_is_played_by_clicks_without_a_reload(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["match"])
    page.evaluate("window.same = true")
    Player(visitor).play_match()
    view = view_of(visitor)
    assert max(view.tokens) == view.rules.goal
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator(".state.won")).to_have_count(len(view.winners))
    expect(page.locator("#seat-0 .token.won")).to_have_count(view.tokens[0])
    assert page.evaluate("window.same")


def test_a_round_is_played_with_animations(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = Visitor(browser, server, reduced_motion="no-preference")
    arrive(visitor, stages["animated"])
    Player(visitor).play_round()
    visitor.leave()


def test_card_and_name_win_the_match_and_the_rematch_starts_at_once(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page, player = arrive(visitor, stages["won"]), Player(visitor)
    player.choose("Guard", "Baron")
    expect(page.locator("#verdict h2")).to_contain_text("You win")
    rows = page.locator("#verdict tbody tr")
    expect(rows.filter(has_text="Ada")).to_contain_text(re.compile(r"Winner:.*6 \(\+1\)", re.S))
    with led_on(page):
        page.click("text=Rematch")
    assert visitor.table != stages["won"].table
    player.come()
    assert [text.split() for text in page.locator("#others .seat h2").all_inner_texts()] == [["Random", "1"]]
    assert view_of(visitor).round == 0
    page.goto(f"/tables/{stages['won'].table}")
    expect(page.locator("#verdict a.main")).to_have_text("To the rematch")


def test_a_card_can_be_aimed_by_a_click_on_the_seat_itself(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page, player = arrive(visitor, stages["protected"]), Player(visitor)
    player.choose("Guard")
    expect(page.locator("#prompt .ask")).to_have_text("Guard: choose a player.")
    expect(page.locator(".seat.selectable")).to_have_count(2)
    page.locator("#seat-2 .states").click(force=True)  # anywhere on it
    expect(page.locator("#prompt .ask")).to_contain_text("Which card does Random 2 hold?")
    expect(page.locator("#seat-2.picked")).to_have_count(1)
    player.go("text=Choose another player")
    expect(page.locator("#prompt .ask")).to_have_text("Guard: choose a player.")
    player.go("text=Choose another card")
    expect(page.locator("#prompt .ask")).to_have_text("Your turn: choose a card to play.")


def test_of_two_equal_cards_one_rises(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["equal"])
    Player(visitor).choose("Guard")
    expect(page.locator("#hand .card")).to_have_count(2)
    expect(page.locator("#hand .card.chosen")).to_have_count(1)


def test_every_move_is_asked_about_if_that_is_wanted(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="en", confirm="on")
    page, player = arrive(visitor, stages["asked"]), Player(visitor)
    player.choose("Baron")  # there is nobody else to choose
    expect(page.locator("#prompt .ask")).to_have_text("Your move: Baron · Random 1. Play it?")
    player.go("text=No, choose again")
    player.choose("Guard", "Priest")
    expect(page.locator("#prompt .ask")).to_have_text("Your move: Guard · Random 1 · Priest. Play it?")
    page.click("text=Yes, play it")
    expect(page.locator("#since")).to_contain_text("You play the Guard on Random 1")


# What cannot be chosen


def test_a_protected_opponent_is_not_lit_and_the_page_says_why(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["protected"])
    Player(visitor).choose("Guard")
    why = re.compile("^Random 1.*that player is protected by the Handmaid$")
    expect(page.locator("#prompt li.why")).to_have_text(why)
    expect(page.locator("#seat-1 .state.safe")).to_contain_text("protected")
    expect(page.locator("#seat-1 .target")).to_have_count(0)
    assert page.locator("#prompt .pick").all_inner_texts() == ["Random 2", "Random 3"]


def test_a_prince_beside_the_countess_is_barred_and_says_why(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["countess"])
    expect(page.locator("#hand-prince.barred")).to_be_visible()
    why = "Not now: the Countess must be played while the King or the Prince is held too."
    expect(page.locator("#hand-prince-place .why")).to_have_text(why)
    assert page.locator(CHOICES).evaluate_all("found => found.map((button) => button.value)") == ["countess"]


# The Princess


def test_the_princess_is_played_after_a_question_only(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page, player = arrive(visitor, stages["princess"]), Player(visitor)
    player.choose("Princess")
    ask = page.locator("#prompt .ask")
    expect(ask).to_have_text("Princess: this puts you out of the round. Play it all the same?")
    player.go("text=No, choose again")
    expect(ask).to_have_text("Your turn: choose a card to play.")
    assert view_of(visitor).hand == (Card.PRINCESS, Card.PRIEST)
    player.choose("Princess", "Yes, play it")
    expect(page.locator("#verdict h2")).to_contain_text("Random 1")


def test_a_second_enter_does_not_answer_the_question_about_the_princess(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    arrive(visitor, stages["dangers"])
    player = KeyboardPlayer(visitor)
    player.go("#hand button[value=princess]")
    assert player.focus == "No, choose again"
    player.go("#prompt button[value='']")
    player.go("#hand button[value=princess]")
    player.page.keyboard.press("Escape")
    expect(player.page.locator("#prompt .ask")).to_have_text("Your turn: choose a card to play.")


# What a seat can know


def test_the_names_for_a_guard_say_what_is_possible_and_how_many_copies_are_not_located(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages["protected"])
    Player(visitor).choose("Guard", "Random 2")
    view = view_of(visitor)
    unseen, theme = copies_left(view), load_theme("court")
    hand = {theme.name(card, "en"): chance for card, chance in Belief(view).hands[2][0].items()}
    wanted = {name: count_words(count) for name, count in unseen.items() if name != "Guard"}
    assert sum(bool(hand.get(name)) for name in wanted) == 1, "the two equal hands are Guards or Princes"
    wanted |= {name: "impossible" for name in wanted if not hand.get(name)}
    assert dict(text.split("\n") for text in page.locator("#prompt .item .what").all_inner_texts()) == wanted
    rows = page.locator("#reference tbody tr").all()
    names = [row.locator(".row-name").inner_text() for row in rows]
    counts = [int(row.locator(".count").inner_text().split("/")[0]) for row in rows]
    assert dict(zip(names, counts, strict=True)) == unseen


def count_words(count: int) -> str:
    """How a name says its unseen copies."""
    return f"{count} unseen" if count else "none unseen"


def copies_left(view: View) -> dict[str, int]:
    """The copies of each character of which this seat does not know where they are, by name."""
    located = [*view.face_up, *(card for cards in (*view.piles, *view.known) for card in cards)]
    theme = load_theme("court")
    return {
        theme.name(card, "en"): view.rules.copies[card] - located.count(card)
        for card in Card
        if view.rules.copies[card]
    }


def test_a_card_seen_in_a_hand_is_counted_there_and_certain_for_a_guard(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages["seen"])
    king = page.locator("#reference tbody tr", has_text="King").filter(has_text="Random 1 holds one")
    expect(king.locator(".count")).to_contain_text("0/1")
    Player(visitor).choose("Guard")
    marks = dict(text.split("\n") for text in page.locator("#prompt .item .what").all_inner_texts())
    assert [name for name, words in marks.items() if words == "certain"] == ["King"]
    assert {words for name, words in marks.items() if name != "King"} == {"impossible"}


def test_the_chance_stands_beside_each_name_if_it_is_wanted(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.prefer(lang="en", know="on")
    page = arrive(visitor, stages["hidden"])
    Player(visitor).choose("Guard")
    hand = Belief(view_of(visitor)).hands[1][0]
    priest = page.locator("#prompt .item", has_text="Priest").locator(".left")
    expect(priest).to_have_text(f"2 unseen · {hand[Card.PRIEST]:.0%}")


def test_what_i_know_shows_the_chances_of_an_exact_belief(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["protected"])
    expect(page.locator(".hidden-card")).to_have_count(0)
    with led_on(page):
        page.click("text=Show the chances")
    expect(page.locator(".hidden-card").first).to_be_visible()
    view = view_of(visitor)
    belief = Belief(view)
    assert belief.next_draw is not None
    assert belief.aside is not None
    hidden = {view.players[seat]: belief.hands[seat][0] for seat in view.standing if seat != 0}
    hidden |= {"Next card of the deck": belief.next_draw, "Card set aside": belief.aside}
    shown = {part.locator("h3").inner_text(): part for part in page.locator(".hidden-card").all()}
    assert list(shown) == list(hidden)
    for place, part in shown.items():
        assert part.locator("li").all_inner_texts() == bars(view, hidden[place])
    with led_on(page):
        page.click("text=Hide the chances")
    expect(page.locator(".hidden-card")).to_have_count(0)


def bars(view: View, chances: Chances) -> list[str]:
    """The lines that a chance is told in."""
    theme, value = load_theme("court"), view.rules.value
    likely = sorted((pair for pair in chances.items() if pair[1] >= 0.0005), key=lambda p: (-p[1], -value[p[0]]))
    percents = [f"{chance:.0%}" if chance >= 0.01 else "<1%" for _, chance in likely]
    return [f"{value[c]} {theme.name(c, 'en')}\n{text}" for (c, _), text in zip(likely, percents, strict=True)]


# While the table changes


STILL_AT = "(where) => Math.abs(document.activeElement.getBoundingClientRect().top - where) <= 1"


def test_focus_scroll_and_open_details_stay_when_the_table_changes(visitor: Visitor, stages: dict[str, Stage]) -> None:
    visitor.page.set_viewport_size({"width": 600, "height": 500})
    page = arrive(visitor, stages["rest"])
    page.click("#more-details summary")
    page.click("#reference-details summary")
    page.focus("#log-lines")
    page.evaluate("scrollTo(0, 500)")
    assert page.evaluate("scrollY") > 100
    where = page.evaluate("document.activeElement.getBoundingClientRect().top")
    state = page.get_attribute("#table", "data-state")
    move_by_api(visitor, "handmaid")
    page.wait_for_function("(state) => document.getElementById('table').dataset.state !== state", arg=state)
    expect(page.locator("#news")).to_contain_text("Handmaid")
    assert page.evaluate("document.activeElement.id") == "log-lines"
    page.wait_for_function(STILL_AT, arg=where)  # browsers scroll after a change when they paint it
    assert page.evaluate("document.getElementById('more-details').open")
    assert not page.evaluate("document.getElementById('reference-details').open")


def test_a_choice_does_not_outlast_the_move_that_it_led_to(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page, player = arrive(visitor, stages["guards"]), Player(visitor)
    player.choose("Guard", "Prince")  # the bot has to play the Countess, for it draws the King
    assert view_of(visitor).hand == (Card.GUARD, Card.PRIEST)
    expect(page.locator("#prompt .ask")).to_have_text("Your turn: choose a card to play.")


# By key


def test_a_match_is_played_to_its_end_by_keys_alone(visitor: Visitor, stages: dict[str, Stage]) -> None:
    page = arrive(visitor, stages["keys"])
    page.evaluate("window.same = true")
    player = KeyboardPlayer(visitor)
    page.keyboard.press("Tab")
    assert player.focus == "Skip to the content"
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()  # browsers follow such a link when they paint
    player.play_match()
    assert page.evaluate("window.same")
    player.press(page.locator("#verdict a", has_text="Replay the match"))
    expect(page.locator("#replay-bar .where")).to_have_text(re.compile("^Step 1 of "))
    page.wait_for_load_state()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay-bar .where")).to_have_text(re.compile("^Step 2 of "))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#replay-bar .where")).to_have_text(re.compile("^Step 1 of "))
    assert player.farthest <= 25, "choices are within reach"


def test_solitaire_is_played_by_keys_alone(visitor: Visitor, stages: dict[str, Stage]) -> None:
    arrive(visitor, stages["solo"])
    player = KeyboardPlayer(visitor)
    player.play_round()
    assert player.focus == "Play again"
    assert player.farthest <= 25, "choices are within reach"


def test_escape_takes_back_a_choice_and_the_focus_stays_with_the_choices(
    visitor: Visitor, stages: dict[str, Stage]
) -> None:
    page = arrive(visitor, stages["protected"])
    player = KeyboardPlayer(visitor)
    player.go("#hand button[value=guard]")
    assert player.focus == "Random 2"
    player.choose("Random 3")
    assert "Priest" in player.focus
    page.keyboard.press("Escape")
    expect(page.locator("#prompt .ask")).to_have_text("Guard: choose a player.")
    page.keyboard.press("Escape")
    expect(page.locator("#prompt .ask")).to_have_text("Your turn: choose a card to play.")
    assert "Guard" in player.focus


# By touch


@pytest.mark.parametrize("path", ["/", "/tables", "/me", "/replay", "/rules", "/learn", "/learn/1"])
def test_fingers_hit_what_they_want_on_other_pages(browser: Browser, server: Running, path: str) -> None:
    visitor = phone(browser, server)
    visitor.page.goto(path)
    TouchPlayer(visitor).look()
    visitor.leave()


def test_a_finger_anywhere_on_a_seat_aims_at_it(browser: Browser, server: Running, stages: dict[str, Stage]) -> None:
    visitor = phone(browser, server)
    page, player = arrive(visitor, stages["protected"]), TouchPlayer(visitor)
    player.choose("Guard")
    player.go("#seat-3 .target")
    expect(page.locator("#prompt .ask")).to_contain_text("Which card does Random 3 hold?")
    arrive(visitor, stages["prince"])
    player.choose("Prince")
    page.locator("#seat-0 .target").tap()
    expect(page.locator("#seat-0 .pile li")).to_have_count(2)
    player.look()
    visitor.leave()
