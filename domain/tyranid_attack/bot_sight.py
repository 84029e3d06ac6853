"""What is seen from where, as bits of the ship's plane and whoever stands between; kept as long as the ship lies so."""

from __future__ import annotations

from typing import cast

from .ship import Ship
from .state import Point


def view(ship: Ship, squares: tuple[Point, ...], reach: int) -> int:
    """Return the squares within a range that see one of some squares, or are seen from it: those of a template, or one."""
    key = ("view", squares, reach)
    found = ship.floods.get(key)
    if found is None:
        plane = ship.plane
        own = plane.mask(squares)
        found = own
        for at in squares:
            found |= plane.mask(ship.clear(at, reach, ship.opaque & ~own))
        ship.floods[key] = found
    return cast("int", found)


def under_fire(ship: Ship, start: int, reach: int) -> int:
    """Return the squares that can be shot at within a range from any of some squares, all of them as bits."""
    key = ("fire", start, reach)
    found = ship.floods.get(key)
    if found is None:
        found = 0
        for at in ship.plane.squares(start):
            found |= view(ship, (at,), reach)
        ship.floods[key] = found
    return cast("int", found)
