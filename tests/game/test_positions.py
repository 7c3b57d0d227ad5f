"""Positions as lines of text: written, read again, begun in, and refused with a sentence."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Belief, Match, SuitorsError
from suitors.position.tables import KEYS
from suitors.rules import Phase
from suitors.view.lines import FORMAT
from support.matches import TABLES, UNTIMED, somewhere
from support.scenes import NAMES


def reached(phase: Phase, slug: str, players: int) -> Match:
    """A match at a decision of a kind."""
    for seed in range(200):
        rng = random.Random(seed)
        match = Match(slug, NAMES[:players], rng=rng)
        while match.turn is not None:
            if match.table.phase == phase:
                return match
            match.push(rng.choice(match.moves()))
    raise AssertionError(f"{slug} never comes to {phase.name}")


def changed(text: str, **parts: str) -> str:
    """A line with some parts changed."""
    fields = dict(word.split("=", 1) for word in text.split(" ")[1:]) | parts
    return " ".join([FORMAT, *(f"{key}={part}" for key, part in fields.items())])


def line(**parts: str) -> str:
    """The line of a small round, with some parts changed."""
    match = Match("classic", NAMES[:2], dealt=False)
    deck = ["king", "guard", "guard", "priest", "baron", "prince", "priest", "guard", "handmaid", "prince"]
    match.deal([*deck, "countess", "guard", "baron", "handmaid", "guard", "princess"], first=0)
    return changed(match.position(), **parts)


@settings(UNTIMED, max_examples=60)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32), st.integers(0, 40))
def test_a_match_goes_on_from_a_position_as_the_other_does(game: tuple[str, int], seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = somewhere(Match(game[0], NAMES[: game[1]], rng=rng), rng, steps)
    go_on_alike(match, Match(position=match.position(), players=NAMES[: game[1]]), rng)


def go_on_alike(match: Match, twin: Match, rng: random.Random) -> None:
    """See that both go on in the same way, up to the end of the round."""
    assert twin.position() == match.position()
    assert (twin.moves(), twin.over, twin.winners) == (match.moves(), match.over, match.winners)
    if match.to_deal:
        assert (twin.next_seats, twin.next_first) == (match.next_seats, match.next_first)
    while match.turn is not None:
        move = rng.choice(match.moves())
        match.push(move)
        twin.push(move)
        assert twin.position() == match.position()
        assert twin.view(None).piles == match.view(None).piles
    assert (twin.tokens, twin.winners) == (match.tokens, match.winners)


SECOND_STEPS = [(Phase.KEEP, "modern", 4), (Phase.LOOK, "premium", 6), (Phase.ANSWER, "premium", 5)]


@pytest.mark.parametrize(("phase", "slug", "players"), SECOND_STEPS)
def test_a_match_begins_in_the_middle_of_a_turn(phase: Phase, slug: str, players: int) -> None:
    match = reached(phase, slug, players)
    twin = Match(position=match.position(), players=match.players)
    for seat in (None, *range(players)):
        view, other = twin.view(seat), match.view(seat)
        assert view.legal == other.legal
        assert (view.position() == other.position()) or len(match.rounds[-1].moves) > 1
        belief = Belief(view)
        assert all(match.table.hand[k] in belief.hands[k][0] for k in view.standing)
    with pytest.raises(SuitorsError, match="Nothing has happened yet"):
        twin.undo()
    go_on_alike(match, twin, random.Random(1))


def test_who_has_traded_stands_in_every_line() -> None:
    match = reached(Phase.LOOK, "premium", 6)
    traded = next(word for word in match.position().split(" ") if word.startswith("traded="))
    assert traded.count(",") == 1
    assert all(f" {traded} " in match.position(seat) for seat in (None, *range(6)))
    view = next(iter(match.current_views([0]).values()))
    with pytest.raises(ValueError, match="without its log"):
        view.position()


@pytest.mark.parametrize(
    ("phase", "slug", "players", "parts"),
    [
        (Phase.KEEP, "modern", 4, {"phase": "play"}),
        (Phase.KEEP, "modern", 4, {"phase": "look"}),
        (Phase.KEEP, "modern", 4, {"traded": "0,1"}),
        (Phase.KEEP, "modern", 4, {"piles": "-/-/-/-"}),
        (Phase.LOOK, "premium", 6, {"traded": "-"}),
        (Phase.LOOK, "premium", 6, {"traded": "0,1,2"}),
        (Phase.LOOK, "premium", 6, {"traded": "0,9"}),
        (Phase.LOOK, "premium", 6, {"mark": "0"}),
        (Phase.ANSWER, "premium", 5, {"turn": "-"}),
        (Phase.ANSWER, "premium", 5, {"tokens": "0/0/0/0/0"}),
        (Phase.ANSWER, "premium", 5, {"tokens": "4/0/0/0/0"}),
        (Phase.ANSWER, "premium", 5, {"tokens": "4/4/0/0/0", "tied": "0,1"}),
    ],
)
def test_a_second_step_that_cannot_be_is_refused_with_a_sentence(
    phase: Phase, slug: str, players: int, parts: dict[str, str]
) -> None:
    with pytest.raises(SuitorsError, match=r"\.$"):
        Match(position=changed(reached(phase, slug, players).position(), **parts))


def test_a_finished_match_is_read_again() -> None:
    rng = random.Random(3)
    match = somewhere(Match("modern", NAMES[:3], rng=rng), rng, 10_000)
    twin = Match(position=match.position())
    assert (twin.over, twin.winners, twin.tokens, twin.turn) == (True, match.winners, match.tokens, None)
    for parts in ({"won": "-"}, {"tokens": "0/0/0"}, {"hands": "guard/-/-"}):
        with pytest.raises(SuitorsError, match=r"\.$"):
            Match(position=changed(match.position(), **parts))


def begun(text: str) -> Match | None:
    """The match that begins in a position, None where a sentence refuses it."""
    try:
        return Match(position=text)
    except SuitorsError as error:
        sentence = str(error)
    assert sentence.endswith(".")
    return None


WORDS = ["-", "?", "", "0", "9", "٣", "x", "out", "away", "0:1", "1:1", "[guard]", "[]", "guard", "bishop", "yes", "no"]
WORDS += ["deal", "play", "keep", "look", "answer", "over", "start", "agent", "offer", "0/0", "guard/guard", "0,1"]


@settings(UNTIMED, max_examples=60)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32), st.integers(0, 30), st.data())
def test_a_line_that_was_tampered_with_is_played_or_refused(
    game: tuple[str, int], seed: int, steps: int, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    text = somewhere(Match(game[0], NAMES[: game[1]], rng=rng), rng, steps).position()
    keys = data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3))
    words = st.one_of(st.sampled_from(WORDS), st.sampled_from([word.partition("=")[2] for word in text.split(" ")]))
    match = begun(changed(text, **{key: data.draw(words) for key in keys}))
    for _ in range(20):
        if match is None:
            return
        assert Match(position=match.position()).position() == match.position()
        assert match.view(None).key()
        somewhere(match, rng, 1)


@settings(UNTIMED, max_examples=40)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32), st.integers(0, 60))
def test_between_rounds_everybody_knows_the_whole_line(game: tuple[str, int], seed: int, steps: int) -> None:
    rng = random.Random(seed)
    match = somewhere(Match(game[0], NAMES[: game[1]], rng=rng, dealt=False), rng, steps)
    while match.turn is not None:
        match.push(rng.choice(match.moves()))
    for seat in (None, *range(game[1])):
        assert match.position(seat).replace(f"sees={'none' if seat is None else seat}", "sees=all") == match.position()


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
        {"phase": "deal"},
        {"phase": "start"},
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
        {"bet": "0:1"},
        {"traded": "0,1"},
        {"won": "0"},
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


def test_a_tie_break_may_leave_others_at_the_goal() -> None:
    text = f"{FORMAT} edition=premium options=- sees=all phase=deal active=- turn=- tokens=5/5/4/0/0/0 hands=- piles=- "
    match = Match(position=text + "deck=- aside=- up=- protected=- mark=- traded=- bet=- tied=0,1 won=0")
    assert (match.next_seats, match.next_first) == ((0, 1), (0,))
