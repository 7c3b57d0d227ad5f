"""Matches dealt by the protocol of docs/shuffle.md, and that protocol once more, written from the page alone."""

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from suitors.fair import FORMAT, Deal, commitment, draw
from suitors.game import open_match
from suitors.records.record import replay, summary
from support.bad_records import Change
from support.matches import SOLO_EDITIONS
from support.scenes import NAMES

PAGE = (Path(__file__).parent.parent.parent / "docs" / "shuffle.md").read_text("utf-8")
SECRET = bytes(range(32))
SOLO = [(slug, 1) for slug in SOLO_EDITIONS]

# The protocol once more, written from the page alone


def example() -> dict[str, Any]:
    """The numbers of the page's example."""
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def decks() -> dict[tuple[str, int], list[str]]:
    """The decks in standard order, from the page's table."""
    found = {}
    for slugs, low, high, deck in re.findall(r"^\| (`.*?`) \| (\d)(?:–(\d))? \| (.*) \|$", PAGE, re.MULTILINE):
        cards = [
            card for name, copies in re.findall(r"([a-z-]+)(?: ×(\d))?", deck) for card in [name] * int(copies or 1)
        ]
        for slug in re.findall("`(.*?)`", slugs):
            found.update({(slug, players): cards for players in range(int(low), int(high or low) + 1)})
    return found


DECKS = decks()


def parts(use: str, *rest: bytes) -> bytes:
    text = b""
    for part in [b"suitors-shuffle/1 " + use.encode(), *rest]:
        text += str(len(part)).encode() + b":" + part + b","
    return text


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 for keys of up to 64 bytes (RFC 2104)."""
    padded = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def by_hand(
    secret: bytes, table: str, index: int, words: Sequence[str], starters: Sequence[int], deck: Sequence[str]
) -> dict[str, Any]:
    """A deal with everything on the way to it, under the names of the page's example."""
    message = parts("round", table.encode(), str(index).encode(), *(word.encode() for word in words))
    key = mac(secret, message)
    stream = b"".join(mac(key, parts("stream", str(block).encode())) for block in range(8))
    place, numbers, cards = 0, [], list(deck)
    for n in [len(starters)] * (len(starters) > 1) + list(range(len(cards), 1, -1)):
        while stream[place] >= 256 - 256 % n:
            place += 1
        numbers.append(stream[place] % n)
        place += 1
    for k, j in zip(range(len(cards) - 1, 0, -1), numbers[-len(cards) + 1 :], strict=True):
        cards[k], cards[j] = cards[j], cards[k]
    salt = mac(key, parts("salt"))
    return {
        "secret": secret.hex(),
        "commitment": sha256(parts("secret", secret)).hexdigest(),
        "message": message.decode(),
        "key": key.hex(),
        "stream": stream[:32].hex(),
        "numbers": numbers,
        "first": starters[numbers[0]] if len(starters) > 1 else starters[0],
        "deck": cards,
        "salt": salt.hex(),
        "seal": sha256(parts("seal", salt, *(card.encode() for card in cards))).hexdigest(),
    }


def starters_by_hand(data: dict[str, Any], index: int) -> list[int]:
    """The seats between which chance decides, from the rounds before."""
    before = summary(replay({**data, "rounds": data["rounds"][:index]}))
    taking_part = before["next"]["seats"]
    if index == 0:
        return list(taking_part)
    winners = [seat for seat in taking_part if seat in before["rounds"][-1]["winners"]]
    seats, players = winners or taking_part, len(data["players"])
    if data["edition"] == "premium":
        eldest = data["rounds"][0]["first"]
        return [next(seat for k in range(players) if (seat := (eldest + k) % players) in seats)]
    return list(seats)


# Matches dealt by the protocol

Dealer = Callable[..., Deal]


def words_of(players: int, rng: random.Random) -> list[str]:
    """Words as people give them; now and then none."""
    return [rng.choice(["", "rose", "été", "12:ink,", "💌" * 64, f"{rng.random()}"]) for _ in range(players)]


def dealt_match(slug: str, players: int, seed: int, dealer: Dealer = draw) -> dict[str, Any]:
    """The record, with its shuffle part, of a match of random moves."""
    rng = random.Random(f"{slug}/{players}/{seed}")
    secret, table = rng.randbytes(32), f"table-{seed}"
    match, given_words, seals = open_match(slug, NAMES[:players], dealt=False), [], []
    while not match.over:
        if match.to_deal:
            given_words.append(words_of(players, rng))
            deal = dealer(match, secret, table, given_words[-1])
            match.start(deal.order, deal.first)
            seals.append(deal.seal)
        else:
            match.push(rng.choice(match.moves()))
    data = match.record()
    for row, row_words, seal in zip(data["rounds"], given_words, seals, strict=True):
        row |= {"words": row_words, "seal": seal}
    shuffle = {"format": FORMAT, "table": table, "commitment": commitment(secret), "secret": secret.hex()}
    return {**data, "shuffle": shuffle}


# A record to damage


@cache
def _base() -> dict[str, Any]:
    return dealt_match("modern", 3, 4)


def base(*changes: Change) -> dict[str, Any]:
    """A good record of three players, of which every round is checked, with some changes."""
    data = copy.deepcopy(_base())
    for change in changes:
        change(data)
    return data


def short(*changes: Change) -> dict[str, Any]:
    """The same before the first move, where any deck and any starter are possible."""
    data = base()
    data["rounds"] = [data["rounds"][0] | {"moves": []}]
    for change in changes:
        change(data)
    return data


def other_digit(data: Any, *path: str | int) -> None:
    """Change one hexadecimal digit."""
    for step in path[:-1]:
        data = data[step]
    text = data[path[-1]]
    data[path[-1]] = text[:17] + ("0" if text[17] != "0" else "1") + text[18:]
