"""The board of Doom of the Eldar: a state, or a view of one, as a Scene."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from ...domain.doom_of_the_eldar.actions import Fight, HitSwarm, RetreatTo, Use
from ...domain.doom_of_the_eldar.book import BOX_NAMES, Book
from ...domain.doom_of_the_eldar.catalogue import Catalogue
from ...domain.doom_of_the_eldar.endings import points
from ...domain.doom_of_the_eldar.events_turn import END_REASONS, PHASE_NAMES
from ...domain.doom_of_the_eldar.records import Region, TrackRow
from ...domain.doom_of_the_eldar.state import BOXES, ELDAR, TYRANID, Battle, DoomState, lid_size
from ...domain.doom_of_the_eldar.values import horde_value
from ...domain.rules import Decision, Ruleset
from ...domain.secrets import Secret
from ...domain.words import sentence
from ..scene import Area, Box, Key, Panel, Piece, Row, Scene, Shape, Track

SIDES = {ELDAR: "Eldar", TYRANID: "Tyranids"}
ROLES = {ELDAR: "unit.yellow", TYRANID: "foe"}
ORIGINS = {"iyanden": "unit.yellow", "green": "unit.green", "blue": "unit.blue"}
SHAPES: dict[str, Shape] = {"ground": "hex", "ship": "oblong", "special": "triangle"}
STEP = 5
"""Degrees between the points of an arc: a chord is then nowhere a pixel from its ellipse."""


def board(ruleset: Ruleset, state: DoomState, title: str = "") -> Scene:
    """Return the scene of a position: the map with all that stands on it, the Wave Assault Track, what is off the map.

    A token that lies face down is named only where the state, or the seat's view of it, knows what it is.
    """
    book: Book = ruleset.book  # type: ignore[attr-defined]
    return draw(book, state, title or ruleset.title, ruleset.decision(state))


def draw(book: Book, state: DoomState, title: str, decision: Decision | None = None) -> Scene:
    """Return the scene of a position; areas that a decision offers to choose between are marked."""
    areas = tuple(_areas(book, state, decision))
    pieces = tuple(piece for area in book.areas for piece in _pieces(book, state, area))
    return Scene(
        title=title,
        subtitle=". ".join(_subtitle(state, decision)),
        areas=areas,
        plan=tuple(book.catalogue.board.ascii.strip("\n").splitlines()),
        pieces=pieces,
        tracks=(_track(book, state),),
        panels=tuple(_panels(book, state, decision)),
        legend=tuple(_legend(areas, pieces)),
    )


def _subtitle(state: DoomState, decision: Decision | None) -> Iterator[str]:
    if state.turn:
        yield f"Turn {state.turn}"
    if state.ended:
        yield _winner(state)
        return
    if state.phase:
        yield PHASE_NAMES[state.phase]
    if decision:
        yield f"{SIDES[decision.seat]}: {decision.prompt}" if decision.prompt else f"{SIDES[decision.seat]} to decide"


def _winner(state: DoomState) -> str:
    ended = state.ended
    return f"The {SIDES[ended.winner]} win" if ended and ended.winner else "A draw"


# -------------------------------------------------------------------------------------------------- map


def _areas(book: Book, state: DoomState, decision: Decision | None) -> Iterator[Area]:
    offered = _offered(state, decision)
    outlines = _outlines(book.catalogue)
    for id, region in book.catalogue.areas.items():
        kind = "hull"
        ground: Literal["plain", "double", "hatched"] = "plain"
        if region.kind == "space":
            kind = "far" if region.sector else "space"
        elif id in state.fortified:
            ground = "double"
        elif id in state.devastated:
            kind, ground = "ruin", "hatched"
        mark = "mark" if id in offered else ""
        if state.battle and state.battle.area == id:
            mark = "mark.danger"
        yield Area(
            id=id, name=region.name, code=id, at=region.label, outline=outlines[id], kind=kind, ground=ground, mark=mark
        )


def _offered(state: DoomState, decision: Decision | None) -> set[str]:
    """The areas between which the one who decides may choose now."""
    found = set()
    for action in decision.actions if decision else ():
        match action:
            case Fight(area=area) | Use(area=area) | RetreatTo(area=area):
                found.add(area)
            case HitSwarm(token=token):
                found.add(state.swarms[token])
    return found


@lru_cache(maxsize=8)
def _outlines(catalogue: Catalogue) -> dict[str, tuple[tuple[float, float], ...]]:
    """The wedges of the map as polygons: neighbours along a ring have their points in common, so no gap shows."""
    regions = catalogue.areas.values()
    corners = {angle % 360 for region in regions for angle in region.angle}
    grid = sorted({*range(0, 360, STEP), *corners})
    return {region.id: _outline(catalogue, region, grid) for region in regions}


def _outline(catalogue: Catalogue, region: Region, grid: Sequence[float]) -> tuple[tuple[float, float], ...]:
    board, (first, last) = catalogue.board, region.angle
    angles = sorted(turned for angle in grid for turned in (angle - 360, angle, angle + 360) if first <= turned <= last)

    def point(ring: float, angle: float) -> tuple[float, float]:
        turn = math.radians(angle % 360)
        x, y = board.cx + board.rx * ring * math.cos(turn), board.cy - board.ry * ring * math.sin(turn)
        return (round(x, 2), round(y, 2))

    inner, outer = region.ring
    back = [point(inner, angle) for angle in reversed(angles)] if inner else [point(0, 0)]
    return (*(point(outer, angle) for angle in angles), *back)


def _pieces(book: Book, state: DoomState, area: str) -> Iterator[Piece]:
    """What stands in an area: the state of the area, the Eldar in the order of the content, the stack, top first."""
    where = sentence(book.names.area(area))
    if area in state.fortified:
        yield Piece(at=area, glyph="F", role="token", shape="square", name=f"{where} is fortified")
    if area in state.devastated:
        yield Piece(at=area, glyph="D", role="token.bad", shape="square", name=f"{where} is devastated")
    for unit in state.eldar.get(area, ()):
        yield _unit(book, unit, area)
    stack = state.stacks.get(area, [])
    for depth, token in enumerate(reversed(stack), 1):
        yield _token(book, state, token, area, f", {depth} of {len(stack)} from the top" if len(stack) > 1 else "")


def _unit(book: Book, id: str, area: str) -> Piece:
    unit = book.units[id]
    figures = _figures(book, id)
    return Piece(
        at=area,
        glyph=unit.code,
        role=ORIGINS.get(unit.origin, "unit.yellow") if unit.group != "special" else "unit.white",
        shape=SHAPES[unit.group],
        name=f"{book.names.unit(id)} ({id})" + (f" {figures}" if figures else ""),
        value=figures,
        ref=id,
    )


def _figures(book: Book, id: str) -> str:
    """What is printed on an Eldar counter: attack and defence, or its value in space."""
    unit = book.units[id]
    if unit.group == "ship":
        return str(unit.combat)
    return f"{unit.attack}-{unit.defence}" if unit.attack or unit.defence else ""


def _token(book: Book, state: DoomState, token: str, area: str, place: str) -> Piece:
    counter = state.counter(token)
    if counter is None:
        return Piece(at=area, glyph=token, role="hidden", name=f"Swarm {token}, face down{place}", ref=token)
    up, figures = token in state.face, _horde(book, state, token, counter)
    look = "face up" if up else "face down"
    return Piece(
        at=area,
        glyph=book.counters[counter].code,
        code=token,
        role="foe" if up else "hidden",
        faded=not up,
        name=f"{token} {book.names.counter(counter)} {figures}, {look}{place}".replace("  ", " "),
        value=figures,
        ref=token,
    )


def _horde(book: Book, state: DoomState, token: str, counter: str) -> str:
    """The figures of a Horde as they stand (growth and copies included), of a Swarm those of its hidden side."""
    item = book.counters[counter]
    pair = (item.attack, item.defence)
    if token in state.face:
        pair = (horde_value(book, state, token, "attack"), horde_value(book, state, token, "defence"))
    return f"{pair[0]}-{pair[1]}" if any(pair) else ""


# ------------------------------------------------------------------------------------------------ track


def _track(book: Book, state: DoomState) -> Track:
    rows = book.catalogue.layouts[state.options.track_layout]
    first, last = rows[0].boxes[0], rows[-1].boxes[1]
    name = "Wave Assault Track"
    if state.over:
        name += f": over since turn {state.over}"
    return Track(
        name=name,
        boxes=tuple(
            Box(label=str(box), role="" if box != state.marker else "mark", name=f"Box {box}")
            for box in range(first, last + 1)
        ),
        here=state.marker - first,
        per_row=rows[0].boxes[1] - first + 1,
        notes=tuple(f"{row.eldar_vp} VP, {_doubles(row)}" for row in rows),
    )


def _doubles(row: TrackRow) -> str:
    """Which doubles end the assault while the marker is in that row (DOE-TRACK-3)."""
    dice = row.ending_doubles
    if not dice:
        return "no double"
    if len(dice) == 6:
        return "any double"
    run = dice[-1] - dice[0] + 1 == len(dice) > 1
    return "double " + (f"{dice[0]}-{dice[-1]}" if run else ", ".join(map(str, dice)))


# ----------------------------------------------------------------------------------------------- panels


def _panels(book: Book, state: DoomState, decision: Decision | None) -> Iterator[Panel]:
    if state.ended:
        yield Panel(title="The game is over", rows=tuple(_ending(book, state)))
    if state.battle:
        yield Panel(title=f"Battle at {book.names.area(state.battle.area)}", rows=tuple(_battle(state.battle)))
    yield Panel(title="The war", rows=tuple(_war(book, state, decision)))
    if off := tuple(_off_the_map(book, state)):
        yield Panel(title="Off the map", rows=off)
    if on := tuple(_on_the_map(book, state)):
        yield Panel(title="On the map (stacks top first)", rows=on)
    yield Panel(title="Figures (attack-defence, ships in space)", rows=tuple(_all_figures(book, state)))


def _ending(book: Book, state: DoomState) -> Iterator[Row]:
    ended = state.ended
    if ended is None:
        return
    yield Row(label="Result", text=_winner(state), role="accent")
    yield Row(label="Because", text=END_REASONS.get(ended.reason, ended.reason))
    yield Row(label="Eldar", text=f"{ended.eldar} VP", role=ROLES[ELDAR])
    yield Row(label="Tyranids", text=f"{ended.tyranid} VP{_parts(book, ended.parts)}", role=ROLES[TYRANID])


def _battle(battle: Battle) -> Iterator[Row]:
    yield Row(label="Attacker", text=SIDES[battle.attacker], role=ROLES[battle.attacker])
    if battle.kind == "space" and battle.round:
        yield Row(label="Round", text=str(battle.round))
    if battle.side:
        against = f" against {battle.defence}" if battle.kind != "space" else ""
        yield Row(
            label=SIDES[battle.side], text=f"{battle.total}{against}, column {battle.column}", role=ROLES[battle.side]
        )
    if battle.roll:
        yield Row(label="Die", text=f"{battle.roll}{', rolled again' if battle.rerolled else ''}", role="accent")
    yield Row(label="Re-roll", text=SIDES.get(battle.holder, "nobody"))


def _war(book: Book, state: DoomState, decision: Decision | None) -> Iterator[Row]:
    if state.turn:
        phase = f", {PHASE_NAMES[state.phase]}" if state.phase else ""
        yield Row(label="Turn", text=f"{state.turn}{phase}")
    if decision and not state.ended:
        asked = f": {decision.prompt}" if decision.prompt else ""
        yield Row(label="To decide", text=f"{SIDES[decision.seat]}{asked}", role=ROLES[decision.seat])
    if not state.ended:
        yield Row(label="Points now", text=_points(book, state))
    if state.turn:
        yield Row(label="Assault", text=_assault(book, state))
    yield Row(label="Lid", text=f"{lid_size(state)} counters")
    order = state.standing_order()
    if order is not None and isinstance(state.order, Secret):
        yield Row(label="Mine's order", text=f"detonate at {order} Eldar counters" if order else "never detonate")


def _points(book: Book, state: DoomState) -> str:
    """The points as they stand (DOE-VP-1 to DOE-VP-5)."""
    eldar, parts = points(book, state)
    return f"Eldar {eldar}, Tyranids {sum(parts.values())}{_parts(book, parts)}"


def _parts(book: Book, parts: dict[str, int]) -> str:
    """What gave the Tyranids their points."""
    # A name without what stands behind it in brackets.
    names = {part: book.units[part].name.partition(" (")[0] if part in book.units else part for part in parts}
    told = [f"{names[part]} {n}" for part, n in parts.items() if n]
    return f" ({', '.join(told)})" if told else ""


def _assault(book: Book, state: DoomState) -> str:
    if not state.over:
        return f"at {state.marker}, {_doubles(book.row(state.marker, state.options))} ends it"
    limit = state.options.stall_turns
    quiet = f", {state.quiet} of {limit} quiet turns" if limit else ""
    return f"over since turn {state.over}{quiet}, the last turn is {state.over + book.bound}"


def _off_the_map(book: Book, state: DoomState) -> Iterator[Row]:
    for box in (*([] if state.turn else [""]), *BOXES):
        if units := state.eldar.get(box):
            label = BOX_NAMES[box].removeprefix("the ") if box else "to be set up"
            yield Row(label=label[0].upper() + label[1:], text=" ".join(units))


def _on_the_map(book: Book, state: DoomState) -> Iterator[Row]:
    for area in book.areas:
        units, stack = state.eldar.get(area, []), state.stacks.get(area, [])
        if not units and not stack:
            continue
        parts = [" ".join(units), " ".join(_told(book, state, token) for token in reversed(stack))]
        yield Row(label=area, text=" / ".join(filter(None, parts)))


def _told(book: Book, state: DoomState, token: str) -> str:
    """A token in a list: `#07` unknown, `#07(TH2)` known but face down, `#07=TH2 12-12` face up."""
    counter = state.counter(token)
    if counter is None:
        return token
    if token not in state.face:
        return f"{token}({counter})"
    figures = _horde(book, state, token, counter)
    return f"{token}={counter}" + (f" {figures}" if figures else "")


def _all_figures(book: Book, state: DoomState) -> Iterator[Row]:
    """What is printed on the counters, which the map in text has no room for: the Eldar's, and the Swarms known here."""
    eldar: dict[str, dict[str, str]] = {"Ground": {}, "Ships": {}}
    for id, unit in book.units.items():
        if figures := _figures(book, id):
            eldar["Ships" if unit.group == "ship" else "Ground"][unit.code] = figures
    for label, found in eldar.items():
        yield Row(label=label, text=_listed(found), role=ROLES[ELDAR])
    known = {token: state.counter(token) for token in state.swarms}
    hordes = {
        book.counters[counter].code: _horde(book, state, token, counter)
        for token, counter in known.items()
        if counter is not None and token not in state.face
    }
    if hordes := {code: hordes[code] for code in sorted(hordes) if hordes[code]}:
        yield Row(label="Tyranids", text=_listed(hordes), role=ROLES[TYRANID])


def _listed(figures: dict[str, str]) -> str:
    return ", ".join(f"{code}={pair}" for code, pair in figures.items())


def _legend(areas: Sequence[Area], pieces: Sequence[Piece]) -> Iterator[Key]:
    """What the signs on this board mean; those that are not on it are left out."""
    words = (
        ("F", "square", "fortified"), ("D", "square", "devastated"), ("", "hex", "Eldar ground force"),
        ("", "oblong", "Eldar ship"), ("", "triangle", "Eldar hero"),
    )  # fmt: skip
    for glyph, shape, text in words:
        if found := next((p for p in pieces if p.shape == shape and (not glyph or p.glyph == glyph)), None):
            yield Key(text=text, glyph=found.glyph, role=found.role, shape=found.shape)
    tokens = [piece for piece in pieces if piece.shape == "round"]
    if any(not piece.code for piece in tokens):
        yield Key(text="Swarm, face down", glyph="#", role="hidden", shape="round")
    known = ((True, "Swarm, face down but known here"), (False, "Horde, face up"))
    for faded, what in known:
        if found := next((piece for piece in tokens if piece.code and piece.faded == faded), None):
            yield Key(text=what, glyph=found.glyph, code=found.code, role=found.role, shape="round", faded=faded)
    marks = {area.mark for area in areas}
    for role, what in (("mark.danger", "battle"), ("mark", "can be chosen")):
        if role in marks:
            yield Key(text=what, glyph="*", role=role)
