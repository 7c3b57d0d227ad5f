"""Numbers as each language writes them."""

NO_BREAK = "\u00a0"
"""A space at which no line breaks."""


def decimal(number: float, lang: str, digits: int) -> str:
    """A number with so many digits behind the point, or the comma."""
    text = f"{number:.{digits}f}"
    return text.replace(".", ",") if lang == "fr" else text


def percent(share: float, lang: str, digits: int = 0) -> str:
    """A share as percents."""
    text = decimal(share * 100, lang, digits)
    return f"{text}{NO_BREAK}%" if lang == "fr" else f"{text}%"


def grouped(number: int, lang: str) -> str:
    """A large whole number in groups of three digits."""
    return f"{number:,}".replace(",", NO_BREAK) if lang == "fr" else f"{number:,}"
