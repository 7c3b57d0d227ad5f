"""The log of a solo game in plain sentences."""

import random
import re

import pytest

from suitors import Solo
from suitors.rules import Event
from suitors.words import LANGUAGES
from suitors.words.story_solo import SoloNarrator
from support.solo_scenes import solo
from support.vocabularies import words_of


def last(game: Solo, lang: str) -> str:
    """The last step; "|" parts the lines and "~" is a no-break space."""
    lines = SoloNarrator(game.rules, words_of(game.edition, lang)).tell(game.step_log(-1, -1, 0))
    return " | ".join(line.text for line in lines).replace("\u00a0", "~")


# The queue, the hand, the agent, the moves; English, French

MOMENTS: dict[str, tuple[str, str, str, str, str, str]] = {
    "a right guess": (
        *("(baron) (countess) princess", "guard king", "", "guard q1 baron"),
        "You play the Guard on card 1 of the queue and name the Baron. Right: it leaves. | "
        "The queue plays the Countess. | It has no effect. | You draw the Priest.",
        "Vous jouez le Garde sur la carte 1 de la file et nommez le Baron. Bien vu~: la carte s’en va. | "
        "La file joue la Comtesse. | Sans effet. | Vous piochez le Prêtre.",
    ),
    "a wrong guess": (
        *("(baron) (countess) princess", "guard handmaid", "(king)", "guard q2 priest"),
        "You play the Guard on card 2 of the queue and name the Priest. Wrong: it is the Countess. | "
        "The queue plays the Baron.",
        "Vous jouez le Garde sur la carte 2 de la file et nommez le Prêtre. Raté~: c’est la Comtesse. | "
        "La file joue le Baron.",
    ),
    "a Guard on a card that is known": (
        *("(handmaid) baron princess", "guard king", "", "guard q2"),
        "You play the Guard on card 2 of the queue: the Baron leaves. | The queue plays the Handmaid. | "
        "No card of the queue can be chosen in your next turn. | You draw the Priest.",
        "Vous jouez le Garde sur la carte 2 de la file~: le Baron s’en va. | La file joue la Servante. | "
        "Aucune carte de la file ne peut être ciblée à votre prochain tour. | Vous piochez le Prêtre.",
    ),
    "the end of the queue": (
        *("princess", "guard king", "", "guard q1"),
        "You play the Guard on card 1 of the queue: the Princess leaves. | You win the game!",
        "Vous jouez le Garde sur la carte 1 de la file~: la Princesse s’en va. | Vous gagnez la partie~!",
    ),
    "a Baron and the agent": (
        *("(guard) (countess) princess", "baron handmaid", "(king)", "baron q1 agent"),
        "You play the Baron and compare your agent with card 1 of the queue. | Your agent is the King. | "
        "Card 1 of the queue is the Guard. | The lower card leaves the queue: the Guard. | "
        "The queue plays the Countess. | It has no effect.",
        "Vous jouez le Baron et comparez votre agent à la carte 1 de la file. | Votre agent est le Roi. | "
        "La carte 1 de la file est le Garde. | La carte la plus faible quitte la file~: le Garde. | "
        "La file joue la Comtesse. | Sans effet.",
    ),
    "a King": (
        *("(countess) (baron) princess", "king handmaid", "", "king q2 hand"),
        "You play the King and trade your hand for card 2 of the queue. | You now hold the Baron. | "
        "The queue plays the Countess. | It has no effect. | You draw the Priest.",
        "Vous jouez le Roi et échangez votre main contre la carte 2 de la file. | Vous tenez maintenant le Baron. | "
        "La file joue la Comtesse. | Sans effet. | Vous piochez le Prêtre.",
    ),
    "a Prince on the queue": (
        *("(countess) (baron) princess", "prince handmaid", "(king)", "prince q2"),
        "You play the Prince on card 2 of the queue: a card face down takes the place of the Baron. | "
        "The queue plays the Countess. | It has no effect.",
        "Vous jouez le Prince sur la carte 2 de la file~: une carte face cachée remplace le Baron. | "
        "La file joue la Comtesse. | Sans effet.",
    ),
    "a Prince on the agent": (
        *("(countess) (baron) princess", "prince handmaid", "(king)", "prince agent"),
        "You play the Prince on your agent. | You discard your agent, the King, and a new one lies face down. | "
        "The queue plays the Countess. | It has no effect.",
        "Vous jouez le Prince sur votre agent. | "
        "Vous défaussez votre agent, le Roi, et un nouveau est posé face cachée. | "
        "La file joue la Comtesse. | Sans effet.",
    ),
    "your Handmaid against a Guard": (
        *("(guard) (baron) princess", "handmaid king", "", "handmaid"),
        "You play the Handmaid. | The next card of the queue cannot harm you. | The queue plays the Guard. | "
        "It has no effect. | You draw the Priest.",
        "Vous jouez la Servante. | La prochaine carte de la file ne peut rien contre vous. | La file joue le Garde. | "
        "Sans effet. | Vous piochez le Prêtre.",
    ),
    "a Guard names your hand": (
        *("(guard) (baron) princess", "countess king", "", "countess"),
        "You play the Countess. | The queue plays the Guard and names your card. | You lose the game.",
        "Vous jouez la Comtesse. | La file joue le Garde et nomme votre carte. | Vous perdez la partie.",
    ),
    "an agent is offered": (
        *("(guard) (baron) princess", "countess king", "(priest)", "countess, offer agent"),
        "You offer your agent. | Your agent is the Priest. | The guess is wrong.",
        "Vous présentez votre agent. | Votre agent est le Prêtre. | Mal deviné.",
    ),
    "a hand is offered": (
        *("(guard) (baron) princess", "countess king", "(priest)", "countess, offer hand"),
        "You offer your hand, and it is beaten. | You lose the game.",
        "Vous présentez votre main, et elle est battue. | Vous perdez la partie.",
    ),
    "the agent is called": (
        *("(baron) princess", "king", "(handmaid)", "agent"),
        "You call your secret agent: it is the Handmaid. | The next card of the queue cannot harm you. | "
        "The queue plays the Baron. | It has no effect. | You draw the Priest.",
        "Vous appelez votre agent secret~: c’est la Servante. | "
        "La prochaine carte de la file ne peut rien contre vous. | "
        "La file joue le Baron. | Sans effet. | Vous piochez le Prêtre.",
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_is_told_in_both_languages(name: str) -> None:
    queue, hand, agent, moves, english, french = MOMENTS[name]
    game = solo(queue, hand, agent=agent, pile="priest priest" if "priest" not in agent else "priest guard")
    for move in moves.split(", "):
        game.play(move)
    assert last(game, "en") == english
    assert last(game, "fr") == french


def test_the_deal() -> None:
    game = Solo(dealt=False)
    game.deal(
        [*["guard"] * 5, "king", "priest", "priest", *["baron"] * 2, *["prince"] * 2, *["handmaid"] * 2, "countess"]
    )
    assert last(game, "en") == "Six cards lie face down before the Princess. | You are dealt the Priest."
    assert last(game, "fr") == "Six cartes face cachée précèdent la Princesse. | Vous recevez le Prêtre."


@pytest.mark.parametrize("options", [{}, {"solo_prince": "remove", "solo_last_card": "strict"}])
def test_games_by_chance_are_told_whole(options: dict[str, str]) -> None:
    events, clumsy = set(), re.compile(r"[{}]|  | [.,:!]|\b(le|la|the) (le|la|the|l’)|à le |^[a-z]")
    for seed in range(150):
        rng = random.Random(seed)
        game = Solo(options=options, rng=rng)
        while not game.over:
            game.push(rng.choice(game.moves()))
        for step in range(len(game.rounds[0].rows)):
            told = game.step_log(0, step, 0)
            events |= {entry.event for entry in told}
            for lang in LANGUAGES:
                lines = SoloNarrator(game.rules, words_of(game.edition, lang)).tell(told)
                assert lines
                assert not [line.text for line in lines if clumsy.search(line.text)]
    assert {Event.EQUAL, Event.TRADED, Event.RECEIVED, Event.MISSED, Event.SHIELDED, Event.FIZZLED} <= events
