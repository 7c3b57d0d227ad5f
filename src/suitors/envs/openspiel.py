"""Rounds as OpenSpiel games, registered when this module is imported (extra `openspiel`).

`suitors_classic(players=3)` and its like are the published editions; `suitors` takes any edition as a parameter, one of
your own as `load` writes it. Seat 0 starts. Chance decides the order of the whole deck before anything else, a card at
each node, so that outcomes are few and everything after them is the players' own.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, SupportsIndex
from urllib.parse import quote, unquote

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ImportError(
        "OpenSpiel games need pyspiel: pip install 'suitors[lab,openspiel]'.", name="pyspiel"
    ) from missing

from ..history import EditionLike
from ..lab.checks import as_int
from ..rules import BOXES, Card, Edition, Option
from .openspiel_observer import RoundObserver
from .openspiel_state import RoundState, terms

DEFAULT = "modern"
ANY = "suitors"
"""The game that takes any edition."""


def load(edition: EditionLike, players: SupportsIndex = 2, options: Mapping[str, Option] | None = None) -> Any:
    """The OpenSpiel game of any edition, of one's own too.

    Examples:
        >>> game = load("classic", players=3)
        >>> str(game), game.num_distinct_actions()
        ('suitors(edition=classic,options=,players=3)', 41)
    """
    parameters = {
        "edition": _written(edition),
        "players": players if (number := as_int(players)) is None else number,
        "options": _written(dict(options)) if options else "",
    }
    return pyspiel.load_game(ANY, parameters)


def _written(given: object) -> str:
    """A slug as it is, or an object as a text without the special characters of the names of games."""
    return quote(given if isinstance(given, str) else json.dumps(given), safe="")


def most_tokens(rules: Edition) -> int:
    """As many tokens as a seat may win in a round, or more: the round's, and one for each card that gives them."""
    return 1 + sum(rules.copies[card] for card in (Card.SPY, Card.JESTER, Card.BISHOP, Card.CONSTABLE))


class RoundGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel is untyped
    """A round of an edition with so many players."""

    slug: ClassVar[str | None] = None  # the published edition; None where it is a parameter
    game_type: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        edition = self.slug or unquote(given.get("edition", DEFAULT))
        self.terms = terms(edition, given.get("players", 2), unquote(given.get("options", "")))
        rules, worth = self.terms.rules, float(most_tokens(self.terms.rules))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.terms.blank.space.actions,
            max_chance_outcomes=len(self.terms.kinds),
            num_players=rules.players,
            min_utility=-worth,
            max_utility=worth,
            utility_sum=0.0,
            max_game_length=self.terms.decisions,
        )
        super().__init__(self.game_type, info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> RoundState:
        """A round of which no card is dealt yet."""
        return RoundState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RoundObserver:
        """What writes tensors and strings of states."""
        return RoundObserver(self.terms, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _game_type(name: str, slug: str | None) -> Any:
    box = BOXES[slug or "premium"]  # the one for most players
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Love Letter, {slug}, one round" if slug else "Love Letter, one round of any edition",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=box.players[-1],
        min_num_players=box.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, "options": ""} | ({} if slug else {"edition": DEFAULT}),
    )


def _register(name: str, slug: str | None) -> None:
    """Register a game under a name: a class, for OpenSpiel drops what it was given after the end of Python."""
    game = type(f"Game_{name}", (RoundGame,), {"slug": slug, "game_type": _game_type(name, slug)})
    pyspiel.register_game(game.game_type, game)  # type: ignore[attr-defined]


GAMES = {ANY: None, **{f"{ANY}_{slug}": slug for slug, box in BOXES.items() if not box.solo}}
"""The names of the games, and the edition of each."""

for _name, _slug in GAMES.items():
    _register(_name, _slug)
