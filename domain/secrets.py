"""Sealing, audiences and views: who may know a value, and how a log proves it without telling.

A struct that may hold secrets names them in its class variable `secret`; the instance says in `seen_by` which seats
may know them (None: everybody). Actions have no `seen_by`: their secret fields belong to the seat that acted.
In a log a secret is `{"sealed": h}` with its value and salt beside the event; in a state it is a `Secret`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

Audience = tuple[str, ...] | None
"""The seats that may know a value; None means everybody, the empty tuple nobody."""


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stands for a value its reader may not know; `sealed` is the digest of salt and value, or empty in a state."""

    sealed: str = ""


SEALED = Sealed()
"""What `apply` and states see in place of a hidden value, whatever its digest."""


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value in a state that only the seats in `seen_by` may know; `value` is `SEALED` in the views of others."""

    value: str | int | tuple[str, ...] | tuple[int, ...] | Sealed
    seen_by: tuple[str, ...] = ()


class Disclosure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One secret beside an event: the path of its field, its value, its salt, and the seats that may have it."""

    field: str
    value: Any
    salt: str
    seen_by: tuple[str, ...]


T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


def hidden(value: T, seen_by: Audience) -> T | Secret:
    """Return `value` as a state keeps it: bare when everybody may know it, else a `Secret` for its audience."""
    if seen_by is None:
        return value
    return Secret(SEALED if isinstance(value, Sealed) else value, tuple(sorted(seen_by)))  # type: ignore[arg-type]


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


def digest(salt: str, value: Any) -> str:
    """Return the digest that seals a value: SHA-256 of `SALT|` and the JSON of the value, in lowercase hex."""
    return hashlib.sha256(salt.encode() + b"|" + msgspec.json.encode(value)).hexdigest()


def salt(key: str, position: int, path: str) -> str:
    """Return the salt of a sealed field: 32 hex digits from the game's key, the event's position and the field."""
    return hashlib.sha256(f"{key}|seal|{position}|{path}".encode()).hexdigest()[:32]


def can_hide(cls: type) -> bool:
    """Say whether instances of a struct class can hold secrets of their own."""
    return bool(getattr(cls, "secret", ()))


def seal(event: S, position: int, key: str, audience: Audience = None) -> tuple[S, list[Disclosure]]:
    """Return the event as a log stores it, and the secrets that lie beside it.

    `position` is the event's place in the log and `key` the game's key in force there: the same game gives the same
    bytes. `audience` is who may know secret fields of nested structs that name no audience themselves (an action's).
    """
    found: list[Disclosure] = []

    def close(path: str, value: Any, seen_by: tuple[str, ...]) -> Sealed:
        grain = salt(key, position, path)
        found.append(Disclosure(path, value, grain, seen_by))
        return Sealed(digest(grain, value))

    sealed = _rewrite(event, "", audience, close)
    return sealed, found


def unseal(event: S, disclosures: Iterable[Disclosure]) -> S:
    """Return the event with the given secrets put back in their fields; what is not given reads `SEALED`.

    Raises ValueError when a secret does not fit its digest or names no sealed field.
    """
    known = {item.field: item for item in disclosures}

    def open_(path: str, value: Any, _seen_by: tuple[str, ...]) -> Any:
        item = known.pop(path, None)
        if item is None:
            return SEALED
        if not isinstance(value, Sealed) or digest(item.salt, item.value) != value.sealed:
            raise ValueError(f"the secret of field '{path}' does not fit its seal")
        return _frozen(item.value)

    opened = _rewrite(event, "", (), open_, sealed_only=True)
    if known:
        raise ValueError(f"no sealed field '{next(iter(known))}'")
    return opened


def visible(disclosures: Iterable[Disclosure], seat: str | None) -> list[Disclosure]:
    """Return the secrets that a seat may have; None stands for the owner of the log, who has all."""
    return [item for item in disclosures if seat is None or seat in item.seen_by]


def view(state: S, seat: str) -> S:
    """Return the state as one seat may know it: the same shape with every secret of others `SEALED`.

    Equal to folding that seat's redacted log. The state itself is not changed; unchanged parts may be shared, so a
    view is for reading.
    """
    return _mask(state, seat)  # type: ignore[no-any-return]


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _rewrite(
    struct: Any,
    prefix: str,
    inherited: Audience,
    change: Callable[[str, Any, tuple[str, ...]], Any],
    sealed_only: bool = False,
) -> Any:
    """Replace the secret fields of a struct, and of the structs in its fields, by what `change` makes of them."""
    seen_by: Audience = getattr(struct, "seen_by", None)
    if seen_by is None:
        seen_by = inherited
    secret: Sequence[str] = getattr(type(struct), "secret", ())
    changes: dict[str, Any] = {}
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if name in secret:
            if isinstance(value, Sealed) if sealed_only else seen_by is not None and not isinstance(value, Sealed):
                changes[name] = change(prefix + name, value, tuple(sorted(seen_by or ())))
        elif isinstance(value, msgspec.Struct) and not isinstance(value, Sealed):
            inner = _rewrite(value, f"{prefix}{name}.", seen_by, change, sealed_only)
            if inner is not value:
                changes[name] = inner
        elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
            items = tuple(
                _rewrite(item, f"{prefix}{name}.{number}.", seen_by, change, sealed_only)
                for number, item in enumerate(value)
            )
            if any(new is not old for new, old in zip(items, value, strict=True)):
                changes[name] = items
    return msgspec.structs.replace(struct, **changes) if changes else struct


def _mask(value: Any, seat: str) -> Any:
    if isinstance(value, Secret):
        return value if seat in value.seen_by else Secret(SEALED, value.seen_by)
    if isinstance(value, msgspec.Struct):
        secret: Sequence[str] = getattr(type(value), "secret", ())
        seen_by: Audience = getattr(value, "seen_by", None)
        changes: dict[str, Any] = {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if name in secret:
                new = SEALED if seen_by is not None and seat not in seen_by else old
            else:
                new = _mask(old, seat)
            if new is not old:
                changes[name] = new
        return msgspec.structs.replace(value, **changes) if changes else value
    if isinstance(value, dict):
        mapped = {key: _mask(item, seat) for key, item in value.items()}
        return mapped if any(mapped[key] is not value[key] for key in value) else value
    if isinstance(value, list | tuple):
        items = [_mask(item, seat) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return items if isinstance(value, list) else tuple(items)
    return value
