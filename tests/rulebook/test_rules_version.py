"""A rule that changes what is legal, or what follows from a move, raises RULES_VERSION: matches are stored with it.

A fixed set of matches of all editions is played by chance, and a digest of all that was legal and all that happened is
pinned beside the version. What chance does not reach in so many matches it does not see; tests of single rulings do.
"""

import hashlib
import json
import random
from collections.abc import Iterator

import pytest

from suitors.game import Play, open_match
from suitors.rules import BOXES, RULES_VERSION, SWITCHES, Option
from suitors.view.data import entry_data

DIGESTS = {
    1: "405ca983887e6d06149a942eb05e2d5f723fc0416ead56d9f43d93d9532c95ad",
}
"""The digest of the rules of each version, by what each seat is told in the words of docs/contract.md."""

MOST_STEPS = 400
"""Steps of a match that are looked at: some switches let a match go on for long."""

ADVICE = (
    "What the rules allow, or what follows from a move, has changed since version {version} was pinned. If that was "
    "not meant, mend the change. If it was, raise RULES_VERSION in src/suitors/rules/names.py by one, add the new "
    "digest {digest!r} to DIGESTS in tests/rulebook/test_rules_version.py, and say in CHANGELOG.md what has "
    "changed. Only where the rules are the same and a name in the log is another, replace the digest of this version."
)


def settings() -> Iterator[tuple[str, int, dict[str, Option]]]:
    """Each edition with each number of players, by the defaults and with each switch thrown."""
    for slug, box in BOXES.items():
        for players in box.players:
            yield slug, players, {}
            for key, (_, other) in SWITCHES.items():
                yield slug, players, {key: other}


def steps(match: Play, rng: random.Random) -> Iterator[object]:
    """All that can be seen of a match that is played by chance: the legal moves, what each seat is told, the score."""
    for _ in range(MOST_STEPS):
        if match.over:
            return
        if match.turn is None:
            deck = list(match.rules.box)
            rng.shuffle(deck)
            match.start(tuple(deck), rng.choice(match.may_start))
        else:
            legal = sorted(match.legal())
            yield legal
            match.play(rng.choice(legal))
        last = len(match.rounds) - 1
        for seat in range(len(match.players)):
            entries = match.step_log(last, len(match.rounds[last].rows) - 1, seat)
            yield [entry_data(match.rules, entry) for entry in entries]
        yield [match.turn, *match.tokens, *match.winners]


def digest_of_rules() -> str:
    """A digest of what the rules of today make of the same decks and choices."""
    digest = hashlib.sha256()
    for slug, players, options in settings():
        rng = random.Random(f"{slug} {players} {sorted(options.items())}")
        match = open_match(slug, [f"Player {seat}" for seat in range(players)], options, dealt=False)
        for seen in steps(match, rng):
            digest.update(json.dumps(seen).encode())
    return digest.hexdigest()


def test_rules_that_change_have_a_new_version() -> None:
    found = digest_of_rules()
    if DIGESTS.get(RULES_VERSION) != found:
        pytest.fail(ADVICE.format(version=RULES_VERSION, digest=found))


def test_versions_go_up_by_one() -> None:
    assert list(DIGESTS) == list(range(1, RULES_VERSION + 1))
    assert len(set(DIGESTS.values())) == len(DIGESTS)
