"""The solo game: the player's cards (R111, R113-R115, R118, R120-R123, R125)."""

import pytest

from suitors import Card, Refusal
from suitors.rules import Event
from support.solo_scenes import agent, discarded, ended, hand, queue, solo, told

NAMES = ("baron", "countess", "handmaid", "king", "priest", "prince", "princess")
REMOVE = {"solo_prince": "remove"}
switch = pytest.mark.parametrize("prince", ["replace", "remove"])

# Guard


def test_guard_a_face_down_card_is_named_and_never_as_a_guard() -> None:
    expected = ["countess", *(f"guard q1 {name}" for name in NAMES)]
    assert solo("(guard) princess", "guard countess").legal() == expected


def test_guard_that_names_the_guard_is_refused() -> None:
    assert solo("(guard) princess", "guard countess").why_not("guard q1 guard") == Refusal.NOT_NAMEABLE


def test_guard_that_names_nothing_on_a_face_down_card_is_refused() -> None:
    assert solo("(guard) princess", "guard countess").why_not("guard q1") == Refusal.MUST_NAME


def test_guard_that_is_right_discards_the_card() -> None:
    match = solo("countess (priest) baron princess", "guard king", agent="(guard)")
    match.play("guard q2 priest")
    assert queue(match) == "baron princess"
    assert discarded(match, 3) == "guard priest countess"


def test_guard_that_is_wrong_leaves_the_card_face_up() -> None:
    match = solo("countess (priest) baron princess", "guard king", agent="(guard)")
    match.play("guard q2 baron")
    assert queue(match) == "priest baron princess"


def test_guard_that_turned_up_a_guard_leaves_it() -> None:
    match = solo("countess (guard) princess", "guard king", agent="(guard)")
    match.play("guard q2 princess")
    assert queue(match) == "guard princess"


def test_R111_on_a_face_up_card_nothing_is_named() -> None:
    match = solo("priest princess", "guard countess")
    assert match.legal() == ["countess", "guard q1"]
    assert match.why_not("guard q1 priest") == Refusal.NAMES_NOTHING


@pytest.mark.parametrize("card", ["guard", "priest", "handmaid", "king"])
def test_R111_a_face_up_card_is_discarded_at_once_even_a_guard(card: str) -> None:
    match = solo(f"countess {card} princess", "guard baron", agent="(guard)")
    match.play("guard q2")
    assert queue(match) == "princess"


def test_guard_on_the_leftmost_card_leaves_the_next_to_act() -> None:
    match = solo("guard countess princess", "guard baron", agent="(guard)")
    match.play("guard q1")
    assert discarded(match, 3) == "guard guard countess"


def test_T44_a_wrong_guess_leaves_the_handmaid_up_and_a_later_guard_discards_her() -> None:
    match = solo("countess priest (handmaid) princess", "guard guard", agent="baron")
    match.play("guard q3 baron")
    assert queue(match) == "priest handmaid princess"
    match.play("draw")
    match.play("guard q2")
    assert queue(match) == "princess"


# Priest


def test_priest_turns_a_card_of_the_queue_up() -> None:
    match = solo("countess (guard) princess", "priest king", agent="(guard)")
    match.play("priest q2")
    assert queue(match) == "guard princess"


def test_R113_it_chooses_only_cards_of_the_queue_and_no_shielded_princess() -> None:
    match = solo("(guard) king princess", "priest countess", agent="(guard)")
    assert match.legal() == ["countess", "priest q1", "priest q2"]


def test_R113_a_face_up_card_stays_as_it_is() -> None:
    match = solo("countess guard princess", "priest king", agent="(guard)")
    match.play("priest q2")
    assert queue(match) == "guard princess"
    assert told(match, Event.REVEALED) == []


def test_R113_the_unshielded_princess_may_be_chosen_without_effect() -> None:
    match = solo("princess", "priest countess", agent="(guard)")
    assert match.legal() == ["countess", "priest q1"]
    match.play("priest q1")
    assert discarded(match, 2) == "priest princess"
    assert ended(match) == "lost"  # she had to be played


# Baron


def test_baron_the_own_card_to_compare_is_named() -> None:
    match = solo("(guard) princess", "baron countess", agent="(guard)")
    assert match.legal() == ["baron q1 agent", "baron q1 hand", "countess"]
    assert match.why_not("baron q1") == Refusal.OWN_CARD


def test_baron_without_an_agent_compares_the_hand() -> None:
    match = solo("(guard) princess", "baron countess")
    assert match.legal() == ["baron q1 hand", "countess"]
    assert match.why_not("baron q1 agent") == Refusal.NO_AGENT


def test_baron_the_lower_card_of_the_queue_is_discarded() -> None:
    match = solo("countess (priest) guard princess", "baron king", agent="(guard)")
    match.play("baron q2 hand")
    assert queue(match) == "guard princess"
    assert discarded(match, 3) == "baron priest countess"


def test_baron_the_higher_card_of_the_queue_is_a_loss() -> None:
    match = solo("countess (king) princess", "baron priest", agent="(guard)")
    match.play("baron q2 hand")
    assert ended(match) == "lost"


def test_R114_a_tie_does_nothing_and_both_stay_up() -> None:
    match = solo("countess (priest) princess", "baron king", agent="(priest)")
    match.play("baron q2 agent")
    assert (queue(match), agent(match)) == ("priest princess", "priest")


def test_R114_a_tie_with_the_hand_leaves_the_card_up() -> None:
    match = solo("countess (priest) princess", "baron priest", agent="(guard)")
    match.play("baron q2 hand")
    assert (queue(match), hand(match)) == ("priest princess", "priest")


def test_R114_with_only_the_princess_left_it_must_choose_her() -> None:
    match = solo("princess", "baron countess")
    assert match.legal() == ["baron q1 hand", "countess"]
    assert match.why_not("baron") == Refusal.MUST_CHOOSE


def test_R114_against_the_princess_it_loses() -> None:
    match = solo("princess", "baron countess")
    match.play("baron q1 hand")
    assert ended(match) == "lost"
    assert queue(match) == "princess"


def test_R115_a_face_down_agent_chosen_is_turned_up_and_compared() -> None:
    match = solo("countess (priest) princess", "baron guard", agent="(king)")
    match.play("baron q2 agent")
    assert (queue(match), agent(match)) == ("princess", "king")


def test_R115_an_agent_that_turns_out_lower_is_a_loss() -> None:
    match = solo("countess (priest) princess", "baron king", agent="(guard)")
    match.play("baron q2 agent")
    assert ended(match) == "lost"


def test_R115_the_choice_is_made_in_the_move_whatever_the_agent_is() -> None:
    king, guard = (solo("(priest) princess", "baron countess", agent=card) for card in ("(king)", "(guard)"))
    assert king.legal() == guard.legal() == ["baron q1 agent", "baron q1 hand", "countess"]


def test_R115_with_the_hand_chosen_the_agent_stays_face_down() -> None:
    match = solo("countess (priest) princess", "baron king", agent="(guard)")
    match.play("baron q2 hand")
    assert agent(match) == "(guard)"


def test_R115_as_agent_it_compares_the_hand() -> None:
    match = solo("(guard) (priest) princess", "king", agent="(baron)")
    match.play("agent")
    assert match.legal() == ["baron q1 hand", "baron q2 hand"]


# The queue is protected


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_R118_a_card_that_finds_the_queue_protected_is_played_bare(card: str) -> None:
    match = solo("(guard) guard princess", f"{card} handmaid", agent="guard", guarded=True)
    assert match.legal() == sorted([card, "handmaid"])


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_R118_such_a_card_has_no_effect(card: str) -> None:
    match = solo("countess (guard) princess", f"{card} handmaid", agent="(guard)", guarded=True)
    match.play(card)
    assert (queue(match), hand(match), agent(match)) == ("(guard) princess", "handmaid", "(guard)")
    assert discarded(match, 2) == f"{card} countess"


def test_R118_the_unshielded_princess_is_protected_too() -> None:
    assert solo("princess", "guard handmaid", guarded=True).legal() == ["guard", "handmaid"]


def test_R118_a_prince_must_hit_an_own_card() -> None:
    match = solo("(guard) guard princess", "prince handmaid", agent="guard", guarded=True)
    assert match.legal() == ["handmaid", "prince agent", "prince hand"]
    assert match.why_not("prince q1") == Refusal.PROTECTED


def test_R118_a_prince_without_an_agent_must_hit_the_hand() -> None:
    assert solo("(guard) princess", "prince king", guarded=True).legal() == ["king", "prince hand"]


# Prince


def test_R120_a_prince_on_a_queue_card_replaces_it_face_down() -> None:
    match = solo("countess (guard) king princess", "prince priest", agent="(guard)", pile="handmaid baron")
    match.play("prince q2")
    assert queue(match) == "(handmaid) king princess"
    assert discarded(match, 3) == "prince guard countess"


def test_R120_a_face_up_card_is_replaced_face_down() -> None:
    match = solo("countess king guard princess", "prince priest", agent="(guard)", pile="handmaid baron")
    match.play("prince q2")
    assert queue(match) == "(handmaid) guard princess"


def test_R120_the_new_card_comes_from_the_draw_pile() -> None:
    match = solo("countess guard princess", "prince priest", agent="(guard)", pile="handmaid baron")
    match.play("prince q2")
    assert match.view(0).pile == 1


def test_R120_a_replaced_leftmost_card_acts_at_once() -> None:
    match = solo("(guard) princess", "prince priest", agent="(guard)", pile="countess")
    match.play("prince q1")
    assert discarded(match, 3) == "prince guard countess"


def test_R120_an_empty_pile_is_a_loss() -> None:
    match = solo("countess (guard) princess", "prince priest", agent="(guard)", pile=0)
    match.play("prince q2")
    assert ended(match) == "lost"


def test_R120_remove_the_queue_card_is_discarded_and_nothing_drawn() -> None:
    match = solo("countess (guard) king princess", "prince priest", agent="(guard)", pile=2, options=REMOVE)
    match.play("prince q2")
    assert (queue(match), match.view(0).pile) == ("king princess", 2)
    assert discarded(match, 3) == "prince guard countess"


def test_R120_remove_an_empty_pile_does_no_harm() -> None:
    match = solo("countess (guard) princess", "prince priest", agent="(guard)", pile=0, options=REMOVE)
    match.play("prince q2")
    assert (ended(match), queue(match)) == ("", "princess")


def test_R120_remove_the_only_card_of_the_queue_wins() -> None:
    match = solo("guard", "prince princess", pile=0, options=REMOVE)
    match.play("prince q1")
    assert ended(match) == "won"


def test_R120_the_only_card_of_the_queue_is_replaced() -> None:
    match = solo("guard", "prince princess", pile="baron")
    match.play("prince q1")
    assert (ended(match), discarded(match, 3)) == ("won", "prince guard baron")  # the lone Baron by R128


@switch
@pytest.mark.parametrize("pile", [0, 2])
def test_R121_on_the_unshielded_princess_it_wins_and_draws_nothing(prince: str, pile: int) -> None:
    match = solo("princess", "prince handmaid", pile=pile, options={"solo_prince": prince})
    match.play("prince q1")
    assert (ended(match), match.view(0).pile) == ("won", pile)


@switch
def test_T48_the_prince_on_the_princess_with_an_empty_pile_wins(prince: str) -> None:
    match = solo("princess", "prince guard", pile=0, options={"solo_prince": prince})
    match.play("prince q1")
    assert (ended(match), told(match, Event.DREW)) == ("won", [])


@switch
def test_R122_on_the_own_hand_a_new_card_is_drawn(prince: str) -> None:
    match = solo("countess princess", "prince guard", agent="(guard)", pile="king", options={"solo_prince": prince})
    match.play("prince hand")
    assert (hand(match), discarded(match, 3)) == ("king", "prince guard countess")


@switch
def test_R122_on_the_own_agent_the_new_one_lies_face_down(prince: str) -> None:
    match = solo("countess princess", "prince guard", agent="guard", pile="king", options={"solo_prince": prince})
    match.play("prince agent")
    assert (agent(match), match.view(0).agent) == ("(king)", (None,))


@switch
@pytest.mark.parametrize("own", ["hand", "agent"])
def test_R122_on_an_own_card_an_empty_pile_is_a_loss(prince: str, own: str) -> None:
    match = solo("countess princess", "prince guard", agent="guard", pile=0, options={"solo_prince": prince})
    match.play(f"prince {own}")
    assert ended(match) == "lost"


@switch
def test_R122_the_princess_discarded_from_the_agent_is_a_loss(prince: str) -> None:
    match = solo("guard", "prince guard", agent="princess", options={"solo_prince": prince})
    match.play("prince agent")
    assert ended(match) == "lost"


def test_R122_without_an_agent_only_the_hand_is_there() -> None:
    match = solo("(guard) princess", "prince handmaid")
    assert match.legal() == ["handmaid", "prince hand", "prince q1"]
    assert match.why_not("prince agent") == Refusal.NO_AGENT


# King


@pytest.mark.parametrize("theirs", ["baron", "(baron)"])
def test_R123_the_hand_goes_face_up_into_the_queue(theirs: str) -> None:
    match = solo(f"countess {theirs} princess", "king priest", agent="(guard)")
    match.play("king q2 hand")
    assert (queue(match), hand(match)) == ("priest princess", "baron")


@pytest.mark.parametrize("mine", ["(guard)", "guard"])
@pytest.mark.parametrize("theirs", ["(baron)", "baron"])
def test_R123_an_agent_and_a_queue_card_keep_their_faces(mine: str, theirs: str) -> None:
    match = solo(f"countess {theirs} princess", "king priest", agent=mine)
    match.play("king q2 agent")
    assert (queue(match), agent(match), hand(match)) == (f"{mine} princess", theirs, "priest")


def test_R123_a_face_down_card_taken_as_agent_stays_unseen() -> None:
    match = solo("countess (baron) princess", "king priest", agent="guard")
    match.play("king q2 agent")
    assert match.view(0).agent == (None,)
    assert match.view(0).queue == (Card.GUARD, Card.PRINCESS)


def test_R123_without_an_agent_the_hand_is_traded() -> None:
    assert solo("(baron) princess", "king priest").legal() == ["king q1 hand", "priest q1"]


def test_R123_as_agent_it_trades_the_hand() -> None:
    match = solo("(guard) baron princess", "priest", agent="(king)")
    match.play("agent")
    assert match.legal() == ["king q1 hand", "king q2 hand"]


def test_R123_a_traded_leftmost_card_acts_at_once() -> None:
    match = solo("guard princess", "king handmaid", agent="(guard)")
    match.play("king q1 hand")
    assert (discarded(match, 2), hand(match)) == ("king handmaid", "guard")


@pytest.mark.parametrize(("own", "held", "helper"), [("hand", "princess", "(guard)"), ("agent", "priest", "princess")])
def test_R128_trading_for_the_unshielded_princess_is_a_winning_move(own: str, held: str, helper: str) -> None:
    match = solo("princess", "king priest", agent="(guard)")
    match.play(f"king q1 {own}")
    assert (ended(match), hand(match), agent(match)) == ("won", held, helper)


# Countess


@pytest.mark.parametrize("held", ["countess king", "king countess", "countess prince", "prince countess"])
def test_R125_she_is_forced_with_a_king_or_prince_in_hand(held: str) -> None:
    match = solo("guard princess", held, agent="(guard)")
    assert match.legal() == ["countess"]


def test_R125_the_other_card_is_refused_because_of_her() -> None:
    match = solo("guard princess", "countess king", agent="(guard)")
    assert match.why_not("king q1 hand") == Refusal.COUNTESS_FIRST


def test_R125_she_is_free_with_a_king_as_agent() -> None:
    match = solo("guard princess", "countess handmaid", agent="king")
    assert match.legal() == ["countess", "handmaid"]


@pytest.mark.parametrize(
    ("card", "moves"), [("king", ["king q1 hand"]), ("prince", ["prince hand", "prince q1"]), ("countess", [])]
)
def test_R125_an_agent_is_played_whatever_is_in_the_hand(card: str, moves: list[str]) -> None:
    match = solo("guard princess", "king" if card == "countess" else "countess", agent=card, pile=2)
    match.play("agent")
    assert match.legal() == moves


def test_R125_a_king_as_agent_is_accepted_with_her_in_the_hand() -> None:
    match = solo("guard (guard) princess", "countess", agent="king")
    match.play("agent")
    match.play("king q2 hand")
    assert hand(match) == "guard"


def test_R125_played_she_has_no_effect() -> None:
    match = solo("priest (guard) princess", "countess king", agent="baron", pile=2)
    match.play("countess")
    assert (queue(match), hand(match), agent(match)) == ("(guard) princess", "king", "baron")
