"""The theme of the Mule: the house rules under other names (R101-R105)."""

import pytest

from suitors import Card, Match
from suitors.notation import CARD_NAMES
from suitors.words import WordsError, load_theme, rules_text
from support.scenes import NAMES, scene, standing
from support.vocabularies import words_of


def called(name: str) -> str:
    """The card that a name of the theme means, as moves write it."""
    card = load_theme("mule").find(name)
    assert card is not None
    return CARD_NAMES[card]


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("Informant", Card.GUARD),
        ("Han Pritcher", Card.PRIEST),
        ("Bail Channis", Card.PRIEST),
        ("Ebling Mis", Card.BARON),
        ("Magnifico Giganticus", Card.BARON),
        ("Shielded Mind", Card.HANDMAID),
        ("Bayta Darell", Card.PRINCE),
        ("Toran Darell", Card.PRINCE),
        ("The Viceroy", Card.KING),
        ("Mayor Indbur", Card.KING),
        ("The First Speaker", Card.COUNTESS),
        ("The Mule", Card.PRINCESS),
    ],
)
def test_house_mule_each_name_replaces_its_card(name: str, card: Card) -> None:
    assert load_theme("mule").find(name) == card


def test_house_mule_an_unknown_name_is_no_card() -> None:
    assert load_theme("mule").find("Hari Seldon") is None


@pytest.mark.parametrize(
    "line",
    [
        "8  The Mule ×1",
        "7  The First Speaker ×1",
        "6  Mayor Indbur ×1",
        "4  Shielded Mind ×2",
        "1  Informant ×5",
    ],
)
def test_house_mule_the_rules_list_the_cards_with_value_and_copies(line: str) -> None:
    assert line in rules_text("house", "en", "mule")


def test_R101_viceroy_and_indbur_are_one_card() -> None:
    theme = load_theme("mule")
    assert theme.name(Card.KING, "en") == "Mayor Indbur"
    assert theme.data["cards"]["king"]["en"]["subtitle"] == "The Viceroy"
    assert Match("house", NAMES[:2]).rules.copies[Card.KING] == 1


@pytest.mark.parametrize("name", ["The Viceroy", "Viceroy", "Mayor Indbur", "Indbur", "mayor indbur"])
def test_R101_naming_either_hits_the_same_card(name: str) -> None:
    match = scene("house", ["guard baron", "king", "priest"])
    match.play(f"guard 1 {called(name)}")
    assert standing(match) == (0, 2)


def test_R102_an_informant_has_seven_types_to_name() -> None:
    named = ["baron", "countess", "handmaid", "king", "priest", "prince", "princess"]
    assert scene("house", ["guard guard", "king"]).legal() == [f"guard 1 {name}" for name in named]


@pytest.mark.parametrize(
    ("held", "name"),
    [
        ("Han Pritcher", "Bail Channis"),
        ("Bail Channis", "Han Pritcher"),
        ("Ebling Mis", "Magnifico Giganticus"),
        ("Bayta Darell", "Toran Darell"),
    ],
)
def test_R102_naming_either_person_names_the_pair(held: str, name: str) -> None:
    match = scene("house", ["guard guard", called(held), "guard"])
    match.play(f"guard 1 {called(name)}")
    assert standing(match) == (0, 2)


@pytest.mark.parametrize("card", [Card.PRIEST, Card.BARON, Card.PRINCE])
def test_R102_there_is_one_copy_of_each_person(card: Card) -> None:
    persons = load_theme("mule").persons(card, "en")
    assert [person.copies for person in persons] == [1, 1]
    assert len({person.name for person in persons}) == Match("house", NAMES[:2]).rules.copies[card] == 2


def test_R103_looking_at_the_mule_eliminates_nobody() -> None:
    match = scene("house", [f"{called('Han Pritcher')} guard", called("The Mule"), "baron"])
    match.play(f"{called('Han Pritcher')} 1")
    assert match.view(0).known[1] == (Card.PRINCESS,)
    assert standing(match) == (0, 1, 2)


def test_R103_comparing_the_mule_does_not_eliminate_his_holder() -> None:
    match = scene("house", [f"{called('Ebling Mis')} guard", called("The Mule"), "baron"])
    match.play(f"{called('Ebling Mis')} 1")
    assert standing(match) == (1, 2)


def test_R103_discarding_the_mule_eliminates_his_holder() -> None:
    match = scene("house", [f"{called('Bayta Darell')} guard", called("The Mule"), "baron"])
    match.play(f"{called('Bayta Darell')} 1")
    assert standing(match) == (0, 2)


@pytest.mark.parametrize("other", ["Mayor Indbur", "Bayta Darell", "Toran Darell"])
def test_R104_the_first_speaker_must_be_played_with_indbur_or_a_darell(other: str) -> None:
    match = scene("house", [f"{called('The First Speaker')} {called(other)}", "guard", "baron"])
    assert match.legal() == ["countess"]


@pytest.mark.parametrize("other", ["Shielded Mind", "The Mule"])
def test_R104_the_first_speaker_is_free_with_the_others(other: str) -> None:
    match = scene("house", [f"{called('The First Speaker')} {called(other)}", "guard", "baron"])
    assert match.legal() == sorted(["countess", called(other)])


def test_R105_bayta_is_not_immune() -> None:
    match = scene("house", ["guard baron", called("Bayta Darell"), "priest"])
    match.play(f"guard 1 {called('Bayta Darell')}")
    assert standing(match) == (0, 2)


def test_R105_the_theme_dresses_the_house_rules_alone() -> None:
    assert load_theme("mule").editions == ("house",)
    with pytest.raises(WordsError):
        rules_text("modern", "en", "mule")


@pytest.mark.parametrize(("lang", "tokens"), [("en", "devotion tokens"), ("fr", "jetons de dévotion")])
def test_R105_tokens_of_affection_become_devotion_tokens(lang: str, tokens: str) -> None:
    assert words_of("house", lang, "mule").fill("{token:s}") == tokens


def test_R105_the_rules_say_that_a_devotion_token_is_a_mark_of_loyalty() -> None:
    assert "A Devotion Token and a Mark of Loyalty are the same" in " ".join(rules_text("house", "en", "mule").split())
