"""What a bot raises when it cannot go on."""


class BotFailure(RuntimeError):
    """A bot crashed, hung, flooded or answered nonsense; the message says which."""
