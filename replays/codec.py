"""Events to bytes and back: the same JSON in a store and in a log file, secrets sealed, heads chained by digests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec

from ..domain.errors import BadLog
from ..domain.events import ActionTaken, Event, Head
from ..domain.rules import Ruleset
from ..domain.secrets import Disclosure, seal, unseal, visible
from .upcasting import Era, Eras, unknown

POLICIES = ("free", "until-revealed", "consent")
"""The undo policies that a log may name."""

SOURCES = ("fate", "table")
"""Where a log may say that outcomes come from."""

SEAL = b'{"sealed":'
"""In the bytes of every event that has secrets."""

_encode = msgspec.json.Encoder().encode
_disclosures = msgspec.json.Decoder(list[Disclosure])


@lru_cache(maxsize=64)
def _decoders(event_type: Any) -> tuple[Callable[[bytes], Any], Callable[[bytes], Any]]:
    """Return what decodes one event, and a list of them: made once a ruleset, which takes longer than to open a game."""
    return msgspec.json.Decoder(event_type).decode, msgspec.json.Decoder(list[event_type]).decode


class Codec:
    """Encodes and decodes the events of one ruleset.

    The bytes of an event are one line of JSON; where it has secrets, a newline and the JSON of their disclosures follow.
    `eras` says in which forms the log was recorded: events of an older one are read as today's.
    """

    def __init__(self, ruleset: Ruleset, eras: Callable[[], Sequence[Era]] = tuple) -> None:
        self.ruleset = ruleset
        self.eras = Eras(ruleset, eras)
        self._decode, self._decode_list = _decoders(ruleset.event_type)

    def encode(self, event: Event, position: int, key: str) -> bytes:
        """Return the bytes of an event at a position of the log; `key` is the game's key in force, for seals."""
        if event.seen_by is None and not self.ruleset.secretive:
            return _encode(event)
        audience = (event.seat,) if isinstance(event, ActionTaken) else None
        sealed, disclosures = seal(event, position, key, audience)
        data = _encode(sealed)
        return data + b"\n" + _encode(disclosures) if disclosures else data

    def decode(self, data: bytes, position: int | None = None, seat: str | None = None) -> Event:
        """Return the event as its owner knows it, or as one seat may (hidden fields `SEALED`).

        Raises BadLog, naming the position, for bytes that are no event of this ruleset.
        """
        try:
            if position is not None and position < self.eras.since and (older := self.eras.older(position)) is not None:
                data, _, beside = data.partition(b"\n")
                return older.decode(data, visible(_disclosures.decode(beside), seat) if beside else ())
            if b"\n" in data:
                data, _, beside = data.partition(b"\n")
                return unseal(self._decode(data), visible(_disclosures.decode(beside), seat))  # type: ignore[no-any-return]
            event: Event = self._decode(data)
            return unseal(event, ()) if SEAL in data else event
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            era = None if position is None else self.eras.at(position)
            if era is not None and (why := unknown(self.ruleset, era)) is not None:
                raise BadLog(f"this event is not known here: {why}.", position=position) from error
            raise BadLog(f"no event of {self.ruleset.id}: {error}", position=position) from error

    def decode_all(self, rows: Sequence[tuple[int, bytes]]) -> list[Event]:
        """Return what `decode` makes of each (position, data) for the owner: faster, decoded as one list."""
        if rows and rows[0][0] < self.eras.since:
            return [self.decode(data, position) for position, data in rows]
        parts = [data for _, data in rows]
        # An event is an object and what lies beside it a list: the last byte tells them apart.
        beside: dict[int, bytes] = {}
        for number in [number for number, data in enumerate(parts) if data[-1:] == b"]"]:
            parts[number], _, beside[number] = parts[number].partition(b"\n")
        joined = b",".join(parts)
        if joined.count(SEAL) > sum([parts[number].count(SEAL) for number in beside]):  # a seat's log, or damage
            beside.update({number: b"" for number, data in enumerate(parts) if SEAL in data and not beside.get(number)})
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):  # below it is found out where
            events: list[Event] = self._decode_list(b"[" + joined + b"]")
            if len(events) == len(rows):
                for number, secrets in beside.items():
                    events[number] = unseal(events[number], _disclosures.decode(secrets) if secrets else ())
                return events
        return [self.decode(data, position) for position, data in rows]


def public(data: bytes) -> bytes:
    """Return the part of an event's bytes that the chain covers: without what lies beside it."""
    return data.partition(b"\n")[0]


def batch_digest(rows: Iterable[bytes]) -> str:
    """Return the digest of a batch: SHA-256 of its events' public bytes, each with a newline, in lowercase hex."""
    digest = hashlib.sha256()
    for data in rows:
        digest.update(public(data) + b"\n")
    return digest.hexdigest()


def with_head(events: Sequence[Event], **fields: Any) -> list[Event]:
    """Return a batch with its head's fields (person, time, key, prev) filled in."""
    head = events[0]
    assert isinstance(head, Head)
    return [msgspec.structs.replace(head, **fields), *events[1:]]


def head_kinds() -> frozenset[str]:
    """Return the names of the events that open a batch."""
    from ..domain.events import HEADS

    return frozenset(cls.__struct_config__.tag or cls.__name__ for cls in HEADS)  # type: ignore[misc]


def kind(event: Event) -> str:
    """Return an event's name in the log."""
    return type(event).__struct_config__.tag  # type: ignore[return-value]
