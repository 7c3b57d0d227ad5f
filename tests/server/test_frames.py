"""Frames as RFC 6455 has them, and as it forbids them: the same comes of them however their bytes come."""

import asyncio
import itertools
from dataclasses import replace
from typing import Any

import pytest

from suitors.server.ops.websockets import DIRECT
from support.frame_lines import FrameLine, turns
from support.servers import FREE

MASK = b"\x37\xfa\x21\x3d"


def masked(first: int, payload: bytes = b"", mask: bytes = MASK, length: int = 0) -> bytes:
    """A frame of a client with this first byte; its size in one byte, or in 2 or 8 more."""
    size = (
        (b"\xfe" if length == 2 else b"\xff") + len(payload).to_bytes(length)
        if length
        else bytes((0x80 | len(payload),))
    )
    coded = bytes(byte ^ mask[k % 4] for k, byte in enumerate(payload))
    return bytes((first,)) + size + mask + coded


async def heard(*segments: bytes, **limits: Any) -> tuple[list[str], list[bytes], int | None]:
    """What an application hears that takes every other text at once, which pings are answered, and how it ends."""
    texts: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        waiting = False
        turn = itertools.count()

        def take(text: str) -> bool:
            if waiting or next(turn) % 2:
                return False
            texts.append(text)
            return True

        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][DIRECT]["listen"](take)
        while (message := await receive())["type"] == "websocket.receive":
            waiting = True
            await turns(2)
            texts.append(message.get("text", "bytes"))
            waiting = False

    line = await FrameLine(app, replace(FREE, **limits)).open("/")
    for segment in segments:
        line.send(segment)
        await turns(3)
    await turns()
    pongs = [payload for opcode, payload in line.frames() if opcode == 10]
    code = line.code
    line.abort()
    await turns(3)
    return texts, pongs, code


A, B = masked(0x81, b"a"), masked(0x81, "bé".encode())
LONGEST, LONG = b"x" * 125, b"y" * 126
STREAMS: dict[str, tuple[bytes, list[str], list[bytes], int | None]] = {
    "texts": (A + B + A, ["a", "bé", "a"], [], None),
    "no mask worth the name": (masked(0x81, b"a", b"\0\0\0\0"), ["a"], [], None),
    "nothing": (masked(0x81) + A, ["", "a"], [], None),
    "lengths": (
        b"".join((masked(0x81, LONGEST), masked(0x81, LONG, length=2), masked(0x81, b"q" * 300, length=8))),
        [LONGEST.decode(), LONG.decode(), "q" * 300],
        [],
        None,
    ),
    "a text, a ping and a text": (A + masked(0x89, b"hi") + B, ["a", "bé"], [b"hi"], None),
    "a text and the end": (A + masked(0x88, b"\x03\xe8") + B, ["a"], [], 1000),
    "fragments and pings": (
        masked(0x01, b"o")
        + masked(0x89, b"1")
        + masked(0x00, b"n\xc3")
        + masked(0x8A, b"2")
        + masked(0x80, b"\xa9")
        + A,
        ["oné", "a"],
        [b"1"],
        None,
    ),
    "an empty first fragment": (masked(0x01) + masked(0x80, b"a") + B, ["a", "bé"], [], None),
    "bytes in fragments": (masked(0x02, A) + masked(0x80, A) + A, ["bytes", "a"], [], None),
    "bytes that look like a text": (masked(0x82, A, bytes(4)), ["bytes"], [], None),
    "a text within a message of fragments": (masked(0x01) + A, [], [], 1002),
    "a continuation of nothing": (masked(0x80, b"a"), [], [], 1002),
    "a fragmented ping": (masked(0x09, b"a"), [], [], 1002),
    "a long ping": (masked(0x89, LONG, length=2), [], [], 1002),
    "no UTF-8": (masked(0x81, b"\xc3"), [], [], 1007),
    "no UTF-8 in fragments": (masked(0x01, b"\xc3") + masked(0x80, b"a"), [], [], 1007),
    "a surrogate": (masked(0x81, b"\xed\xa0\x80"), [], [], 1007),
    "not masked": (b"\x81\x01a", [], [], 1002),
    "too long": (b"\x81\xff" + (1 << 40).to_bytes(8) + MASK, [], [], 1009),
    **{
        f"first byte {first:#x}": (masked(first, b"a"), [], [], 1002)
        for first in (0xC1, 0xA1, 0x91, 0x83, 0x87, 0x8B, 0x8F)
    },
}
"""Bytes, and what must come of them: the messages, the pongs, and the code of the end."""


@pytest.mark.parametrize("kind", STREAMS)
def test_frames_mean_the_same_wherever_they_are_cut(kind: str) -> None:
    stream, *meant = STREAMS[kind]
    cuts = [(), range(1, len(stream)), *((k,) for k in range(1, min(len(stream), 40)))]

    async def all_ways() -> None:
        for cut in cuts:
            places = [0, *cut, len(stream)]
            segments = [stream[a:b] for a, b in itertools.pairwise(places)]
            assert [*await heard(*segments)] == meant, cut

    asyncio.run(all_ways())


def test_the_limit_of_a_message_holds_for_short_ones_too() -> None:
    text, longer = masked(0x81, b"x" * 20), masked(0x81, b"x" * 21)
    assert asyncio.run(heard(text, message_bytes=20)) == (["x" * 20], [], None)
    assert asyncio.run(heard(longer, message_bytes=20)) == ([], [], 1009)


def test_parts_of_a_message_without_end_are_not_kept() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        texts.append((await receive())["text"])

    async def play() -> None:
        line = await FrameLine(app, FREE).open("/")
        line.send(masked(0x01, b"a") + 1_000 * masked(0x00))
        assert len(line.socket.frames) < 10
        line.send(masked(0x00, b"b") + masked(0x80))
        await turns()
        line.abort()
        await turns(3)

    texts: list[str] = []
    asyncio.run(play())
    assert texts == ["ab"]
