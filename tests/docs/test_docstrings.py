"""Everything public has a docstring with an example, and every example does what it says."""

import doctest
import sys
from collections.abc import Iterator
from io import StringIO

import pytest

import suitors
from suitors import records, view
from suitors.bots import Bot

WITHOUT = {"RecordError", "Entry", "Memory", "read_view", "SoloView", "View", "__version__"}
"""Names that a package passes on, or whose example stands beside them."""


def public() -> Iterator[tuple[str, object]]:
    """What the reference pages show first, by name."""
    yield "suitors", suitors
    yield "suitors.bots.Bot", Bot
    for package in (suitors, records, view):
        for name in package.__all__:
            if package is suitors or name not in WITHOUT:
                yield f"{package.__name__}.{name}", getattr(package, name)


EXAMPLES = dict(public())
del EXAMPLES["suitors.__version__"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_docstring_do_what_they_say(name: str) -> None:
    found = EXAMPLES[name]
    module = sys.modules[getattr(found, "__module__", name)]
    runner, out = doctest.DocTestRunner(), StringIO()
    for example in doctest.DocTestFinder(exclude_empty=True).find(found, name, module=module):
        if found is not suitors or example.name == "suitors":
            runner.run(example, out=out.write)
    assert runner.tries, f"{name} has no example"
    assert not runner.failures, out.getvalue()
