"""The JSON Schema of the protocol for bots, generated from the types of its messages."""

from __future__ import annotations

from typing import Any

from ..schema import WHERE, definitions, written
from .messages import PROTOCOL, Answer, Ask, Bye, Hello, Listing, Over, Refused

KINDS: tuple[type, ...] = (Hello, Ask, Listing, Refused, Over, Bye, Answer)


def schema() -> dict[str, Any]:
    """Return the schema of a line of the protocol, whoever writes it, as plain data."""
    found = definitions(KINDS)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A message between warptape and a bot, protocol {PROTOCOL}",
        "anyOf": [{"$ref": WHERE.format(name=cls.__name__)} for cls in KINDS],
        "$defs": dict(sorted(found.items())),
    }


def text() -> str:
    """Return the schema as the file `docs/bots.schema.json` holds it."""
    return written(schema())
