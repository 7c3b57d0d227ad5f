"""`suitors print` and `suitors theme` as people call them."""

from pathlib import Path

import pytest

from support.matches import call


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_kit_is_written_where_one_is(folder: Path) -> None:
    done = call("print", "--edition", "demo", "--lang", "fr")
    assert done.status == 0
    assert "suitors-demo-fr-court.pdf" in done.out
    assert (folder / "suitors-demo-fr-court.pdf").read_bytes().startswith(b"%PDF-")


def test_an_edition_is_printed_in_its_own_language(folder: Path) -> None:
    assert call("print", "--edition", "demo", "--duplex", "--paper", "letter", "--save-ink").status == 0
    assert call("print", "--edition", "classic", "--output", "kits/mine.pdf").status == 0
    assert (folder / "suitors-demo-fr-court.pdf").exists()
    assert (folder / "kits" / "mine.pdf").exists()


def test_cards_as_pictures(folder: Path) -> None:
    assert call("print", "--edition", "house", "--theme", "mule", "--png", "cards").status == 0
    assert sorted(path.stem for path in (folder / "cards").iterdir()) == sorted(
        ["back", "baron-ebling-mis", "baron-magnifico-giganticus", "countess", "guard", "handmaid", "king",
         "priest-bail-channis", "priest-han-pritcher", "prince-bayta-darell", "prince-toran-darell", "princess"]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--edition", "nix"], "There is no edition"),
        (["--edition", "modern", "--theme", "nix"], "There is no theme"),
        (["--edition", "modern", "--theme", "mule"], "has names for house only"),
        (["--edition", "modern", "--theme", "nix.toml"], "cannot be read"),
        (["--edition", "modern", "--output", "/proc/nowhere/kit.pdf"], "cannot be written"),
        ([], "--edition"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words: list[str], why: str) -> None:
    done = call("print", *words)
    assert done.status == 2
    assert why in done.err


def test_a_theme_is_started_checked_and_printed(folder: Path) -> None:
    assert call("theme", "new", "mine.toml").status == 0
    done = call("theme", "check", "mine.toml")
    assert (done.status, "is a theme for premium" in done.out) == (0, True)
    assert call("print", "--edition", "classic", "--theme", "mine.toml").status == 0
    assert (folder / "suitors-classic-en-mine.pdf").exists()
    assert call("theme", "new", "mine.toml").status == 2
    assert call("theme", "new", "mine").status == 2


def test_a_text_that_does_not_fit_is_named_with_its_line(folder: Path) -> None:
    call("theme", "new", "mine.toml")
    text = (folder / "mine.toml").read_text("utf-8")
    line = text[: text.index('en.text = "Look in secret')].count("\n") + 1
    old = next(row for row in text.splitlines() if row.startswith('en.text = "Look in secret'))
    (folder / "mine.toml").write_text(text.replace(old, f'en.text = "{"W" * 160}"'), "utf-8")
    done = call("theme", "check", "mine.toml")
    assert done.status == 2
    assert f"mine.toml, line {line}: the text of priest is too long" in done.err
