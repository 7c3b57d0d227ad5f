"""What a visitor reads when something cannot be done."""

from .preferences import Preferences


def refusal_sentence(preferences: Preferences, code: str, plain: str) -> str:
    """The sentence for a code; `plain` is what programs are told, for codes that a page does not meet."""
    _ = preferences.say
    sentences = {
        "stale": _("The game has moved on in the meantime: look again, then decide."),
        "not-found": _("Page not found: this table or page does not exist, or it is private."),
        "damaged": _("This table is damaged, or does not follow the current rules. It cannot be continued."),
        "seat-taken": _("This seat has been taken; choose another one."),
        "seat-empty": _("This seat is empty."),
        "seats-empty": _("Some seats are still empty: fill them with bots, or wait for your friends."),
        "nobody-plays": _("At least one player must be a person."),
        "started": _("The match has already started."),
        "not-started": _("The match has not started yet."),
        "not-playing": _("There is no match in progress at this table."),
        "not-your-turn": _("It is not your turn."),
        "illegal-move": _("That move is not possible now."),
        "unreadable-move": _("That is not a move."),
        "round-runs": _("The round is not over yet."),
        "over": _("The match is over."),
        "not-over": _("The match is not over yet."),
        "rematch-open": _("The rematch has already been opened."),
        "bot-plays": _("A bot is already playing in that seat."),
        "not-away": _("This player is here: only a player who is away can be replaced."),
        "not-handed-over": _("No bot is playing in that seat."),
        "handed-over": _("A bot is playing for you: take your seat back first."),
        "others-play": _("Moves can be taken back only against bots or alone."),
        "nothing-to-take-back": _("You have decided nothing in this round yet."),
        "no-hints": _("Hints are not allowed at this table."),
        "too-long": _("This match is too long to be analysed here."),
        "forbidden": _("Only those who sit at the table may do that."),
        "who-are-you": _("Take a seat first."),
        "bad-name": _("A name has 1 to 32 letters, numbers or signs."),
        "bad-players": _("That edition is for a different number of players."),
        "too-many-tables": _("You have too many unfinished tables: finish or close one first."),
        "too-many-new-tables": _("Too many tables have been opened from your network: try again later."),
        "table-full": _("This table has reached its limit and had to be closed."),
        "too-many-persons": _("Too many new players have come from your network: try again later."),
        "too-many": _("That was too fast: wait a moment."),
        "too-many-changes": _("You have changed that too often."),
        "too-much-work": _("You have asked for a lot: wait a little."),
        "too-many-jobs": _("You are waiting for several things already: wait until one is done."),
        "busy": _("Too many people are waiting just now: try again soon."),
        "too-large": _("That file is too large to be a record."),
        "bad-request": _("That cannot be sent here."),
        "bad-record": _("That file is not a Suitors record: {reason}").format(reason=plain),
        "too-many-records": _("You have already saved too many records here."),
        "print-failed": _("The kit could not be made; please try again."),
        "store-full": _("The server is full: nothing new can be started for now, but games in progress continue."),
        "banned": _("You have been banned from this server."),
        "draining": _(
            "The server is about to restart: new tables can be opened afterwards; games in progress continue."
        ),
        "store-failed": _("The server cannot save anything at the moment; nothing has changed."),
    }
    return sentences.get(code, plain)
