"""A rule that changes what is legal, or what follows from a move, raises RULES_VERSION: matches are stored with it.

A fixed set of matches of each edition is played by chance, and a digest of all that was legal and all that happened is
pinned beside the version. What chance does not reach in so many matches it does not see; tests of single rulings do.
"""

import hashlib
import json
import random
from collections.abc import Iterator

import pytest

from suitors.game import Play, open_match
from suitors.rules import BOXES, RULES_VERSION, SWITCHES, Option, edition
from suitors.view.data import entry_data

DIGESTS = {
    "premium": {1: "3776e3d5c65188349121879f370e27aa200692f3c876f01e4b7329856e4f3d6e"},
    "modern": {1: "4764d200c89514bd07b67b46e264df215777cda0e7077c16f45e511cb0b71e18"},
    "classic": {1: "b36c6e901b55711f2831182a323f082c1a32eee1f9c01b211c9d67f4a205ee52"},
    "demo": {1: "c4ad1c120230dbb282fbda4711e53acb6613d199d83b9ee2fe32ad4a89b4614d"},
    "house": {1: "abc8777cf3657d32512f5e58fb130ab03dc80c9797fc424935636dd285fa1ed0"},
    "solitaire": {1: "c340cc7db0e9754a75139224afa96b1edba874586ecd445053161287206ae3ac"},
    "solitaire-2019": {1: "f6eb00c69ee1a560f1fb7a90af072e4d05e0c42b365f28bdb52d56a13f05f742"},
}
"""The digests of each edition, by what each seat is told in the words of docs/contract.md, under the versions from
which on they hold: a version that changes nothing in an edition has no digest there."""

MATCHES = 7
"""Matches of each edition with each number of players, by the defaults; each of its switches has one more."""

MOST_STEPS = 400
"""Steps of a match that are looked at: some switches let a match go on for long."""

ADVICE = (
    "What the rules of the edition {slug} allow, or what follows from a move, has changed since version {version} was "
    "pinned. If that was not meant, mend the change. If it was, raise RULES_VERSION in src/suitors/rules/names.py by "
    "one (once for all editions that change), add the new version with the digest {digest!r} to DIGESTS[{slug!r}] in "
    "tests/rulebook/test_rules_version.py, and say in CHANGELOG.md what has changed. Only where the rules are the same "
    "and a name in the log is another, or the edition has another switch, replace the digest of version {version}."
)
FIRST = (
    "The edition {slug} has no digest. Add this line to DIGESTS in tests/rulebook/test_rules_version.py; a new edition "
    'needs no new RULES_VERSION:\n    "{slug}": {{{version}: "{digest}"}},'
)


def settings(slug: str) -> Iterator[tuple[int, dict[str, Option], int]]:
    """Each number of players, by the defaults with the number of the match, and with each switch thrown."""
    box = BOXES[slug]
    for players in box.players:
        for number in range(MATCHES):
            yield players, {}, number
        for key in sorted(box.switches):
            yield players, {key: SWITCHES[key][1]}, 0


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


def digest_of_rules(slug: str) -> str:
    """A digest of what the rules of an edition make today of the same decks and choices."""
    digest = hashlib.sha256()
    for players, options, number in settings(slug):
        rng = random.Random(f"{slug} {players} {sorted(options.items())} {number}")
        match = open_match(slug, [f"Player {seat}" for seat in range(players)], options, dealt=False)
        for seen in steps(match, rng):
            digest.update(json.dumps(seen).encode())
    return digest.hexdigest()


@pytest.mark.parametrize("slug", BOXES)
def test_rules_that_change_have_a_new_version(slug: str) -> None:
    found = digest_of_rules(slug)
    if slug not in DIGESTS:
        pytest.fail(FIRST.format(slug=slug, version=RULES_VERSION, digest=found))
    version, pinned = list(DIGESTS[slug].items())[-1]
    if pinned != found:
        pytest.fail(ADVICE.format(slug=slug, version=version, digest=found))


@pytest.mark.parametrize("slug", BOXES)
def test_a_switch_changes_only_the_editions_that_have_it(slug: str) -> None:
    for players in BOXES[slug].players:
        for key, (_, other) in SWITCHES.items():
            if key not in BOXES[slug].switches:
                assert edition(slug, players, {key: other}) == edition(slug, players), key


def test_versions_go_up_by_one() -> None:
    assert {version for own in DIGESTS.values() for version in own} == set(range(1, RULES_VERSION + 1))
    for slug, own in DIGESTS.items():
        assert slug in BOXES, f"There is no edition {slug} any more: take it out of DIGESTS."
        assert list(own) == sorted(own), slug
        assert len(set(own.values())) == len(own), slug
