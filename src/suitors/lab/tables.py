"""What the tables of a vector have in common on a CPU and on a GPU."""

from collections.abc import Mapping
from typing import Literal

from ..errors import check_edition, check_players
from ..rules import Option, edition, find_box
from .compiled import lab_type
from .space import space

Episode = Literal["round", "match"]


class Tables:
    """Tables of one edition and number of players, and what their numbers mean (`space`)."""

    def __init__(
        self,
        slug: str,
        players: int,
        size: int,
        episode: Episode,
        full: bool,
        options: Mapping[str, Option] | None,
        word: int,
    ) -> None:
        if size < 1 or episode not in ("round", "match") or find_box(check_edition(slug)).solo:
            raise ValueError(
                "A vector has at least one table, of a game for several, and episodes of a round or a match."
            )
        check_players(slug, ("",) * players)
        self.rules = edition(slug, players, options)
        self.space = space(self.rules, full)
        self.whole = episode == "match"
        self.size = size
        self._layout = lab_type(self.rules, word)
        self._what = f"{slug} with {players} players"

    def __len__(self) -> int:
        return self.size

    def _refuse_shape(self, shape: tuple[int, ...]) -> None:
        """Refuse actions unless there is one for each table."""
        if shape != (self.size,):
            raise ValueError(f"{self.size} actions are needed, one for each table; these have the shape {shape}.")
