"""JSON from strangers: what is JSON is read, what is not is refused, and nothing brings the reader down."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitors.records.record import replay, summary
from suitors.records.strict_json import DEPTH_KEPT, DEPTH_READ, NotJson, _Deep, parse
from support.matches import UNTIMED, chance_match

MARKS = {"array": ("[", "1", "]"), "object": ('{"a":', "1", "}"), "mixed": ('[{"a":', "null", "}]")}
Nested = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def deep(kind: str, levels: int, closed: bool) -> str:
    """A JSON text with so many levels of brackets, closed again or left open."""
    opening, inside, closing = MARKS[kind]
    times = levels // (2 if kind == "mixed" else 1)
    return opening * times + (inside + closing * times if closed else "")


def read(text: str | bytes) -> Any:
    """What `parse` makes of a text, or NotJson itself."""
    try:
        return parse(text.encode() if isinstance(text, str) else text)
    except NotJson:
        return NotJson


def read_deep(text: str) -> Any:
    """What the decoder without recursion makes of a text, or NotJson itself."""
    try:
        return _Deep(text).value()
    except NotJson:
        return NotJson


# What is JSON


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" \t\r\n[ ]\n", []),
        ("-0", 0),
        ("999999999999999999", 999999999999999999),
        ("1" + "0" * 5000, math.inf),
        ("1e400", math.inf),
        ("0.5e-3", 0.0005),
        ('{"a": 1, "a": 2}', {"a": 2}),
        (r'"\u00e9\n\/"', "é\n/"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud800"', "\ud800"),
        ('"\x7f\u2028"', "\x7f\u2028"),
        ('{"": {"": []}}', {"": {"": []}}),
    ],
)
def test_json_is_read(text: str, value: object) -> None:
    assert parse(text.encode()) == value
    assert _Deep(text).value() == value


def test_a_number_keeps_its_kind() -> None:
    assert [type(value) for value in parse(b"[1, 1.0, true, 1e2]")] == [int, float, bool, float]


# What is not


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "NaN", "[Infinity]", '{"a": -Infinity}', "nul", "True", "'a'", '"', '"a', '"\\x"', '"\\u12"'],
        *["01", "1.", ".5", "+1", "1e", "-", "0x1", "1_000", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}"],
        *["{", "}", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{1:2}", "{a:1}", '{"a" 1}', '{"a"::1}'],
        *["[]]", "{}{}", "1 2", "null x", "[] // no", "\ufeff[]", '"\n"', '"\x00"', "\x0b[]", "\u00a0[]", "٣"],
    ],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    assert read(text) is NotJson
    assert read_deep(text) is NotJson


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe[\x00]\x00",
        "[]".encode("utf-16"),
        "[]".encode("utf-16-le"),
        '["é"]'.encode("latin-1"),
        b'"\xed\xa0\x80"',
        b'"\xc0\xaf"',
        b'"\xf4\x90\x80\x80"',
        b"\xef\xbb\xbf{}",
        bytes(range(256)),
        b"\x00" * 100,
    ],
    ids=["bom", "utf-16", "utf-16-le", "latin-1", "surrogate", "overlong", "beyond", "utf-8-bom", "all", "zeros"],
)
def test_only_utf_8_is_read(raw: bytes) -> None:
    with pytest.raises(NotJson):
        parse(raw)


# Depth


@pytest.mark.parametrize("levels", [2_000, 99_000])
@pytest.mark.parametrize("kind", MARKS)
def test_deep_nesting_is_read_when_it_is_closed(kind: str, levels: int) -> None:
    value = parse(deep(kind, levels, closed=True).encode())
    assert isinstance(value, list | dict)
    assert len(value) == 1


@pytest.mark.parametrize("levels", [2_000, 99_000, 200_000])
@pytest.mark.parametrize("kind", MARKS)
def test_deep_nesting_is_refused_when_it_stays_open(kind: str, levels: int) -> None:
    assert read(deep(kind, levels, closed=False)) is NotJson


@pytest.mark.parametrize("kind", MARKS)
def test_what_is_too_deep_is_refused_in_so_many_words(kind: str) -> None:
    with pytest.raises(NotJson, match="100000 levels"):
        parse(deep(kind, 200_000, closed=True).encode())


def test_the_deepest_text_that_is_read() -> None:
    assert read_deep("[" * DEPTH_READ + "]" * DEPTH_READ) != NotJson
    assert read_deep("[" * (DEPTH_READ + 1) + "]" * (DEPTH_READ + 1)) is NotJson


@pytest.mark.parametrize("levels", [2_000, 99_000])
@pytest.mark.parametrize("kind", MARKS)
def test_a_closed_deep_text_must_still_be_json(kind: str, levels: int) -> None:
    text = deep(kind, levels, closed=True)
    assert read(text + "]") is NotJson
    assert read(text[:-1]) is NotJson
    assert read(text[:-1] + ("}" if text[-1] == "]" else "]")) is NotJson
    assert read(text.replace("1", "NaN").replace("null", "nan")) is NotJson


def test_the_deep_decoder_keeps_what_is_near_and_forgets_what_is_far() -> None:
    value = _Deep("[7," * DEPTH_KEPT + "8" + "]" * DEPTH_KEPT).value()
    for _ in range(DEPTH_KEPT - 2):
        assert value[0] == 7
        value = value[1]
    assert value == [7, None]


@pytest.mark.parametrize("levels", range(DEPTH_KEPT - 3, DEPTH_KEPT + 4))
@pytest.mark.parametrize("kind", MARKS)
def test_what_is_kept_does_not_depend_on_the_decoder(kind: str, levels: int) -> None:
    text = deep(kind, levels, closed=True)
    assert parse(text.encode()) == _Deep(text).value()
    reached = levels - levels % 2 if kind == "mixed" else levels
    assert (parse(text.encode()) == json.loads(text)) == (reached < DEPTH_KEPT)


@pytest.mark.parametrize("levels", [2_000, 99_000])
@pytest.mark.parametrize("kind", MARKS)
def test_a_good_record_with_a_deep_extra_key_is_still_good(kind: str, levels: int) -> None:
    record = chance_match("premium", 5, 1).record()
    text = json.dumps(record)[:-1] + ', "extra": ' + deep(kind, levels, closed=True) + "}"
    assert summary(replay(parse(text.encode()))) == summary(replay(record))


def test_a_long_string_beside_deep_nesting_needs_no_stack() -> None:
    long = "ab\\n" * 2_500_000
    text = f'["{long}", {deep("array", 2_000, closed=True)}]'
    assert parse(text.encode())[0] == "ab\n" * 2_500_000
    assert read(text[:-3] + '"') is NotJson


# Properties


@UNTIMED
@given(Nested, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_both_decoders_agree_with_the_standard_one(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert json.loads(text) == parse(text.encode()) == _Deep(text).value() == value


@UNTIMED
@given(st.text('[]{},:"\\ \ntruefalsn0123.eE+-', max_size=12))
def test_both_decoders_accept_what_the_standard_one_accepts(text: str) -> None:
    try:
        wanted = json.loads(text)
    except ValueError:
        wanted = NotJson
    assert read(text) == wanted
    assert read_deep(text) == wanted


@UNTIMED
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        wanted = json.loads(raw.decode())
    except ValueError:
        wanted = NotJson
    assert read(raw) == wanted
