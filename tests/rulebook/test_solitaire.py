"""The solo game: set-up, turns, the secret agent, what is seen (R106-R110, R126, R127, R131-R133)."""

from collections import Counter
from typing import Any

import pytest

from suitors import Card, Refusal, Solo, SuitorsError
from suitors.records.record import RecordError, replay
from suitors.rules import NO_CARD, Event
from suitors.view.data import view_data
from support.matches import SOLO_EDITIONS
from support.solo_scenes import agent, discarded, ended, hand, queue, solo

editions = pytest.mark.parametrize("edition", SOLO_EDITIONS)
COUNTS = {"guard": 5, "priest": 2, "baron": 2, "handmaid": 2, "prince": 2, "king": 1, "countess": 1}
NAMES = ("baron", "countess", "handmaid", "king", "priest", "prince", "princess")
QUEUE = ["countess", "guard", "guard", "priest", "guard", "baron"]
PILE = ["handmaid", "guard", "priest", "guard", "baron", "handmaid", "prince"]
DECK = [*QUEUE, "king", "prince", *PILE]


def dealt(edition: str = "solitaire", *moves: str) -> Solo:
    """A game dealt from DECK, after some moves."""
    match = Solo(edition, dealt=False)
    match.deal(DECK)
    for text in moves:
        match.play(text)
    return match


def record(edition: str = "solitaire", **changes: Any) -> dict[str, Any]:
    """A record of a game dealt from DECK, with changes to its round."""
    data = dealt(edition).record()
    data["rounds"][0] |= changes
    return data


# Set-up


@editions
@pytest.mark.parametrize(("card", "copies"), COUNTS.items())
def test_setup_the_deck_holds_so_many_of_each(edition: str, card: str, copies: int) -> None:
    assert Counter(Solo(edition).rules.box)[Card[card.upper()]] == copies


@editions
def test_setup_the_princess_is_removed_from_the_deck(edition: str) -> None:
    assert len(Solo(edition).rules.box) == 15
    assert Card.PRINCESS not in Solo(edition).rules.box


@pytest.mark.parametrize(
    ("edition", "high"), [("solitaire", [1, 2, 3, 4, 5, 6, 7, 8]), ("solitaire-2019", [1, 2, 3, 4, 5, 7, 8, 9])]
)
def test_R107_the_numbers_are_those_of_the_year_and_their_order_is_the_same(edition: str, high: list[int]) -> None:
    value = Solo(edition).rules.value
    order = (Card.GUARD, Card.PRIEST, Card.BARON, Card.HANDMAID, Card.PRINCE, Card.KING, Card.COUNTESS, Card.PRINCESS)
    assert [value[card] for card in order] == high


@editions
def test_R107_a_king_beats_a_prince_and_loses_to_a_countess_in_both_years(edition: str) -> None:
    prince = solo("guard (prince) princess", "baron king", edition=edition, agent="(guard)")
    prince.play("baron q2 hand")
    assert queue(prince) == "princess"
    countess = solo("guard (countess) princess", "baron king", edition=edition, agent="(guard)")
    countess.play("baron q2 hand")
    assert ended(countess) == "lost"


def test_setup_six_cards_lie_face_down_before_the_princess() -> None:
    assert queue(dealt()) == "(countess) (guard) (guard) (priest) (guard) (baron) princess"


def test_R109_the_princess_lies_face_up() -> None:
    assert dealt().view(0).queue == (None, None, None, None, None, None, Card.PRINCESS)


def test_setup_one_card_is_dealt_to_the_player() -> None:
    assert hand(dealt()) == "king"


def test_setup_one_card_is_the_agent_face_down() -> None:
    assert agent(dealt()) == "(prince)"


def test_setup_not_even_the_player_knows_the_agent() -> None:
    assert dealt().view(0).agent == (None,)


def test_R106_no_card_is_removed_so_seven_are_left_to_draw() -> None:
    assert dealt().view(0).pile == 7


def test_setup_the_card_drawn_is_the_ninth_of_the_deck() -> None:
    assert hand(dealt("solitaire", "draw")) == "king handmaid"


def test_setup_nothing_is_discarded() -> None:
    assert dealt().view(0).discards == ()


@pytest.mark.parametrize("players", [[], ["Ada", "Ben"]])
def test_introduction_it_is_a_game_for_one(players: list[str]) -> None:
    with pytest.raises(SuitorsError) as refused:
        Solo(players=players)
    assert refused.value.code == "bad-players"


@pytest.mark.parametrize("deck", [[*DECK, "princess"], [*DECK[1:], "princess"], DECK[1:], [*DECK[1:], "guard"]])
def test_setup_another_deck_is_refused(deck: list[str]) -> None:
    with pytest.raises(RecordError) as refused:
        replay(record(deck=deck))
    assert (refused.value.code, refused.value.round) == ("bad-deck", 0)


def test_taking_turns_nobody_else_can_start() -> None:
    with pytest.raises(RecordError) as refused:
        replay(record(first=1))
    assert refused.value.code == "bad-first"


# Taking turns


def test_taking_turns_the_player_always_starts() -> None:
    assert dealt().turn == 0
    assert dealt().view(0).discards == ()


def test_taking_turns_either_of_the_two_cards_may_be_played() -> None:
    assert solo("(guard) princess", "handmaid countess", agent="guard").legal() == ["countess", "handmaid"]


def test_taking_turns_the_other_card_is_kept() -> None:
    match = solo("countess guard princess", "handmaid priest", agent="(guard)")
    match.play("priest q2")
    assert hand(match) == "handmaid"


def test_taking_turns_two_equal_cards_give_each_move_once() -> None:
    assert solo("(guard) king princess", "priest priest").legal() == ["priest q1", "priest q2"]


def test_taking_turns_the_leftmost_card_of_the_queue_follows() -> None:
    assert queue(dealt("solitaire", "draw", "handmaid")) == "(guard) (guard) (priest) (guard) (baron) princess"


def test_R133_both_sides_discard_onto_one_pile() -> None:
    assert discarded(dealt("solitaire", "draw", "handmaid"), 9) == "handmaid countess"


def test_R133_there_are_no_tokens_before_the_end() -> None:
    assert dealt("solitaire", "draw", "handmaid").tokens == (0,)


def test_R108_the_next_in_line_is_the_new_leftmost() -> None:
    match = solo("countess (priest) handmaid princess", "handmaid guard", agent="(baron)")
    match.play("handmaid")
    assert queue(match) == "(priest) handmaid princess"


def test_R108_places_are_counted_anew_and_the_princess_is_the_last() -> None:
    match = solo("countess (priest) princess", "handmaid king", pile="baron")
    assert match.why_not("king q3 hand") == Refusal.PRINCESS_SHIELDED
    match.play("handmaid")
    assert match.legal() == ["baron q1 hand", "king q1 hand"]
    assert match.why_not("king q2 hand") == Refusal.PRINCESS_SHIELDED
    assert match.why_not("king q3 hand") == Refusal.NO_SUCH_PLACE


def test_taking_turns_without_an_agent_the_draw_happens_by_itself() -> None:
    match = solo("countess guard princess", "handmaid king", pile="baron priest")
    match.play("handmaid")
    assert hand(match) == "king baron"
    assert match.view(0).pile == 1


# Targets


@pytest.mark.parametrize(
    ("card", "legal"),
    [
        ("guard", ["countess", *(f"guard q1 {name}" for name in NAMES), "guard q2"]),
        ("priest", ["countess", "priest q1", "priest q2"]),
        ("baron", ["baron q1 agent", "baron q1 hand", "baron q2 agent", "baron q2 hand", "countess"]),
    ],
)
def test_targeting_any_card_before_the_princess_may_be_chosen(card: str, legal: list[str]) -> None:
    assert solo("(guard) priest princess", f"{card} countess", agent="(guard)").legal() == legal


def test_targeting_of_the_king_any_card_before_the_princess() -> None:
    expected = ["handmaid", "king q1 agent", "king q1 hand", "king q2 agent", "king q2 hand"]
    assert solo("(guard) priest princess", "king handmaid", agent="(guard)").legal() == expected


@pytest.mark.parametrize("move", ["guard q2", "priest q2", "baron q2 hand", "prince q2", "king q2 agent"])
def test_targeting_a_shielded_princess_is_barred(move: str) -> None:
    match = solo("(guard) princess", f"{move.split(maxsplit=1)[0]} handmaid", agent="guard")
    assert match.why_not(move) == Refusal.PRINCESS_SHIELDED


@pytest.mark.parametrize(
    ("card", "moves"),
    [
        ("guard", ["guard q1"]),
        ("priest", ["priest q1"]),
        ("baron", ["baron q1 agent", "baron q1 hand"]),
        ("prince", ["prince agent", "prince hand", "prince q1"]),
        ("king", ["king q1 agent", "king q1 hand"]),
    ],
)
def test_targeting_an_unshielded_princess_may_be_chosen(card: str, moves: list[str]) -> None:
    assert solo("princess", f"{card} handmaid", agent="(guard)").legal() == sorted(["handmaid", *moves])


@pytest.mark.parametrize("own", ["hand", "agent"])
@pytest.mark.parametrize("move", ["guard {}", "guard {} king", "priest {}", "baron {} hand", "king {} hand"])
def test_R110_only_the_prince_may_hit_an_own_card(move: str, own: str) -> None:
    match = solo("(guard) princess", f"{move.split(maxsplit=1)[0]} handmaid", agent="guard")
    assert match.why_not(move.format(own)) == Refusal.NOT_ONESELF


def test_R110_the_prince_may_choose_the_hand_and_the_agent() -> None:
    match = solo("(guard) king princess", "prince handmaid", agent="guard")
    assert match.legal() == ["handmaid", "prince agent", "prince hand", "prince q1", "prince q2"]


# The secret agent


def test_R126_the_agent_is_played_instead_of_drawing() -> None:
    assert dealt().legal() == ["agent", "draw"]


def test_R126_after_drawing_it_is_too_late_for_the_agent() -> None:
    assert dealt("solitaire", "draw").why_not("agent") == Refusal.WRONG_STEP


def test_R126_a_face_up_agent_may_be_played_too() -> None:
    assert solo("guard princess", "priest", agent="guard").legal() == ["agent", "draw"]


def test_R126_the_agent_is_revealed_and_then_it_chooses() -> None:
    match = solo("(guard) king princess", "countess", agent="(priest)")
    match.play("agent")
    assert match.view(0).calling == Card.PRIEST
    assert match.legal() == ["priest q1", "priest q2"]


def test_R126_a_revealed_agent_cannot_be_taken_back() -> None:
    match = solo("(guard) king princess", "countess", agent="(priest)")
    match.play("agent")
    assert match.why_not("draw") == Refusal.WRONG_STEP
    assert match.why_not("countess") == Refusal.NOT_HELD


def test_R126_the_hand_stays_one_card() -> None:
    match = solo("countess (guard) princess", "king", agent="(priest)", pile="baron")
    match.play("agent")
    assert hand(match) == "king"
    assert match.view(0).pile == 1


def test_R126_the_agent_is_not_replaced() -> None:
    match = solo("countess (guard) princess", "king", agent="(priest)", pile="baron")
    match.play("agent")
    match.play("priest q2")
    assert agent(match) == ""
    assert hand(match) == "king baron"


def test_R126_the_agent_goes_to_the_discard_pile() -> None:
    match = solo("countess (guard) princess", "king", agent="(priest)")
    match.play("agent")
    match.play("priest q2")
    assert discarded(match, 2) == "priest countess"


def test_R126_a_countess_as_agent_is_wasted() -> None:
    match = solo("handmaid (guard) princess", "king", agent="(countess)")
    match.play("agent")
    assert discarded(match, 2) == "countess handmaid"
    assert queue(match) == "(guard) princess"


def test_R126_a_handmaid_as_agent_resolves_by_itself() -> None:
    match = solo("guard (guard) princess", "king", agent="(handmaid)", pile="priest")
    match.play("agent")
    assert discarded(match, 2) == "handmaid guard"
    assert hand(match) == "king priest"


def test_R126_the_princess_as_agent_is_a_loss() -> None:
    match = solo("guard", "king", agent="princess")
    match.play("agent")
    assert ended(match) == "lost"


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_R126_an_agent_with_nothing_to_choose_resolves_by_itself(card: str) -> None:
    match = solo("countess (guard) princess", "handmaid", agent=f"({card})", guarded=True)
    match.play("agent")
    assert discarded(match, 2) == f"{card} countess"
    assert queue(match) == "(guard) princess"


def test_R126_a_prince_as_agent_has_no_agent_to_choose() -> None:
    match = solo("(guard) king princess", "handmaid", agent="(prince)")
    match.play("agent")
    assert match.legal() == ["prince hand", "prince q1", "prince q2"]


def test_R126_a_prince_as_agent_before_a_guarded_queue_must_choose_the_hand() -> None:
    match = solo("(guard) king princess", "handmaid", agent="(prince)", guarded=True)
    match.play("agent")
    assert match.legal() == ["prince hand"]


def test_R127_with_an_empty_pile_the_agent_may_be_played() -> None:
    match = solo("guard princess", "priest", agent="(guard)", pile=0)
    assert match.legal() == ["agent"]
    assert match.why_not("draw") == Refusal.PILE_EMPTY


def test_R127_with_an_empty_pile_and_no_agent_the_game_is_lost() -> None:
    match = solo("countess guard princess", "handmaid king", pile=0)
    match.play("handmaid")
    assert ended(match) == "lost"


@pytest.mark.parametrize(("helper", "end", "legal"), [("(guard)", "", ["agent"]), ("", "lost", [])])
def test_T50_an_empty_pile_at_the_start_of_a_turn(helper: str, end: str, legal: list[str]) -> None:
    match = solo("countess guard princess", "handmaid king", agent=helper, pile=0)
    match.play("handmaid")
    assert (ended(match), match.legal()) == (end, legal)


# Visibility


def test_visibility_the_queue_and_the_agent_are_seen_only_where_they_lie_face_up() -> None:
    view = solo("(guard) king princess", "priest", agent="(guard)").view(0)
    assert view.queue == (None, Card.KING, Card.PRINCESS)
    assert view.agent == (None,)


def test_visibility_a_spectator_knows_what_the_player_knows() -> None:
    match = dealt("solitaire", "draw", "handmaid", "draw")
    mine, theirs = view_data(match.view(0)), view_data(match.view(None))
    differing = {key for key in mine if mine[key] != theirs[key]}
    assert differing == {"seat", "legal"}
    assert theirs["legal"] == []


@pytest.mark.parametrize("place", ["q2", "agent"])
def test_visibility_a_replacement_face_down_is_told_without_its_card(place: str) -> None:
    match = solo("countess (guard) princess", "prince king", agent="(guard)", pile="baron")
    match.play(f"prince {place}")
    drew = [e for e in match.view(0).log[0] if e.event == Event.DREW]
    assert [e.card for e in drew] == [NO_CARD]
