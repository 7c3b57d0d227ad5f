"""Cards that ask for more than one click, cards that ask somebody else, and how the end of a round explains itself."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from suitors import Card
from support.browser import Visitor
from support.matches import chance_match
from support.page_players import SCENE, arrive, staged, view_of
from support.servers import API, Running
from support.stored_tables import Stage

FIVE = ["Ada", "Ben", "Cleo", "Dan", "Eve"]
CHANGED = f"(before) => ({SCENE})() !== before"


def played(folder: Path, slug: str, players: int, seed: int, decisions: int, back: int = 0) -> tuple[Stage, list[str]]:
    """A table where a match by chance has come so far, but for the last moves of its last round; and those moves."""
    match = chance_match(slug, players, seed, decisions)
    stage = Stage(folder, slug, list(match.players))
    rounds = match.record()["rounds"]
    last = rounds[-1]["moves"]
    for dealt in rounds[:-1]:
        stage.deal(*dealt["deck"], first=dealt["first"]).play(*dealt["moves"])
    stage.deal(*rounds[-1]["deck"], first=rounds[-1]["first"]).play(*last[: len(last) - back])
    return stage, last[len(last) - back :]


class Theatre:
    """The tables of this module; those of the last kinds wait for one more move, which is known."""

    def __init__(self, folder: Path) -> None:
        self.stages: dict[str, Stage] = {}
        self.last: dict[str, str] = {}
        premium = (
            "cardinal",
            "cardinal-own",
            "baroness",
            "baroness-two",
            "bishop",
            "bishop-stay",
            "sycophant",
            "jester",
        )
        for name in premium:
            five = Stage(folder, "premium", FIVE)
            self.stages[name] = five.deal(
                "guard", name.split("-")[0], "prince", "king", "guard", "baron", "handmaid", "guard", "count"
            )
        many = Stage(folder, "premium", FIVE)
        self.stages["guard-many"] = many.deal("count", "guard", "prince", "king", "guard", "baron", "handmaid")
        few = Stage(folder, "premium", FIVE[:3])
        self.stages["guard-few"] = few.deal("baron", "guard", "prince", "king", "handmaid")
        chancellor = Stage(folder, "modern", FIVE[:2])
        self.stages["chancellor"] = chancellor.deal(
            "guard", "guard", "guard", "guard", "chancellor", "baron", "spy", "king", "priest"
        )
        self.stages["last card"] = played(folder, "modern", 2, 1303, 11)[0]
        own = Stage(folder, "classic", FIVE[:3])
        self.stages["prince"] = own.deal("princess", "prince", "guard", "priest", "baron", "king", "countess")
        baron = Stage(folder, "classic", FIVE[:2])
        baron.deal("princess", "handmaid", "handmaid", "countess", "priest", "king", "guard", "guard", "baron")
        self.stages["baron"] = baron.play("priest 1", "guard 0 princess")
        assassin = Stage(folder, "premium", FIVE)
        assassin.deal(
            *("guard", "priest", "assassin", "king", "guard", "baron"),
            *("guard", "count", "handmaid", "handmaid", "count"),
        )
        self.stages["assassin"] = assassin.play("priest 1", "count", "handmaid", "handmaid", "count")
        self.stages["tie-break"] = played(folder, "premium", 5, 268, 104)[0]
        ends = {"sums": ("premium", 2, 386, 8), "shared": ("modern", 3, 286, 15), "spy": ("modern", 3, 62, 4)}
        for name, (slug, players, seed, decisions) in ends.items():
            self.stages[name], (self.last[name],) = played(folder, slug, players, seed, decisions, back=1)


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Theatre:
    return Theatre(tmp_path_factory.mktemp("theatre") / "data")


@pytest.fixture(scope="module")
def server(theatre: Theatre) -> Iterator[Running]:
    with staged(theatre.stages["prince"].folder.parent, theatre.stages) as server:
        yield server


def click(page: Page, *buttons: str) -> None:
    """Click one button after the other, each when what the one before it has brought is there."""
    for button in buttons:
        scene = page.evaluate(SCENE)
        page.locator(button).first.click()
        page.wait_for_function(CHANGED, arg=scene)


def pass_on(page: Page, name: str) -> None:
    """Give the device to the one who has to decide."""
    page.click(f"text=Hide my hand and pass the device to {name}")
    page.click(f"text=I am {name}: show my hand")
    page.wait_for_selector("#hand .held")


def card(name: str) -> str:
    """The button of a card in hand."""
    return f"#hand button:has-text('{name}')"


def item(label: str) -> str:
    """The button of a line in a menu."""
    return f"#prompt .items button:has-text('{label}')"


def moves_of(visitor: Visitor, seat: int = 0) -> list[str]:
    """The moves that a seat has made in this round, as the API tells them to it."""
    log = visitor.page.request.get(f"{API}/tables/{visitor.table}/view?seat={seat}").json()["view"]["log"][-1]
    return [entry["move"] for entry in log if entry["event"] == "moved" and entry["seat"] == seat]


def values(page: Page, selector: str) -> list[str]:
    """What buttons would choose or play."""
    found: list[str] = page.eval_on_selector_all(selector, "found => found.map((button) => button.value)")
    return found


# Chancellor


def test_a_chancellor_keeps_one_and_puts_two_under_the_deck_in_the_order_that_was_clicked(
    visitor: Visitor, theatre: Theatre
) -> None:
    page = arrive(visitor, theatre.stages["chancellor"], "?seat=0")
    click(page, card("Chancellor"))
    expect(page.locator("#prompt .ask")).to_have_text("Choose the card you keep; the others go under the deck.")
    assert sorted(values(page, "#hand button.card")) == ["keep king", "keep priest", "keep spy"]
    click(page, card("Spy"))
    expect(page.locator("#prompt .ask")).to_contain_text("You keep: Spy.")
    click(page, "text=Keep another card", card("King"))
    assert sorted(values(page, "#prompt .items button")) == ["keep king priest spy", "keep king spy priest"]
    first = page.locator("#prompt .items button").filter(has=page.locator(".card:first-child .name:has-text('Priest')"))
    assert re.sub(r"\s+", " ", first.inner_text()).endswith("Spy")
    click(page, "#prompt .items button[value='keep king priest spy']")
    expect(page.locator("#log")).to_contain_text(
        "You keep the King and put the Priest and then the Spy under the deck."
    )
    view = view_of(visitor)
    assert moves_of(visitor) == ["chancellor", "keep king priest spy"]
    assert view.hand == (Card.KING,)
    assert view.under == {view.deck - 2: Card.PRIEST, view.deck - 1: Card.SPY}
    assert view_of(visitor, 1).under == {}


def test_R74_with_one_card_in_the_deck_a_chancellor_puts_only_one_under_it(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["last card"], "?seat=0")
    kept = next(held for held in view_of(visitor).hand if held != Card.CHANCELLOR)
    assert view_of(visitor).deck == 1
    click(page, card("Chancellor"))
    ways = values(page, "#hand button.card")
    assert len(ways) == len(set(ways)) == 2
    assert {len(way.split()) for way in ways} == {3}
    assert page.locator("#hand button[name=move]").count() == 2  # nothing more will be asked
    click(page, "#hand button.card >> nth=1")
    move = moves_of(visitor)[-1]
    assert move == ways[1]
    assert view_of(visitor).hand == (Card[move.split()[1].upper()],)
    assert Card[move.split()[2].upper()] in view_of(visitor, 1).hand  # Ben has drawn what was put back
    assert kept in (view_of(visitor).hand[0], Card[move.split()[2].upper()])


# Cardinal, Baroness


def test_a_cardinal_takes_two_players_in_any_order_and_looks_at_one_hand(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["cardinal"], "?seat=0")
    click(page, card("Cardinal"))
    expect(page.locator("#prompt .ask")).to_have_text("Cardinal: choose a player.")
    click(page, item("Cleo"))
    expect(page.locator("#prompt .ask")).to_have_text("Cardinal: choose the second player.")
    expect(page.locator("#seat-2")).to_have_class(re.compile("picked"))
    click(page, "text=Choose another card", card("Cardinal"), "#seat-2 .target", "#seat-1 .target")  # the seats are lit
    assert moves_of(visitor) == ["cardinal 1 2"]
    assert page.locator("#prompt .items button").all_inner_texts() == [
        "The hand of Ben",
        "The hand of Cleo",
        "Look at neither",
    ]
    click(page, item("The hand of Ben"))
    expect(page.locator("#news")).to_contain_text("You see that Ben holds the King")
    view = view_of(visitor)
    assert moves_of(visitor)[-1] == "look 1"
    assert view.known[1:3] == ((Card.KING,), ())
    assert view_of(visitor, 2).hand == (Card.PRINCE,)


def test_a_cardinal_may_take_the_own_hand_and_look_at_none(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["cardinal-own"], "?seat=0")
    click(page, card("Cardinal"), item("Eve"), item("Yourself"))
    assert moves_of(visitor) == ["cardinal 0 4"]
    expect(page.locator("#hand")).to_contain_text("Baron")
    assert page.locator("#prompt .items button").all_inner_texts() == [
        "Your own new hand",
        "The hand of Eve",
        "Look at neither",
    ]
    click(page, item("Look at neither"))
    assert moves_of(visitor)[-1] == "look none"
    assert view_of(visitor).hand == (Card.BARON,)
    assert view_of(visitor, 4).hand == (Card.HANDMAID,)


def test_a_baroness_looks_at_one_hand(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["baroness"], "?seat=0")
    click(page, card("Baroness"))
    assert page.locator(item("Yourself")).count() == 0
    click(page, item("Cleo"))
    expect(page.locator("#prompt .ask")).to_have_text("Baroness: choose a second player, or stop at one.")
    click(page, "text=Only this one")
    expect(page.locator("#news")).to_contain_text("You see that Cleo holds the King")
    assert moves_of(visitor) == ["baroness 2"]
    assert view_of(visitor).known[1:] == ((), (Card.KING,), (), ())


def test_a_baroness_looks_at_two_hands(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["baroness-two"], "?seat=0")
    click(page, card("Baroness"), item("Dan"), item("Ben"))
    expect(page.locator("#news")).to_contain_text("You see that Ben holds the Prince")
    expect(page.locator("#news")).to_contain_text("You see that Dan holds the Guard")
    assert moves_of(visitor) == ["baroness 1 3"]
    assert view_of(visitor).known[1:] == ((Card.PRINCE,), (), (Card.GUARD,), ())


# Bishop


def test_a_bishop_that_hits_asks_the_other_on_their_own_device(
    visitor: Visitor, browser: Browser, server: Running, theatre: Theatre
) -> None:
    stage = theatre.stages["bishop"]
    page = arrive(visitor, stage, "?seat=0")
    ben, dan = Visitor(browser, server), Visitor(browser, server)
    answer, watching = arrive(ben, stage, "?seat=1"), arrive(dan, stage, "?seat=3")
    assert answer.locator("#table .ask").count() == 0
    click(page, card("Bishop"), item("Ben"))
    assert values(page, "#prompt .items button") == [f"bishop 1 {number}" for number in range(10)]
    click(page, "#prompt .items button[value='bishop 1 5']")
    expect(page.locator("#news")).to_contain_text("You play the Bishop on Ben and say 5. Right!")
    expect(page.locator("#seat-0 .token.won")).to_have_count(1)
    assert page.locator("#table .ask").count() == 0
    expect(answer.locator("#prompt .ask")).to_have_text(
        "Your number was named: you may discard your card and draw another."
    )
    expect(watching.locator("#seat-1 .state.turn")).to_have_text("may answer the Bishop")
    assert "Prince" not in watching.inner_text("#others")  # the number is known, not the card
    click(answer, item("Discard and draw"))
    expect(watching.locator("#seat-1 .pile .name")).to_contain_text("Prince")
    assert moves_of(ben, 1) == ["redraw"]
    assert Card.PRINCE not in view_of(ben, 1).hand
    ben.leave()
    dan.leave()


def test_one_who_was_hit_by_a_bishop_may_keep_the_card(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["bishop-stay"], "?seat=0")
    click(page, card("Bishop"), item("Cleo"), "#prompt .items button[value='bishop 2 6']")
    pass_on(page, "Cleo")
    click(page, item("Keep the card"))
    expect(page.locator("#news")).to_contain_text("You keep your card.")
    assert view_of(visitor, 2).hand == (Card.KING,)
    assert view_of(visitor, 2).tokens == (1, 0, 0, 0, 0)
    assert view_of(visitor, 3).known[2] == ()


# Marks and bets


def test_a_sycophants_mark_is_shown_and_binds_the_next_card(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["sycophant"], "?seat=0")
    click(page, card("Sycophant"), item("Cleo"))
    expect(page.locator("#seat-2 .states")).to_contain_text("marked: must be chosen next")
    pass_on(page, "Ben")
    expect(page.locator("#seat-2 .states")).to_contain_text("marked: must be chosen next")
    assert page.locator("#table").get_by_text("marked: must be chosen next").count() == 1
    click(page, card("Guard"))  # there is nobody else to choose
    expect(page.locator("#prompt .ask")).to_have_text("Which card does Cleo hold? Name a number.")
    click(page, "#prompt .items button[value='guard 2 7']")
    assert page.locator("#table").get_by_text("marked: must be chosen next").count() == 0


def test_a_jesters_bet_is_shown_to_everybody(
    visitor: Visitor, browser: Browser, server: Running, theatre: Theatre
) -> None:
    stage = theatre.stages["jester"]
    page = arrive(visitor, stage, "?seat=0")
    eve = Visitor(browser, server)
    watching = arrive(eve, stage, "?seat=4")
    click(page, card("Jester"), item("Dan"))
    for shown in (page, watching):
        expect(shown.locator("#seat-3 .states")).to_contain_text("the Jester’s bet")
    assert view_of(eve, 4).favourite == 3
    eve.leave()


# Guards by number, a Prince on oneself


@pytest.mark.parametrize(("name", "numbers"), [("guard-few", range(2, 9)), ("guard-many", (0, *range(2, 10)))])
def test_R14_a_guard_of_the_premium_edition_names_a_number(
    name: str, numbers: range | tuple[int, ...], visitor: Visitor, theatre: Theatre
) -> None:
    page = arrive(visitor, theatre.stages[name], "?seat=0")
    click(page, card("Guard"), item("Ben"))
    expect(page.locator("#prompt .ask")).to_have_text("Which card does Ben hold? Name a number.")
    assert values(page, "#prompt .items button") == [f"guard 1 {number}" for number in numbers]
    five = page.locator("#prompt .items button[value='guard 1 5']")
    expect(five).to_contain_text("Prince" if name == "guard-few" else "Prince, Count")
    click(page, "#prompt .items button[value='guard 1 5']")
    expect(page.locator("#fallen-1")).to_be_visible()
    expect(page.locator("#seat-1 .pile .name")).to_contain_text("Prince")


def test_a_prince_on_oneself(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["prince"], "?seat=0")
    click(page, card("Prince"), item("Yourself"))
    expect(page.locator("#news")).to_contain_text("You play the Prince on your own hand.")
    assert moves_of(visitor) == ["prince 0"]
    assert view_of(visitor).hand == (Card.KING,)
    assert view_of(visitor).piles[0] == (Card.PRINCE, Card.BARON)


# Suicide is asked about


def test_a_baron_known_to_lose_is_asked_about(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["baron"], "?seat=0")
    expect(page.locator("#seat-1-hand .name").first).to_contain_text("King")
    click(page, card("Baron"))
    expect(page.locator("#prompt .ask")).to_have_text("Baron: this puts you out of the round. Play it all the same?")
    click(page, "text=No, choose again")
    assert moves_of(visitor) == ["priest 1"]
    click(page, card("Baron"), "text=Yes, play it")
    assert moves_of(visitor) == ["priest 1", "baron 1"]
    expect(page.locator("#verdict h2")).to_have_text("Ben wins the round.")


def test_R50_a_guard_on_a_known_assassin_is_asked_about(visitor: Visitor, theatre: Theatre) -> None:
    page = arrive(visitor, theatre.stages["assassin"], "?seat=0")
    assert view_of(visitor).known[1] == (Card.ASSASSIN,)
    click(page, card("Guard"), item("Ben"), "#prompt .items button[value='guard 1 0']")
    expect(page.locator("#prompt .ask")).to_have_text("Guard: this puts you out of the round. Play it all the same?")
    click(page, "text=Yes, play it")
    expect(page.locator("#fallen-0")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("Ben reveals the Assassin!")


# The end of a round, and of a match


def finish(visitor: Visitor, theatre: Theatre, name: str) -> Page:
    """Play the last move of a round by click, for whoever has to play it."""
    stage, move = theatre.stages[name], theatre.last[name]
    visitor.be(stage.key)
    turn = visitor.page.request.get(f"{API}/tables/{stage.table}/view?seat=0").json()["view"]["turn"]
    page = arrive(visitor, stage, f"?seat={turn}")
    words = move.split()
    while page.locator("#verdict").count() == 0:
        whole = page.locator(f"#table button[name=move][value='{move}']:not(.target)")
        steps = [" ".join(words[:k]) for k in range(len(words), 0, -1)]
        open_ways = values(page, "#table button[name=chosen]:not(.target)")
        way = move if whole.count() else next(step for step in steps if step in open_ways)
        click(page, f"#table button[value='{way}']:not(.target)")
    return page


def told(page: Page) -> str:
    """What the page says of the end of the round."""
    return " ".join(page.inner_text("#verdict").split())


def test_a_showdown_of_the_premium_edition_that_the_sums_decide(visitor: Visitor, theatre: Theatre) -> None:
    page = finish(visitor, theatre, "sums")
    expect(page.locator("#verdict h2")).to_have_text("You win the round.")
    assert "The deck is empty, and hands are shown: Ada – Priest (2), you – Priest (2)." in told(page)
    assert "You are level with Ada at 2. The sums of the piles are compared: Ada – 13, you – 17." in told(page)
    rows = [row.split("\t") for row in page.inner_text("#verdict table").splitlines() if "\t" in row]
    assert rows[0][1:] == ["Card", "Number", "Sum of the pile", "Tokens of affection"]
    sums = {row[0].split(":")[-1].strip(): row[3] for row in rows[1:]}
    assert sums == {"Ada": "13", "Ben": "17"}
    assert page.locator("#verdict tr.won th").inner_text().endswith("Ben")


def test_a_spy_pays_at_the_end_of_a_round(visitor: Visitor, theatre: Theatre) -> None:
    page = finish(visitor, theatre, "spy")
    assert "Everybody else is out of the round." in told(page)
    assert "nobody else still in has the Spy in the pile." in told(page)
    expect(page.locator("#verdict tr.won td").last).to_contain_text("(+2)")
    assert "Sum of the pile" not in told(page)


def test_a_round_is_shared_where_the_edition_has_no_tie_break(visitor: Visitor, theatre: Theatre) -> None:
    page = finish(visitor, theatre, "shared")
    expect(page.locator("#verdict h2")).to_have_text("You share the round with Cleo.")
    assert "This edition has no tie-break, so the round is shared." in told(page)
    expect(page.locator("#verdict tr.won")).to_have_count(2)
    assert "nobody else still in has the Spy in the pile." in told(page)
    assert view_of(visitor).tokens == (0, 1, 2)


def test_R26_a_tie_break_round_is_played_by_those_who_are_level(
    visitor: Visitor, browser: Browser, server: Running, theatre: Theatre
) -> None:
    stage = theatre.stages["tie-break"]
    page = arrive(visitor, stage, "?seat=0")
    assert "Dan wins a token of affection: the Jester had bet on Eve." in told(page)
    assert "The match is tied between Dan and Eve: a tie-break round decides it." in told(page)
    other = Visitor(browser, server)
    click(page, "#deal button")
    expect(page.locator("#cover")).to_be_visible()  # a new hand is nobody's until its player asks for it
    taking_part = arrive(other, stage, "?seat=3")
    expect(page.locator("#where")).to_contain_text("tie-break")
    for shown in (page, taking_part):
        for seat in (0, 1, 2):
            expect(shown.locator(f"#seat-{seat} .states")).to_contain_text("not in this round")
        for seat in (3, 4):
            expect(shown.locator(f"#seat-{seat} .states")).not_to_contain_text("not in this round")
        expect(shown.locator("#log")).to_contain_text("A tie-break round between ")
    expect(page.locator("#hand .held")).to_have_count(0)
    expect(taking_part.locator("#hand .held").first).to_be_visible()
    assert view_of(visitor).playing == view_of(visitor).tied == (3, 4)
    other.leave()
