"""What command lines of training say."""


def sizes(text: str) -> list[int]:
    """Read a list of numbers of players."""
    return sorted(int(number) for number in text.split(","))


def pair(text: str) -> tuple[float, float]:
    """Read two numbers."""
    first, last = text.split(",")
    return float(first), float(last)
