"""docs/security.md: every test that it names exists."""

import re

import pytest

from support.repository import ROOT, read_page

NAMES = sorted(set(re.findall(r"`(test_\w+)`", read_page("security.md"))))
TESTS = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
}


@pytest.mark.parametrize("name", NAMES)
def test_a_promise_has_its_test(name: str) -> None:
    assert name in TESTS


def test_promises_name_tests() -> None:
    assert len(NAMES) > 20
