"""What the tables of a vector have in common on a CPU and on a GPU."""

from collections.abc import Mapping
from typing import Literal

from ..errors import edition_name
from ..history import EditionLike
from ..rules import Option
from .checks import as_int, check_rules
from .compiled import lab_type
from .space import space

Episode = Literal["round", "match"]


class Tables:
    """Tables of one edition and number of players, and what their numbers mean (`space`)."""

    def __init__(
        self,
        slug: EditionLike,
        players: int,
        size: int,
        episode: Episode,
        full: bool,
        options: Mapping[str, Option] | None,
        word: int,
    ) -> None:
        known, self.rules = check_rules(slug, players, options)
        number = as_int(size)
        if number is None or number < 1 or episode not in ("round", "match"):
            raise ValueError("A vector has a number of tables, at least one, and episodes of a round or a match.")
        self.space = space(self.rules, full)
        self.whole = episode == "match"
        self.size = number
        self._layout = lab_type(self.rules, word)
        self._what = f"{edition_name(known)} with {players} players"

    def __len__(self) -> int:
        return self.size

    def _refuse_shape(self, shape: tuple[int, ...]) -> None:
        """Refuse actions unless there is one for each table."""
        if shape != (self.size,):
            raise ValueError(f"{self.size} actions are needed, one for each table; these have the shape {shape}.")
