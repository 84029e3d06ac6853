"""Reads a log in the forms it was recorded in: eras of format and ruleset version, and the older ones' way to events."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from .. import __version__
from ..domain.errors import BadLog, NotAllowed
from ..domain.events import COMMON, HEADINGS, Event, VersionChanged
from ..domain.rules import Ruleset
from ..domain.secrets import Disclosure, digest, unseal
from ..domain.upcasts import Plain, Upcasts, later

FORMAT = 1
"""The version of the log format that this release writes."""

FORMATS: Mapping[int, Upcasts] = {}
"""By the last format that recorded in an older form, oldest first: how the events that all games share change.

What the structure of a log rests on keeps its form for ever, and only gains fields with a default: the `type` of every
event, the `prev` of every head, GameOpened, GameForked, VersionChanged, Rewound and KeyRevealed.
"""

_encode = msgspec.json.Encoder().encode


class Several(Event, frozen=True):
    """What one event of an older form is today: one fact then, several now (or none); never in a log itself."""

    events: tuple[Any, ...]

    @property
    def reveals(self) -> bool:  # type: ignore[override]
        """Whether one of them makes something known."""
        return any(event.reveals for event in self.events)

    @property
    def heading(self) -> str:  # type: ignore[override]
        """The widest heading that one of them opens."""
        return min((event.heading for event in self.events if event.heading), key=HEADINGS.index, default="")

    def apply(self, state: Any) -> None:
        for event in self.events:
            event.apply(state)


class Era(msgspec.Struct, frozen=True):
    """From position `first` on a log has the form of a format and a version of its ruleset; `software` recorded it."""

    first: int
    format: int
    version: str
    software: str = ""


class _Versions(msgspec.Struct):
    format: int
    version: str
    software: str = ""


def era(position: int, public: bytes) -> Era | None:
    """Return the era that an opening or a change of version begins; None for bytes that are neither."""
    try:
        found = msgspec.json.decode(public, type=_Versions)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None  # whoever decodes the event says so
    return Era(position, found.format, found.version, found.software)


class Older:
    """Reads events of one older form as today's; `rules` is None for a ruleset that is not installed."""

    def __init__(self, rules: Ruleset | None, upcasts: Sequence[Upcasts]) -> None:
        self._name = rules.id if rules is not None else "all games"
        self._upcasts = upcasts
        kinds: Any = rules.event_type if rules is not None else _common()
        self._decode: Callable[[bytes], Event] = msgspec.json.Decoder(kinds).decode
        self.kinds = {kind for upcast in upcasts for kind in upcast.events}
        """The older names of events that are changed."""

    def decode(self, public: bytes, given: Iterable[Disclosure] = (), *, opened: bool = True) -> Event:
        """Return the event of today that the public bytes of an older one are, with the secrets given put back.

        `opened` leaves the seals of those not given out. Raises ValueError or MsgspecError for what is none.
        """
        plain = msgspec.json.decode(public)
        if not isinstance(plain, dict):
            raise ValueError("this is no object")
        found: Sequence[Plain] = (_opened(plain, given),)
        for upcast in self._upcasts:
            found = [new for one in found for new in self._step(upcast, one)]
        events = [self._decode(_encode(one)) for one in found]
        event = events[0] if len(events) == 1 else Several(events=tuple(events))
        return unseal(event, ()) if opened else event

    def _step(self, upcast: Upcasts, plain: Plain) -> Sequence[Plain]:
        kind = plain.get("type")
        try:
            return upcast.event(plain)
        except Exception as error:  # a ruleset's own code, on whatever an older log holds
            raise ValueError(
                f"the upcaster of {self._name} fails on {kind} ({type(error).__name__}: {error})"
            ) from error


def _common() -> Any:
    from typing import Union

    return Union[COMMON]  # noqa: UP007


def _opened(plain: Plain, given: Iterable[Disclosure]) -> Plain:
    """Return plain data with secrets put back; raises ValueError for one that does not fit its seal or has none."""
    known: dict[str, Disclosure] = {}
    for item in given:
        if item.field in known:
            raise ValueError(f"the secret of field '{item.field}' is given twice")
        known[item.field] = item

    def put_back(value: Any, path: str) -> Any:
        if isinstance(value, list):
            return [put_back(item, f"{path}.{number}") for number, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if value.keys() != {"sealed"}:
            return {name: put_back(item, f"{path}.{name}" if path else name) for name, item in value.items()}
        disclosed = known.pop(path, None)
        if disclosed is None:
            return value
        if digest(disclosed.salt, disclosed.value) != value["sealed"]:
            raise ValueError(f"the secret of field '{path}' does not fit its seal")
        return disclosed.value

    opened: Plain = put_back(plain, "") if known else plain
    if known:
        raise ValueError(f"no sealed field '{next(iter(known))}'")
    return opened


def older(rules: Ruleset | None, era: Era) -> Older | None:
    """Return what reads the events of an era; None where they have today's form, or a newer one."""
    upcasts = [upcast for form, upcast in FORMATS.items() if era.format <= form]
    if rules is not None:
        upcasts += [upcast for form, upcast in rules.upcasters.items() if not later(era.version, form)]
    return Older(rules, upcasts) if upcasts else None


def unknown(rules: Ruleset | None, era: Era) -> str | None:
    """Return what to install for an era that a newer warptape or ruleset recorded; None for what is known here."""
    if era.format > FORMAT:
        by = era.software or "a newer warptape"
        return f"it was made by {by}, format {era.format}, and formats up to {FORMAT} are known here: install {by} or newer"
    if rules is not None and later(era.version, rules.version):
        return (
            f"it was recorded by version {era.version} of {rules.id}, and version {rules.version} is installed: install "
            f"{rules.id} {era.version} or newer"
        )
    return None


class Eras:
    """The eras of one log, looked up when first needed."""

    def __init__(self, rules: Ruleset, load: Callable[[], Sequence[Era]]) -> None:
        self.rules = rules
        self._load = load
        self._found: Sequence[Era] | None = None
        self._older: dict[int, Older | None] = {}
        self._since: int | None = None

    def forget(self) -> None:
        """Look again: the log has grown."""
        self._found = self._since = None
        self._older = {}

    @property
    def all(self) -> Sequence[Era]:
        """All eras, in order."""
        if self._found is None:
            self._found = self._load()
        return self._found

    def at(self, position: int) -> Era | None:
        """Return the era that a position lies in."""
        index = bisect_right([era.first for era in self.all], position) - 1
        return self.all[index] if index >= 0 else None

    @property
    def since(self) -> int:
        """From this position on no event has an older form."""
        if self._since is None:
            self._since = 0
            for number, one in enumerate(self.all):
                if self._reader(number) is not None:
                    self._since = self.all[number + 1].first if number + 1 < len(self.all) else 2**62
                elif (why := unknown(None, one)) is not None:
                    raise BadLog(f"this log cannot be read: {why}.", position=one.first)
        return self._since

    def older(self, position: int) -> Older | None:
        """Return what reads the event at a position; None where it has today's form."""
        return self._reader(bisect_right([era.first for era in self.all], position) - 1)

    def _reader(self, number: int) -> Older | None:
        if number < 0:
            return None
        if number not in self._older:
            self._older[number] = older(self.rules, self.all[number])
        return self._older[number]

    def upgrade(self, *, acting: bool) -> list[list[Event]]:
        """Return the batch that must stand before what is recorded next, nothing where the form stays.

        Raises NotAllowed for acting in a game that a newer version of its rules recorded: these may not give the same.
        """
        if not self.all:
            return []
        last = self.all[-1]
        if acting and (why := unknown(self.rules, last)) is not None:
            raise NotAllowed(f"This game cannot be played on here: {why}. Any moment of it that is known can be shown.")
        if last.format == FORMAT and (not acting or last.version == self.rules.version):
            return []
        return [[VersionChanged(format=FORMAT, version=self.rules.version, software=f"warptape {__version__}")]]


def parts(event: Event) -> Sequence[Event]:
    """Return the events that one event of a log is today: itself, unless it is of an older form."""
    return event.events if isinstance(event, Several) else (event,)
