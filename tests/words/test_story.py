"""The log in plain sentences: what each moment sounds like in both languages, to those in it and to those who watch."""

from typing import Any

import pytest

from suitors import Match
from suitors.words.story import LogLine, Narrator
from support.scenes import scene
from support.vocabularies import words_of


def narrator(match: Match, seat: int | None, lang: str, theme: str = "court") -> Narrator:
    return Narrator(match.rules, match.players, seat, words_of(match.edition, lang, theme))


def last(match: Match, seat: int | None, lang: str, theme: str = "court") -> str:
    """The last step, told alone."""
    lines = narrator(match, seat, lang, theme).tell(match.step_log(-1, -1, seat))
    return " | ".join(line.text for line in lines).replace("\u00a0", "~")


def story(match: Match, seat: int | None, lang: str, theme: str = "court") -> list[list[LogLine]]:
    """Every step of every round, told in order."""
    tells = narrator(match, seat, lang, theme)
    return [
        tells.tell(match.step_log(k, step, seat)) for k, r in enumerate(match.rounds) for step in range(len(r.rows))
    ]


# Moments: edition, hands, what else the scene has, the moves, who reads the last of them; English, French.
# In what is read, "|" parts the lines and "~" is a no-break space.

Moment = tuple[str, str, dict[str, Any], str, int | None, str, str]
SMALL = "guard priest, baron, countess"
MOMENTS: dict[str, Moment] = {
    "your Guard misses": (
        *("modern", SMALL, {}, "guard 1 countess", 0),
        "You play the Guard on Ben and name the Countess. Wrong.",
        "Vous jouez le Garde sur Ben et nommez la Comtesse. Raté.",
    ),
    "a Guard hits": (
        *("modern", SMALL, {}, "guard 1 baron", None),
        "Ada plays the Guard on Ben and names the Baron. Right! | Ben is out of the round, with the Baron in hand.",
        "Ada joue le Garde sur Ben et nomme le Baron. Bien vu~! | Ben est hors jeu, le Baron en main.",
    ),
    "a Guard hits you": (
        *("modern", SMALL, {}, "guard 1 baron", 1),
        "Ada plays the Guard on you and names the Baron. Right! | You are out of the round, with the Baron in hand.",
        "Ada joue le Garde sur vous et nomme le Baron. Bien vu~! | Vous êtes éliminé de la manche, le Baron en main.",
    ),
    "a Guard names a number": (
        *("premium", SMALL, {}, "guard 1 7", 2),
        "Ada plays the Guard on Ben and says 7. Wrong.",
        "Ada joue le Garde sur Ben et annonce 7. Raté.",
    ),
    "nobody to choose, and then your draw": (
        *("modern", "guard priest, baron", {"protected": [1], "deck": "king guard"}, "guard", 1),
        "Ada plays the Guard, but there is nobody to choose. | You draw the King.",
        "Ada joue le Garde, mais il n’y a personne à cibler. | Vous piochez le Roi.",
    ),
    "your Priest": (
        *("modern", SMALL, {}, "priest 2", 0),
        "You play the Priest on Cleo. | You see that Cleo holds the Countess.",
        "Vous jouez le Prêtre sur Cleo. | Chez Cleo, vous voyez la Comtesse.",
    ),
    "a Priest, to those who watch": (
        *("modern", SMALL, {}, "priest 2", None),
        "Ada plays the Priest and looks at Cleo’s hand.",
        "Ada joue le Prêtre et regarde la carte que tient Cleo.",
    ),
    "a Priest looks at you": (
        *("modern", SMALL, {}, "priest 2", 2),
        "Ada plays the Priest and looks at your hand.",
        "Ada joue le Prêtre et regarde votre carte.",
    ),
    "your Baron wins": (
        *("modern", "baron king, priest, countess", {}, "baron 1", 0),
        "You play the Baron and compare hands with Ben. | Ben is out of the round with the lower card, the Priest.",
        "Vous jouez le Baron sur Ben~: les deux mains sont comparées. | "
        "Ben est hors jeu avec la carte la plus faible, le Prêtre.",
    ),
    "your Baron loses": (
        *("modern", "baron priest, king, countess", {}, "baron 2", 0),
        "You play the Baron and compare hands with Cleo. | You see that Cleo holds the Countess. | "
        "You are out of the round with the lower card, the Priest.",
        "Vous jouez le Baron sur Cleo~: les deux mains sont comparées. | Chez Cleo, vous voyez la Comtesse. | "
        "Vous êtes éliminé avec la carte la plus faible, le Prêtre.",
    ),
    "a Baron ties with you": (
        *("modern", "baron priest, king, priest", {}, "baron 2", 2),
        "Ada plays the Baron and compares hands with you. | You see that Ada holds the Priest. | "
        "The two cards are equal: nothing happens.",
        "Ada joue le Baron sur vous~: les deux mains sont comparées. | Chez Ada, vous voyez le Prêtre. | "
        "Les deux cartes sont égales~: rien ne se passe.",
    ),
    "your Handmaid": (
        *("modern", "handmaid priest, king, priest", {}, "handmaid", 0),
        "You play the Handmaid: nobody can choose you until your next turn.",
        "Vous jouez la Servante~: personne ne peut vous cibler avant votre prochain tour.",
    ),
    "a Handmaid": (
        *("modern", "handmaid priest, king, priest", {}, "handmaid", 2),
        "Ada plays the Handmaid and cannot be chosen until their next turn.",
        "Ada joue la Servante et se met à l’abri jusqu’à son prochain tour.",
    ),
    "a Prince on you": (
        *("modern", "prince priest, king, priest", {"deck": "spy guard"}, "prince 2", 2),
        "Ada plays the Prince on you. | You discard the Priest and draw the Spy.",
        "Ada joue le Prince sur vous. | Vous défaussez le Prêtre et piochez l’Espionne.",
    ),
    "a Prince on oneself": (
        *("modern", "prince priest, king, countess", {}, "prince 0", None),
        "Ada plays the Prince on their own hand. | Ada discards the Priest and draws another card.",
        "Ada joue le Prince sur sa propre main. | Ada défausse le Prêtre et pioche une autre carte.",
    ),
    "a Prince finds the Princess": (
        *("modern", "prince priest, king, princess", {}, "prince 2", 0),
        "You play the Prince on Cleo. | Cleo discards the Princess. | Cleo is out of the round.",
        "Vous jouez le Prince sur Cleo. | Cleo défausse la Princesse. | Cleo est hors jeu pour cette manche.",
    ),
    "the card set aside, and the showdown": (
        *("modern", "prince priest, king", {"aside": "guard", "deck": 0}, "prince 0", 0),
        "You play the Prince on your own hand. | You discard the Priest and take the card set aside, the Guard. | "
        "The deck is empty, and hands are shown: you – Guard (1), Ben – King (7). | Ben wins the round.",
        "Vous jouez le Prince sur votre propre main. | "
        "Vous défaussez le Prêtre et prenez la carte mise de côté, le Garde. | "
        "Le paquet est vide, on montre les cartes~: vous – Garde (1), Ben – Roi (7). | Ben remporte la manche.",
    ),
    "no card at all": (
        *("house", "prince priest, king", {"deck": 0}, "prince 1", None),
        "Ada plays the Prince on Ben. | Ben discards the King, and there is no card left to draw. | "
        "The deck is empty, and hands are shown: Ada – Priest (2), Ben – no card. | Ada wins the round.",
        "Ada joue le Prince sur Ben. | Ben défausse le Roi, et il ne reste aucune carte à piocher. | "
        "Le paquet est vide, on montre les cartes~: Ada – Prêtre (2), Ben – aucune carte. | Ada remporte la manche.",
    ),
    "your Chancellor": (
        *("modern", "chancellor priest, king, countess", {"deck": "spy guard"}, "chancellor", 0),
        "You play the Chancellor and draw two cards: Spy, Guard.",
        "Vous jouez le Chancelier et piochez deux cartes~: Espionne, Garde.",
    ),
    "what you keep": (
        *("modern", "chancellor priest, king, guard", {"deck": "spy guard"}, "chancellor, keep priest spy guard", 0),
        "You keep the Priest and put the Spy and then the Guard under the deck.",
        "Vous gardez le Prêtre et glissez l’Espionne, puis le Garde, sous le paquet.",
    ),
    "what others keep": (
        *("modern", "chancellor priest, king, guard", {"deck": "spy guard"}, "chancellor, keep priest spy guard", 2),
        "Ada keeps one card and puts two under the deck.",
        "Ada garde une carte et en glisse deux sous le paquet.",
    ),
    "the Chancellor's last card": (
        *("modern", "chancellor priest, king, guard", {"deck": "spy"}, "chancellor, keep spy priest", 0),
        "You keep the Spy and put the Priest under the deck.",
        "Vous gardez l’Espionne et glissez le Prêtre sous le paquet.",
    ),
    "a Chancellor too late": (
        *("modern", "chancellor countess, king, priest", {"deck": 0}, "chancellor", 1),
        "Ada plays the Chancellor, but the deck is empty: nothing happens. | "
        "The deck is empty, and hands are shown: Ada – Countess (8), you – King (7), Cleo – Priest (2). | "
        "Ada wins the round.",
        "Ada joue le Chancelier, mais le paquet est vide~: rien ne se passe. | "
        "Le paquet est vide, on montre les cartes~: Ada – Comtesse (8), vous – Roi (7), Cleo – Prêtre (2). | "
        "Ada remporte la manche.",
    ),
    "a King": (
        *("modern", "king priest, spy, guard", {}, "king 2", None),
        "Ada plays the King and trades hands with Cleo.",
        "Ada joue le Roi et échange sa main avec Cleo.",
    ),
    "a King with you": (
        *("modern", "king priest, spy, guard", {}, "king 2", 2),
        "Ada plays the King and trades hands with you. | You receive the Priest.",
        "Ada joue le Roi et échange sa main avec vous. | Vous recevez le Prêtre.",
    ),
    "your Princess ends the round": (
        *("modern", "princess priest, spy", {}, "princess", 0),
        "You play the Princess. | You are out of the round, with the Priest in hand. | "
        "Ben is the last one standing and wins the round.",
        "Vous jouez la Princesse. | Vous êtes éliminé de la manche, le Prêtre en main. | "
        "Plus personne d’autre en lice~: Ben remporte la manche.",
    ),
    "a Spy alone": (
        *("modern", "guard spy, king", {"piles": {0: "spy"}, "deck": 0}, "guard 1 king", 1),
        "Ada plays the Guard on you and names the King. Right! | You are out of the round, with the King in hand. | "
        "Ada is the last one standing and wins the round. | Ada wins a favour token thanks to the Spy.",
        "Ada joue le Garde sur vous et nomme le Roi. Bien vu~! | Vous êtes éliminé de la manche, le Roi en main. | "
        "Plus personne d’autre en lice~: Ada remporte la manche. | Ada gagne un pion Faveur grâce à l’Espionne.",
    ),
    "a shared round and a shared match": (
        *("classic", "guard priest, guard, prince, prince", {"deck": 0, "tokens": [0, 0, 3, 3]}, "guard 1 king", 3),
        "Ada plays the Guard on Ben and names the King. Wrong. | The deck is empty, and hands are shown: "
        "Ada – Priest (2), Ben – Guard (1), Cleo – Prince (5), you – Prince (5). | "
        "You share the round with Cleo. | You win the match together with Cleo!",
        "Ada joue le Garde sur Ben et nomme le Roi. Raté. | Le paquet est vide, on montre les cartes~: "
        "Ada – Prêtre (2), Ben – Garde (1), Cleo – Prince (5), vous – Prince (5). | "
        "Vous partagez la manche avec Cleo. | Vous gagnez la partie, à égalité avec Cleo~!",
    ),
    "an Assassin in your hand": (
        *("premium", "guard king, assassin, count, jester, cardinal", {"deck": "priest baron"}, "guard 1 4", 1),
        "Ada plays the Guard on you and says 4. | You reveal the Assassin! | "
        "Ada is out of the round, with the King in hand. | You discard the Assassin and draw the Priest. | "
        "You draw the Baron.",
        "Ada joue le Garde sur vous et annonce 4. | Vous dévoilez l’Assassin~! | "
        "Ada est hors jeu, le Roi en main. | Vous défaussez l’Assassin et piochez le Prêtre. | "
        "Vous piochez le Baron.",
    ),
    "a Constable pays": (
        *("premium", "guard king, assassin, count, jester, cardinal", {"piles": {0: "constable"}}, "guard 1 4", 0),
        "You play the Guard on Ben and say 4. | Ben reveals the Assassin! | "
        "You are out of the round, with the King in hand. | You win a token of affection thanks to the Constable. | "
        "Ben discards the Assassin and draws another card.",
        "Vous jouez le Garde sur Ben et annoncez 4. | Ben dévoile l’Assassin~! | "
        "Vous êtes éliminé de la manche, le Roi en main. | Vous gagnez un gage d’affection grâce au Connétable. | "
        "Ben défausse l’Assassin et pioche une autre carte.",
    ),
    "a Jester": (
        *("premium", "jester king, assassin, count, guard, cardinal", {}, "jester 3", 3),
        "Ada plays the Jester and bets that you will win the round.",
        "Ada joue le Bouffon et mise sur vous pour cette manche.",
    ),
    "a Cardinal between others": (
        *("premium", "jester cardinal, assassin, count, guard, king", {}, "cardinal 1 4", 4),
        "Ada plays the Cardinal, and you and Ben trade hands. | You receive the Assassin.",
        "Ada joue le Cardinal~: échange de mains entre vous et Ben. | Vous recevez l’Assassin.",
    ),
    "your Cardinal looks": (
        *("premium", "jester cardinal, assassin, count, guard, king", {}, "cardinal 1 4, look 1", 0),
        "You see that Ben holds the King.",
        "Chez Ben, vous voyez le Roi.",
    ),
    "a Cardinal looks at another": (
        *("premium", "jester cardinal, assassin, count, guard, king", {}, "cardinal 1 4, look 1", 4),
        "Ada looks at Ben’s hand.",
        "Ada regarde la carte que tient Ben.",
    ),
    "a Cardinal looks away": (
        *("premium", "jester cardinal, assassin, count, guard, king", {}, "cardinal 0 4, look none", 4),
        "Ada looks at neither hand.",
        "Ada ne regarde aucune des deux mains.",
    ),
    "your Baroness": (
        *("premium", "jester baroness, assassin, count, guard, king", {}, "baroness 1 2", 0),
        "You play the Baroness on Ben and Cleo. | You see that Ben holds the Assassin. | "
        "You see that Cleo holds the Count.",
        "Vous jouez la Baronne sur Ben et Cleo. | Chez Ben, vous voyez l’Assassin. | Chez Cleo, vous voyez le Comte.",
    ),
    "a Baroness looks at you and another": (
        *("premium", "jester baroness, assassin, count, guard, king", {}, "baroness 3 4", 4),
        "Ada plays the Baroness on you and Dan and looks at both hands.",
        "Ada joue la Baronne sur vous et Dan et regarde les deux mains.",
    ),
    "a Sycophant": (
        *("premium", "jester sycophant, assassin, count, guard, king", {}, "sycophant 0", 2),
        "Ada plays the Sycophant: if the next card chooses anybody, it must choose Ada.",
        "Ada joue le Flagorneur~: si la prochaine carte cible quelqu’un, ce sera Ada.",
    ),
    "a Bishop is right": (
        *("premium", "jester bishop, assassin, count, guard, king", {}, "bishop 2 5", 2),
        "Ada plays the Bishop on you and says 5. Right! | Ada wins a token of affection thanks to the Bishop.",
        "Ada joue l’Évêque sur vous et annonce 5. Bien vu~! | Ada gagne un gage d’affection grâce à l’Évêque.",
    ),
    "you redraw": (
        *("premium", "jester bishop, assassin, count, guard, king", {"deck": "priest baron"}, "bishop 2 5, redraw", 2),
        "You discard the Count and draw the Priest.",
        "Vous défaussez le Comte et piochez le Prêtre.",
    ),
    "another stays": (
        *("premium", "jester bishop, assassin, count, guard, king", {}, "bishop 2 5, stay", 0),
        "Cleo keeps the card.",
        "Cleo garde sa carte.",
    ),
    "a Bishop wins the match": (
        *("premium", "jester bishop, assassin, count, guard, king", {"tokens": [3, 0, 0, 0, 0]}, "bishop 2 5", 0),
        "You play the Bishop on Cleo and say 5. Right! | You win a token of affection thanks to the Bishop. | "
        "You win the match!",
        "Vous jouez l’Évêque sur Cleo et annoncez 5. Bien vu~! | "
        "Vous gagnez un gage d’affection grâce à l’Évêque. | Vous gagnez la partie~!",
    ),
    "a Dowager Queen": (
        *("premium", "jester dowager-queen, assassin, count, guard, king", {}, "dowager-queen 4", None),
        "Ada plays the Dowager Queen and compares hands with Eve. | "
        "Eve is out of the round with the higher card, the King.",
        "Ada joue la Reine douairière sur Eve~: les deux mains sont comparées. | "
        "Eve est hors jeu avec la carte la plus forte, le Roi.",
    ),
    "a match is tied": (
        *("premium", "guard king, prince, -, -, -", {"tokens": [3, 4, 0, 0, 0]}, "guard 1 5", 0),
        "You play the Guard on Ben and say 5. Right! | Ben is out of the round, with the Prince in hand. | "
        "You are the last one standing and win the round. | "
        "The match is tied between you and Ben: a tie-break round decides it.",
        "Vous jouez le Garde sur Ben et annoncez 5. Bien vu~! | Ben est hors jeu, le Prince en main. | "
        "Plus personne d’autre en lice~: vous remportez la manche. | "
        "Égalité entre vous et Ben~: une manche de départage décidera de la partie.",
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_is_told_in_both_languages(name: str) -> None:
    edition, hands, more, moves, reader, english, french = MOMENTS[name]
    match = scene(edition, [words if words != "-" else None for words in hands.split(", ")], **more)
    for move in moves.split(", "):
        match.play(move)
    assert last(match, reader, "en") == english
    assert last(match, reader, "fr") == french


def test_the_deal() -> None:
    match = scene("modern", ["guard priest", "baron"], face_up="spy spy king")
    english = (
        "A new round begins, and Ada starts. | Face up beside the deck: Spy, Spy, King. | You are dealt the Baron."
    )
    french = (
        "Une nouvelle manche s’ouvre~; à vous de commencer. | "
        "Face visible à côté du paquet~: Espionne, Espionne, Roi. | Vous recevez le Garde. | Vous piochez le Prêtre."
    )
    assert last(match, 1, "en") == english
    assert last(match, 0, "fr") == french


def test_a_tie_break_round() -> None:
    match = scene("premium", ["guard king", "prince", None, None, None], tokens=[3, 4, 0, 0, 0])
    match.play("guard 1 5")
    match.deal()
    assert last(match, None, "en") == "A tie-break round between Ada and Ben, and Ada starts."
    assert last(match, None, "fr") == "Manche de départage entre Ada et Ben~; Ada commence."


def test_told_from_the_deal_you_know_what_you_gave() -> None:
    match = scene("modern", ["king priest", "spy", "guard"])
    match.play("king 2")
    told = [[line.text for line in step] for step in story(match, 2, "en")]
    assert told[-1][-1] == "You give the Guard and receive the Priest."
    assert [line.text for line in story(match, 0, "fr")[-1]][-1] == "Vous donnez le Prêtre et recevez le Garde."


def test_R55_told_from_the_deal_a_card_fails_because_of_the_mark() -> None:
    match = scene("premium", ["jester sycophant", "priest", "count", "guard", "king"], deck="baron baron guard")
    match.play("sycophant 1")
    match.play("baron")
    english, french = story(match, 1, "en")[-1], story(match, 2, "fr")[-1]
    assert english[0].text == "You play the Baron, but you are marked, and it can choose only others."
    assert french[0].text == (
        "Ben joue le Baron, qui ne cible que les autres, alors que la marque est sur Ben\u00a0: sans effet."
    )


def test_told_from_the_deal_a_comparison_is_explained() -> None:
    match = scene("classic", ["guard priest", "guard", "prince", "prince"], deck=0)
    match.play("guard 1 king")
    english, french = story(match, 3, "en")[-1], story(match, None, "fr")[-1]
    assert [line.text for line in english][2:] == [
        "You are level with Cleo at 5.",
        "This edition has no tie-break, so the round is shared.",
        "You share the round with Cleo.",
    ]
    assert [line.text.replace("\u00a0", "~") for line in french][2:] == [
        "Cleo et Dan sont à égalité, à 5.",
        "Rien ne départage dans cette édition~: la manche est partagée.",
        "Cleo et Dan se partagent la manche.",
    ]


@pytest.mark.parametrize(
    ("move", "english", "french"),
    [
        ("prince 1", "Ada plays Bayta Darell on Ben.", "Ada joue Bayta Darell sur Ben."),
        (
            "guard 1 princess",
            "Ada plays the Informant on Ben and names the Mule. Wrong.",
            "Ada joue l’Informateur sur Ben et nomme le Mulet. Raté.",
        ),
        (
            "guard 1 king",
            "Ada plays the Informant on Ben and names Mayor Indbur. Wrong.",
            "Ada joue l’Informateur sur Ben et nomme le Maire Indbur. Raté.",
        ),
    ],
)
def test_the_mule_keeps_its_articles(move: str, english: str, french: str) -> None:
    match = scene("house", ["guard prince", "priest", "countess"])
    match.play(move)
    assert last(match, None, "en", "mule").split(" | ")[0] == english
    assert last(match, None, "fr", "mule").split(" | ")[0] == french
