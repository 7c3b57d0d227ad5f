"""The shuffle that can be checked: deals drawn from the server's secret and the players' words (docs/shuffle.md)."""

import hmac
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, count
from typing import Any

from .errors import SuitorsError, brief
from .game import Play, open_match
from .history import Round
from .notation import CARD_NAMES
from .records.record import replay

FORMAT = "suitors-shuffle/1"
LONGEST_WORD = 64
"""Characters (code points) in the longest word that a seat may give."""

MADE = "server:"
"""How words begin that a server makes for a seat: they add nothing that it could not foresee."""

SECRET_BYTES = 32
HEX = re.compile("[0-9a-f]{64}")
"""Secrets and hashes as text: 32 bytes, lower case."""

SURROGATE = re.compile("[\ud800-\udfff]")


class ShuffleError(SuitorsError):
    """What is wrong with the form of a secret, a word or the shuffle part of a record."""

    def __init__(self, message: str) -> None:
        super().__init__("bad-shuffle", message)


# Dealing


@dataclass(frozen=True)
class Deal:
    """What chance gives to a round: who starts, the order of the deck, top first, and the seal on that order."""

    first: int
    order: tuple[int, ...]
    seal: str


def new_secret() -> bytes:
    """A secret for one match, from the system's generator."""
    return secrets.token_bytes(SECRET_BYTES)


def make_word() -> str:
    """A word that the server makes for a seat whose player gives none; it says so itself."""
    return MADE + secrets.token_urlsafe(9)


def is_own(word: str) -> bool:
    """Whether a seat gave this word itself."""
    return bool(word) and not word.startswith(MADE)


def commitment(secret: bytes) -> str:
    """What is shown of a secret before anybody gives a word."""
    return sha256(_pack("secret", secret)).hexdigest()


def draw(match: Play, secret: bytes, table: str, words: Sequence[str]) -> Deal:
    """The deal of the round that has to start next; the words are those of all seats, "" where a seat gave none."""
    if not match.to_deal:
        raise SuitorsError("after-the-end", "The match is over." if match.over else "The round is not over yet.")
    if len(secret) != SECRET_BYTES:
        raise ShuffleError(f"A secret has {SECRET_BYTES} bytes, not {len(secret)}.")
    if len(words) != len(match.players):
        raise ShuffleError(f"There is a word for each of {len(match.players)} seats, not {len(words)}.")
    key = _mac(secret, "round", _check_text(table, "A table's id"), str(len(match.rounds)), *map(check_word, words))
    stream = _stream(key)
    seats = match.may_start
    first = seats[_below(len(seats), stream)] if len(seats) > 1 else seats[0]
    order = _shuffled(match.rules.box, stream)
    return Deal(first, order, _seal(key, order))


def check_word(word: object) -> str:
    """The word, if a seat may give it."""
    text = _check_text(word, "A word")
    if len(text) > LONGEST_WORD:
        raise ShuffleError(f"A word has at most {LONGEST_WORD} characters, not {len(text)}.")
    return text


def _check_text(text: object, what: str) -> str:
    """The text, if it can be written in UTF-8, as half a surrogate pair cannot."""
    if not isinstance(text, str) or SURROGATE.search(text):
        raise ShuffleError(f"{what} is a Unicode text, not {brief(text)}.")
    return text


def _pack(use: str, *parts: str | bytes) -> bytes:
    """What is hashed: the use it is for and the parts, each with its length before it, so that nothing can run over."""
    encoded = [part.encode() if isinstance(part, str) else part for part in (f"{FORMAT} {use}", *parts)]
    return b"".join([b"%d:%b," % (len(part), part) for part in encoded])


def _mac(key: bytes, use: str, *parts: str) -> bytes:
    return hmac.digest(key, _pack(use, *parts), "sha256")


def _stream(key: bytes) -> Iterator[int]:
    """Bytes without end."""
    return chain.from_iterable(_mac(key, "stream", str(block)) for block in count())


def _below(n: int, stream: Iterator[int]) -> int:
    """A number below n, each as likely: the last bytes of the range, where n does not divide it, are passed over."""
    beyond = 256 - 256 % n
    while (byte := next(stream)) >= beyond:
        pass
    return byte % n


def _shuffled(box: Sequence[int], stream: Iterator[int]) -> tuple[int, ...]:
    order = list(box)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _seal(key: bytes, order: Sequence[int]) -> str:
    """A hash of the order, salted so that nobody can try all orders before the secret is known."""
    return sha256(_pack("seal", _mac(key, "salt"), *(CARD_NAMES[card] for card in order))).hexdigest()


# Checking


@dataclass(frozen=True)
class Noted:
    """What somebody noted at the table, to hold against the record: without it a server could change all of that."""

    commitment: str | None = None
    table: str | None = None
    words: Mapping[int, str] = field(default_factory=dict)  # by seat; the same in every round
    seals: Mapping[int, str] = field(default_factory=dict)  # by the index of the round


@dataclass(frozen=True)
class Finding:
    """What was found in one round."""

    due: Deal  # what the secret and the words give
    words: tuple[str, ...]  # by seat
    faults: tuple[str, ...]  # `first`, `deck`, `seal` are not what is due; `noted-seal`: the seal is not the one noted
    unheard: tuple[int, ...]  # seats whose noted word is not the one in the record

    @property
    def silent(self) -> tuple[int, ...]:
        """The seats that gave no word; one that the server made for them counts as none."""
        return tuple(seat for seat, word in enumerate(self.words) if not is_own(word))

    def data(self, index: int) -> dict[str, Any]:
        """The object that is printed."""
        return {
            "round": index,
            "faults": list(self.faults),
            "silent": list(self.silent),
            "unheard": list(self.unheard),
            "due": {
                "first": self.due.first,
                "deck": [CARD_NAMES[card] for card in self.due.order],
                "seal": self.due.seal,
            },
        }


@dataclass(frozen=True)
class Verdict:
    """What was found in a record."""

    table: str
    commitment: str
    faults: tuple[str, ...]  # `secret` does not open the commitment; `commitment` or `table` is not the one noted
    rounds: tuple[Finding, ...]

    @property
    def honest(self) -> bool:
        """Whether everything is as it has to be."""
        return not self.faults and not any(found.faults or found.unheard for found in self.rounds)

    def data(self) -> dict[str, Any]:
        """The object that is printed."""
        return {
            "honest": self.honest,
            "table": self.table,
            "commitment": self.commitment,
            "faults": list(self.faults),
            "rounds": [found.data(index) for index, found in enumerate(self.rounds)],
        }


def verify(data: Any, noted: Noted | None = None) -> Verdict:
    """Hold every deal of a parsed record against its secret and its words, and these against what was noted.

    Raises RecordError for a bad record and ShuffleError for a bad shuffle part.
    """
    match, noted = replay(data), noted or Noted()
    _check_noted(noted, len(match.players), len(match.rounds))
    part = _shuffle_part(data)
    rows = [_shuffle_row(row, number, len(match.players)) for number, row in enumerate(data["rounds"], 1)]
    dues = _dues(match, part, [row["words"] for row in rows])
    rounds = enumerate(zip(match.rounds, rows, dues, strict=True))
    return Verdict(
        table=part["table"],
        commitment=part["commitment"],
        faults=_faults(part, noted),
        rounds=tuple(_finding(dealt, {"index": index, **row}, due, noted) for index, (dealt, row, due) in rounds),
    )


def _dues(match: Play, part: Mapping[str, str], words: Sequence[Sequence[str]]) -> Iterator[Deal]:
    """The deal due to each round of a match, the rounds before it being as they were."""
    twin = open_match(match.edition, match.players, match.options, dealt=False)
    secret = bytes.fromhex(part["secret"])
    for past, given in zip(match.rounds, words, strict=True):
        yield draw(twin, secret, part["table"], given)
        twin.start(past.deck, past.first)
        for move in past.moves:
            twin.push(move)


def _faults(part: Mapping[str, str], noted: Noted) -> tuple[str, ...]:
    wrong = {
        "secret": commitment(bytes.fromhex(part["secret"])) != part["commitment"],
        "commitment": noted.commitment not in (None, part["commitment"]),
        "table": noted.table not in (None, part["table"]),
    }
    return tuple(key for key, differs in wrong.items() if differs)


def _finding(dealt: Round, row: Mapping[str, Any], due: Deal, noted: Noted) -> Finding:
    wrong = {
        "first": dealt.first != due.first,
        "deck": dealt.deck != due.order,
        "seal": row["seal"] != due.seal,
        "noted-seal": noted.seals.get(row["index"], row["seal"]) != row["seal"],
    }
    words = tuple(row["words"])
    return Finding(
        due=due,
        words=words,
        faults=tuple(key for key, differs in wrong.items() if differs),
        unheard=tuple(sorted(seat for seat, word in noted.words.items() if words[seat] != word)),
    )


# The form of what is checked


def _check_noted(noted: Noted, players: int, rounds: int) -> None:
    for seat in noted.words:
        if seat not in range(players):
            raise SuitorsError("bad-seat", f"There is no seat {seat}: seats are 0 to {players - 1}.")
    for index in noted.seals:
        if index not in range(rounds):
            raise SuitorsError("bad-round", f"There is no round {index + 1}: the record has {rounds}.")


def _shuffle_part(data: Mapping[str, Any]) -> dict[str, Any]:
    part = data.get("shuffle")
    if not isinstance(part, dict):
        raise ShuffleError("This record has no shuffle part: its deals cannot be checked.")
    if part.get("format") != FORMAT:
        raise ShuffleError(f'The shuffle part says "format": "{FORMAT}".')
    _check_text(part.get("table"), "A table's id")
    for key in ("commitment", "secret"):
        if not _is_hex(part.get(key)):
            raise ShuffleError(f"The {key} of the shuffle part must be 64 hexadecimal digits, lower case.")
    return part


def _shuffle_row(row: Mapping[str, Any], number: int, players: int) -> Mapping[str, Any]:
    words = row.get("words")
    if not isinstance(words, list) or len(words) != players:
        raise ShuffleError(f"Round {number} must have a list of {players} words, one a seat.")
    try:
        for word in words:
            check_word(word)
    except ShuffleError as error:
        raise ShuffleError(f"Round {number}: {error}") from None
    if not _is_hex(row.get("seal")):
        raise ShuffleError(f"The seal of round {number} must be 64 hexadecimal digits, lower case.")
    return row


def _is_hex(text: object) -> bool:
    return isinstance(text, str) and HEX.fullmatch(text) is not None
