"""Sealing, audiences and views: who may know a value, and how a log proves it without telling.

A struct that may hold secrets names them in its class variable `secret`; the instance says in `seen_by` which seats
may know them (None: those who may know what holds it, at the top everybody). Actions have no `seen_by`: their secret
fields belong to the seat that acted.
In a log a secret is `{"sealed": h}` with its value and salt beside the event; in a state it is a `Secret`, and a step
on the stack hides its secret fields itself. A secret value is a scalar or a tuple of scalars.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec

Audience = tuple[str, ...] | None
"""The seats that may know a value; None means everybody, the empty tuple nobody."""

PUBLIC = "everybody"
"""Stands in place of a seat for who may know what everybody knows and no more: no audience names it."""


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stands for a value its reader may not know; `sealed` is the digest of salt and value, or empty in a state."""

    sealed: str = ""


SEALED = Sealed()
"""What `apply` and states see in place of a hidden value, whatever its digest."""


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value in a state that only the seats in `seen_by` may know; `value` is `SEALED` in the views of others."""

    value: str | int | bool | tuple[str | int, ...] | Sealed
    seen_by: tuple[str, ...] = ()


class Disclosure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One secret beside an event: the path of its field, its value, its salt, and the seats that may have it."""

    field: str
    value: Any
    salt: str
    seen_by: tuple[str, ...]


_encode = msgspec.json.Encoder().encode
T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


def hidden(value: T | Sealed, seen_by: Audience) -> T | Secret:
    """Return `value` as a state keeps it: bare when everybody may know it, else a `Secret` for its audience."""
    if seen_by is None:
        return value  # type: ignore[return-value]  # what everybody may know is never sealed
    return Secret(SEALED if isinstance(value, Sealed) else value, tuple(sorted({*seen_by})))  # type: ignore[arg-type]


def widen(old: Any, value: Any, seen_by: Audience) -> Any:
    """Return the kept form of a value that more seats have now seen: audiences add up, knowledge is never lost."""
    if seen_by is None or not isinstance(old, Secret):
        return value if seen_by is None else old
    best = old.value if isinstance(value, Sealed) else value
    return Secret(best, tuple(sorted({*old.seen_by, *seen_by})))


def bare(value: Any) -> Any:
    """Return the value inside a `Secret` (`SEALED` if the state is a view that hides it), or the value itself."""
    return value.value if isinstance(value, Secret) else value


def knows(value: Any, seat: str) -> bool:
    """Say whether a seat may know this kept value."""
    return not isinstance(value, Secret) or seat in value.seen_by


@cache
def _sorted(seats: Audience) -> tuple[str, ...]:
    return tuple(sorted({*(seats or ())}))


def all_know(value: Any, seats: Audience) -> bool:
    """Say whether all of these seats may know this kept value (None: whether everybody may)."""
    return not isinstance(value, Secret) or (seats is not None and {*seats} <= {*value.seen_by})


def digest(salt: str, value: Any) -> str:
    """Return the digest that seals a value: SHA-256 of `SALT|` and the JSON of the value, in lowercase hex."""
    return hashlib.sha256(salt.encode() + b"|" + _encode(value)).hexdigest()


def salt(key: str, position: int, path: str) -> str:
    """Return the salt of a sealed field: 32 hex digits from the game's key, the event's position and the field."""
    return hashlib.sha256(f"{key}|seal|{position}|{path}".encode()).hexdigest()[:32]


@cache
def can_hide(hint: Any) -> bool:
    """Say whether values of a type can hold secrets: fields of their own, a `Secret`, or structs that can."""
    return _reaches(hint, set(), False)


def _reaches(hint: Any, met: set[Any], unknown: bool) -> bool:
    """Whether a secret can be reached from a type; `unknown` is the answer for types that are not known."""
    if hint is Secret or bool(getattr(hint, "secret", False)):
        return True
    if hint in (Any, object, msgspec.Struct) or isinstance(hint, TypeVar):
        return unknown
    if isinstance(hint, type) and issubclass(hint, Collection) and not issubclass(hint, str | bytes):
        return unknown
    if hint in met:
        return False
    met.add(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return any(_reaches(field.type, met, unknown) for field in msgspec.structs.fields(hint))
    return any(_reaches(part, met, unknown) for part in get_args(hint))


@cache
def _fields(cls: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a class in which to look for secrets; of those that are secret also the type, else None."""
    secret: Sequence[str] = getattr(cls, "secret", ())
    return tuple(
        (field.name, field.type if field.name in secret else None)
        for field in msgspec.structs.fields(cls)
        if field.name in secret or _reaches(field.type, set(), True)
    )


@cache
def _flat(cls: Any) -> tuple[tuple[str, Any], ...] | None:
    """The secret fields of a class whose other fields hold none, with their types; None for other classes."""
    fields = _fields(cls)
    return None if any(hint is None for _, hint in fields) else fields


def seal(event: S, position: int, key: str, audience: Audience = None) -> tuple[S, list[Disclosure]]:
    """Return the event as a log stores it, and the secrets that lie beside it.

    `position` is the event's place in the log and `key` the game's key in force there: the same game gives the same
    bytes. `audience` is who may know the secret fields of structs that name no audience themselves; by default the
    event's own (of `ActionTaken` the seat that acted). Raises ValueError for an action's secret without an audience.
    """
    found: list[Disclosure] = []

    def close(path: str, value: Any, seen_by: Audience, _hint: Any) -> Any:
        if seen_by is None or isinstance(value, Sealed):
            return value
        grain = salt(key, position, path)
        found.append(Disclosure(path, value, grain, tuple(sorted({*seen_by}))))
        return Sealed(digest(grain, value))

    sealed: S = _rewrite(event, "", _audience(event) if audience is None else audience, close)
    return sealed, found


def unseal(event: S, disclosures: Iterable[Disclosure]) -> S:
    """Return the event with the given secrets put back in their fields; what is not given reads `SEALED`.

    Raises ValueError when a secret does not fit its digest, its field's type or its field's audience, when it is given
    twice, or when it names no sealed field.
    """
    known: dict[str, Disclosure] = {}
    for item in disclosures:
        if item.field in known:
            raise ValueError(f"the secret of field '{item.field}' is given twice")
        known[item.field] = item

    def open_(path: str, value: Any, seen_by: Audience, hint: Any) -> Any:
        if not isinstance(value, Sealed):
            return value
        item = known.pop(path, None)
        if item is None:
            return SEALED
        if digest(item.salt, item.value) != value.sealed:
            raise ValueError(f"the secret of field '{path}' does not fit its seal")
        if item.seen_by != _sorted(seen_by):
            raise ValueError(f"the secret of field '{path}' is for other seats than its event says")
        try:
            opened = msgspec.convert(item.value, hint)
        except msgspec.ValidationError as error:
            raise ValueError(f"the secret of field '{path}' is of another kind: {error}") from error
        if isinstance(opened, Sealed):
            raise ValueError(f"the secret of field '{path}' is itself a seal")
        return opened

    opened: S
    flat = _flat(type(event))
    if flat is not None:
        # Without structs inside there is nothing to walk through: replay is full of these.
        audience = _audience(event)
        changes = {}
        for name, hint in flat:
            value = getattr(event, name)
            if isinstance(value, Sealed):
                changes[name] = open_(name, value, audience, hint)
        opened = msgspec.structs.replace(event, **changes) if changes else event
    else:
        opened = _rewrite(event, "", _audience(event), open_)
    if known:
        raise ValueError(f"no sealed field '{next(iter(known))}'")
    return opened


def hides(struct: msgspec.Struct) -> bool:
    """Say whether a struct, such as a step, holds a secret that not everybody may know."""
    found = False

    def look(_path: str, value: Any, seen_by: Audience, _hint: Any) -> Any:
        nonlocal found
        found = found or seen_by is not None
        return value

    _rewrite(struct, "", None, look)
    return found


def visible(disclosures: Iterable[Disclosure], seat: str | None) -> list[Disclosure]:
    """Return the secrets that a seat may have; None stands for the owner of the log, who has all."""
    return [item for item in disclosures if seat is None or seat in item.seen_by]


def sealable(event: msgspec.Struct) -> list[tuple[str, Any, Audience]]:
    """Return the event's secret fields: the path, the value (`Sealed`, or as it stands) and who may know it.

    For checking a log: a stored event holds a seal wherever an audience is named, and a value wherever none is.
    """
    found: list[tuple[str, Any, Audience]] = []

    def note(path: str, value: Any, seen_by: Audience, _hint: Any) -> Any:
        found.append((path, value, seen_by))
        return value

    _rewrite(event, "", _audience(event), note)
    return found


def redact(event: S, seat: str) -> S:
    """Return the event as one seat may know it: what sealing it and opening that seat's secrets gives."""

    def close(_path: str, value: Any, seen_by: Audience, _hint: Any) -> Any:
        return value if seen_by is None or seat in seen_by else SEALED

    seen: S = _rewrite(event, "", _audience(event), close)
    return seen


def view(state: S, seat: str) -> S:
    """Return the state as one seat may know it: the same shape with every secret of others `SEALED`.

    Equal to folding that seat's redacted log. The state itself is not changed; unchanged parts may be shared, so a
    view is for reading.
    """
    return _mask(state, seat, None)  # type: ignore[no-any-return]


def _audience(event: Any) -> Audience:
    audience: Audience = getattr(event, "audience", None)
    return audience


Change = Callable[[str, Any, Audience, Any], Any]


def _rewrite(struct: Any, prefix: str, inherited: Audience, change: Change) -> Any:
    """Replace the secret fields of a struct, and of the structs in its fields, by what `change` makes of them.

    `change` is given the field's path, its value, its audience and its type.
    """
    cls: Any = type(struct)
    seen_by: Audience = getattr(struct, "seen_by", None)
    if seen_by is None:
        seen_by = inherited
    if seen_by is None and getattr(cls, "needs_audience", False) and cls.secret:
        raise ValueError(f"the secrets of '{prefix}{cls.__name__}' have no audience: what holds it must name one")
    changes: dict[str, Any] = {}
    for name, hint in _fields(cls):
        value = getattr(struct, name)
        if hint is not None:
            new = change(prefix + name, value, seen_by, hint)
        else:
            new = _rewrite_inside(value, prefix + name, seen_by, change)
        if new is not value:
            changes[name] = new
    return msgspec.structs.replace(struct, **changes) if changes else struct


def _rewrite_inside(value: Any, path: str, seen_by: Audience, change: Change) -> Any:
    if isinstance(value, Sealed) or not isinstance(value, CONTAINERS):
        return value
    if isinstance(value, msgspec.Struct):
        return _rewrite(value, path + ".", seen_by, change)
    if isinstance(value, dict):
        return _mapped(value, lambda key, item: _rewrite_inside(item, f"{path}.{key}", seen_by, change))
    return _listed(value, lambda number, item: _rewrite_inside(item, f"{path}.{number}", seen_by, change))


def _mask(value: Any, seat: str, inherited: Audience) -> Any:
    cls: Any = type(value)
    if cls in PLAIN:
        return value
    if cls is Secret:
        return value if seat in value.seen_by or value.value is SEALED else Secret(SEALED, value.seen_by)
    changed: Any = None
    # What is plain is passed over before a call: a state is mostly that, and bots and pages ask for many views.
    if cls is dict:
        for key, item in value.items():
            if type(item) not in PLAIN and (new := _mask(item, seat, inherited)) is not item:
                if changed is None:
                    changed = dict(value)
                changed[key] = new
        return value if changed is None else changed
    if cls is list or cls is tuple:
        for number, item in enumerate(value):
            if type(item) not in PLAIN and (new := _mask(item, seat, inherited)) is not item:
                if changed is None:
                    changed = list(value)
                changed[number] = new
        return value if changed is None else changed if cls is list else tuple(changed)
    if isinstance(value, msgspec.Struct) and (fields := _fields(cls)):
        seen_by: Audience = getattr(value, "seen_by", None)
        if seen_by is None:
            seen_by = inherited
        hides = seat not in seen_by if seen_by is not None else getattr(cls, "needs_audience", False)
        changes: dict[str, Any] = {}
        for name, hint in fields:
            old = getattr(value, name)
            if hint is not None:
                new = SEALED if hides else old
            elif type(old) in PLAIN:
                continue
            else:
                new = _mask(old, seat, seen_by)
            if new is not old:
                changes[name] = new
        return msgspec.structs.replace(value, **changes) if changes else value
    return value


PLAIN = frozenset({str, int, bool, float, type(None)})
"""Types whose values neither are secret by themselves nor hold anything else."""
CONTAINERS = (msgspec.Struct, dict, list, tuple)


def _mapped(value: dict[Any, Any], change: Callable[[Any, Any], Any]) -> dict[Any, Any]:
    changed = {key: change(key, item) for key, item in value.items()}
    return changed if any(changed[key] is not item for key, item in value.items()) else value


def _listed(value: Any, change: Callable[[int, Any], Any]) -> Any:
    changed = [change(number, item) for number, item in enumerate(value)]
    if all(new is old for new, old in zip(changed, value, strict=True)):
        return value
    return changed if isinstance(value, list) else tuple(changed)
