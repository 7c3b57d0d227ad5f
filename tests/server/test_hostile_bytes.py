"""A real server and heads, frames and pipelines without end: refused after so many bytes, while others go on."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from suitors.server.ops.connections import MOST_HEADERS, MOST_PIPELINED
from suitors.server.ops.limits import Limits
from suitors.server.ops.websockets import TOO_MANY
from support.raw_connections import UPGRADE, dial, frame, head, opened, rest, table_at, trickle
from support.servers import API, FREE, Caller, Running, running

LIMITS = vars(FREE) | {"body_s": 0.6, "messages_s": 20.0, "messages_burst": 40}
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("bytes")
    limits = folder / "strict.toml"
    limits.write_text("".join(f"{key} = {value}\n" for key, value in LIMITS.items()))
    with running(folder, "--limits", str(limits)) as found:
        yield found


@pytest.fixture(scope="module")
def path(server: Running) -> str:
    """A table that anybody may watch."""
    return table_at(Caller(server.address, "Ada"), start=True)[1]


def sent_before_refusal(line: socket.socket, chunk: bytes, most: int = 64 * MEGABYTE) -> int:
    """How many bytes the other side takes before it closes."""
    sent = 0
    try:
        while sent < most:
            sent += line.send(chunk)
    except ConnectionError:
        pass
    return sent


# Heads

ENDLESS = {
    "one header": (b"X-Long: ", b"x" * 65_536),
    "one name": (b"", b"x" * 65_536),
    "many headers": (b"", b"X-Many: many\r\n" * 4_096),
    "many small headers": (b"", b"a:\r\n" * 16_384),
}


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("socket_too", [False, True], ids=["request", "socket"])
def test_a_head_without_end_is_refused_early(server: Running, path: str, kind: str, socket_too: bool) -> None:
    first, more = ENDLESS[kind]
    begin = head(server, f"GET {API}{path}/live", *(UPGRADE if socket_too else ()))[:-2]
    with dial(server) as line:
        line.sendall(begin + first)
        assert sent_before_refusal(line, more) < 16 * MEGABYTE  # the buffers of two sockets, not what was read


def test_an_address_without_end_is_refused_early(server: Running) -> None:
    with dial(server) as line:
        line.sendall(b"GET /")
        assert sent_before_refusal(line, b"x" * 65_536) < 16 * MEGABYTE


def test_a_head_may_have_so_many_bytes_and_no_more(server: Running) -> None:
    most = Limits().head_bytes
    answered = []
    for size in (most - 5_000, most + 5_000):
        with dial(server) as line:
            line.sendall(head(server, "GET /health", "Connection: close", f"X-Long: {'x' * size}"))
            answered.append(rest(line).startswith(b"HTTP/1.1 200 "))
    assert answered == [True, False]


def test_a_head_may_have_so_many_headers_and_no_more(server: Running) -> None:
    for more, status in ((-2, b"200"), (-1, b"431")):  # Host and Connection are headers, too
        with dial(server) as line:
            many = [f"X-{number}: x" for number in range(MOST_HEADERS + more)]
            line.sendall(head(server, "GET /health", "Connection: close", *many))
            assert rest(line)[9:12] == status


@pytest.mark.parametrize("header", [f"Cookie: {'x' * 9_000}", "\r\n".join(["X: x"] * 127)], ids=["long", "many"])
def test_a_socket_whose_head_is_too_much_for_one_is_refused_and_not_forgotten(
    server: Running, path: str, header: str
) -> None:
    with dial(server) as line:
        line.sendall(head(server, f"GET {API}{path}/live", *UPGRADE, header))
        assert rest(line).startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "begin",
    [b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nX: "],
    ids=["line", "head", "socket"],
)
def test_a_head_that_comes_bit_by_bit_has_an_end(server: Running, begin: bytes) -> None:
    with dial(server) as line:
        line.sendall(begin)
        assert trickle(line)


def test_many_heads_at_once_are_many_times_the_limit_and_no_more(server: Running) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(dial(server)) for _ in range(20)]
        for line in lines:
            line.sendall(head(server, "GET /health")[:-2] + b"X-Long: " + b"x" * 60_000)
        with dial(server) as other:
            other.sendall(head(server, "GET /health", "Connection: close"))
            assert rest(other).startswith(b"HTTP/1.1 200 ")


# Between and behind requests


@pytest.mark.parametrize("bit", [b"\r\n", b"\n"])
def test_empty_lines_after_an_answer_keep_no_connection_open(server: Running, bit: bytes) -> None:
    with dial(server) as line:
        line.sendall(head(server, "GET /health"))
        assert line.recv(12) == b"HTTP/1.1 200"
        line.sendall(bit)
        assert b"HTTP/1.1" not in rest(line)  # it ends without another word from either side


def test_a_body_that_ends_after_its_answer_keeps_no_connection_open(server: Running) -> None:
    with dial(server) as line:
        line.sendall(head(server, "GET /health", "Content-Length: 10"))
        assert line.recv(12) == b"HTTP/1.1 200"
        line.sendall(b"x" * 10)
        rest(line)


CHUNK = b'f\r\n{"name": "Ada"}\r\n'


@pytest.mark.parametrize("end", [b"X: x\r\nX: x\r\n", b"X: x\r\nX: x\r\n\r\n"])
def test_headers_behind_a_body_are_refused(server: Running, end: bytes) -> None:
    begin = head(server, f"POST {API}/me", "Transfer-Encoding: chunked", "Content-Type: application/json")
    with dial(server) as line:
        line.sendall(begin + CHUNK + b"0\r\n" + end)
        assert rest(line).startswith(b"HTTP/1.1 400 ")


BEHIND = {"trailer": b"0\r\nX-Long: ", "size of a chunk": b"1;x="}


@pytest.mark.parametrize("kind", BEHIND)
def test_what_surrounds_a_body_has_an_end(server: Running, kind: str) -> None:
    begin = head(server, f"POST {API}/me", "Transfer-Encoding: chunked", "Content-Type: application/json")
    with dial(server) as line:
        line.sendall(begin + CHUNK + BEHIND[kind])
        assert sent_before_refusal(line, b"x" * 65_536) < 16 * MEGABYTE


def test_a_pipeline_has_room_for_some_requests_and_not_for_thousands(server: Running) -> None:
    request = head(server, "GET /health")
    with dial(server) as line:
        last = head(server, "GET /health", "Connection: close")
        line.sendall(request * (MOST_PIPELINED - 1) + last)
        assert rest(line).count(b"HTTP/1.1 200 ") == MOST_PIPELINED
    with dial(server) as line:
        assert sent_before_refusal(line, request * 1_000) < 16 * MEGABYTE


# Frames

FLOODS = {
    "pings": frame(0x9),
    "pings with text": frame(0x9, b"x" * 125),
    "pongs": frame(0xA),
    "empty fragments": frame(0x0, last=False),
    "messages": frame(0x1, b"x"),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_ends_a_socket_and_only_that(server: Running, path: str, kind: str) -> None:
    with opened(server, Caller(server.address, "Ben"), f"{path}/live") as good, dial(server) as line:
        line.sendall(head(server, f"GET {API}{path}/live", *UPGRADE))
        assert line.recv(12) == b"HTTP/1.1 101"
        if kind == "empty fragments":
            line.sendall(frame(0x1, b"x", last=False))
        assert sent_before_refusal(line, FLOODS[kind] * 10_000) < 16 * MEGABYTE
        good.send(json.dumps({"do": "deal", "state": 0, "id": "mine"}))
        while (told := json.loads(good.recv(30)))["type"] != "answer":
            pass
        assert told["id"] == "mine"


def test_a_socket_is_told_why_it_was_closed(server: Running, path: str) -> None:
    with dial(server) as line:
        line.sendall(head(server, f"GET {API}{path}/live", *UPGRADE))
        assert line.recv(12) == b"HTTP/1.1 101"
        line.sendall(frame(0xA) * 170)  # no more than is read at once
        assert rest(line).endswith(TOO_MANY.to_bytes(2, "big"))


def test_a_few_pings_and_fragments_are_nothing_special(server: Running, path: str) -> None:
    with opened(server, Caller(server.address, "Cleo"), f"{path}/live") as line:
        for _ in range(20):
            assert line.ping().wait(30)
        line.send([json.dumps({"do": "deal", "state": 0}), "", " "])
        while json.loads(line.recv(30))["type"] != "answer":
            pass
