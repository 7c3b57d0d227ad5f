"""What the expert makes of its opponents: who plays by chance, and what a play says of the card that is kept."""

import pickle
import random
from collections.abc import Callable
from math import exp

import pytest

from suitors import Match
from suitors.bots import opponents
from suitors.bots.opponents import (
    JUDGED,
    PRIOR,
    SLIP,
    Model,
    ObservedRound,
    PolicyChances,
    certain_notes,
    model,
    observed_round,
)
from suitors.bots.positions import public_notes
from suitors.bots.weights import weights
from suitors.knowledge.belief import Belief
from suitors.knowledge.likelihood import uniform
from suitors.knowledge.public import Public, fold, tokens_before
from suitors.rules import BLANK, NO_CARD, Card
from suitors.rules.names import CARDS, first_of, is_card, third_of, verb_of
from suitors.view.match import View
from support.engine_positions import Policy, dealt, other_world, positions, some_positions, uncompiled
from support.scenes import NAMES

Player = Callable[[Match, random.Random], int]
BEFORE = 1 / (1 + exp(-PRIOR))
"""The chance that a stranger plays by chance."""


def chance_players(view: View) -> list[float]:
    """For each seat, the chance that it plays by chance."""
    return model(view)[1]


def shifts_of(match: Match, reader: int | None) -> list[float]:
    """How far the plays of the first round speak for chance."""
    observed = observed_round(match.rules, reader, match.view(reader).log[-1], [0] * match.rules.players)
    return [shift for (shift,) in observed.shifts]


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """Nothing has been read before."""
    opponents._rounds.clear()


def by_chance(match: Match, rng: random.Random) -> int:
    return rng.choice(match.moves())


def by_policy(match: Match, rng: random.Random) -> int:
    """A move drawn from the policy, which sees what the player sees."""
    notes = public_notes(Belief(match.view(match.turn)).evidence.public)
    notes = [NO_CARD if note == BLANK else note for note in notes[:64]] + notes[64:]
    chances = Policy(weights(match.rules)).scores(match.table, match.rules, notes)
    return rng.choices(list(chances), list(chances.values()))[0]


def madly(match: Match, rng: random.Random) -> int:
    """The Princess if she is there, else a Guard who names what lies in sight, else anything."""
    view, moves = match.view(match.turn), match.moves()
    sight = [*view.face_up, *(card for pile in view.piles for card in pile)]
    gone = {match.rules.spoken[card] for card in Card if match.rules.copies[card] == sight.count(card)}
    mad = [move for move in moves if move & 31 == Card.PRINCESS]
    mad = mad or [move for move in moves if move & 31 == Card.GUARD and third_of(move) in gone]
    return rng.choice(mad or moves)


def rounds(slug: str, players: int, plays: dict[int, Player], seed: int, most: int) -> Match:
    """A match of some rounds between such players; those who are not given play by the policy."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    match = Match(slug, NAMES[:players], rng=rng)
    while len(match.rounds) < most and not match.over:
        if match.to_deal:
            match.deal()
        else:
            assert match.turn is not None
            match.push(plays.get(match.turn, by_policy)(match, rng))
    return match


# Who plays by chance


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 5)])
def test_a_seat_that_plays_madly_is_soon_known_to_play_by_chance(slug: str, players: int) -> None:
    last = []
    for seed in range(4):
        match = rounds(slug, players, {1: madly}, seed, 7)
        last.append(chance_players(match.view(0))[1])
        assert chance_players(match.view(None))[1] > BEFORE
    assert sorted(last)[1] > 0.8


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 3), ("premium", 5)])
def test_a_seat_that_plays_by_the_policy_is_soon_believed_to(slug: str, players: int) -> None:
    last = [chance_players(rounds(slug, players, {}, seed, 7).view(0))[1] for seed in range(4)]
    assert sorted(last)[2] < BEFORE / 2
    assert max(last) < 0.5


def test_over_many_matches_the_two_are_told_apart() -> None:
    mad = [chance_players(rounds("classic", 2, {1: by_chance}, seed, 6).view(0))[1] for seed in range(12)]
    wise = [chance_players(rounds("classic", 2, {0: by_chance}, seed, 6).view(0))[1] for seed in range(12)]
    assert sum(a > b for a in mad for b in wise) > 0.9 * 144
    assert sum(mad) / 12 > 0.6
    assert sum(wise) / 12 < 0.15


def test_playing_the_princess_speaks_for_chance_about_as_far_as_one_play_may() -> None:
    match = dealt("classic", ["princess", "guard"], "handmaid")
    assert shifts_of(match, 1) == [0.0, 0.0]
    match.play("princess")
    shift, none = shifts_of(match, 1)
    assert none == 0
    assert 0.8 * JUDGED < shift <= JUDGED
    assert chance_players(match.view(1))[0] == pytest.approx(1 / (1 + exp(-PRIOR - shift)))


def test_naming_what_cannot_be_there_speaks_for_chance_and_a_likely_card_against_it() -> None:
    shifts = {}
    for name in ("priest", "baron", "prince", "king", "countess", "princess"):
        match = dealt("classic", ["guard", "handmaid"], "handmaid", lying="guard king guard guard")
        match.play(f"guard 1 {name}")
        shifts[name] = shifts_of(match, 1)[0]
    assert shifts["king"] == max(shifts.values()) > 0.8 * JUDGED
    assert min(shifts.values()) < -0.2


def test_ones_own_plays_are_not_judged() -> None:
    match = rounds("modern", 3, {1: madly}, 1, 4)
    assert chance_players(match.view(1))[1] == pytest.approx(BEFORE)
    assert chance_players(Match("modern", NAMES[:3]).view(0)) == pytest.approx([BEFORE] * 3)


def test_what_is_made_of_opponents_depends_on_the_view_alone() -> None:
    rng, pairs = random.Random(2), 0
    for slug, players in (("classic", 2), ("modern", 3), ("premium", 6)):
        for match in some_positions(slug, players, 1, 25, 60):
            twin, seat = other_world(match, rng), rng.randrange(players)
            if twin is not None and vars(twin.table) != vars(match.table) and twin.view(seat) == match.view(seat):
                pairs += 1
                opponents._rounds.clear()
                here = chance_players(match.view(seat))
                opponents._rounds.clear()
                assert chance_players(twin.view(seat)) == here
    assert pairs > 10


def test_without_a_compiler_the_same_is_made_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    views = [match.view(0) for slug in ("house", "modern") for match in some_positions(slug, 3, 2, 4)]
    compiled = [chance_players(view) for view in views]
    uncompiled(monkeypatch)
    for view, chances in zip(views, compiled, strict=True):
        assert chance_players(view) == pytest.approx(chances, abs=1e-9)
    opponents._rounds.clear()


def test_a_round_is_read_on_from_where_it_was_read_before_to_the_same_end() -> None:
    for slug, players in (("modern", 3), ("premium", 5)):
        whole, read = [], set()
        for match in positions(slug, players, 5, 40):
            view = match.view(0)
            read.add(id(model(view)[0].observed))
            whole.append((view, chance_players(view)))
        assert len(read) < len(whole)
        for view, chances in whole:
            opponents._rounds.clear()
            assert chance_players(view) == pytest.approx(chances, abs=1e-12)


def test_a_round_is_read_on_in_a_view_that_came_from_another_process() -> None:
    match = rounds("classic", 3, {}, 2, 2)
    match.push(match.moves()[0])
    view = match.view(match.turn)
    copied = pickle.loads(pickle.dumps(view))
    assert copied.rules is not view.rules
    read = model(view)[0].observed
    assert model(copied)[0].observed is read


def test_a_match_that_began_in_a_position_is_read_with_its_tokens() -> None:
    match = rounds("modern", 3, {}, 3, 4)
    assert any(match.tokens)
    assert not match.over
    later = Match(position=match.position(), seed=1)
    view = later.view(later.turn)
    assert model(view)[0].observed.before == list(later.tokens)


def test_a_round_that_began_alike_with_other_tokens_is_another_round() -> None:
    match = dealt("classic", ["guard", "handmaid", "priest"], "handmaid")
    told = match.view(0).log[-1]
    first, second = (observed_round(match.rules, 0, told, tokens) for tokens in ([0, 0, 0], [1, 3, 0]))
    assert first is not second
    assert second.public.table.tokens == [1, 3, 0]
    assert observed_round(match.rules, 0, told, [0, 0, 0]) is first
    assert observed_round(match.rules, 1, match.view(1).log[-1], [0, 0, 0]) is not first


def test_the_tokens_of_every_round_are_those_of_the_match() -> None:
    match = rounds("modern", 3, {}, 3, 6)
    for number, told in enumerate(match.view(1).log):
        wanted = match.rounds[number - 1].tokens if number else (0, 0, 0)
        read = [observed for observed in observed_rounds(match) if observed.told == told]
        assert [observed.before for observed in read] == [list(wanted)]


def observed_rounds(match: Match) -> list[ObservedRound]:
    model(match.view(1))
    return list(opponents._rounds)


# What a play says of the card that is kept


def test_a_model_mixes_chance_and_policy_and_neither_is_ever_certain() -> None:
    for match in positions("modern", 3, 3, 20):
        public, seat = fold(match.view(None)), match.turn
        assert seat is not None
        for move in match.moves()[:4]:
            if is_card(verb_of(move)):
                even = uniform.play(public, seat, move)
                policy = PolicyChances(match.rules, weights(match.rules)).play(
                    public, certain_notes(public), seat, move
                )
                after = match.copy()
                after.push(move)
                observed = observed_round(match.rules, None, after.view(None).log[-1], tokens_before(match.view(None)))
                for part in (0.0, 0.3, 1.0):
                    at_random = SLIP + (1 - SLIP) * part
                    mixed = [at_random * a + (1 - at_random) * b for a, b in zip(even, policy, strict=True)]
                    assert Model(observed, [(part, 1 - part)] * 3).play(public, seat, move) == pytest.approx(mixed)
                true = match.table.hand[seat] if match.table.drawn == move & 31 else match.table.drawn
                assert Model(observed, [(0.0, 1.0)] * 3).play(public, seat, move)[true] > 0
        assert public.table.hand == [NO_CARD] * 3  # what was supposed is taken away again


def test_under_a_model_the_belief_still_sums_to_one_and_allows_the_truth() -> None:
    for slug, players in (("classic", 2), ("modern", 4), ("premium", 6)):
        for match in positions(slug, players, 4, 25):
            view = match.view(match.turn)
            belief = Belief(view, model(view)[0])
            for seat in view.standing:
                if seat != view.seat:
                    assert sum(belief.hands[seat][0].values()) == pytest.approx(1)
                    assert belief.hands[seat][0][Card(match.table.hand[seat])] > 0


class Tasteless(Model):
    """A model of players who keep any card from a Chancellor."""

    def kept(self, public: Public, seat: int) -> list[float]:
        return [1.0] * CARDS


def test_whoever_keeps_a_card_from_a_chancellor_keeps_rather_what_the_policy_likes() -> None:
    match = dealt("modern", ["chancellor", "guard"], "handmaid priest baron")
    match.play("chancellor")
    match.play("keep handmaid priest baron")
    view = match.view(1)
    observed = model(view)[0].observed
    wise = Model(observed, [(0.0, 1.0)] * 2)
    liked, even = wise.kept(fold(view), 0), Model(observed, [(1.0, 0.0)] * 2).kept(fold(view), 0)
    assert even == pytest.approx([1.0] * CARDS)
    assert max(liked) == pytest.approx(1.0)
    tasteless = Tasteless(observed, [(0.0, 1.0)] * 2)
    by_model, by_even = (Belief(view, given).hands[0][0] for given in (wise, tasteless))
    for a in by_even:
        for b in by_even:
            before, after = by_even[a] / by_even[b], by_model[a] / by_model[b]
            assert after / before == pytest.approx(liked[a] / liked[b])


def test_first_of_a_keep_is_not_taken_for_a_play() -> None:
    match = dealt("modern", ["chancellor", "guard"], "handmaid priest baron")
    match.play("chancellor")
    before = shifts_of(match, None)[:]
    match.play("keep baron priest handmaid")
    assert first_of(match.rounds[-1].moves[-1]) == Card.BARON
    assert shifts_of(match, None) == before
    assert certain_notes(fold(match.view(None)))[:64] == [NO_CARD] * 64
