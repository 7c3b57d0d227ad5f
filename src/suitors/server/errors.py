"""What the server refuses: a status, a code for programs and a sentence for people."""

import math
from collections.abc import Sequence
from typing import Any


class Refused(Exception):
    """A request that cannot be granted; nothing has changed."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.more = more

    def data(self) -> dict[str, Any]:
        """The body of the answer."""
        return {"error": {"code": self.code, "message": str(self), **self.more}}

    def headers(self) -> dict[str, str]:
        """The headers of the answer: when to try again, and that no more of a body will be read."""
        wait = self.more.get("wait_s")
        headers = {} if wait is None else {"retry-after": str(max(1, math.ceil(wait)))}
        return headers | ({"connection": "close"} if self.status in (408, 413) else {})


def missing(what: str = "table") -> Refused:
    """There is nothing here, or nothing that this person may know of: the two look the same from outside."""
    return Refused(404, "not-found", f"There is no such {what} here, or it is not open to you.")


def stale(state: int) -> Refused:
    """The caller saw an older state of the table."""
    return Refused(409, "stale", f"The table has moved on to state {state}: look again, then decide.", state=state)


def forbidden(message: str) -> Refused:
    """The caller is known, but may not do this."""
    return Refused(403, "forbidden", message)


def conflict(code: str, message: str) -> Refused:
    """The table is not in a state where this can be done."""
    return Refused(409, code, message)


def too_much_work(wait_s: float) -> Refused:
    """The client has used up its share of the server's time."""
    sentence = f"You have asked for much work: wait {math.ceil(wait_s)} s."
    return Refused(429, "too-much-work", sentence, wait_s=round(wait_s, 1))


def invalid(errors: Sequence[Any]) -> str:
    """The first of pydantic's findings as a sentence."""
    fault = errors[0]
    where = ".".join(str(part) for part in fault["loc"]) or "the message"
    return f"{where:.80}: {fault['msg']}."
