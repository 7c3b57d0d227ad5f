"""`suitors study`: what it counts is what happened, on the same deals for every seat, and how the command ends."""

import json
import pickle
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from suitors.arena.chart import LEFT, RIGHT
from suitors.arena.tally import WHOLE, Tally
from suitors.cli import study as command
from suitors.notation import CARD_NAMES
from suitors.rules import BOXES, Card
from suitors.rules.names import first_of, verb_of
from suitors.study import study as study_module
from suitors.study.answers import Answer
from suitors.study.names import ABOUT, BOTS
from suitors.study.plot import Bar, Panel, plot
from suitors.study.questions import QUESTIONS
from suitors.study.rounds import Rounds, StudyTable, play_guesses, play_rounds
from suitors.study.study import Study
from support.matches import TABLES, call
from support.repository import ROOT, load_script

MODERN = StudyTable("modern", 3, "novice", 5)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile before a command runs, which would say so on standard error."""
    play_rounds(MODERN, range(1), 1)


def ask(table: StudyTable, question: str, rounds: int = 3000) -> Answer:
    study = Study(table, [question], rounds)
    assert sum(study.run()) >= rounds
    (answer,) = study.answers()
    return answer


def refused(*words: str) -> str:
    done = call("study", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    return done.err


# Rounds


@pytest.mark.parametrize("bot", BOTS)
def test_each_deal_is_played_once_for_every_starter_and_hands_stay(bot: str) -> None:
    table = StudyTable("modern", 4, bot, 5)
    rounds = play_rounds(table, range(6), 1)
    assert rounds.first.tolist() == [[0, 1, 2, 3]] * 6
    assert (rounds.hands == rounds.hands[:, :1]).all()
    assert len({str(hands) for hands in rounds.hands[:, 0].tolist()}) == 6
    assert (rounds.hands == play_rounds(StudyTable("modern", 4, "novice", 5), range(6), 1).hands).all()
    assert (rounds.won.sum(axis=2) == WHOLE).mean() > 0.9


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_every_table_can_be_asked_everything(slug: str, players: int) -> None:
    study = Study(StudyTable(slug, players, "novice"), list(ABOUT), 40)
    list(study.run())
    answers = study.answers()
    assert [answer.question for answer in answers] == list(ABOUT) == list(QUESTIONS)
    for answer in answers:
        assert answer.rounds >= 40
        for row in answer.rows:
            assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1


def test_parts_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [ask(MODERN, "cards").data()]
    monkeypatch.setattr(study_module, "AT_ONCE", 700)
    found.append(ask(MODERN, "cards").data())
    study = Study(MODERN, ["cards"], 3000, threads=2)
    list(study.run())
    assert [*found, study.answers()[0].data()] == [found[0]] * 3


# What is counted


def each(rounds: Rounds) -> list[dict[str, Any]]:
    """Every round by itself, in plain Python."""
    groups, size = rounds.first.shape
    return [
        {name: getattr(rounds, name)[group, k].tolist() for name in rounds._fields[1:]}
        for group in range(groups)
        for k in range(size)
    ]


def recount(question: str, found: list[dict[str, Any]], players: int) -> dict[str, tuple[int, int]]:
    """What was won and in how many cases, for each row of an answer."""
    won, cases = Counter[str](), Counter[str]()
    for played in found:
        starter = played["first"]
        if question == "first":
            kinds = [(str((seat - starter) % players + 1), played["won"][seat]) for seat in range(players)]
        elif question == "cards":
            kinds = [(CARD_NAMES[card], played["won"][seat]) for seat, card in enumerate(played["hands"])]
        else:
            kinds = [(CARD_NAMES[verb_of(played["opening"])], played["won"][starter])]
        for kind, parts in kinds:
            won[kind] += parts
            cases[kind] += 1
    return {kind: (won[kind], cases[kind]) for kind in cases}


@pytest.mark.parametrize("question", ["first", "cards", "opening"])
def test_rates_are_those_of_the_rounds_one_by_one(question: str) -> None:
    answer = ask(MODERN, question, 600)
    counted = recount(question, each(play_rounds(MODERN, range(200), 1)), 3)
    rates = {str(next(iter(row.values()))): row["rate"] for row in answer.rows}
    assert rates == {kind: pytest.approx(won / cases / WHOLE, abs=1e-6) for kind, (won, cases) in counted.items()}
    assert answer.fair == pytest.approx(1 / 3)


def test_lengths_and_ends_and_the_balance_are_those_of_the_rounds() -> None:
    found = each(play_rounds(MODERN, range(200), 1))
    lengths, ends = Counter(played["length"] for played in found), Counter(played["ending"] for played in found)
    answer = ask(MODERN, "length", 600)
    assert {row["decisions"]: row["rate"] * 600 for row in answer.rows} == pytest.approx(dict(lengths), abs=1e-3)
    ending = ask(MODERN, "ending", 600)
    assert sorted(row["rate"] * 600 for row in ending.rows) == pytest.approx(sorted(ends.values()), abs=1e-3)
    (row,) = ask(MODERN, "balance", 600).rows
    assert row["length"] == pytest.approx(sum(n * times for n, times in lengths.items()) / 600, abs=1e-5)
    assert row["rate"] == ask(MODERN, "first", 600).rows[0]["rate"]


def test_intervals_are_those_of_groups_on_the_same_deal() -> None:
    rounds, tally = play_rounds(MODERN, range(200), 1), Tally()
    for group in rounds.won:
        tally.add(int(sum(group[seat][seat] for seat in range(3))), 3)
    row = ask(MODERN, "first", 600).rows[0]
    assert (row["low"], row["high"]) == pytest.approx(tally.interval(), abs=1e-6)


def test_every_first_guess_is_tried_on_the_same_deals() -> None:
    table = StudyTable("classic", 3, "novice", 2)
    rounds = play_guesses(table, range(5), 1)
    names = table.guesses
    assert rounds.first.shape == (5, len(names))
    assert (rounds.hands == rounds.hands[:, :1]).all()
    assert (rounds.hands[..., 0] == Card.GUARD).all()
    assert {first_of(move) for move in rounds.opening.ravel().tolist()} == {1}
    right = {row["name"]: row["right"] for row in ask(table, "guess", 40_000).rows}
    for name in names:
        assert right[CARD_NAMES[name]] == pytest.approx(table.rules.copies[name] / 15, abs=0.025)
    assert Card.GUARD not in names


def test_a_first_guess_needs_a_guard() -> None:
    table = StudyTable("classic", 2, "novice")
    object.__setattr__(table, "rules", table.rules.__class__(**{**vars(table.rules), "name_count": (0,) * len(Card)}))
    with pytest.raises(ValueError, match="no Guard"):
        Study(table, ["guess"], 10)


# The command


def test_the_command_prints_tables_and_writes_json_and_a_picture(tmp_path: Path) -> None:
    files = ("--json", str(tmp_path / "a.json"), "--plot", str(tmp_path / "a.svg"))
    done = call("study", "classic", "--rounds", "400", "--seed", "3", *files)
    assert (done.status, done.err) == (0, "")
    assert all(about in done.out for about in ABOUT.values())
    data = json.loads((tmp_path / "a.json").read_text())
    assert (data["format"], data["seed"]) == ("suitors-study/1", 3)
    assert {answer["question"] for answer in data["answers"]} == set(ABOUT)
    assert list(data["answers"][0]) == ["question", "edition", "players", "bot", "rounds", "fair", "rows"]
    balance = [(a["players"], a["bot"]) for a in data["answers"] if a["question"] == "balance"]
    assert sorted(balance) == sorted((players, bot) for players in (2, 3, 4) for bot in BOTS)
    picture = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert "princess" in "".join(picture.itertext())
    assert call("study", "classic", "--rounds", "400", "--seed", "3").out == done.out


def test_files_are_written_though_nobody_reads_what_is_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def closed(answers: Iterable[Any]) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(command, "_print_answers", closed)
    path = tmp_path / "a.json"
    words = ["classic", "--question", "first", "--rounds", "100", "--json", str(path)]
    with pytest.raises(BrokenPipeError):
        command.study_command.main(words, standalone_mode=False)
    assert json.loads(path.read_text())["answers"][0]["rounds"] == 100


def test_one_question_to_one_table_and_one_bot() -> None:
    done = call("study", "modern", "--question", "first", "--players", "5", "--bot", "policy", "--rounds", "50")
    lines = done.out.splitlines()
    assert lines[0] == "How often a seat wins by its turn: modern, 5 players, policy, 50 rounds"
    assert lines[1].split() == ["turn", "rate", "low", "high", "fair"]
    assert [line.split()[0] for line in lines[2:7]] == ["1", "2", "3", "4", "5"]


def test_without_an_edition_all_of_them_are_weighed() -> None:
    done = call("study", "--rounds", "10", "--bot", "random", "--players", "4")
    slugs = [line.split()[0] for line in done.out.splitlines()[2:-1]]
    assert slugs == [slug for slug, box in BOXES.items() if 4 in box.players]


def test_an_edition_of_ones_own_is_studied_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('base = "classic"\nname = "Small"\n[cards]\npriest = 6\nking = 2\nprincess = 1\n', "utf-8")
    done = call("study", str(path), "--rounds", "20", "--bot", "random")
    assert (done.status, done.err) == (0, "")
    assert "Small, 2 players, random" in done.out
    assert ABOUT["guess"] not in done.out
    assert "Guard" in refused(str(path), "--question", "guess")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["ancient"], "ancient"),
        (["solitaire"], "game for one"),
        (["modern", "--players", "9"], "players"),
        (["modern", "--players", "1"], "players"),
        (["--players", "9"], "no such table"),
        (["modern", "--bot", "expert"], "expert"),
        (["modern", "--question", "meaning"], "meaning"),
        (["modern", "--rounds", "0"], "rounds"),
        (["modern", "--threads", "0"], "threads"),
        (["modern", "--option", "x=y"], "x"),
        (["modern", "--rounds", "10", "--question", "first", "--json", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_the_command_refuses_what_it_cannot_study(words: list[str], named: str) -> None:
    done = call("study", *words)
    assert done.status == 2
    assert done.err.startswith("suitors: ")
    assert done.err.count("\n") == 1
    assert named in done.err


def test_the_command_needs_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "available", lambda: False)
    assert "suitors[fast]" in refused("modern")


def test_an_interrupt_ends_with_what_is_known_by_then(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(table: StudyTable, numbers: range, threads: int) -> Rounds:
        if numbers.start > 50:
            raise KeyboardInterrupt
        return play_rounds(table, numbers, threads)

    monkeypatch.setattr(study_module, "AT_ONCE", 100)
    monkeypatch.setattr(study_module, "play_rounds", interrupted)
    path = tmp_path / "a.json"
    done = call("study", "classic", "--question", "first", "--rounds", "100000", "--json", str(path))
    assert done.status == 130
    assert "200 rounds" in done.out
    assert "interrupted" in done.err
    assert json.loads(path.read_text())["answers"][0]["rounds"] == 200


# Parquet


class Arrow(ModuleType):
    """Stands for pyarrow: it keeps what would be written."""

    def __init__(self) -> None:
        super().__init__("pyarrow")
        self.parquet = ModuleType("pyarrow.parquet")
        self.parquet.ParquetWriter = lambda path, schema: self  # type: ignore[attr-defined]
        self.schema = dict
        self.written: list[dict[str, list[Any]]] = []
        self.closed = False
        self.int32 = self.int64 = self.string = lambda: None
        self.dictionary = lambda *kinds: None
        self.array = lambda values, kind=None: list(values)
        self.DictionaryArray = self

    def from_arrays(self, codes: list[int], words: list[str]) -> list[str]:
        return [words[code] for code in codes]

    def table(self, columns: list[Any], schema: dict[str, Any]) -> dict[str, list[Any]]:
        return {name: list(column) for name, column in zip(schema, columns, strict=True)}

    def write_table(self, table: dict[str, list[Any]]) -> None:
        self.written.append(table)

    def close(self) -> None:
        self.closed = True


def test_parquet_needs_its_library_and_gets_every_round(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = ("modern", "--question", "first", "--rounds", "30", "--parquet", str(tmp_path / "rounds.parquet"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "suitors[data]" in refused(*words)
    arrow = Arrow()
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", arrow.parquet)
    monkeypatch.delitem(sys.modules, "suitors.study.rows", raising=False)
    assert call("study", *words).status == 0
    monkeypatch.delitem(sys.modules, "suitors.study.rows", raising=False)
    (table,) = arrow.written
    assert arrow.closed
    assert {len(column) for column in table.values()} == {30}
    assert (table["edition"][0], table["bot"][0], table["players"][0]) == ("modern", "novice", 2)
    assert table["deal"] == [number // 2 for number in range(30)]
    assert table["hands"][0] == table["hands"][1]
    assert all(text.split()[0] in CARD_NAMES for text in table["opening"])
    assert set(table["end"]) <= {"last-standing", "showdown"}


def test_a_plot_of_the_balance_shows_all_tables() -> None:
    tables = [StudyTable("classic", players, "random") for players in (2, 3)]
    text = plot([ask(table, "balance", 60) for table in tables])
    assert "classic, 2 players, random" in text
    assert "classic, 3 players, random" in text
    ElementTree.fromstring(text)


def test_a_scale_has_room_for_what_would_be_fair_and_long_labels_are_cut() -> None:
    low = Panel("low", [Bar("a", 2.0, 1.0, 3.0), Bar("b", 0.0, 0.0, 0.0)], 12.5)
    assert low.x(0) == LEFT
    assert LEFT < low.x(12.5) <= low.x(low.most) == RIGHT
    assert Panel("none", [Bar("a", 0.0, 0.0, 0.0)], None).x(0) == LEFT
    table = StudyTable("classic", 2, "random")
    text = plot([Answer("first", table, 1, [{"turn": "x" * 40, "rate": 0.5, "low": 0.4, "high": 0.6}])])
    assert f">{'x' * 27}…<" in text


# The page


def headings(text: str) -> list[str]:
    starts = ("## ", "`suitors", "| first card", "| a first", "| table")
    return [line for line in text.splitlines() if line.startswith(starts)]


def asked_tables(text: str) -> list[str]:
    """The tables whose balance a page shows, each once."""
    return list(dict.fromkeys(re.findall(r"^\| (`[\w-]+`, \d+) \|", text, re.MULTILINE)))


def test_the_page_is_made_by_its_script() -> None:
    tool, page = load_script("tools/study_page.py"), (ROOT / "docs/study.md").read_text("utf-8")
    tables, picture = tool.make_tables(24, 8)
    _, made, shown = page.partition(tool.MADE)
    assert made
    missing = [table for table in asked_tables(tables) if table not in asked_tables(shown)]
    assert not missing, (
        f"docs/study.md lacks {'; '.join(missing)}. Run this, which writes docs/study.md and docs/study.svg anew:\n"
        "    python3 tools/study_page.py"
    )
    without = [re.sub(r"--rounds \d+", "", line) for line in headings(tables)]
    assert [re.sub(r"--rounds \d+", "", line) for line in headings(shown)] == without
    assert shown.count("\n| `") == tables.count("\n| `") == 3 * len(TABLES)
    assert (ROOT / "docs/study.svg").read_text("utf-8").splitlines()[1] == picture.splitlines()[1]


# On a cluster


def test_a_study_on_a_cluster_says_the_same_as_one_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def everywhere(
        address: str, function: Callable[[Any], Any], tasks: Iterable[tuple[int, Any]]
    ) -> Iterator[tuple[int, Any]]:
        assert address == "host:1"
        sent = [(number, pickle.loads(pickle.dumps(task))) for number, task in tasks]
        assert len(sent) > 4
        yield from [(number, pickle.loads(pickle.dumps(function(task)))) for number, task in reversed(sent)]

    monkeypatch.setattr(study_module, "run_everywhere", everywhere)
    monkeypatch.setattr(study_module, "AT_ONCE", 500)
    words = ("study", "classic", "--rounds", "1500", "--question", "first", "--question", "guess", "--json")
    here, there = tmp_path / "here", tmp_path / "there"
    assert call(*words, str(here)).status == 0
    done = call(*words, str(there), "--cluster", "host:1")
    assert (done.status, done.err) == (0, "")
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.parametrize("more", [("--threads", "2"), ("--parquet", "x")])
def test_a_cluster_goes_neither_with_threads_nor_with_rows(more: tuple[str, str]) -> None:
    assert "--cluster goes neither with" in refused("classic", "--cluster", "local:2", *more)


def test_a_bad_cluster_is_refused() -> None:
    assert "A cluster is the HOST:PORT" in refused("classic", "--cluster", "nowhere")
