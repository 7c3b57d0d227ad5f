"""Print-and-play kits from the page: what to print, and the PDF; where the library for it is installed."""

from importlib.util import find_spec

from fastapi import APIRouter, Response

from ...rules import BOXES
from ...words import known_themes, load_theme
from ...words.editions import edition_title
from ..errors import Refused, missing
from .requests import ThePageRequest

router = APIRouter(include_in_schema=False)


def can_print() -> bool:
    """Whether kits can be made here: the library is an extra."""
    return find_spec("typst") is not None


@router.get("/print/{slug}")
async def print_page(slug: str, request: ThePageRequest) -> Response:
    """What to print of an edition."""
    if slug not in BOXES or not can_print():
        raise missing("page")
    themes = {name: load_theme(name) for name in known_themes()}
    fitting = {name: theme.title(request.preferences.lang) for name, theme in themes.items() if slug in theme.editions}
    title = edition_title(slug, request.preferences.lang)
    return request.page("print.html", slug=slug, title=title, fitting=fitting)


@router.get("/print/{slug}/kit.pdf")
async def kit(
    slug: str,
    request: ThePageRequest,
    theme: str = "court",
    lang: str = "",
    paper: str = "a4",
    sides: str = "",
    ink: str = "",
) -> Response:
    """The kit, made in another process, for it takes a while."""
    if slug not in BOXES or not can_print() or theme not in known_themes():
        raise missing("page")
    from ...printing import Kit, print_kit  # noqa: PLC0415 - an extra

    words = load_theme(theme)
    if slug not in words.editions:
        raise missing("page")
    preferences = request.preferences.choose({"lang": lang})
    wanted = Kit(slug, preferences.lang, words, "letter" if paper == "letter" else "a4", sides == "both", ink == "save")
    key = ("kit", slug, wanted.lang, words.slug, wanted.paper, wanted.duplex, wanted.save_ink)
    made: bytes | None = await request.server.jobs.work(request.client, key, print_kit, wanted)
    if made is None:
        raise Refused(503, "print-failed", "The kit could not be made just now; try again.")
    name = f"suitors-{slug}-{preferences.lang}-{words.slug}.pdf"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(made, media_type="application/pdf", headers=headers)
