"""No event and no card is passed over in silence, and rows hold what EVENTS says of them."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from suitors import Card, Match, Solo
from suitors.notation import write_move
from suitors.rules import BOXES, NO_CARD, Award, Edition, End, Event, Verb
from suitors.rules.names import EVENTS, EVERYBODY, Audience, Content, Target, is_card, verb_of
from suitors.rules.table import COLUMNS
from suitors.view.data import entry_data, read_entry
from suitors.view.match import seen
from suitors.view.solo import read_solo_entry
from support.matches import TABLES, chance_match

SOURCES = Path(__file__).parent.parent / "src/suitors"
PATHS = [path for path in sorted(SOURCES.rglob("*.py")) if "Event." in path.read_text("utf-8")]
COMPILED = ("lab/memory.py",)
"""Folds that are compiled, where nothing can be asserted of types."""

FEW = 2
"""Events that a function may ask for by themselves; whoever asks for more matches them all."""


BY_CARD = {
    "rules/effects.py": "resolve",
    "bots/engine/likings.py": "like_card",
    "knowledge/notes.py": "note_choice",
    "words/story_plays.py": "_played",
}
"""Where something is done for every card."""


def members_in(node: ast.AST, enum: str) -> set[str]:
    """The members of an enum that a part of the source names."""
    return {
        part.attr
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == enum
    }


def events_in(node: ast.AST) -> set[str]:
    """The events that a part of the source names."""
    return members_in(node, "Event")


def folds(tree: ast.AST) -> Iterator[ast.Match]:
    """The matches over events."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Match) and any(events_in(case.pattern) for case in node.cases):
            yield node


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_fold_forgets_no_event(path: Path) -> None:
    for fold in folds(ast.parse(path.read_text("utf-8"))):
        where = f"{path.relative_to(SOURCES)}, line {fold.lineno}"
        named = {event for case in fold.cases if case.guard is None for event in events_in(case.pattern)}
        missing = ", ".join(sorted(set(Event.__members__) - named))
        assert not missing, f"{where} neither reads nor passes by: {missing}"
        last = ast.unparse(fold.cases[-1])
        if str(path.relative_to(SOURCES)) not in COMPILED:
            assert last.startswith("case _:\n    assert_never("), f"{where}: the last case must be assert_never"


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(SOURCES)))
def test_whoever_asks_for_many_events_matches_them_all(path: Path) -> None:
    if path.parent.name == "rules":
        return
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef):
            asked = {event for node in ast.walk(function) if isinstance(node, ast.Compare) for event in events_in(node)}
            where = f"{path.relative_to(SOURCES)}, {function.name}"
            assert len(asked) <= FEW, f"{where} asks for {', '.join(sorted(asked))} by comparison: use a match"


@pytest.mark.parametrize("file", BY_CARD)
def test_no_card_is_forgotten(file: str) -> None:
    tree = ast.parse((SOURCES / file).read_text("utf-8"))
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == BY_CARD[file])
    named = {
        card
        for node in ast.walk(function)
        if isinstance(node, ast.match_case)
        for card in members_in(node.pattern, "Card")
    }
    missing = ", ".join(sorted(set(Card.__members__) - named))
    assert not missing, f"{file}: the match in {function.name} has no case for {missing}"


# What the rows hold


def test_every_event_says_what_its_rows_hold() -> None:
    missing = ", ".join(event.name for event in Event if event not in EVENTS)
    assert not missing, f"EVENTS in rules/names.py says nothing of {missing}"


def rows_of(match: Match | Solo) -> Iterator[tuple[int, ...]]:
    """Every row that a match told."""
    for round_ in match.rounds:
        for told in round_.rows:
            for k in range(0, len(told), COLUMNS):
                yield told[k : k + COLUMNS]


def target_fits(ed: Edition, event: Event, actor: int, target: int) -> bool:
    """Whether the target of a row is of the kind that EVENTS says."""
    match EVENTS[event].target:
        case Target.NOBODY:
            return target == actor
        case Target.SEAT:
            return 0 <= target < ed.players
        case Target.SEATS:
            return 0 < target < 1 << ed.players
        case Target.AWARD:
            return target in list(Award)
        case Target.END:
            return target in list(End)


def content_fits(ed: Edition, event: Event, card: int) -> bool:
    """Whether the card of a row is of the kind that EVENTS says."""
    match EVENTS[event].content:
        case Content.NOTHING:
            return card == NO_CARD
        case Content.CARD:
            return card == NO_CARD or (is_card(card) and ed.copies[card] > 0)
        case Content.MOVE:
            return bool(write_move(ed, card))


def audience_of(event: Event, actor: int, target: int, card: int) -> int:
    """The audience that EVENTS says."""
    audience = EVENTS[event].audience
    if audience == Audience.ACTOR or (event == Event.MOVED and verb_of(card) == Verb.KEEP):
        return 1 << actor
    return 1 << target if audience == Audience.TARGET else EVERYBODY


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_rows_hold_what_their_event_says(slug: str, players: int) -> None:
    match = chance_match(slug, players, 11)
    for number, actor, target, card, audience in rows_of(match):
        event = Event(number)
        assert target_fits(match.rules, event, actor, target), f"{event.name}: the target is {target}"
        assert content_fits(match.rules, event, card), f"{event.name}: the card is {card}"
        assert audience == audience_of(event, actor, target, card), f"{event.name}: the audience is {audience}"


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_entry_of_a_log_survives_its_plain_form(slug: str, players: int) -> None:
    match = chance_match(slug, players, 12)
    for seat in (None, *range(players)):
        for round_ in match.rounds:
            for entry in seen(round_.rows, seat):
                told = entry._replace(card=None) if entry.event == Event.SHOWED and entry.card == NO_CARD else entry
                assert read_entry(match.rules, entry_data(match.rules, entry)) == told


@pytest.mark.parametrize("slug", [slug for slug, box in BOXES.items() if box.solo])
def test_solo_entries_survive_their_plain_form(slug: str) -> None:
    rng = random.Random(13)
    for _ in range(40):
        match = Solo(slug, rng=rng)
        while not match.over:
            match.push(rng.choice(match.moves()))
        assert all(audience == EVERYBODY for *_, audience in rows_of(match))
        for entry in seen(match.rounds[0].rows, 0):
            assert read_solo_entry(match.rules, entry_data(match.rules, entry)) == entry
