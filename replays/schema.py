"""The JSON Schema of log files, generated from the types that read and write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from ..domain.events import COMMON, ActionTaken, Awaiting, Event, GameOpened
from ..domain.secrets import Disclosure
from .logline import ContentLine, EventLine, Footer, Header
from .upcasting import FORMAT

WHERE = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """Return the schema that every line of a log file of this format fits, as plain data.

    Events of a ruleset's own have a `type` and whatever fields it gives them; those common to all games are described.
    """
    kinds = (Header, ContentLine, EventLine, Footer)
    common: tuple[Any, ...] = (GameOpened[Any], ActionTaken[Any], Awaiting[Any], *COMMON)
    defs = definitions((*kinds, *common, Disclosure))
    described: tuple[type[Event], ...] = (*COMMON, GameOpened, ActionTaken, Awaiting)
    defs["Event"] = {
        "title": "Event",
        "description": "An event: its type, and the fields of that type.",
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "allOf": [
            {"if": {"properties": {"type": {"const": name}}}, "then": {"$ref": WHERE.format(name=name)}}
            for name in sorted(cls.__name__ for cls in described)
        ],
    }
    defs["ContentLine"]["properties"]["content"] = {"type": "object", "additionalProperties": {"type": "string"}}
    defs["EventLine"]["properties"]["event"] = {"$ref": WHERE.format(name="Event")}
    for cls in kinds:
        defs[cls.__name__]["properties"]["sum"] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
        defs[cls.__name__]["required"] = ["sum", *defs[cls.__name__]["required"]]
    defs["Header"]["properties"]["warptape"] = {"const": "tape"}
    defs["Header"]["properties"]["format"] = {"const": FORMAT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a warptape log file, format {FORMAT}",
        "anyOf": [{"$ref": WHERE.format(name=cls.__name__)} for cls in kinds],
        "$defs": dict(sorted(defs.items())),
    }


def definitions(types: Iterable[Any]) -> dict[str, Any]:
    """Return the schemas of types, and of all that they refer to, by plain name."""
    _, found = msgspec.json.schema_components(types, ref_template=WHERE)
    return {_plain(name): _described(part) for name, part in found.items()}


def written(schema: dict[str, Any]) -> str:
    """Return a schema as a file of the documentation holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def text() -> str:
    """Return the schema as the file `docs/format.schema.json` holds it."""
    return written(schema())


def _plain(name: str) -> str:
    return re.sub(r"[_\[].*", "", name)


def _described(part: Any) -> Any:
    """Return a part with references to the plain names, and with texts on one line."""
    if isinstance(part, dict):
        changed = {key: _described(value) for key, value in part.items()}
        if isinstance(changed.get("$ref"), str):
            changed["$ref"] = WHERE.format(name=_plain(changed["$ref"].rpartition("/")[2]))
        for key in ("title", "description"):
            if isinstance(changed.get(key), str):
                text = " ".join(changed[key].split())
                changed[key] = _plain(text) if key == "title" else text
        return changed
    return [_described(item) for item in part] if isinstance(part, list) else part
