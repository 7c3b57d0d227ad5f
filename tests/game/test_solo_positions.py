"""Positions of the solo game as lines of text."""

import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitors import Match, Solo, SuitorsError
from suitors.position.solo import KEYS
from suitors.rules import Option, Phase
from suitors.view.lines import FORMAT
from support.matches import SOLO_EDITIONS, UNTIMED

OPTIONS: list[dict[str, Option]] = [{}, {"solo_prince": "remove"}, {"solo_last_card": "strict"}]
WORDS = ["-", "?", "", "0", "x", "[guard]", "[]", "[-]", "guard", "princess", "[princess]", "yes", "no", "guard,guard"]
WORDS += ["deal", "play", "start", "agent", "offer", "over", "keep", "king", "prince,[baron]"]


def somewhere(game: Solo, rng: random.Random, steps: int) -> Solo:
    """The game after so many moves by chance, or at its end."""
    while not game.over and steps > 0:
        game.push(rng.choice(game.moves()))
        steps -= 1
    return game


def reached(phase: Phase) -> Solo:
    """A game at a decision of a kind."""
    for seed in range(200):
        rng = random.Random(seed)
        game = Solo(rng=rng)
        while not game.over:
            if game.table.phase == phase:
                return game
            game.push(rng.choice(game.moves()))
    raise AssertionError(f"no game comes to {phase.name}")


def changed(text: str, **parts: str) -> str:
    """A line with some parts changed."""
    fields = dict(word.split("=", 1) for word in text.split(" ")[1:]) | parts
    return " ".join([FORMAT, *(f"{key}={part}" for key, part in fields.items())])


@settings(UNTIMED, max_examples=60)
@given(st.sampled_from(SOLO_EDITIONS), st.sampled_from(OPTIONS), st.integers(0, 1 << 32), st.integers(0, 12))
def test_a_game_goes_on_from_a_position_as_the_other_does(
    slug: str, options: dict[str, Option], seed: int, steps: int
) -> None:
    rng = random.Random(seed)
    game = somewhere(Solo(slug, options=options, rng=rng), rng, steps)
    twin = Solo(position=game.position())
    assert (twin.edition, twin.options) == (game.edition, game.options)
    while True:
        assert (twin.position(), twin.position(0)) == (game.position(), game.position(0))
        assert (twin.moves(), twin.over, twin.winners) == (game.moves(), game.over, game.winners)
        if game.over:
            return
        move = rng.choice(game.moves())
        game.push(move)
        twin.push(move)


@pytest.mark.parametrize("phase", [Phase.START, Phase.PLAY, Phase.AGENT, Phase.OFFER])
def test_a_game_begins_at_any_decision(phase: Phase) -> None:
    game = reached(phase)
    twin = Solo(position=game.position(), players=["Ada"])
    assert (twin.legal(), twin.players) == (game.legal(), ("Ada",))
    assert replace(twin.view(0), log=(), players=()) == replace(game.view(0), log=(), players=())
    assert pickle.loads(pickle.dumps(twin)) == twin == twin.copy()
    with pytest.raises(SuitorsError, match="Nothing has happened yet"):
        twin.undo()
    with pytest.raises(SuitorsError, match="began in a position has no record"):
        twin.record()


def test_a_line_shows_no_card_that_lies_face_down() -> None:
    game = Solo(seed=4)
    assert " queue=[" in game.position()
    assert game.position(0).count("[") == 0
    assert " queue=?,?,?,?,?,?,princess pile=?,?,?,?,?,?,? " in game.position(0)
    assert game.position(None) == game.position(0).replace("sees=0", "sees=none")
    assert Solo(position=Solo(dealt=False).position()).to_deal


@pytest.mark.parametrize(
    ("phase", "parts"),
    [
        (Phase.START, {"agent": "-"}),
        (Phase.START, {"phase": "play"}),
        (Phase.START, {"phase": "agent"}),
        (Phase.START, {"phase": "offer"}),
        (Phase.START, {"phase": "deal"}),
        (Phase.START, {"phase": "keep"}),
        (Phase.START, {"phase": "over"}),
        (Phase.START, {"phase": "over", "won": "perhaps"}),
        (Phase.START, {"won": "yes"}),
        (Phase.START, {"sees": "0"}),
        (Phase.START, {"queue": "-"}),
        (Phase.START, {"queue": "[]"}),
        (Phase.START, {"queue": "princess,guard"}),
        (Phase.START, {"queue": ",".join(["[guard]"] * 8)}),
        (Phase.START, {"guarded": "1"}),
        (Phase.START, {"attacker": "guard"}),
        (Phase.START, {"hand": "guard,guard,guard"}),
        (Phase.START, {"edition": "classic"}),
        (Phase.AGENT, {"calling": "-"}),
        (Phase.OFFER, {"attacker": "handmaid"}),
        (Phase.OFFER, {"attacker": "-"}),
        (Phase.OFFER, {"guarded": "yes"}),
    ],
)
def test_what_is_no_position_is_refused_with_a_sentence(phase: Phase, parts: dict[str, str]) -> None:
    with pytest.raises(SuitorsError, match=r"\.$"):
        Solo(position=changed(reached(phase).position(), **parts))


def test_each_game_has_its_own_lines() -> None:
    with pytest.raises(SuitorsError, match=r"\.$"):
        Match(position=Solo(seed=1).position())
    with pytest.raises(SuitorsError, match=r"\.$"):
        Solo(position=Match("classic", ["Ada", "Ben"], seed=1).position())
    with pytest.raises(SuitorsError, match="another edition"):
        Solo("solitaire-2019", position=Solo(seed=1).position())


def begun(text: str) -> Solo | None:
    """The game that begins in a position, None where a sentence refuses it."""
    try:
        return Solo(position=text)
    except SuitorsError as error:
        sentence = str(error)
    assert sentence.endswith(".")
    return None


@settings(UNTIMED, max_examples=100)
@given(st.integers(0, 1 << 32), st.integers(0, 9), st.sampled_from(OPTIONS), st.data())
def test_a_line_that_was_tampered_with_is_played_or_refused(
    seed: int, steps: int, options: dict[str, Option], data: st.DataObject
) -> None:
    rng = random.Random(seed)
    text = somewhere(Solo(options=options, rng=rng), rng, steps).position()
    keys = data.draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3))
    words = st.one_of(st.sampled_from(WORDS), st.sampled_from([word.partition("=")[2] for word in text.split(" ")]))
    game = begun(changed(text, **{key: data.draw(words) for key in keys}))
    while game and not game.over:
        assert Solo(position=game.position()).position() == game.position()
        game.deal() if game.to_deal else game.push(rng.choice(game.moves()))
