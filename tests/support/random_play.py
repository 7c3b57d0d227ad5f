"""Random play for properties: games, positions and the moves that might be tried in them."""

import random

from hypothesis import strategies as st

from suitors import Match
from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, NAMINGS, SWITCHES, Option

Game = tuple[str, int, dict[str, Option]]


@st.composite
def games(draw: st.DrawFn, edition: str | None = None) -> Game:
    """An edition, or this one, a number of players, and switches."""
    slug = edition or draw(st.sampled_from([slug for slug, box in BOXES.items() if not box.solo]))
    players = draw(st.sampled_from(BOXES[slug].players))
    options = {key: draw(st.sampled_from(values)) for key, values in SWITCHES.items()}
    return slug, players, options


def new_match(game: Game, rng: random.Random) -> Match:
    """A match of that game, dealt."""
    slug, players, options = game
    return Match(slug, [f"P{seat}" for seat in range(players)], options, rng=rng)


def step(match: Match, rng: random.Random) -> None:
    """Deal, or play a random move; kinds of moves are chosen first, so that rare ones occur."""
    if match.to_deal:
        match.deal()
        return
    kinds: dict[int, list[int]] = {}
    for move in match.moves():
        kinds.setdefault(move & 31, []).append(move)
    match.push(rng.choice(kinds[rng.choice(sorted(kinds))]))


def position(game: Game, rng: random.Random, steps: int) -> Match:
    """A match after so many steps of random play, or at its end."""
    match = new_match(game, rng)
    for _ in range(steps):
        if match.over:
            break
        step(match, rng)
    return match


def texts(players: int) -> list[str]:
    """Every text that could be a move with so many players, and some that could not."""
    seats = [str(seat) for seat in range(players + 1)]
    pairs = [f"{a} {b}" for a in seats for b in seats]
    found = ["redraw", "stay", "look none", "look", "draw", "agent", "offer hand", *(f"look {seat}" for seat in seats)]
    for card in CARD_NAMES:
        found += [card, *(f"{card} {seat}" for seat in seats), *(f"{card} {pair}" for pair in pairs)]
    for card in (CARD_NAMES[card] for card in NAMINGS):
        found += [f"{card} {seat} {name}" for seat in seats for name in (*CARD_NAMES, *map(str, range(10)))]
    return found


def keeps(match: Match) -> list[str]:
    """Every `keep` line with the cards in the active player's hand and one other card."""
    t = match.table
    held = [CARD_NAMES[card] for card in (t.hand[t.active], t.drawn, t.extra) if card >= 0]
    some = [*held, "jester"]
    lines = {f"keep {a} {b}" for a in some for b in some}
    return sorted(lines | {f"keep {a} {b} {c}" for a in some for b in some for c in some})
