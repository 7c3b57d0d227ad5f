"""The solo game: the opponent's cards and the player's protection (R112, R116-R119, R122, R124, R125)."""

import pytest

from suitors import Card, Refusal, Solo
from suitors.rules import Event
from support.solo_scenes import agent, discarded, ended, hand, queue, solo, told

OFFERS = ["offer agent", "offer hand"]
ASKING = ("guard", "baron", "prince", "king")


def attacked(line: str, held: str, *, agent: str = "", pile: str | int = 3, shielded: bool = False) -> Solo:
    """After the player's Countess, which does nothing, and the leftmost card of the queue."""
    match = solo(line, f"{held} countess", agent=agent, pile=pile, shielded=shielded)
    match.play("countess")
    return match


# The offer


@pytest.mark.parametrize("card", ASKING)
@pytest.mark.parametrize("helper", ["guard", "(guard)"])
def test_targeting_the_player_decides_whether_the_hand_or_the_agent_is_hit(card: str, helper: str) -> None:
    assert attacked(f"({card}) (guard) princess", "guard", agent=helper).legal() == OFFERS


@pytest.mark.parametrize("card", ASKING)
def test_targeting_the_offer_is_asked_even_if_both_come_to_the_same(card: str) -> None:
    assert attacked(f"{card} princess", "guard", agent="guard").legal() == OFFERS


@pytest.mark.parametrize("card", ASKING)
def test_targeting_the_attacker_is_seen_while_the_offer_is_due(card: str) -> None:
    match = attacked(f"({card}) (guard) princess", "guard", agent="(guard)")
    assert match.view(0).attacker == Card[card.upper()]
    assert match.view(0).discards[-1] == Card[card.upper()]


@pytest.mark.parametrize("text", ["agent", "draw", "priest q1", "guard"])
def test_targeting_nothing_else_may_be_done_while_the_offer_is_due(text: str) -> None:
    match = attacked("guard (guard) princess", "priest", agent="(guard)")
    assert match.why_not(text) == Refusal.WRONG_STEP


@pytest.mark.parametrize("card", ["priest", "handmaid"])
def test_targeting_other_cards_ask_for_no_offer(card: str) -> None:
    assert attacked(f"{card} (guard) princess", "guard", agent="(guard)").legal() == ["agent", "draw"]


# Guard


def test_guard_on_the_hand_is_a_loss() -> None:
    match = attacked("guard (guard) princess", "king", agent="(guard)")
    match.play("offer hand")
    assert ended(match) == "lost"


@pytest.mark.parametrize("helper", ["king", "guard"])
def test_guard_on_a_face_up_agent_is_a_loss_even_if_it_is_a_guard(helper: str) -> None:
    match = attacked("guard (guard) princess", "priest", agent=helper)
    match.play("offer agent")
    assert ended(match) == "lost"


def test_guard_on_a_face_down_agent_only_turns_it_up() -> None:
    match = attacked("guard (guard) princess", "king", agent="(priest)")
    match.play("offer agent")
    assert (ended(match), agent(match), match.legal()) == ("", "priest", ["agent", "draw"])


@pytest.mark.parametrize("held", ["king", "guard"])
def test_guard_without_an_agent_hits_the_hand(held: str) -> None:
    assert ended(attacked("guard (guard) princess", held)) == "lost"


@pytest.mark.parametrize("helper", ["", "guard", "(guard)"])
def test_R112_the_handmaid_protects_from_a_guard_too(helper: str) -> None:
    match = solo("guard (guard) princess", "handmaid king", agent=helper)
    match.play("handmaid")
    assert (ended(match), agent(match)) == ("", helper)


# Priest


def test_priest_turns_a_face_down_agent_up() -> None:
    match = attacked("priest (guard) princess", "king", agent="(guard)")
    assert agent(match) == "guard"


@pytest.mark.parametrize("helper", ["", "guard"])
def test_priest_without_a_face_down_agent_has_no_effect(helper: str) -> None:
    match = attacked("priest (guard) princess", "king", agent=helper)
    assert (queue(match), agent(match)) == ("(guard) princess", helper)
    assert told(match, Event.REVEALED) == []


# Baron


def test_R116_the_offer_comes_before_the_next_card_is_revealed() -> None:
    match = attacked("baron (priest) princess", "king", agent="(guard)")
    assert match.legal() == OFFERS
    assert match.view(0).queue == (None, Card.PRINCESS)


def test_R116_a_lower_next_card_stays_up_and_only_the_baron_leaves() -> None:
    match = attacked("baron (priest) princess", "king", agent="(guard)")
    match.play("offer hand")
    assert (queue(match), discarded(match, 1)) == ("priest princess", "baron")


def test_R116_a_tie_does_nothing() -> None:
    match = attacked("baron (priest) princess", "priest", agent="(guard)")
    match.play("offer hand")
    assert (ended(match), queue(match), hand(match)) == ("", "priest princess", "priest")


def test_R116_a_higher_next_card_is_a_loss() -> None:
    match = attacked("baron (prince) princess", "priest", agent="(guard)")
    match.play("offer hand")
    assert ended(match) == "lost"


def test_R116_an_offered_face_down_agent_stays_up() -> None:
    match = attacked("baron (priest) princess", "guard", agent="(king)")
    match.play("offer agent")
    assert (ended(match), agent(match), queue(match)) == ("", "king", "priest princess")


def test_R116_an_offered_lower_agent_is_a_loss() -> None:
    match = attacked("baron (priest) princess", "king", agent="(guard)")
    match.play("offer agent")
    assert ended(match) == "lost"


def test_R116_the_agent_that_was_not_offered_stays_face_down() -> None:
    match = attacked("baron (priest) princess", "king", agent="(guard)")
    match.play("offer hand")
    assert agent(match) == "(guard)"


@pytest.mark.parametrize(("held", "end"), [("king", ""), ("guard", "lost")])
def test_R116_without_an_agent_the_hand_is_compared(held: str, end: str) -> None:
    assert ended(attacked("baron (priest) princess", held)) == end


@pytest.mark.parametrize("own", ["hand", "agent"])
def test_R117_the_princess_as_next_in_line_is_a_loss(own: str) -> None:
    match = attacked("baron princess", "king", agent="(prince)")
    match.play(f"offer {own}")
    assert ended(match) == "lost"


def test_R117_a_protected_player_survives_the_princess() -> None:
    match = solo("baron princess", "handmaid king", agent="(prince)")
    match.play("handmaid")
    assert (ended(match), queue(match)) == ("", "princess")


def test_R125_a_countess_next_in_line_is_a_plain_seven() -> None:
    match = solo("baron (countess) princess", "king guard", agent="(guard)", guarded=True)
    match.play("guard")
    match.play("offer hand")
    assert ended(match) == "lost"


def test_T46_i_the_baron_goes_and_the_priest_stays_face_up() -> None:
    match = attacked("(baron) (priest) princess", "king", agent="(guard)")
    match.play("offer hand")
    assert (discarded(match, 1), queue(match), ended(match)) == ("baron", "priest princess", "")


def test_T46_ii_the_baron_before_the_princess_is_a_loss() -> None:
    assert ended(attacked("(baron) princess", "king")) == "lost"


# Handmaid


def test_R118_all_cards_of_the_queue_are_protected_in_the_players_next_turn() -> None:
    match = attacked("handmaid guard (guard) princess", "guard", pile="priest")
    assert match.legal() == ["guard", "priest"]
    assert match.view(0).guarded


def test_R118_a_princess_behind_the_handmaid_is_protected() -> None:
    assert attacked("handmaid princess", "guard", pile="priest").legal() == ["guard", "priest"]


def test_R118_the_protection_ends_with_the_players_turn() -> None:
    match = attacked("handmaid priest guard princess", "guard", pile="handmaid priest")
    match.play("handmaid")
    assert match.legal() == ["guard q1", "priest q1"]
    assert not match.view(0).guarded


def test_R118_the_protection_lasts_through_a_turn_of_the_agent() -> None:
    match = attacked("handmaid priest guard princess", "guard", agent="(priest)", pile="baron")
    match.play("agent")
    assert discarded(match, 3) == "handmaid priest priest"


# Countess


def test_R125_in_the_queue_the_countess_has_no_effect() -> None:
    match = solo("(countess) (guard) princess", "priest handmaid", agent="(king)")
    match.play("priest q1")
    assert (queue(match), hand(match), agent(match)) == ("(guard) princess", "handmaid", "(king)")


# The player's Handmaid


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "prince", "king"])
def test_R119_the_handmaid_makes_every_opposing_card_harmless(card: str) -> None:
    match = solo(f"({card}) (guard) princess", "handmaid guard", agent="(guard)", pile=2)
    match.play("handmaid")
    assert match.legal() == ["agent", "draw"]
    assert (queue(match), hand(match), agent(match)) == ("(guard) princess", "guard", "(guard)")


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "prince", "king"])
def test_R119_the_opposing_card_is_discarded_all_the_same(card: str) -> None:
    match = solo(f"({card}) (guard) princess", "handmaid guard", agent="(guard)", pile=2)
    match.play("handmaid")
    assert (discarded(match, 2), match.view(0).pile) == (f"handmaid {card}", 2)


@pytest.mark.parametrize("card", ["guard", "baron", "prince", "king"])
def test_R119_without_an_agent_the_hand_is_protected(card: str) -> None:
    match = solo(f"{card} (countess) princess", "handmaid guard", pile="priest")
    match.play("handmaid")
    assert (hand(match), queue(match)) == ("guard priest", "(countess) princess")


@pytest.mark.parametrize("card", ASKING)
def test_R119_the_protection_is_for_one_turn_of_the_opponent(card: str) -> None:
    match = solo(f"priest {card} guard princess", "handmaid guard", agent="(guard)", pile="countess")
    match.play("handmaid")
    assert not match.view(0).protected
    match.play("draw")
    match.play("countess")
    assert match.legal() == OFFERS


def test_R119_an_opposing_handmaid_is_not_stopped() -> None:
    match = solo("handmaid (guard) princess", "handmaid guard", pile="priest")
    match.play("handmaid")
    assert match.legal() == ["guard", "priest"]


# Prince


def test_prince_on_the_hand_discards_it_and_draws() -> None:
    match = attacked("prince guard princess", "baron", agent="(guard)", pile="king priest")
    match.play("offer hand")
    assert (hand(match), discarded(match, 2), agent(match)) == ("king", "prince baron", "(guard)")


@pytest.mark.parametrize("helper", ["guard", "(guard)"])
def test_prince_on_the_agent_places_a_new_one_face_down(helper: str) -> None:
    match = attacked("prince guard princess", "baron", agent=helper, pile="king priest")
    match.play("offer agent")
    assert (agent(match), discarded(match, 2), hand(match)) == ("(king)", "prince guard", "baron")


def test_R122_without_an_agent_it_hits_the_hand() -> None:
    match = attacked("prince guard princess", "baron", pile="king priest")
    assert (hand(match), discarded(match, 2)) == ("king priest", "prince baron")


@pytest.mark.parametrize("own", ["hand", "agent"])
def test_R122_with_an_empty_pile_it_is_a_loss(own: str) -> None:
    match = attacked("prince guard princess", "baron", agent="(guard)", pile=0)
    match.play(f"offer {own}")
    assert ended(match) == "lost"


@pytest.mark.parametrize(("held", "helper", "own"), [("princess", "(guard)", "hand"), ("guard", "princess", "agent")])
def test_R122_the_princess_discarded_is_a_loss(held: str, helper: str, own: str) -> None:
    match = solo("prince guard", f"{held} countess", agent=helper)
    match.play("countess")
    match.play(f"offer {own}")
    assert ended(match) == "lost"


# King


@pytest.mark.parametrize("theirs", ["guard", "(guard)"])
def test_king_on_the_hand_trades_with_the_next_in_line_and_both_are_known(theirs: str) -> None:
    match = attacked(f"king {theirs} baron princess", "priest", agent="(handmaid)")
    match.play("offer hand")
    assert (hand(match), queue(match), agent(match)) == ("guard", "priest baron princess", "(handmaid)")


@pytest.mark.parametrize("theirs", ["guard", "(guard)"])
@pytest.mark.parametrize("mine", ["handmaid", "(handmaid)"])
def test_king_on_the_agent_trades_and_each_card_keeps_its_face(mine: str, theirs: str) -> None:
    match = attacked(f"king {theirs} baron princess", "priest", agent=mine)
    match.play("offer agent")
    assert (hand(match), queue(match), agent(match)) == ("priest", f"{mine} baron princess", theirs)


def test_king_without_an_agent_trades_the_hand() -> None:
    match = attacked("king (guard) princess", "priest", pile="baron")
    assert (hand(match), queue(match)) == ("guard baron", "priest princess")


def test_R124_the_princess_next_in_line_comes_into_the_hand() -> None:
    match = attacked("king princess", "priest", agent="(guard)")
    match.play("offer hand")
    assert (hand(match), queue(match), ended(match)) == ("princess", "priest", "")


def test_R124_the_princess_next_in_line_becomes_the_agent_face_up() -> None:
    match = attacked("king princess", "priest", agent="(guard)")
    match.play("offer agent")
    assert (agent(match), queue(match), ended(match)) == ("princess", "(guard)", "")


def test_R124_without_an_agent_she_comes_into_the_hand_before_the_draw() -> None:
    match = attacked("king princess", "priest", pile="handmaid")
    assert match.legal() == ["handmaid", "princess"]


@pytest.mark.parametrize("last", ["win", "strict"])
def test_T52_the_princess_taken_by_the_opposing_king_wins_a_turn_later(last: str) -> None:
    options = {"solo_last_card": last}
    match = solo("king princess", "priest countess", agent="(guard)", pile="handmaid", options=options)
    match.play("countess")
    match.play("offer hand")
    assert (hand(match), queue(match), match.legal()) == ("princess", "priest", ["agent", "draw"])
    match.play("draw")
    assert match.legal() == ["handmaid", "princess"]
    match.play("handmaid")
    assert (ended(match), discarded(match, 2), agent(match)) == ("won", "handmaid priest", "(guard)")
