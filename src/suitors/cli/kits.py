"""The commands that print kits and make themes. What they need beyond the plain install is loaded when they run."""

from pathlib import Path

import click

from ..rules import find_box
from ..words import LANGUAGES, THEMES, Theme, WordsError, gettext, load_theme
from ..words.editions import edition_word
from ..words.rulebook import check_fits
from ..words.theme_file import new_theme, read_theme
from ..words.theme_lines import ThemeFileError, line_of
from .editions import find_edition
from .options import lacking

NEEDED = "The libraries for printing are not installed: pip install 'suitors[print]', or use python3 run.py print."
KEYS = {"title": "name"}
"""The keys of a theme file for what a card shows, where they differ."""


@click.command("print")
@click.option("--edition", required=True, help="Which edition (`suitors rules` lists them), or a file with your own.")
@click.option("--lang", type=click.Choice(LANGUAGES), default=None, help="The language (default: the edition's own).")
@click.option("--theme", default=THEMES[0], show_default=True, help="A built-in theme, or a theme file (.toml).")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The sheets.")
@click.option("--duplex", is_flag=True, help="For printing on both sides, not for folding.")
@click.option("--save-ink", is_flag=True, help="Lines on white, no coloured grounds.")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="The PDF (default: in this folder).")
@click.option(
    "--png", type=click.Path(path_type=Path, file_okay=False), help="Write each card as a picture here instead."
)
def print_command(
    edition: str,
    lang: str | None,
    theme: str,
    paper: str,
    duplex: bool,
    save_ink: bool,
    output: Path | None,
    png: Path | None,
) -> None:
    """Write a print-and-play kit: cards, reference cards, tokens and the rules, as a PDF."""
    try:
        from ..printing import Kit, print_cards, print_kit  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise lacking(error, NEEDED) from None
    slug = find_edition(edition).slug
    words, lang = find_theme(theme), lang or find_box(slug).language
    check_fits(words, slug)
    kit = Kit(slug, lang, words, "letter" if paper == "letter" else "a4", duplex, save_ink)
    check_fit(theme, kit)
    say = gettext(lang)
    if png is not None:
        pictures = print_cards(kit)
        save({png / f"{name}.png": picture for name, picture in pictures.items()})
        click.echo(say("{count} pictures are in {folder}.").format(count=len(pictures), folder=png))
        return
    path = output or Path(f"suitors-{edition_word(slug)}-{lang}-{words.slug}.pdf")
    save({path: print_kit(kit)})
    click.echo(say("The kit is in {path}. Print it at full size (100%).").format(path=path))


def find_theme(name: str) -> Theme:
    """A built-in theme by its name, or one in a file."""
    return read_theme(Path(name)) if name.endswith(".toml") else load_theme(name)


def check_fit(name: str, kit: object) -> None:
    """Refuse a theme file whose texts do not fit their boxes; those of built-in themes are tested."""
    from ..printing import Kit, measure_texts  # noqa: PLC0415 - an extra

    assert isinstance(kit, Kit)
    if not name.endswith(".toml"):
        return
    for found in measure_texts(kit):
        if found["share"] > 1 and found["card"] in kit.theme.cards:
            card, key = found["card"], KEYS.get(found["key"], found["key"])
            line = line_of(Path(name).read_text("utf-8"), ("cards", card, kit.lang, key))
            raise ThemeFileError(Path(name), line, f"the {key} of {card} is too long for the card: shorten it")


def save(files: dict[Path, bytes]) -> None:
    """Write files, or refuse with a sentence."""
    for path, content in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise click.UsageError(f"{path} cannot be written: {error.strerror or error}.") from None


@click.group("theme")
def theme_command() -> None:
    """Make a theme of your own: names, texts, colours and emblems in one file."""


@theme_command.command("new")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--from", "model", type=click.Choice(THEMES), default=THEMES[0], show_default=True, help="Start from.")
def new_command(path: Path, model: str) -> None:
    """Start a theme file from a built-in theme."""
    if path.suffix != ".toml":
        raise WordsError(f"A theme file ends in .toml: name it {path.with_suffix('.toml').name}.")
    new_theme(path, model)
    read_theme(path)
    click.echo(f"{path} is written. Change it, then check it with: suitors theme check {path}")


@theme_command.command("check")
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def check_command(path: Path) -> None:
    """Check a theme file, and whether its texts fit their cards; an error names its line."""
    theme = read_theme(path)
    from ..printing import Kit  # noqa: PLC0415 - an extra

    for slug in theme.editions:
        for lang in LANGUAGES:
            check_fit(str(path), Kit(slug, lang, theme))
    click.echo(f"{path} is a theme for {', '.join(theme.editions)}.")
