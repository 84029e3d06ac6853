"""Values drawn anew: what a seat does not know of a position is filled in at random, and written down value by value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from .secrets import CONTAINERS, Audience, Sealed, Secret, bare

Path = tuple[str | int, ...]
"""Where a value is in a state: names of fields, keys and indexes from the outside in."""


class Redealt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value that was drawn anew: where it is in the state, what it is now, and the seats that may know it."""

    secret: ClassVar[tuple[str, ...]] = ("value",)

    path: Path
    value: str | int | bool | tuple[str | int, ...] | Sealed
    seen_by: tuple[str, ...] = ()


def unknown(seen: Any, full: Any) -> Iterator[Redealt]:
    """Yield every value that a seat's view hides, as a full state of the same shape has it.

    Raises ValueError where the full state has nothing there, or hides it as well.
    """
    for path, seen_by in sealed(seen):
        try:
            value = bare(found(full, path)[0])
        except (LookupError, TypeError) as error:
            raise ValueError(f"there is nothing at {said(path)}") from error
        if value is None or isinstance(value, Sealed):
            raise ValueError(f"nothing was drawn for {said(path)}")
        yield Redealt(path, value, seen_by)


def sealed(state: Any) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield where a state hides a value, and from whom it is not hidden."""
    yield from _sealed(state, (), None)


def _sealed(value: Any, path: Path, inherited: Audience) -> Iterator[tuple[Path, tuple[str, ...]]]:
    if isinstance(value, Sealed):
        yield path, tuple(sorted({*(inherited or ())}))
    elif isinstance(value, Secret):
        if isinstance(value.value, Sealed):
            yield path, tuple(sorted({*value.seen_by}))
    elif isinstance(value, msgspec.Struct):
        named: Audience = getattr(value, "seen_by", None)
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            if isinstance(inner, CONTAINERS):
                yield from _sealed(inner, (*path, name), inherited if named is None else named)
    elif isinstance(value, dict | list | tuple):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, CONTAINERS):
                yield from _sealed(inner, (*path, key), inherited)


def said(path: Path) -> str:
    """Return a path as people read it: `chance.bags.crew.out.c1`."""
    return ".".join(map(str, path))


def found(state: Any, path: Path) -> tuple[Any, Audience]:
    """Return what a state keeps at a path, and who may know it; raises LookupError where there is nothing."""
    value, seen_by = state, None
    for step in path:
        if isinstance(value, msgspec.Struct):
            if step not in value.__struct_fields__:
                raise LookupError(said(path))
            named: Audience = getattr(value, "seen_by", None)
            seen_by = seen_by if named is None else named
            value = getattr(value, str(step))
        elif isinstance(value, dict | list | tuple):
            inside: Any = value
            value = inside[step]
        else:
            raise LookupError(said(path))
    return value, value.seen_by if isinstance(value, Secret) else seen_by


def put(state: Any, path: Path, value: Any) -> Any:
    """Put a value at a path of a state and return the state; frozen structs and tuples on the way are replaced.

    A secret keeps its audience. Raises LookupError or TypeError where the path leads nowhere.
    """
    if not path:
        return Secret(value, state.seen_by) if isinstance(state, Secret) else value
    step, rest = path[0], path[1:]
    if isinstance(state, msgspec.Struct):
        if step not in state.__struct_fields__:
            raise LookupError(said(path))
        old = getattr(state, str(step))
        new = put(old, rest, value)
        if new is old:
            return state
        if state.__struct_config__.frozen:
            return msgspec.structs.replace(state, **{str(step): new})
        setattr(state, str(step), new)
        return state
    if isinstance(state, tuple):
        assert isinstance(step, int)
        return (*state[:step], put(state[step], rest, value), *state[step + 1 :])
    state[step] = put(state[step], rest, value)
    return state
