"""Positions as lines of text: written, read again, begun in, and refused with a sentence."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Belief, Match, SuitorsError
from suitors.bots import BOTS
from suitors.position import KEYS
from suitors.rules import Phase
from suitors.view.lines import FORMAT
from support.matches import TABLES, UNTIMED
from support.own_editions import Drawn, own_editions
from support.scenes import NAMES


def somewhere(match: Match, rng: random.Random, steps: int) -> Match:
    """The match after so many steps by chance, and on to where a card is played or a round dealt."""
    while not match.over and (steps > 0 or match.table.phase not in (Phase.PLAY, Phase.DEAL)):
        match.deal() if match.to_deal else match.push(rng.choice(match.moves()))
        steps -= 1
    return match


def line(**parts: str) -> str:
    """The line of a small round, with some parts changed."""
    match = Match("classic", NAMES[:2], dealt=False)
    deck = ["king", "guard", "guard", "priest", "baron", "prince", "priest", "guard", "handmaid", "prince"]
    match.deal([*deck, "countess", "guard", "baron", "handmaid", "guard", "princess"], first=0)
    fields = dict(word.split("=", 1) for word in match.position().split(" ")[1:]) | parts
    return " ".join([FORMAT, *(f"{key}={text}" for key, text in fields.items())])


@settings(UNTIMED, max_examples=60)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32), st.integers(0, 40))
def test_a_match_goes_on_from_a_position_as_the_other_does(game: tuple[str, int], seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = somewhere(Match(game[0], NAMES[: game[1]], rng=rng), rng, steps)
    if match.over:
        return
    twin = Match(position=match.position(), players=NAMES[: game[1]])
    assert twin.position() == match.position()
    assert twin.moves() == match.moves()
    if match.to_deal:
        assert (twin.next_seats, twin.next_first) == (match.next_seats, match.next_first)
    while match.turn is not None:
        move = rng.choice(match.moves())
        match.push(move)
        twin.push(move)
        assert twin.position() == match.position()
        assert twin.view(None).piles == match.view(None).piles
    assert (twin.tokens, twin.winners) == (match.tokens, match.winners)


@settings(UNTIMED, max_examples=15)
@given(own_editions(), st.integers(0, 1 << 32), st.integers(0, 12))
def test_beliefs_and_bots_understand_a_match_that_began_in_a_position(drawn: Drawn, seed: int, steps: int) -> None:
    data, players = drawn
    rng = random.Random(seed)
    match = somewhere(Match(data, NAMES[:players], rng=rng), rng, steps)
    if match.turn is None:
        return
    twin = Match(position=match.position(), seed=1)
    view = twin.view(twin.turn)
    belief = Belief(view)
    assert all(match.table.hand[seat] in belief.hands[seat][0] for seat in view.standing if seat != view.seat)
    for name in ("novice", "counting", "search"):
        assert BOTS[name](view, rng, 1.0) in view.legal


def test_a_line_shows_what_a_seat_knows_and_no_more() -> None:
    match = Match(position=line())
    assert "sees=all" in match.position()
    assert " hands=baron,priest/prince " in match.position()
    assert " hands=baron,priest/? " in match.position(0)
    assert " hands=?,?/prince " in match.view(1).position()
    assert " hands=?,?/? " in match.position(None)
    assert " aside=? up=guard,guard,priest " in match.position(0)
    match.play("priest 1")
    assert " hands=baron/prince,? " in match.position(0)


def test_a_position_has_no_record_but_can_be_taken_back_and_copied() -> None:
    match = Match(position=line())
    before = match.position()
    match.play("priest 1")
    twin = pickle.loads(pickle.dumps(match))
    assert twin == match == match.copy()
    for each in (match, twin):
        each.undo()
        assert each.position() == before
        with pytest.raises(SuitorsError, match="Nothing has happened yet"):
            each.undo()
    with pytest.raises(SuitorsError, match="began in a position has no record"):
        match.record()
    assert match != Match(position=line(tokens="1/0"))


def test_a_late_position_may_be_chosen_freely() -> None:
    piles = "guard,guard,baron,handmaid,priest/priest,guard,handmaid,countess"
    text = line(hands="princess,prince/baron", piles=piles, deck="prince", aside="king", up="guard,guard,-")
    with pytest.raises(SuitorsError, match="'-' is no card"):
        Match(position=text)
    text = line(
        hands="princess,prince/baron",
        piles="guard,guard/priest,guard",
        up="guard,guard,priest",
        aside="king",
        deck="prince,baron,countess,handmaid,handmaid",
        tokens="5/5",
    )
    match = Match(position=text, players=["Ada", "Ben"])
    match.play("prince 1")
    assert (match.tokens, match.players) == ((5, 5), ("Ada", "Ben"))
    assert match.view(1).hand == (match.table.hand[1], match.table.drawn)


@pytest.mark.parametrize(
    "parts",
    [
        {"edition": "modem"},
        {"edition": "modern"},
        {"options": "sums:1"},
        {"options": "bishop_names_one:x"},
        {"sees": "0"},
        {"phase": "keep"},
        {"phase": "over"},
        {"active": "1"},
        {"active": "-"},
        {"turn": "1"},
        {"turn": "9"},
        {"tokens": "0/0/0"},
        {"tokens": "x/0"},
        {"tokens": "6/0"},
        {"hands": "baron/prince"},
        {"hands": "baron,priest/out"},
        {"hands": "baron,priest/away"},
        {"hands": "baron,priest/wizard"},
        {"hands": "baron,priest"},
        {"deck": "-"},
        {"aside": "?"},
        {"up": "-"},
        {"protected": "0"},
        {"mark": "7"},
        {"bet": "0:9"},
        {"tied": "0,1"},
    ],
)
def test_what_is_no_position_is_refused_with_a_sentence(parts: dict[str, str]) -> None:
    with pytest.raises(SuitorsError, match=r"\.$"):
        Match(position=line(**parts))


@pytest.mark.parametrize("text", [3, "", FORMAT, "x", f"{FORMAT} ", f"{FORMAT} {' '.join(KEYS[:-1])}"])
def test_what_is_no_line_is_refused_with_a_sentence(text: object) -> None:
    with pytest.raises(SuitorsError, match=r"\.$"):
        Match(position=text)  # type: ignore[arg-type]


def test_what_is_given_beside_a_position_must_fit_it() -> None:
    assert Match("classic", NAMES[:2], position=line()).edition == "classic"
    for other in ({"edition": "demo"}, {"edition": "modern"}, {"players": NAMES[:3]}):
        with pytest.raises(SuitorsError, match=r"\.$"):
            Match(**other, position=line())
    with pytest.raises(SuitorsError, match="There is no edition None"):
        Match()
