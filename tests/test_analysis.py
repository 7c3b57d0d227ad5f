"""Hints and reviews of solo games, and the line of a match for two."""

import pickle
import random
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations, product
from math import hypot

import pytest

from suitors import Match, Solo, SuitorsError, analysis
from suitors.analysis import Decision, Point, Review, hints, match_line, score_chances, solo_review
from suitors.bots import arrays, win_estimates
from suitors.bots.solo import SMALL, unseen
from suitors.bots.weights import weights
from suitors.bots.win_estimates import WinEstimator, unseen_places
from suitors.game import Play
from suitors.knowledge.notes import SEATS, step
from suitors.notation import CARD_NAMES
from suitors.records.record import RecordError
from suitors.rules import NO_CARD, SWITCHES, Option, Phase, Table, copy_table
from suitors.solve import solve
from suitors.terminal.solitaire import SoloTerminal as Terminal
from support.engine_positions import Policy
from support.engine_positions import dealt as first_round
from support.engine_positions import uncompiled as without_compiler
from support.matches import EDITIONS, SOLO_EDITIONS, chance_match
from support.scenes import NAMES
from support.slow_endings import endings
from support.vocabularies import words_of

SETTINGS: list[dict[str, Option]] = [
    {"solo_prince": prince, "solo_last_card": last}
    for prince, last in product(SWITCHES["solo_prince"], SWITCHES["solo_last_card"])
]


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    interpret(monkeypatch)


def interpret(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were no compiler."""
    without_compiler(monkeypatch)
    for module in (analysis, arrays, win_estimates):
        monkeypatch.setattr(module, "available", lambda: False)


def solo_game(seed: int, options: dict[str, Option] | None = None, slug: str = "solitaire") -> Iterator[Solo]:
    """A game in which any moves are made, at each decision and at its end."""
    rng = random.Random(f"review/{seed}")
    game = Solo(slug, options=options, rng=rng)
    while not game.over:
        yield game
        game.play(rng.choice(game.legal()))
    yield game


def finished(seed: int, options: dict[str, Option] | None = None, slug: str = "solitaire") -> Solo:
    """The same game at its end."""
    return list(solo_game(seed, options, slug))[-1]


# Hints


@pytest.mark.parametrize("slug", SOLO_EDITIONS)
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: "-".join(map(str, options.values())))
def test_hints_are_the_exact_values_of_all_legal_moves(slug: str, options: dict[str, Option]) -> None:
    for game in solo_game(3, options, slug):
        found = hints(game.view(0))
        assert found == solve(game).moves
        assert sorted(move for move, _ in found) == game.legal()
        assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)


def test_who_has_nothing_to_decide_gets_no_hint() -> None:
    assert hints(Solo(rng=random.Random(1)).view(None)) == ()
    assert hints(finished(1).view(0)) == ()


@pytest.mark.usefixtures("uncompiled")
def test_without_a_compiler_only_what_is_small_or_in_the_book_has_hints() -> None:
    given = []
    for game in (game for seed in range(4) for game in solo_game(seed) if not game.over):
        view = game.view(0)
        found = hints(view)
        given.append(bool(found))
        if found:
            assert found == solve(game).moves
        else:
            assert len(unseen(view)) > SMALL
            assert view.discards
    assert set(given) == {True, False}


# Reviews


def test_a_review_holds_each_move_against_the_best_one() -> None:
    for seed in range(4):
        game = finished(seed)
        review = solo_review(game.record())
        moves = game.record()["rounds"][0]["moves"]
        assert [(decision.ply, decision.move) for decision in review.decisions] == list(enumerate(moves))
        for decision, position in zip(review.decisions, solo_game(seed), strict=False):
            values = dict(solve(position).moves)
            assert decision.cost >= 0
            assert (decision.before, decision.after) == (max(values.values()), values[decision.move])
            assert values[decision.best] == pytest.approx(decision.before, abs=1e-9)
            assert (decision.best == decision.move) == (decision.cost <= 1e-9)


def test_the_line_of_a_review_is_what_was_left_to_win_and_ends_with_the_result() -> None:
    for seed in range(4):
        game = finished(seed)
        review = solo_review(game.record())
        assert review.line == (*(decision.before for decision in review.decisions), float(bool(game.winners)))


def test_an_unfinished_game_is_reviewed_as_far_as_it_went() -> None:
    *_, game = (game.copy() for game in solo_game(3) if not game.over)
    review = solo_review(game.record())
    assert len(review.decisions) == len(game.rounds[0].moves)
    assert review.line[-1] == solve(game).value
    assert solo_review(Solo(dealt=False).record()) == Review((), ())


def test_the_terminal_says_the_same() -> None:
    for seed in range(3):
        terminal, shown = at_the_terminal(seed)
        review = solo_review(terminal.game.record())
        assert [decision.cost for decision in review.decisions] == [loss.cost for loss in terminal.losses]
        assert review.cost > 0
        assert any(f"{100 * review.cost:.1f} points" in line for line in shown)


def at_the_terminal(seed: int) -> tuple[Terminal, list[str]]:
    """The same game typed in, and what was shown."""
    typed, shown = iter(finished(seed).record()["rounds"][0]["moves"]), list[str]()
    game = next(solo_game(seed))
    terminal = Terminal(game, words_of(game.edition), lambda prompt: next(typed), shown.append)
    terminal.play()
    return terminal, shown


@pytest.mark.usefixtures("uncompiled")
def test_without_a_compiler_a_review_has_gaps() -> None:
    for seed in range(3):
        game = finished(seed)
        review = solo_review(game.record())
        assert len(review.line) == len(game.rounds[0].moves) + 1
        assert [decision.before for decision in review.decisions] == [v for v in review.line[:-1] if v is not None]
        assert review.line[0] is not None  # the first turn is in the book
        assert review.line[-1] == float(bool(game.winners))


# The line of a match


@pytest.mark.parametrize("slug", EDITIONS)
def test_a_line_has_a_point_for_each_step_and_ends_with_the_result(slug: str) -> None:
    match, told = chance_match(slug, 2, 1), list[tuple[int, int]]()
    line = match_line(match.record(), 0.5, report=lambda done, total: told.append((done, total)))
    steps = [(k, at) for k, played in enumerate(match.rounds) for at in range(len(played.moves) + 1)]
    assert [(point.round, point.step) for point in line] == steps
    assert told == [(k, len(steps)) for k in range(1, len(steps) + 1)]
    assert all(0 <= point.chance <= 1 and 0 <= point.error < 0.1 for point in line)
    assert (line[-1].chance, line[-1].error) == (float(0 in match.winners), 0)
    assert all(
        (point.error == 0) == (at == len(match.rounds[k].moves)) for (k, at), point in zip(steps, line, strict=True)
    )


def test_the_same_seed_gives_the_same_line() -> None:
    record = chance_match("modern", 2, 2, 12).record()
    assert match_line(record, 1, seed=5) == match_line(record, 1, seed=5) != match_line(record, 1, seed=6)


def test_how_the_unseen_cards_lie_changes_no_chance() -> None:
    for slug in EDITIONS:
        match = chance_match(slug, 2, 3, 4)
        played, t, rng = match.rounds[-1], match.table, random.Random(3)
        places = unseen_places(t, match.rules)
        deck = list(played.deck)
        for place, other in zip(places, rng.sample(places, len(places)), strict=True):
            deck[place] = played.deck[other]
        twin = match.record()
        twin["rounds"][-1]["deck"] = [CARD_NAMES[card] for card in deck]
        assert twin != match.record()
        assert match_line(twin, 1)[-1] == match_line(match.record(), 1)[-1]


@pytest.mark.parametrize("slug", EDITIONS)
def test_an_even_start_is_even(slug: str) -> None:
    """A deal gives one seat what it gives the other if that one starts; shared wins are won twice, rarely."""
    for seed in range(5):
        first, second = (first_point(slug, seed, starter) for starter in (0, 1))
        error = hypot(first.error, second.error) / 2
        assert (first.chance + second.chance) / 2 == pytest.approx(0.5, abs=4 * error + 0.002)


def first_point(slug: str, seed: int, starter: int) -> Point:
    """The only point of a match that has just been dealt."""
    match = Match(slug, NAMES[:2], rng=random.Random(seed), dealt=False)
    match.deal(first=starter)
    (point,) = match_line(match.record(), 5)
    return point


def five_to_none() -> Match:
    """A match in which the first seat has guessed right five times, and is dealt the same cards again."""
    match = first_round("classic", ["guard", "priest"], "handmaid")
    deck = match.rounds[0].deck
    for _ in range(5):
        match.play("guard 1 priest")
        match.start(deck, 0)
    return match


def test_who_needs_one_more_seal_against_six_is_the_clear_favourite() -> None:
    match = five_to_none()
    line = match_line(match.record(), 1)
    ends = [line[k].chance for k in range(1, len(line), 2)]
    assert all(a < b for a, b in pairwise(ends))
    assert 0.4 < line[0].chance < 0.6
    assert ends[-1] > 0.97
    assert line[-1].chance > 0.97
    match.play("guard 1 priest")
    assert match_line(match.record(), 1)[-1] == Point(5, 1, 1.0, 0.0)


def mean_worth(match: Match) -> Callable[[Table, list[int]], float]:
    """What a round that goes on by the policy is worth to seat 0, by the sum over all that may be chosen."""
    policy, estimator = Policy(weights(match.rules)), WinEstimator(match.rules, score_chances(match.rules), 0)

    def mean(t: Table, notes: list[int]) -> float:
        if t.phase in (Phase.DEAL, Phase.OVER):
            return estimator.between_rounds(t)
        total = 0.0
        for move, chance in policy.scores(t, match.rules, notes).items():
            after, learnt = copy_table(t), notes[:]
            step(after, match.rules, learnt, move)
            total += chance * mean(after, learnt)
        return total

    return mean


def exact(match: Match) -> float:
    """The chance of the first seat: the mean over all orders of the unseen cards."""
    *_, (_, _, t, notes) = analysis._steps(match)
    places, mean, values = unseen_places(t, match.rules), mean_worth(match), []
    for order in permutations(t.deck[place] for place in places):
        deal = copy_table(t)
        for place, card in zip(places, order, strict=True):
            deal.deck[place] = card
        if deal.spare != NO_CARD:
            deal.spare = deal.deck[0]
        values.append(mean(deal, notes[:]))
    return sum(values) / len(values)


@pytest.mark.parametrize("slug", EDITIONS)
def test_the_last_turns_of_a_round_are_met_within_the_error(slug: str) -> None:
    for match in endings(slug, 1, 6):
        found = match_line(match.record(), 5)[-1]
        assert found.chance == pytest.approx(exact(match), abs=4 * found.error)


def test_a_forced_result_is_met_exactly() -> None:
    """The last card is drawn, the Countess has to go, and a Prince is less than a King."""
    match = last_turn()
    assert match.legal() == ["countess"]
    before = match_line(match.record(), 1)[-1]
    match.play("countess")
    after = match_line(match.record(), 1)[-1]
    assert match.rounds[0].winners == (0,)
    assert before.chance == pytest.approx(after.chance, abs=1e-9)
    assert before.error < 0.01


def last_turn() -> Match:
    """A round whose second player has drawn the last card, the Countess, and holds a Prince; the first has the King."""
    draws = "handmaid baron guard handmaid baron guard guard guard guard countess"
    match = first_round("classic", ["king", "prince"], draws, lying="princess prince priest priest")
    guesses = ("guard 1 baron", "guard 0 baron")
    for move in ("handmaid", "baron", guesses[0], "handmaid", "baron", guesses[1], *guesses, guesses[0]):
        match.play(move)
    return match


def test_the_players_of_simulated_rounds_know_no_more_than_they_saw() -> None:
    for slug, seed in product(EDITIONS, range(3)):
        match = chance_match(slug, 2, seed, 60)
        replayed = Match(slug, match.players, dealt=False)
        known = 0
        for number, at, t, notes in analysis._steps(match):
            advance(replayed, match, number, at)
            for seat in (0, 1) if replayed.turn is not None else ():
                card = notes[seat * SEATS + 1 - seat]
                if card != NO_CARD:
                    known += 1
                    assert replayed.view(seat).known[1 - seat][0] == card == t.hand[1 - seat]
        assert known


def advance(replayed: Match, match: Match, number: int, at: int) -> None:
    """Take the next step of another match."""
    played = match.rounds[number]
    if at:
        replayed.push(played.moves[at - 1])
    else:
        replayed.start(played.deck, played.first)


# What a score is worth


@pytest.mark.parametrize("slug", EDITIONS)
def test_deals_are_worth_what_the_score_before_them_is(slug: str) -> None:
    """What a round brings was measured once; should the policy change, it has to be measured again."""
    rules = Match(slug, NAMES[:2], dealt=False).rules
    estimator, rng = WinEstimator(rules, score_chances(rules), 0), random.Random(6)
    last = rules.goal - 1
    for starter in (0, 1):
        values = [estimator.estimate(*dealt_at(slug, (last, last), starter, rng), 60, k)[0] for k in range(400)]
        mean = sum(values) / len(values)
        error = (sum((value - mean) ** 2 for value in values)) ** 0.5 / len(values)
        told = score_chances(rules)[starter * rules.goal**2 + last * rules.goal + last]
        assert mean == pytest.approx(told, abs=4 * error)


def dealt_at(slug: str, tokens: tuple[int, int], starter: int, rng: random.Random) -> tuple[Table, list[int]]:
    """A table that has just been dealt at some score, and what the players know of each other."""
    match = Match(slug, NAMES[:2], rng=rng, dealt=False)
    match.deal(first=starter)
    ((_, _, t, notes),) = analysis._steps(match)
    t.tokens[:] = tokens
    return t, notes


@pytest.mark.parametrize("slug", EDITIONS)
def test_the_chances_of_scores_are_in_order(slug: str) -> None:
    rules = Match(slug, NAMES[:2], dealt=False).rules
    n, chances = rules.goal, score_chances(rules)
    assert sum(row[-1] for row in analysis._outcomes(rules)) == pytest.approx(1)
    for mine, theirs in product(range(n), repeat=2):
        starting, waiting = chances[mine * n + theirs], chances[n * n + mine * n + theirs]
        assert waiting < starting
        assert starting + chances[n * n + theirs * n + mine] == pytest.approx(1, abs=0.03)  # a win may be shared
        if mine:
            assert chances[(mine - 1) * n + theirs] < starting
        if theirs:
            assert chances[mine * n + theirs - 1] > starting


def test_a_shared_win_is_won_and_a_tie_break_is_even() -> None:
    rules = Match("premium", NAMES[:2], dealt=False).rules
    estimator, t = WinEstimator(rules, score_chances(rules), 0), Match("premium", NAMES[:2], dealt=False).table
    t.tokens, t.phase = [7, 7], Phase.OVER
    for champions, chance in ((1, 1.0), (2, 0.0), (3, 1.0)):
        t.champions = champions
        assert estimator.between_rounds(t) == chance
    t.phase, t.champions, t.tied = Phase.DEAL, 0, 3
    assert estimator.between_rounds(t) == 0.5


# Without a compiler, in other processes, for other games


@pytest.mark.parametrize(("slug", "decisions"), [("classic", 15), ("modern", 15), ("house", 15)])
def test_without_a_compiler_the_same_rounds_are_simulated(
    slug: str, decisions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = chance_match(slug, 2, 5, decisions)
    monkeypatch.setattr(analysis, "QUICK", analysis.SLOW)
    compiled = match_line(match.record(), 10)
    interpret(monkeypatch)
    interpreted = match_line(match.record(), 10)
    assert [point.chance for point in interpreted] == pytest.approx([point.chance for point in compiled], abs=1e-9)


@pytest.mark.usefixtures("uncompiled")
def test_without_a_compiler_a_line_ends_with_the_result_too() -> None:
    match = chance_match("modern", 2, 7)
    line = match_line(match.record(), 3)
    assert line[-1] == Point(len(match.rounds) - 1, len(match.rounds[-1].moves), float(0 in match.winners), 0.0)
    assert all(0 <= point.chance <= 1 for point in line)


def test_all_that_goes_in_and_comes_out_can_go_to_another_process() -> None:
    game, match = finished(2), chance_match("classic", 2, 1, 5)
    for thing in (
        game.view(0),
        game.record(),
        match.record(),
        solo_review(game.record()),
        match_line(match.record(), 1),
    ):
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert all(isinstance(decision, Decision) for decision in solo_review(game.record()).decisions)


@pytest.mark.parametrize("other", [chance_match("classic", 3, 1, 3), Solo()])
def test_only_a_match_of_two_has_a_line(other: Play) -> None:
    with pytest.raises(SuitorsError, match="two players"):
        match_line(other.record())


def test_only_a_solo_game_has_a_review() -> None:
    for decisions in (0, 3):
        with pytest.raises(SuitorsError, match="Only the solo editions"):
            solo_review(chance_match("classic", 2, 1, decisions).record())


def test_a_faulty_record_is_refused() -> None:
    for work in (solo_review, match_line):
        with pytest.raises(RecordError):
            work({"format": "another"})
