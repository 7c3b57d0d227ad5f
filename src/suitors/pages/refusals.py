"""What a visitor reads when something cannot be done."""

from .preferences import Preferences


def refusal_sentence(preferences: Preferences, code: str, plain: str) -> str:
    """The sentence for a code; `plain` is what programs are told, for codes that a page does not meet."""
    _ = preferences.say
    sentences = {
        "stale": _("The table has moved on in the meantime: look again, then decide."),
        "not-found": _("There is nothing here, or it is not open to you."),
        "damaged": _("This table is damaged, or not possible by the rules of today. It cannot be played on."),
        "seat-taken": _("Somebody has taken this seat; choose another one."),
        "seat-empty": _("Nobody sits there."),
        "seats-empty": _("Some seats are still empty: fill them with bots, or wait for your friends."),
        "nobody-plays": _("At least one seat must be a person’s."),
        "started": _("The match has started already."),
        "not-started": _("The match has not started yet."),
        "not-playing": _("No match is being played at this table now."),
        "not-your-turn": _("It is not your turn."),
        "illegal-move": _("That move is not possible now."),
        "unreadable-move": _("That is not a move."),
        "round-runs": _("The round is not over yet."),
        "over": _("The match is over."),
        "not-over": _("The match is not over yet."),
        "rematch-open": _("The rematch is open already."),
        "bot-plays": _("A bot plays in that seat already."),
        "not-away": _("This player is here: only somebody who is away can be replaced."),
        "not-handed-over": _("No bot plays in that seat."),
        "handed-over": _("A bot plays for you: take your seat back first."),
        "forbidden": _("Only those who sit at the table may do that."),
        "who-are-you": _("Take a seat first."),
        "bad-name": _("A name has 1 to 32 letters, numbers or signs."),
        "bad-players": _("That edition is for another number of players."),
        "too-many-tables": _("You have too many tables that are not over: finish or close one first."),
        "too-many-new-tables": _("Too many tables were opened from your network: try again later."),
        "table-full": _("So much has happened at this table that it had to be closed."),
        "too-many-persons": _("Too many new players came from your network: try again later."),
        "too-many": _("That was too fast: wait a moment."),
        "too-many-changes": _("You have changed that too often."),
        "too-much-work": _("You have asked for a lot: wait a little."),
        "too-many-jobs": _("You are waiting for several things already: wait until one is done."),
        "busy": _("Too many people are waiting just now: try again soon."),
        "too-large": _("That file is too large to be a record."),
        "bad-request": _("That cannot be sent here."),
        "bad-record": _("That file is not a record of Suitors: {reason}").format(reason=plain),
        "too-many-records": _("You have kept too many records here already."),
        "print-failed": _("The kit could not be made just now; try again."),
        "store-full": _("There is no room for anything new here just now; games that are played go on."),
        "store-failed": _("The server cannot write just now; nothing has changed."),
    }
    return sentences.get(code, plain)
