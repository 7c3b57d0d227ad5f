"""Privacy probes for every edition (docs/rulings.md): who holds which card in their view."""

import pytest

from suitors import Match
from suitors.notation import CARD_NAMES
from suitors.rules import Event, Verb
from suitors.rules.names import verb_of
from suitors.view.data import view_data
from support.scenes import NAMES, cards, names, scene

TABLES = (("premium", 3), ("premium", 5), ("modern", 3), ("classic", 3), ("demo", 3), ("house", 3))
each_table = pytest.mark.parametrize(("edition", "players"), TABLES)


def table(edition: str, players: int, *hands: str, deck: str = "guard guard") -> Match:
    """A scene with Guards in the hands that are not given."""
    return scene(edition, [*hands, *["guard"] * (players - len(hands))], deck=deck)


def knowers(match: Match, owner: int, card: str) -> list[int | None]:
    """Everybody else, spectators (None) included, whose view holds that card in the owner's hand."""
    audience = [seat for seat in [*range(len(match.players)), None] if seat != owner]
    return [seat for seat in audience if names(match.view(seat).known[owner]) == card]


def strangers(match: Match, owner: int) -> list[int | None]:
    """Everybody else whose view holds nothing of the owner's hand."""
    audience = [seat for seat in [*range(len(match.players)), None] if seat != owner]
    return [seat for seat in audience if match.view(seat).known[owner] == ()]


def named(match: Match, card: str) -> str:
    """What a Guard says to hit that card: its number or its name."""
    return str(match.rules.value[cards(card)[0]]) if match.rules.by_number else card


# The Baron and the Priest


@each_table
def test_privacy_after_a_baron_tie_only_the_two_know_the_cards(edition: str, players: int) -> None:
    match = table(edition, players, "baron prince", "prince")
    match.play("baron 1")
    assert (knowers(match, 0, "prince"), len(strangers(match, 0))) == ([1], players - 1)


@each_table
def test_privacy_after_a_baron_tie_only_the_player_knows_the_others_card(edition: str, players: int) -> None:
    match = table(edition, players, "baron prince", "guard", "prince")
    match.play("baron 2")
    assert (knowers(match, 2, "prince"), len(strangers(match, 2))) == ([0], players - 1)


@each_table
def test_privacy_after_a_priest_only_the_viewer_knows_the_card(edition: str, players: int) -> None:
    match = table(edition, players, "priest handmaid", "guard", "king")
    match.play("priest 2")
    assert (knowers(match, 2, "king"), len(strangers(match, 2))) == ([0], players - 1)


@each_table
def test_privacy_a_known_card_is_forgotten_when_it_is_discarded(edition: str, players: int) -> None:
    match = table(edition, players, "priest handmaid", "baron")
    match.play("priest 1")
    match.play("baron 2")
    assert match.view(0).known[1] == ()


@each_table
def test_privacy_a_known_card_stays_known_while_another_is_played(edition: str, players: int) -> None:
    match = table(edition, players, "priest handmaid", "king")
    match.play("priest 1")
    match.play(f"guard 2 {named(match, 'princess')}")
    assert knowers(match, 1, "king") == [0]


# Knocked-out players and spectators


@each_table
def test_privacy_a_knocked_out_player_sees_no_hands(edition: str, players: int) -> None:
    match = table(edition, players, "guard king", "priest")
    match.play(f"guard 1 {named(match, 'priest')}")
    assert match.view(1).known == ((),) * players


@each_table
def test_privacy_a_spectator_sees_no_hands(edition: str, players: int) -> None:
    match = table(edition, players, "king guard", "priest")
    match.play("king 1")
    assert match.view(None).known == ((),) * players


@each_table
def test_privacy_a_spectator_is_given_no_legal_moves(edition: str, players: int) -> None:
    match = table(edition, players, "king guard", "priest")
    assert (match.view(None).legal, match.view(1).legal) == ((), ())
    assert match.view(0).legal == tuple(match.legal())


# Chancellor


def chancellor_table() -> Match:
    """Seat 0 of three kept a Guard and put the King, then the Priest, under the deck."""
    top = ["spy", "chancellor", "baron", "handmaid", "guard", "king", "priest"]  # aside, hands of 0 1 2, draws of 0
    top[1], top[4] = "guard", "chancellor"
    match = Match("modern", NAMES[:3], dealt=False)
    rest = [CARD_NAMES[card] for card in match.rules.box]
    for card in top:
        rest.remove(card)
    match.deal([*top, *rest], first=0)
    match.play("chancellor")
    match.play("keep guard king priest")
    return match


def test_privacy_the_chancellors_player_knows_the_cards_under_the_deck() -> None:
    match = chancellor_table()
    last = match.view(0).deck - 1
    assert dict(match.view(0).under) == {last - 1: cards("king")[0], last: cards("priest")[0]}


@pytest.mark.parametrize("seat", [1, 2, None])
def test_privacy_nobody_else_knows_the_cards_under_the_deck(seat: int | None) -> None:
    assert dict(chancellor_table().view(seat).under) == {}


@pytest.mark.parametrize("seat", [1, 2, None])
def test_privacy_the_keep_line_is_in_no_other_view(seat: int | None) -> None:
    moved = [entry.card for entry in chancellor_table().view(seat).log[-1] if entry.event == Event.MOVED]
    assert len(moved) == 2
    assert moved[1] is None


def test_privacy_the_keep_line_is_in_the_own_view() -> None:
    moved = [entry.card for entry in chancellor_table().view(0).log[-1] if entry.event == Event.MOVED]
    assert moved[1] is not None
    assert verb_of(moved[1]) == Verb.KEEP


@pytest.mark.parametrize("seat", [1, 2, None])
def test_privacy_what_a_chancellor_keeps_changes_no_other_view(seat: int | None) -> None:
    match = chancellor_table()
    twin = Match("modern", NAMES[:3], dealt=False)
    twin.start(match.rounds[0].deck, 0)
    twin.play("chancellor")
    twin.play("keep king priest guard")
    assert view_data(match.view(seat)) == view_data(twin.view(seat))


# Trades


@each_table
def test_privacy_traders_know_the_card_they_gave_away(edition: str, players: int) -> None:
    match = table(edition, players, "king priest", "baron")
    match.play("king 1")
    assert (knowers(match, 1, "priest"), knowers(match, 0, "baron")) == ([0], [1])


@each_table
def test_privacy_a_trade_tells_no_cards_to_others(edition: str, players: int) -> None:
    match = table(edition, players, "king priest", "baron")
    match.play("king 1")
    assert (match.view(2).known[:2], match.view(None).known[:2]) == (((), ()), ((), ()))


@each_table
def test_privacy_a_traded_known_card_is_shown_at_its_new_owner(edition: str, players: int) -> None:
    match = table(edition, players, "priest handmaid", "baron", "prince", deck="king guard guard guard")
    match.play("priest 1")
    match.play("king 2")
    assert knowers(match, 2, "baron") == [0, 1]


@each_table
def test_privacy_a_traded_known_card_is_no_longer_shown_at_its_old_owner(edition: str, players: int) -> None:
    match = table(edition, players, "priest handmaid", "baron", "prince", deck="king guard guard guard")
    match.play("priest 1")
    match.play("king 2")
    assert knowers(match, 1, "prince") == [2]
    assert match.view(0).known[1] == ()


def test_privacy_a_known_card_travels_with_a_cardinals_trade() -> None:
    match = table("premium", 5, "priest handmaid", "king", "prince", deck="cardinal guard guard guard")
    match.play("priest 2")
    match.play("cardinal 2 3")
    match.play("look none")
    assert knowers(match, 3, "prince") == [0, 2]


# Two tables that differ only in hidden cards


@pytest.mark.parametrize("seat", [0, 1, None])
@each_table
def test_privacy_a_hand_that_was_not_seen_changes_no_view(edition: str, players: int, seat: int | None) -> None:
    match = table(edition, players, "handmaid guard", "baron", "king", deck="guard guard")
    twin = table(edition, players, "handmaid guard", "baron", "prince", deck="guard guard")
    for one in (match, twin):
        one.play("handmaid")
    assert view_data(match.view(seat)) == view_data(twin.view(seat))
