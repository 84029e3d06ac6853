"""The bare boards under a heat map: drawn from positions that the archive's own events give, without what stands there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor
from typing import Any

import msgspec

from ...domain.errors import WarptapeError
from ...domain.rules import Ruleset, ruleset
from ...replays.codec import Codec
from ...replays.upcasting import era
from ..boards import draw
from ..scene import Frame, Scene, Spot

Rules = Callable[[str], Ruleset]
"""The rules of a game by its id, over its own boards; raises WarptapeError where there are none."""
NAME = re.compile(r"([a-z])([0-9]{1,3})")
TRIED = 3
"""Games that are tried for a board, each where something first and last happened on it."""


class Ground(msgspec.Struct, frozen=True):
    """A board without pieces: its drawing, and by square or area the name that its place has in all games."""

    scene: Scene
    spots: dict[Spot, str]


def grounds(
    connection: sqlite3.Connection, name: str, spots: Mapping[str, Sequence[str]], rules: Rules
) -> dict[str, Ground]:
    """Return the boards of a ruleset by name; `spots` are the places by board that are to be found on them.

    A board is drawn as it lay in the game that shows most of its places. Those that cannot be drawn are left out: of rules
    that are not installed, of games with other boards than those that `rules` gives, and of games shown as tables.
    """
    found: dict[str, Ground] = {}
    for board, wanted in spots.items():
        best, most = None, 0
        for position in _positions(connection, name, board):
            try:
                ground = _ground(connection, *position, board, rules)
            except (WarptapeError, ArithmeticError, LookupError, TypeError, AttributeError):
                continue  # what is sealed, rules may not be able to draw
            count = len({*ground.spots.values()} & {*wanted})
            if count > most:
                best, most = ground, count
            if most == len(wanted):
                break
        if best is not None:
            found[board] = best
    return found


def _positions(connection: sqlite3.Connection, name: str, board: str) -> Iterator[tuple[str, int]]:
    """Yield where something first and last happened on a board, of a few games."""
    part = "instr(spot, ':') = 0" if not board else "substr(spot, 1, ?) = ?"
    values: list[Any] = [name, *([len(board) + 1, f"{board}:"] if board else []), TRIED]
    games = connection.execute(
        "SELECT games.id, min(moves.position), max(moves.position) FROM games JOIN moves ON game = games.id "
        f"WHERE ruleset = ? AND current AND spot != '' AND {part} GROUP BY games.id LIMIT ?",
        values,
    ).fetchall()
    for game, first, last in games:
        yield game, first
        yield game, last


def _ground(connection: sqlite3.Connection, game: str, position: int, board: str, rules: Rules) -> Ground:
    own = rules(game)
    state = state_at(connection, game, position, own)
    state = msgspec.structs.replace(state, pending=[])  # nothing is asked any more
    scene = draw(own, own.bare(state))
    spots: dict[Spot, str] = {}
    for cell in scene.cells:
        if name := cell.name.partition(",")[0]:
            spots[cell.x, cell.y] = own.spot(state, name)
    for area in scene.areas:
        spots[area.id] = own.spot(state, area.id)
    ours = {spot: name for spot, name in spots.items() if name.rpartition(":")[0] == board}
    bare = _bare(scene, ours)
    return Ground(bare, ours | _by_their_neighbours(bare, ours, board))


def _by_their_neighbours(scene: Scene, spots: Mapping[Spot, str], board: str) -> dict[Spot, str]:
    """The names of squares that go by another board's name here, since both share them, where letters and numbers tell it."""
    known = {(x, y): found for (x, y), name in _squares(spots) if (found := NAME.fullmatch(name.rpartition(":")[2]))}
    columns = {(way, x - way * ord(found[1])) for (x, _), found in known.items() for way in (1, -1)}
    rows = {(way, y - way * int(found[2])) for (_, y), found in known.items() for way in (1, -1)}
    turns = [
        [(way, start) for way, start in lines if sum(one == way for one, _ in lines) == 1] for lines in (columns, rows)
    ]
    if not all(turns) or len(known) < 3:
        return {}
    (across, left), (down, top) = turns[0][0], turns[1][0]
    named: dict[Spot, str] = {}
    for cell in scene.cells:
        column, row = across * (cell.x - left), down * (cell.y - top)
        if cell.kind != "wall" and (cell.x, cell.y) not in spots and ord("a") <= column <= ord("z") and row > 0:
            named[cell.x, cell.y] = f"{board}:{chr(column)}{row}"
    return named


def _squares(spots: Mapping[Spot, str]) -> Iterator[tuple[tuple[int, int], str]]:
    return ((spot, name) for spot, name in spots.items() if not isinstance(spot, str))


def state_at(connection: sqlite3.Connection, game: str, position: int, rules: Ruleset) -> Any:
    """Return a game's state after an event of its current line, as far as the archive's events tell it: as nobody's view."""
    rows = [
        (at, data.encode())
        for at, data in connection.execute(
            "SELECT position, data FROM events WHERE game = ? AND current AND position <= ? ORDER BY position",
            (game, position),
        )
    ]
    opened = connection.execute(
        "SELECT position, data FROM events WHERE game = ? AND kind IN ('GameOpened', 'VersionChanged') ORDER BY position",
        (game,),
    )
    eras = [one for at, data in opened.fetchall() if (one := era(at, data.encode())) is not None]
    state = rules.state()
    for event in Codec(rules, lambda: eras).decode_all(rows):
        event.apply(state)
    return state


def installed(connection: sqlite3.Connection) -> Rules:
    """Return the installed rules, for games with the boards that came with them."""

    def found(game: str) -> Ruleset:
        name, content = connection.execute("SELECT ruleset, content FROM games WHERE id = ?", (game,)).fetchone()
        rules = ruleset(name)
        if rules.content.digest != content:
            raise WarptapeError("The game has boards of its own, which the archive does not hold.")
        return rules

    return found


def _bare(scene: Scene, spots: Mapping[Spot, str]) -> Scene:
    """A drawing without what stands on it, cut to the squares that have these places, and the walls around them."""
    areas = tuple(msgspec.structs.replace(area, mark="", ground="plain") for area in scene.areas if area.id in spots)
    squares = [spot for spot in spots if not isinstance(spot, str)]
    if not squares:
        return Scene(title="", areas=areas)
    left, right = min(x for x, _ in squares), max(x for x, _ in squares)
    top, bottom = min(y for _, y in squares), max(y for _, y in squares)
    # A section's outline says where its rim is, also where it shares that with another.
    frames = [frame for frame in scene.frames if not frame.solid and _within(frame, left, top, right, bottom)]
    if frames and len(frames) < sum(not frame.solid for frame in scene.frames):
        left, right = floor(min(f.x for f in frames)), floor(max(f.x + f.columns for f in frames))
        top, bottom = floor(min(f.y for f in frames)), floor(max(f.y + f.rows for f in frames))
    else:
        return Scene(title="", cells=scene.cells, axes=scene.axes, frames=tuple(frames), areas=areas)
    cells = tuple(cell for cell in scene.cells if left <= cell.x <= right and top <= cell.y <= bottom)
    outlines = tuple(msgspec.structs.replace(frame, label="") for frame in frames)
    return Scene(title="", cells=cells, frames=outlines, areas=areas)


def _within(frame: Frame, left: int, top: int, right: int, bottom: int) -> bool:
    """Whether the middle of an outline lies within some squares."""
    x, y = frame.x + frame.columns / 2, frame.y + frame.rows / 2
    return left <= x <= right + 1 and top <= y <= bottom + 1
