"""Every edition fits into packed moves and fixed arrays, and its data asks for nothing that the rules cannot do."""

import itertools
from collections.abc import Iterator

import pytest

from suitors.fast.layout import WIDEST
from suitors.rules import BOXES, NAMINGS, SWITCHES, Aim, Card, Edition, Phase, Verb, edition, new_table, sizes
from suitors.rules.choices import MOST_MOVES, count_plays
from suitors.rules.editions import AIMS, NAMES
from suitors.rules.names import BLANK, CARDS, first_of, is_card, pack, second_of, third_of, verb_of
from suitors.rules.solitaire_table import AGENT, HAND
from suitors.rules.turn import deal


def all_editions(solo: bool = False) -> Iterator[tuple[str, Edition]]:
    """Every edition with every number of players and every setting of the switches that make a difference."""
    for slug, box in BOXES.items():
        for players in box.players if box.solo == solo else ():
            for values in itertools.product(*(SWITCHES[switch] for switch in sorted(box.switches))):
                yield (
                    f"{slug} {players} {values}",
                    edition(slug, players, dict(zip(sorted(box.switches), values, strict=True))),
                )


EDITIONS = dict(all_editions())


def test_cards_and_verbs_fit_into_a_place_of_a_packed_move() -> None:
    numbers = [*Card, *Verb]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) <= BLANK, (
        f"{CARDS} cards and {len(Verb)} verbs do not fit below BLANK: give `pack` wider places"
    )
    assert max(HAND, AGENT, *itertools.chain.from_iterable(BOXES[slug].players for slug in BOXES)) < BLANK


@pytest.mark.parametrize("verb", [*Card, *Verb])
def test_a_packed_move_gives_back_its_parts(verb: int) -> None:
    move = pack(verb, CARDS - 1, BLANK, BLANK - 1)
    assert (verb_of(move), first_of(move), second_of(move), third_of(move)) == (verb, CARDS - 1, BLANK, BLANK - 1)
    assert is_card(verb) == isinstance(verb, Card)


@pytest.mark.parametrize("name", EDITIONS)
def test_no_decision_has_more_moves_than_there_is_room_for(name: str) -> None:
    ed = EDITIONS[name]
    t = new_table(ed)
    deal(t, ed, ed.box, 0)
    assert t.phase == Phase.PLAY
    plays = sorted((count_plays(t, ed, card) for card in Card if ed.copies[card]), reverse=True)
    assert sum(plays[:2]) <= MOST_MOVES, f"MOST_MOVES in rules/choices.py is too small for {name}"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_edition_fits_the_widest_layout(name: str) -> None:
    for size, length in sizes(EDITIONS[name]).items():
        assert length <= WIDEST[size], f"WIDEST[{size!r}] in fast/layout.py is too small for {name}"


@pytest.mark.parametrize("slug", BOXES)
def test_a_box_is_complete(slug: str) -> None:
    box = BOXES[slug]
    for players, deck in box.decks.items():
        assert players in box.goals, f"{slug} has no goal for {players} players"
        assert players in box.aside, f"{slug} does not say how many cards {players} players set aside"
        for card in deck:
            assert card in box.values, f"{slug} has no value for the {card.name}"
            assert 0 <= box.values[card] <= 9, f"{slug}: the value of the {card.name} is no digit"


@pytest.mark.parametrize("card", NAMINGS)
def test_a_card_that_names_something_chooses_one_player(card: Card) -> None:
    assert AIMS[card] in (Aim.OTHER, Aim.ANYONE), f"the {card.name} must choose one player (AIMS in rules/editions.py)"


@pytest.mark.parametrize("name", EDITIONS)
def test_what_may_be_named_fits_its_row(name: str) -> None:
    ed = EDITIONS[name]
    assert len(ed.names) == CARDS * NAMES
    assert all(bool(ed.name_count[card]) == bool(ed.copies[card]) for card in NAMINGS)
