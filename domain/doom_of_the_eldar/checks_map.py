"""What the map must be like: areas that know each other, two connected parts, and wedges that can be drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..faults import Fault, repeated
from .records import Board, Region
from .state import BOXES, LID

if TYPE_CHECKING:
    from .catalogue import Catalogue

FILE = "map.toml"
ID = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""What an area's id or a counter's code looks like, so that it can be typed and is no token."""


def areas(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what is wrong with areas and their neighbours (DOE-MAP-1)."""
    regions = catalogue.areas
    for number, area in enumerate(regions.values()):
        if not ID.fullmatch(area.id):
            yield Fault(f"'{area.id}' cannot be typed; use letters and digits.", FILE, "area", number, "id")
        if not area.name.strip():
            yield Fault("an area needs a name.", FILE, "area", number, "name")
        if area.id in (*BOXES, LID):
            yield Fault(f"'{area.id}' is the name of a box.", FILE, "area", number, "id")
    for number, area in enumerate(regions.values()):
        for reason in _neighbours(area, regions):
            yield Fault(reason, FILE, "area", number, "adjacent")
    yield from _sectors(catalogue)
    for kind in ("craftworld", "space"):
        part = [area.id for area in regions.values() if area.kind == kind]
        if not part:
            yield Fault(f"there is no {kind} area.", FILE)
        yield from _apart(regions, part, f"no path within {kind} leads to it from '{part[0]}'.")
    yield from _apart(regions, list(regions), "no path leads to it.")


def _neighbours(area: Region, regions: Mapping[str, Region]) -> Iterator[str]:
    if again := repeated(area.adjacent):
        yield f"'{again}' is there twice."
    for other in area.adjacent:
        if other not in regions:
            yield f"there is no area '{other}'."
        elif other == area.id:
            yield "an area is no neighbour of itself."
        elif area.id not in regions[other].adjacent:
            yield f"'{other}' does not name it as a neighbour."


def _sectors(catalogue: Catalogue) -> Iterator[Fault]:
    faces = catalogue.board.sectors_for_die
    for sector in faces:
        if sector not in catalogue.areas or catalogue.areas[sector].kind != "space":
            yield Fault(f"there is no space area '{sector}'.", FILE, "board", 0, "sectors_for_die")
    if len(faces) != 6 or len({*faces}) != 6:
        yield Fault("there must be six sectors, one for each face of the die.", FILE, "board", 0, "sectors_for_die")
    for number, area in enumerate(catalogue.areas.values()):
        face = faces.index(area.id) + 1 if area.id in faces else 0
        if area.sector != face:
            yield Fault(f"the die gives it {face}, not {area.sector}.", FILE, "area", number, "sector")


def _apart(regions: Mapping[str, Region], part: list[str], reason: str) -> Iterator[Fault]:
    """Yield the areas of a part that cannot be reached within it from its first one."""
    found, fresh = {part[0]}, [part[0]]
    while fresh:
        beside = {*regions[fresh.pop()].adjacent} & {*part} - found
        found |= beside
        fresh += sorted(beside)
    for number, id in enumerate(regions):
        if id in part and id not in found:
            yield Fault(reason, FILE, "area", number, "adjacent")


def wedges(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield what of the map could not be drawn: no canvas, no wedge, or a label outside its wedge."""
    board = catalogue.board
    for key in ("width", "height", "rx", "ry"):
        if getattr(board, key) < 1:
            yield Fault(f"{key} must be at least 1, not {getattr(board, key)}.", FILE, "board", 0, key)
    for key, middle, radius, size in (
        ("cx", board.cx, board.rx, board.width),
        ("cy", board.cy, board.ry, board.height),
    ):
        if not radius <= middle <= size - radius:
            yield Fault("the ellipses reach beyond the canvas.", FILE, "board", 0, key)
    for number, area in enumerate(catalogue.areas.values()):
        (inner, outer), (start, end) = area.ring, area.angle
        if not 0 <= inner < outer <= 1:
            yield Fault(f"rings {inner} and {outer} make no wedge: 0 to 1, ascending.", FILE, "area", number, "ring")
        if not start < end <= start + 360:
            yield Fault(
                f"angles {start} and {end} make no wedge: ascending, at most a circle.", FILE, "area", number, "angle"
            )
        if not inside(board, area, area.label):
            yield Fault("the label lies outside the wedge.", FILE, "area", number, "label")


def inside(board: Board, area: Region, point: tuple[float, float]) -> bool:
    """Say whether a point of the canvas lies within an area's wedge, its border not included."""
    across, up = (point[0] - board.cx) / board.rx, (board.cy - point[1]) / board.ry
    (inner, outer), (start, end) = area.ring, area.angle
    if not inner < math.hypot(across, up) < outer:
        return False
    return end == start + 360 or 0 < (math.degrees(math.atan2(up, across)) - start) % 360 < end - start
