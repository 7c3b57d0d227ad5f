"""The solo game: win and loss, the last card of the queue (R121, R127-R132)."""

import pytest

from suitors import Refusal, Solo
from suitors.records.record import RecordError, replay, summary
from support.solo_scenes import agent, discarded, ended, hand, queue, solo

both = pytest.mark.parametrize("last", ["win", "strict"])
OTHERS = ("guard", "priest", "baron", "handmaid", "prince", "king")


def lone(card: str, *, last: str, agent: str = "", pile: str | int = 2, shielded: bool = False) -> Solo:
    """After the player's Countess, with the Princess in hand: the only card of the queue has had its turn."""
    options = {"solo_last_card": last}
    match = solo(card, "princess countess", agent=agent, pile=pile, shielded=shielded, options=options)
    match.play("countess")
    return match


# Victory


def test_R129_the_queue_emptied_by_the_player_is_won_at_once() -> None:
    match = solo("princess", "guard handmaid", agent="(guard)")
    match.play("guard q1")
    assert ended(match) == "won"
    assert queue(match) == ""


def test_R129_nothing_is_played_after_the_win() -> None:
    match = solo("princess", "guard handmaid", agent="(guard)")
    match.play("guard q1")
    assert discarded(match, 2) == "guard princess"


def test_R129_the_queue_may_be_emptied_by_the_agent() -> None:
    match = solo("princess", "handmaid", agent="(guard)")
    match.play("agent")
    match.play("guard q1")
    assert ended(match) == "won"


def test_R129_a_lone_card_that_the_player_knocks_out_wins_too() -> None:
    match = solo("priest", "guard princess", options={"solo_last_card": "strict"})
    match.play("guard q1")
    assert ended(match) == "won"
    assert discarded(match, 2) == "guard priest"


def test_victory_a_win_is_one_token() -> None:
    match = solo("princess", "guard handmaid")
    match.play("guard q1")
    row = {"winners": [0], "end": "won", "tokens": [1]}
    expected = {"over": True, "tokens": [1], "winners": [0], "rounds": [row], "turn": None, "next": None}
    assert summary(match) == expected


def test_victory_a_loss_is_no_token() -> None:
    match = solo("princess", "countess handmaid")
    match.play("countess")
    row = {"winners": [], "end": "lost", "tokens": [0]}
    expected = {"over": True, "tokens": [0], "winners": [], "rounds": [row], "turn": None, "next": None}
    assert summary(match) == expected


@pytest.mark.parametrize(("card", "won"), [("guard q1", True), ("handmaid", False)])
def test_victory_the_view_says_who_won(card: str, won: bool) -> None:
    match = solo("princess", "guard handmaid")
    assert match.view(0).won is None
    match.play(card)
    assert match.view(0).won is won


@pytest.mark.parametrize("card", ["guard q1", "handmaid"])
def test_victory_no_decision_follows_the_end(card: str) -> None:
    match = solo("princess", "guard handmaid", agent="(guard)")
    match.play(card)
    assert (match.turn, match.legal()) == (None, [])
    assert match.why_not("agent") == Refusal.NO_DECISION


def test_victory_there_is_one_round_only() -> None:
    box = "guard countess guard guard guard guard king prince priest handmaid priest baron baron handmaid prince"
    lost = {"first": 0, "deck": box.split(), "moves": ["draw", "priest q2", "offer hand"]}
    data = {"format": "suitors-record/1", "edition": "solitaire", "players": ["Ada"], "rounds": [lost, lost]}
    with pytest.raises(RecordError) as refused:
        replay(data)
    assert (refused.value.code, refused.value.round) == ("after-the-end", 1)


# Loss


@both
@pytest.mark.parametrize("shielded", [False, True])
def test_victory_a_princess_who_must_be_played_is_a_loss(last: str, shielded: bool) -> None:
    match = solo("princess", "countess priest", agent="(guard)", shielded=shielded, options={"solo_last_card": last})
    match.play("countess")
    assert ended(match) == "lost"


def test_victory_a_draw_due_from_an_empty_pile_is_a_loss() -> None:
    match = solo("countess guard princess", "handmaid king", pile=0)
    match.play("handmaid")
    assert ended(match) == "lost"


def test_victory_the_last_card_of_the_pile_may_be_drawn() -> None:
    match = solo("countess guard princess", "handmaid king", pile=1)
    match.play("handmaid")
    assert ended(match) == ""
    assert match.view(0).pile == 0


@pytest.mark.parametrize("card", ["guard q1", "prince q1"])
def test_R130_a_winning_card_draws_nothing(card: str) -> None:
    match = solo("princess", f"{card.split(maxsplit=1)[0]} handmaid", pile=2)
    match.play(card)
    assert (ended(match), match.view(0).pile) == ("won", 2)


@pytest.mark.parametrize("card", ["guard q1", "prince q1"])
def test_R130_a_winning_card_wins_with_an_empty_pile(card: str) -> None:
    match = solo("princess", f"{card.split(maxsplit=1)[0]} handmaid", pile=0)
    match.play(card)
    assert ended(match) == "won"


@pytest.mark.parametrize(
    ("line", "held", "helper", "moves", "left"),
    [
        ("guard", "princess prince", "", ["prince hand"], ("guard", "", "")),
        ("guard", "handmaid prince", "princess", ["prince agent"], ("guard", "handmaid", "")),
        ("guard princess", "handmaid prince", "(guard)", ["prince hand"], ("guard princess", "", "(guard)")),
        ("guard princess", "handmaid prince", "(guard)", ["prince agent"], ("guard princess", "handmaid", "")),
        (
            "guard (king) princess",
            "handmaid prince",
            "(guard)",
            ["prince q2"],
            ("guard princess", "handmaid", "(guard)"),
        ),
        ("prince princess", "handmaid countess", "guard", ["countess", "offer hand"], ("princess", "", "guard")),
        ("prince princess", "handmaid countess", "guard", ["countess", "offer agent"], ("princess", "handmaid", "")),
    ],
)
def test_R122_a_card_that_a_fatal_prince_discards_lies_on_the_discard_pile_only(
    line: str, held: str, helper: str, moves: list[str], left: tuple[str, str, str]
) -> None:
    match = solo(line, held, agent=helper, pile=0)
    for text in moves:
        match.play(text)
    assert ended(match) == "lost"
    assert (queue(match), hand(match), agent(match)) == left


# The Princess in the hand


def test_R131_the_other_card_may_be_played() -> None:
    assert solo("guard", "princess countess").legal() == ["countess", "princess"]


def test_R131_playing_her_is_a_loss() -> None:
    match = solo("guard", "princess countess")
    match.play("princess")
    assert ended(match) == "lost"


def test_R131_choosing_her_with_a_prince_is_a_loss() -> None:
    match = solo("guard", "princess prince")
    match.play("prince hand")
    assert ended(match) == "lost"


def test_R131_a_guard_on_her_is_a_loss() -> None:
    assert ended(lone("guard", last="strict")) == "lost"


def test_R132_only_the_targeted_card_leaves() -> None:
    match = solo("countess guard priest princess", "guard king", agent="(guard)")
    match.play("guard q2")
    assert queue(match) == "priest princess"
    assert ended(match) == ""


# The last card of the queue


@pytest.mark.parametrize("card", OTHERS)
def test_R128_a_lone_card_is_discarded_unresolved_and_the_game_won(card: str) -> None:
    match = lone(card, last="win")
    assert (ended(match), discarded(match, 2)) == ("won", f"countess {card}")


@pytest.mark.parametrize("card", OTHERS)
def test_R128_a_lone_card_asks_for_no_offer(card: str) -> None:
    match = lone(f"({card})", last="win", agent="(guard)")
    assert (ended(match), agent(match), hand(match)) == ("won", "(guard)", "princess")


@pytest.mark.parametrize("card", OTHERS)
def test_R128_it_is_the_same_with_the_princess_as_agent(card: str) -> None:
    match = solo(card, "handmaid countess", agent="princess")
    match.play("countess")
    assert ended(match) == "won"


def test_R128_a_lone_countess_is_discarded_too() -> None:
    match = solo("countess", "princess handmaid")
    match.play("handmaid")
    assert ended(match) == "won"


def test_R128_it_is_won_even_with_an_empty_pile() -> None:
    assert ended(lone("guard", last="win", pile=0)) == "won"


@pytest.mark.parametrize("card", ["baron", "king"])
def test_R128_strict_a_lone_baron_or_king_is_discarded_unresolved(card: str) -> None:
    match = lone(card, last="strict", agent="(guard)")
    assert (ended(match), agent(match), hand(match)) == ("won", "(guard)", "princess")


@pytest.mark.parametrize("card", ["priest", "handmaid"])
def test_R128_strict_a_harmless_lone_card_is_survived(card: str) -> None:
    assert ended(lone(card, last="strict")) == "won"


def test_R128_strict_a_lone_countess_is_survived() -> None:
    match = solo("countess", "princess handmaid", options={"solo_last_card": "strict"})
    match.play("handmaid")
    assert ended(match) == "won"


def test_R128_strict_a_lone_priest_turns_the_agent_up() -> None:
    assert agent(lone("priest", last="strict", agent="(guard)")) == "guard"


@pytest.mark.parametrize("card", ["guard", "prince"])
def test_R128_strict_a_lone_guard_or_prince_asks_for_an_offer(card: str) -> None:
    assert lone(card, last="strict", agent="(guard)").legal() == ["offer agent", "offer hand"]


@pytest.mark.parametrize(
    ("card", "helper", "offered", "end"),
    [
        ("guard", "(guard)", "agent", "won"),
        ("guard", "guard", "agent", "lost"),
        ("guard", "(guard)", "hand", "lost"),
        ("prince", "guard", "agent", "won"),
        ("prince", "(guard)", "hand", "lost"),
    ],
)
def test_R128_strict_a_lone_card_wins_or_loses_by_the_offer(card: str, helper: str, offered: str, end: str) -> None:
    match = lone(card, last="strict", agent=helper)
    match.play(f"offer {offered}")
    assert ended(match) == end


def test_R128_strict_a_lone_prince_on_an_empty_pile_is_a_loss() -> None:
    match = lone("prince", last="strict", agent="(guard)", pile=0)
    match.play("offer agent")
    assert ended(match) == "lost"


@pytest.mark.parametrize("card", ["guard", "prince"])
def test_R128_strict_without_an_agent_the_hand_is_hit(card: str) -> None:
    assert ended(lone(card, last="strict")) == "lost"


@pytest.mark.parametrize("card", OTHERS)
def test_R128_strict_a_protected_player_wins(card: str) -> None:
    match = lone(card, last="strict", agent="(guard)", shielded=True)
    assert (ended(match), agent(match)) == ("won", "(guard)")


# Scenes


@pytest.mark.parametrize(
    ("queue", "hand", "agent", "pile"),
    [
        ("king princess", "king handmaid", "", 3),
        ("guard princess", "guard guard", "guard", "guard guard"),
        ("guard", "king handmaid", "", 3),
        ("princess guard", "king handmaid", "", 3),
        ("(princess)", "king handmaid", "", 3),
        ("", "king princess", "", 3),
        ("guard princess", "king", "", 3),
        ("guard princess", "king priest prince", "", 3),
        ("guard princess", "(king) priest", "", 3),
        ("guard princess", "king priest", "guard guard", 3),
        ("guard princess", "king priest", "", 8),
        ("guard guard priest priest baron baron king princess", "guard guard", "", 0),
    ],
)
def test_a_scene_that_cannot_be_is_refused(queue: str, hand: str, agent: str, pile: str | int) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        solo(queue, hand, agent=agent, pile=pile)
