"""Options of the training tools: what makes no sense is refused before anything is compiled or learnt."""

import argparse

import pytest

from tools.train.options import check_tables, count, duration, positive, whole


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (positive, ["0.5", "180"], ["0", "-1", "nan", "inf"]),
        (duration, ["0", "2.5"], ["-1", "nan", "inf"]),
        (count, ["1", "16"], ["0", "-3"]),
        (whole, ["0", "7"], ["-1"]),
    ],
)
def test_numbers_that_make_no_sense_are_refused(read: type, good: list[str], bad: list[str]) -> None:
    for text in good:
        assert read(text) == float(text)
    for text in bad:
        with pytest.raises(argparse.ArgumentTypeError, match=r"is not a number|is below 0"):
            read(text)


def test_every_part_of_a_batch_must_have_tables_of_every_size(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    check_tables(parser, argparse.Namespace(tables=32), 8, 4)
    with pytest.raises(SystemExit):
        check_tables(parser, argparse.Namespace(tables=31), 8, 4)
    assert "31 tables are too few: at least 32 are needed" in capsys.readouterr().err
