"""The OpenSpiel games: its own tests, what a seat is told in them, and an equilibrium of a small deck."""

import pickle
import random
import warnings
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability, gambit
from open_spiel.python.policy import UniformRandomPolicy
from pettingzoo.test import api_test
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

from suitors import Match, SuitorsError
from suitors.envs.openspiel import GAMES, load
from suitors.envs.openspiel_observer import COLUMNS, step_numbers
from suitors.envs.openspiel_state import replayed, terms
from suitors.fast.batch import all_games
from suitors.lab.acting import action_of, move_of
from suitors.notation import CARD_OF, read_move
from suitors.rules import BOXES, Card
from support.other_worlds import other_world, same_moves
from support.random_play import step

SMALL = {"base": "classic", "cards": {"guard": 2, "priest": 1, "baron": 1, "princess": 1}, "face_up": {"2": 0}}


def dealt(game: Any, rng: random.Random) -> Any:
    """A state in which the deck has been put in order by chance."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state


@pytest.mark.parametrize(("slug", "players"), all_games())
def test_it_passes_the_tests_of_openspiel(slug: str, players: int) -> None:
    game = pyspiel.load_game(f"suitors_{slug}", {"players": players})
    assert game.num_players() == players
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_editions_of_ones_own_pass_them_too() -> None:
    own = {**SMALL, "name": 'Small, (2) = "two"', "goals": {"2": 1}}
    game = load(own, 2, {"bishop_names_one": False})
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_every_edition_for_several_has_a_game() -> None:
    assert set(GAMES) <= set(pyspiel.registered_names())
    assert {slug for slug in GAMES.values() if slug} == {slug for slug, box in BOXES.items() if not box.solo}


@pytest.mark.parametrize(("slug", "players"), all_games())
def test_states_are_matches_with_the_same_deck_and_moves(slug: str, players: int) -> None:
    rng = random.Random(f"states {slug}{players}")
    for _ in range(5):
        state = dealt(load(slug, players), rng)
        match = Match(slug, [""] * players, dealt=False)
        match.deal([Card(card) for card in state.progress.order], 0)
        while not state.is_terminal():
            single = state.progress.single
            assert state.current_player() == match.turn
            legal = state.legal_actions()
            assert [move_of(single.table, single.space, action) for action in legal] == sorted(
                match.moves(), key=lambda move: action_of(single.table, single.rules, single.space, move)
            )
            assert np.flatnonzero(single.mask()).tolist() == legal == sorted(legal)
            action = rng.choice(legal)
            match.push(move_of(single.table, single.space, action))
            state.apply_action(action)
        mean = sum(match.tokens) / players
        assert state.returns() == pytest.approx([(won - mean) * players / (players - 1) for won in match.tokens])


@pytest.mark.parametrize(("slug", "players"), all_games())
def test_what_a_seat_has_seen_fits_into_its_tensor(slug: str, players: int) -> None:
    rng, game = random.Random(f"tensors {slug}{players}"), load(slug, players)
    for _ in range(15):
        state, decisions = dealt(game, rng), 0
        of = state.progress.terms
        while not state.is_terminal():
            seen = [step_numbers(each, 0, players, of.blank.space.kind) for each in state.progress.steps]
            assert sum(map(len, seen)) <= len(COLUMNS) * of.entries
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        assert decisions <= game.max_game_length()
        assert max(map(abs, state.returns())) <= game.max_utility()


def state_of(match: Match) -> Any:
    """The state of a match in its first round, which seat 0 has started."""
    data = match.record()["rounds"][0]
    of = terms(match.edition, len(match.players), "")
    state = load(match.edition, len(match.players)).new_initial_state()
    state.progress = replayed(of, [int(CARD_OF[name]) for name in data["deck"]], [])
    for text in data["moves"]:
        single = state.progress.single
        state.progress.act(action_of(single.table, single.rules, single.space, read_move(of.rules, text)))
    return state


def told(state: Any, seat: int) -> tuple[Any, ...]:
    """All that a state tells a seat now."""
    return state.observation_string(seat), state.observation_tensor(seat), state.legal_actions(seat)


def recalled(state: Any, seat: int) -> tuple[Any, ...]:
    """All that a state has ever told a seat."""
    return state.information_state_string(seat), state.information_state_tensor(seat)


def in_first_round(slug: str, players: int, rng: random.Random) -> Match:
    """A match in its first round, which seat 0 has started, or after it."""
    match = Match(slug, [""] * players, dealt=False, rng=rng)
    match.deal(first=0)
    for _ in range(rng.randrange(1, 9)):
        if match.turn is not None:
            step(match, rng)
    return match


@pytest.mark.parametrize(("slug", "players"), all_games())
def test_worlds_are_told_apart_by_those_who_can(slug: str, players: int) -> None:
    rng, same, different = random.Random(f"twins {slug}{players}"), 0, 0
    for _ in range(400):
        match = in_first_round(slug, players, rng)
        if match.turn is None or min(same, different) >= 3:
            continue
        seat = match.turn
        here, there = same_moves(match.record(), seat), same_moves(other_world(match, rng), seat)
        if not here or not there or here[0] == there[0] or there[0].turn != seat:
            continue
        one, other = state_of(here[0]), state_of(there[0])
        if here[1] == there[1]:
            assert told(one, seat) == told(other, seat)
            assert recalled(one, seat) == recalled(other, seat)
            same += 1
        else:
            assert one.information_state_string(seat) != other.information_state_string(seat)
            assert one.information_state_tensor(seat) != other.information_state_tensor(seat)
            different += 1
    assert min(same, different) >= 3


def test_equal_information_states_are_equal_in_all_that_is_told() -> None:
    rng, game, found = random.Random(4), load(TRADING, 3), dict[str, tuple[Any, ...]]()
    again = 0
    for _ in range(700):
        state = dealt(game, rng)
        while not state.is_terminal():
            for seat in range(3):
                known, now = state.information_state_string(seat), told(state, seat)
                again += known in found
                assert found.setdefault(known, now) == now
            state.apply_action(rng.choice(state.legal_actions()))
    assert again > 1000


TRADING = {"base": "modern", "cards": {"spy": 1, "guard": 2, "chancellor": 2, "prince": 1, "king": 1}}


def test_after_a_trade_nobody_can_tell_what_a_third_seat_knows() -> None:
    of = load(TRADING, 3).terms
    worlds = (
        # seat 0 knows that seat 1 drew the Chancellor it put under the deck, or the King
        ("guard chancellor king prince chancellor spy guard", "keep 1 0 2"),
        ("guard spy chancellor prince chancellor guard king", "keep 0 2 1"),
    )
    seen = []
    for deck, kept in worlds:
        moves = [of.texts.index(text) for text in ("chancellor", kept, "king 1")]
        state = load(TRADING, 3).new_initial_state()
        state.progress = replayed(of, [int(CARD_OF[name]) for name in deck.split()], moves)
        seen.append((recalled(state, 2), told(state, 2)))
    assert seen[0] == seen[1]


def test_a_copy_and_a_stored_state_go_on_by_themselves() -> None:
    rng, game = random.Random(1), load("modern", 3)
    state = dealt(game, rng)
    state.apply_action(state.legal_actions()[0])
    text = str(state)
    twin, stored = state.clone(), pyspiel.serialize_game_and_state(game, state)
    assert len(stored) < 1500
    _, loaded = pyspiel.deserialize_game_and_state(stored)
    for other in (twin, loaded, pickle.loads(pickle.dumps(state))):
        assert str(other) == text
        assert recalled(other, 1) == recalled(state, 1)
        if not other.is_terminal():
            other.apply_action(other.legal_actions()[-1])
            assert str(other) != text
    assert str(state) == text


def test_games_can_be_stored() -> None:
    for game in (load("modern", np.int64(3)), load(SMALL), pyspiel.load_game("suitors_classic(players=4)")):
        assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_options_that_are_not_json_are_refused_in_a_sentence() -> None:
    with pytest.raises(SuitorsError, match="The options are an object in JSON, not"):
        pyspiel.load_game("suitors_classic(options=%7B)")


def test_strings_are_words() -> None:
    state = load(SMALL).new_initial_state()
    state.progress = replayed(terms(*load(SMALL).terms.given), [int(Card[c]) for c in DECK], [])
    assert state.information_state_string(0) == "0; round 0 3, dealt 0 princess, dealt 1 ?, drew 0 guard"
    assert state.observation_string(1).startswith(
        "1: phase (play) table (deck, set aside, 6 goal) hand (priest) unseen"
    )
    assert state.action_to_string(0, state.legal_actions()[0]) == "guard 1 priest"
    assert load(SMALL).new_initial_state().information_state_string(1) == "1"
    assert str(state) == "baron princess priest guard guard"


DECK = ("BARON", "PRINCESS", "PRIEST", "GUARD", "GUARD")


@pytest.mark.parametrize(("slug", "players"), [("classic", 2), ("modern", 4), ("premium", 8)])
def test_shimmy_makes_pettingzoo_of_it(slug: str, players: int) -> None:
    env = OpenSpielCompatibilityV0(game_name=f"suitors_{slug}", config={"players": players})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Shimmy's observation spaces have no bounds
        api_test(env)


def test_cfr_plus_finds_an_equilibrium_of_a_small_deck() -> None:
    game = load(SMALL)
    tree = pyspiel.load_efg_game(gambit.export_gambit(game))
    uniform = pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree))
    assert uniform == pytest.approx(exploitability.nash_conv(game, UniformRandomPolicy(game)))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(tree, solver.average_policy()) < 0.02 < uniform


@pytest.mark.parametrize(("slug", "players"), [("nope", 2), ("solitaire", 1), ({**SMALL, "cards": {"guard": 9}}, 2)])
def test_what_cannot_be_played_is_refused_in_a_sentence(slug: Any, players: int) -> None:
    with pytest.raises(SuitorsError, match=r" .* .*\.$"):
        load(slug, players)


def test_observers_show_one_seat() -> None:
    game, public = load(SMALL), pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="what one player"):
        game.make_py_observer(public)
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"colour": 1})
