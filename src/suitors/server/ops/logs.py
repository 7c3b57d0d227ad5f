"""Logs as JSON Lines: what happened, where and how long it took, and never a key, a cookie, a link's code or a card."""

import json
import logging
import sys
import time
from typing import IO

from .request_ids import REQUEST_ID


class JsonLines(logging.Formatter):
    """A log record as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, what happened, in answer to which request, and its data."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        line = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        if (request_id := REQUEST_ID.get()) is not None:
            line["request_id"] = request_id
        line |= getattr(record, "data", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(level: str = "INFO", stream: IO[str] | None = None) -> None:
    """Send all logs to standard error, one object a line."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name, least in {"suitors": level, "uvicorn": "WARNING"}.items():  # uvicorn tells the paths of sockets
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(least)
