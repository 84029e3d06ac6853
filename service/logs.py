"""The service's log: one line a request on stderr, as JSON or as text.

A line has time, method, route (the template, never the path that was asked), status, milliseconds, game and role. Headers,
queries, bodies and the texts of errors are in none.
"""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec

LOGGER = logging.getLogger("warptape.service")


class Lines(logging.Formatter):
    """Formats records: what was given as `extra={"fields": {...}}` are the fields of the line."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return one line; of an exception its kind and where it was raised, not what it says."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields: dict[str, Any] = {"time": time, "level": record.levelname.lower(), "message": record.getMessage()}
        fields.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[1] is not None:
            fields.update(fault(record.exc_info[1]))
        if self.as_json:
            return msgspec.json.encode(fields).decode()
        head = f"{fields.pop('time')} {fields.pop('message')}"
        return " ".join([head, *(f"{name}={value}" for name, value in fields.items() if name != "level")])


def fault(error: BaseException) -> dict[str, Any]:
    """Return of what kind an exception is and where it came from; its text may hold what is secret."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    return {"fault": type(error).__name__, "where": where}


def set_up(form: str) -> None:
    """Send the service's and the server's log to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(form == "json"))
    for name, level in (("warptape.service", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False
