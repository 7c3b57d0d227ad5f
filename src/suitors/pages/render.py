"""Templates and the files that they link to. Every text that goes into a template is escaped."""

import hashlib
from contextlib import suppress
from functools import lru_cache
from importlib import resources
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket

from .. import __version__, art
from ..words import LANGUAGE_NAMES, known_themes, load_theme
from .links import rules_link
from .palette import stylesheet
from .preferences import Preferences

MEDIA_TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}

STYLES = ("page.css", "table.css", "match.css", "analysis.css")
SCRIPTS = ("page.js", "live.js", "steps.js", "nod.js", "thread.js", "shuffle.js", "fair.js", "sha256.js")
FILES = (*STYLES, *SCRIPTS, "suitors.webmanifest")
OWN_SPRITE = "theme-"
"""How the names of the themes' sprites begin."""

SPRITES = {"ornaments.svg": "ornaments"}


class TemplateCache(FileSystemBytecodeCache):
    """Compiled templates in a folder of this user's among the temporary files; where none can be written, none is kept.

    A server starts a third of a second of processor time earlier with them.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def template_cache() -> TemplateCache | None:
    """The cache of compiled templates, if there is a folder for it that nobody else can write to."""
    try:
        return TemplateCache(pattern=f"suitors-{__version__}-%s")
    except (OSError, RuntimeError):
        return None


@lru_cache
def environment() -> Environment:
    """The templates, compiled when they are first used."""
    made = Environment(
        loader=PackageLoader("suitors.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=template_cache(),
    )
    made.globals.update(asset=asset, languages=LANGUAGE_NAMES, version=__version__, rules_link=rules_link)
    return made


def load_templates() -> None:
    """Compile all templates now, which would keep the first who ask for them waiting."""
    for name in environment().list_templates():
        environment().get_template(name)


def render(name: str, preferences: Preferences, edition: str | None = None, **context: Any) -> str:
    """A template rendered in somebody's language and theme, with the words for an edition if it is about one."""
    themes = {slug: load_theme(slug).title(preferences.lang) for slug in known_themes()}
    words = preferences.words_for(edition)
    shown = {"_": words.say, "tell": words.tell, "words": words, "preferences": preferences, "names_of_themes": themes}
    return environment().get_template(name).render(**shown, **context)


@lru_cache
def asset(name: str) -> str:
    """The address of a file that goes with the pages; it changes with the file, so browsers may keep it for good."""
    return f"/static/{name}?v={hashlib.sha256(asset_text(name).encode()).hexdigest()[:12]}"


@lru_cache
def asset_text(name: str) -> str:
    """The content of such a file; a KeyError where there is none."""
    if name == "colours.css":
        return stylesheet()
    if name == "logo.svg":
        return art.emblem("ornaments", "logo")
    if name in SPRITES:
        return art.sprite(SPRITES[name])
    if name.startswith(OWN_SPRITE) and (slug := name[len(OWN_SPRITE) : -len(".svg")]) in known_themes():
        return art.sprite_of(load_theme(slug).drawings())
    if name not in FILES:
        raise KeyError(name)
    return resources.files(__package__).joinpath("static", name).read_text("utf-8")
